"""The ROC counts, the bounds are exact, and no τ is chosen where there is too little to tell."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from litmusgate.provenance.tau_roc import (
    Negative,
    NoTau,
    Wanted,
    bounds_at,
    choose_tau,
    lower_bound,
    needed_negatives,
    roc,
    tau_thresholds,
    upper_bound,
)

SHARES = st.integers(0, 20).map(lambda count: Fraction(count, 20))
WANTED = Wanted()


def shares(*hundredths: int) -> list[Fraction]:
    """Scores from hundredths."""
    return [Fraction(number, 100) for number in hundredths]


def negatives(instances: list[Fraction], hard: list[Fraction] | None = None) -> dict[Negative, list[Fraction]]:
    """Scores of negatives by kind."""
    return {Negative.INSTANCE: instances, Negative.HARD: hard or []}


@given(positives=st.lists(SHARES, min_size=1, max_size=12), false=st.lists(SHARES, min_size=1, max_size=12))
def test_the_area_is_the_share_of_pairs_in_which_the_plant_scores_higher(positives, false):
    """Counted pair by pair, ties as halves, it is the same fraction."""
    pairs = [(plant > other) + Fraction(plant == other, 2) for plant in positives for other in false]
    assert roc(positives, negatives(false), tau_thresholds()).area == sum(pairs) / len(pairs)


@given(positives=st.lists(SHARES, max_size=12), false=st.lists(SHARES, max_size=12), hard=st.lists(SHARES, max_size=5))
def test_a_point_counts_what_is_at_or_above_its_threshold(positives, false, hard):
    """At every threshold the counts are those of a loop, also for nothing at all."""
    curve = roc(positives, negatives(false, hard), tau_thresholds())
    for point in curve.points:
        assert point.found == sum(score >= point.threshold for score in positives)
        assert point.false[Negative.INSTANCE] == sum(score >= point.threshold for score in false)
        assert point.false[Negative.HARD] == sum(score >= point.threshold for score in hard)


def test_without_positives_or_negatives_there_is_no_area():
    """Nothing measured is never a number."""
    assert roc([], negatives(shares(1)), tau_thresholds()).area is None
    assert roc(shares(1), negatives([]), tau_thresholds()).area is None


@pytest.mark.parametrize(("count", "of"), [(0, 59), (0, 1), (3, 100), (40, 40)])
def test_the_bounds_are_the_exact_one_sided_ones(count, of):
    """Both are the Clopper-Pearson bounds of an independent implementation."""
    assert upper_bound(count, of) == pytest.approx(
        binomtest(count, of, alternative="less").proportion_ci(confidence_level=0.95, method="exact").high
    )
    assert lower_bound(count, of) == pytest.approx(
        binomtest(count, of, alternative="greater").proportion_ci(confidence_level=0.95, method="exact").low
    )
    assert upper_bound(0, 0) is None
    assert lower_bound(0, 0) is None


@pytest.mark.parametrize("share", [Fraction(5, 100), Fraction(1, 100), Fraction(1, 2)])
def test_the_number_of_negatives_asked_for_is_the_smallest_that_can_do(share):
    """With so many and no false positive the bound holds, with one fewer it does not."""
    count = needed_negatives(share)
    assert upper_bound(0, count) <= share < upper_bound(0, count - 1)


def test_the_lowest_tau_that_keeps_the_bounds_is_chosen():
    """One negative at 0.62 of 60 is too many for 5 %, so τ is the hundredth above it."""
    copies = {"verbatim": shares(*[100] * 20)}
    curve = roc(copies["verbatim"], negatives(shares(62, *[3] * 59)), tau_thresholds())
    chosen = choose_tau(curve, copies, WANTED)
    assert (chosen.tau, chosen.problem) == (Fraction(63, 100), None)
    assert chosen.bounds == {Negative.INSTANCE: upper_bound(0, 60)}


def test_no_tau_below_one_half_is_chosen():
    """A threshold under the one for suspicion would leave nothing to look at."""
    copies = {"verbatim": shares(*[100] * 20)}
    chosen = choose_tau(roc(copies["verbatim"], negatives(shares(*[0] * 60)), tau_thresholds()), copies, WANTED)
    assert chosen.tau == Fraction(1, 2)


@pytest.mark.parametrize(
    ("instances", "hard", "copies", "problem"),
    [
        ([], [], [100] * 20, NoTau.TOO_FEW_NEGATIVES),
        ([0] * 58, [], [100] * 20, NoTau.TOO_FEW_NEGATIVES),
        ([0] * 60, [0] * 58, [100] * 20, NoTau.TOO_FEW_NEGATIVES),
        ([0] * 60, [], [100] * 19, NoTau.TOO_FEW_PLANTS),
        ([0] * 60, [], [], NoTau.TOO_FEW_PLANTS),
        ([100] * 60, [], [100] * 20, NoTau.FALSE_POSITIVES),
        ([0] * 60, [100] * 60, [100] * 20, NoTau.FALSE_POSITIVES),
        ([0] * 60, [], [100] * 17 + [20] * 3, NoTau.RECALL),
    ],
)
def test_no_tau_is_made_up(instances, hard, copies, problem):
    """A3: without enough negatives or plants, with false positives at every τ, or with too little found, there is none."""
    scores = {"verbatim": shares(*copies)}
    curve = roc(scores["verbatim"], negatives(shares(*instances), shares(*hard)), tau_thresholds())
    chosen = choose_tau(curve, scores, WANTED)
    assert (chosen.tau, chosen.problem) == (None, problem)
    assert chosen.detail


def test_false_positives_of_one_kind_are_not_drowned_by_the_other():
    """A thousand hard negatives without a hit do not make up for instances that are found where they are not."""
    copies = {"verbatim": shares(*[100] * 20)}
    curve = roc(copies["verbatim"], negatives(shares(*[100] * 10, *[0] * 50), shares(*[0] * 1000)), tau_thresholds())
    assert choose_tau(curve, copies, WANTED).problem is NoTau.FALSE_POSITIVES


def test_a_kind_with_few_plants_is_not_judged_but_another_one_is():
    """Nineteen plants say too little about their kind, to pass or to fail."""
    copies = {"verbatim": shares(*[100] * 20), "shuffle": shares(*[0] * 19)}
    everything = [score for scores in copies.values() for score in scores]
    curve = roc(everything, negatives(shares(*[0] * 60)), tau_thresholds())
    assert choose_tau(curve, copies, WANTED).tau == Fraction(1, 2)


def test_bounds_are_told_for_the_negatives_there_are():
    """A kind of which there is none has no bound, rather than one of 0."""
    curve = roc([], negatives(shares(*[0] * 10)), tau_thresholds())
    assert bounds_at(curve.points[0], curve).keys() == {Negative.INSTANCE}


@pytest.mark.parametrize(
    "changes",
    [{"max_false": Fraction(0)}, {"max_false": Fraction(1)}, {"min_recall": Fraction(0)}, {"min_recall": Fraction(2)}],
)
def test_what_cannot_be_wanted_is_refused(changes):
    """No bound can exclude every false positive, and none must exclude nothing."""
    with pytest.raises(ValueError, match="cannot be wanted"):
        Wanted(**changes)
