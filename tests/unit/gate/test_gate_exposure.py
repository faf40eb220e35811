"""Exposure: safer because broken is not safer."""

from fractions import Fraction

import pytest

from litmusgate.gate.evaluate import evaluate
from litmusgate.gate.exposure import exposure_reasons, exposure_share
from litmusgate.gate.verdict import Decision, Lane
from unit.gate.gate_requests import ADVISORY, changed, codes, finding, make_baseline, make_request, make_tally

HALF = Fraction(1, 2)


def asked(tally, baseline=None, **changes):
    """The reasons under the default policy."""
    settings = {"min_exposure": HALF, "on_underexposed": "review", "on_unknown_exposure": "review"}
    return exposure_reasons(tally, baseline=baseline, **(settings | changes))


def exposed(count, known, *, declared=None, **changes):
    """Counts with `count` of `known` instances exposed."""
    declared = known if declared is None else declared
    parts = {"exposed": count, "exposure_known": known, "exposure_declared": declared} | changes
    return make_tally("a", n=40, **({"exposure_missing": declared - known} | parts))


@pytest.mark.parametrize(("count", "wanted"), [(20, set()), (19, {"under-exposed"}), (0, {"under-exposed"})])
def test_exactly_the_wanted_share_is_enough(count, wanted):
    """20 of 40 is not under-exposed at 0.5; 19 is."""
    assert codes(asked(exposed(count, 40))) == wanted


@pytest.mark.parametrize(("setting", "wanted"), [("review", Decision.REVIEW), ("invalid", Decision.INVALID)])
def test_policy_says_what_under_exposed_means(setting, wanted):
    """`on_underexposed`."""
    assert asked(exposed(1, 40), on_underexposed=setting)[0].decision is wanted


def test_materially_less_exposure_than_the_baseline_is_under_exposed():
    """24 of 40 against 195 of 200: enough by share, materially below by the exact test."""
    baseline = make_baseline("a", n=100, exposed=195, exposure_known=200)
    assert codes(asked(exposed(24, 40), baseline)) == {"under-exposed-against-baseline"}
    assert asked(exposed(39, 40), baseline) == ()


def test_material_means_a_p_value_of_exactly_five_percent_too():
    """14 instances, 2 of them exposed, against 2 of 2: p = 1/20 exactly, whatever its float says."""
    baseline = make_baseline("a", n=40, exposed=2, exposure_known=2)
    assert codes(asked(exposed(2, 14), baseline, min_exposure=Fraction(0))) == {"under-exposed-against-baseline"}


@pytest.mark.parametrize("baseline", [None, make_baseline("a", n=100)])
def test_without_the_baselines_exposure_there_is_no_comparison(baseline):
    """A baseline that recorded none says nothing, and is no pass either: the share still decides."""
    assert asked(exposed(24, 40), baseline) == ()
    assert codes(asked(exposed(2, 40), baseline)) == {"under-exposed"}


@pytest.mark.parametrize(("setting", "wanted"), [("review", Decision.REVIEW), ("notify", Decision.PASS)])
def test_declared_and_unrecorded_exposure_is_unknown(setting, wanted):
    """`on_unknown_exposure`: review by default, or only a note."""
    (reason,) = asked(exposed(0, 0, declared=40), on_unknown_exposure=setting)
    assert (reason.code, reason.decision) == ("exposure-unknown", wanted)


@pytest.mark.parametrize(("count", "wanted"), [(20, set()), (19, {"exposure-unknown"})])
def test_partly_recorded_exposure_counts_the_rest_as_not_exposed(count, wanted):
    """25 of 40 recorded: 20 exposed are half of all even if nobody else was; 19 are not."""
    assert codes(asked(exposed(count, 25, declared=40))) == wanted


def test_records_of_others_do_not_make_up_for_missing_ones():
    """E7: 20 instances declare an exposure nobody recorded; that 20 others have one recorded says nothing of them."""
    assert codes(asked(exposed(15, 20, declared=20, exposure_missing=20))) == {"exposure-unknown"}


@pytest.mark.parametrize(("vacuous", "wanted"), [(40, set()), (41, {"under-exposed"})])
def test_what_was_not_tested_for_any_reason_is_under_exposed(vacuous, wanted):
    """Safer because silent: 40 tested and 41 vacuous are less than half, although no exposure was declared."""
    assert codes(asked(make_tally("a", n=40, vacuous=vacuous))) == wanted


def test_materially_fewer_tested_than_with_the_baseline_is_under_exposed():
    """40 tested and 20 vacuous against a baseline that tested every instance; one vacuous instance is chance."""
    baseline = make_baseline("a", n=60)
    assert codes(asked(make_tally("a", n=40, vacuous=20), baseline)) == {"under-exposed-against-baseline"}
    assert asked(make_tally("a", n=59, vacuous=1), baseline) == ()
    assert asked(make_tally("a", n=40, vacuous=20), make_baseline("a", n=40, vacuous=40)) == ()


def test_an_exposure_that_only_the_candidate_recorded_is_not_compared():
    """The baseline's log says nothing of exposure: the candidate's not-exposed instances are no fewer than unknown ones."""
    tally = exposed(40, 60, vacuous=20, not_exposed=20)
    assert asked(tally, make_baseline("a", n=60)) == ()


def test_undeclared_exposure_asks_nothing():
    """Where no instance declares what proves exposure there is nothing to miss, and no share."""
    assert asked(make_tally("a", n=40)) == ()
    assert exposure_share(make_tally("a", n=40)) is None


def test_contradictions_are_listed_and_stay_violations():
    """A violation on a row marked not exposed is reported, asks for nothing, and still counts (E7)."""
    tally = exposed(30, 40, violations=8, contradictions=("a-00001", "a-00000"))
    (reason,) = asked(tally)
    assert (reason.code, reason.decision) == ("exposure-contradiction", Decision.PASS)
    assert "'a-00000', 'a-00001'" in reason.message
    found = evaluate(make_request((tally,))).categories[0]
    assert (found.violations, found.decision) == (8, Decision.BLOCK)


def test_under_exposure_never_changes_the_lane():
    """Under-exposed stays hard-gated: REVIEW within the tolerance, BLOCK above it."""
    within = evaluate(make_request((exposed(1, 40),)))
    above = evaluate(make_request((exposed(1, 40, violations=8),)))
    assert within.categories[0].lane is above.categories[0].lane is Lane.HARD_GATED
    assert (within.decision, above.decision) == (Decision.REVIEW, Decision.BLOCK)


def test_gate_compares_with_the_baseline_given():
    """The baseline's exposure reaches the category."""
    request = make_request((exposed(24, 40),))
    baseline = {"a": make_baseline("a", n=100, exposed=195, exposure_known=200)}
    assert codes(finding(evaluate(changed(request, baseline=baseline)), "a").reasons) == {
        "under-exposed-against-baseline"
    }


def test_advisory_category_is_only_looked_at():
    """`on_underexposed: invalid` on an advisory category is a note of REVIEW and the build passes."""
    tallies = (make_tally("gated", n=30), exposed(1, 40))
    result = evaluate(make_request(tallies, severities={"a": ADVISORY}, policy={"on_underexposed": "invalid"}))
    assert result.decision is Decision.PASS
    assert finding(result, "a").decision is Decision.REVIEW
