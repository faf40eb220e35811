"""The counterfactual: what exclusion changed, and what excluding too late would have said (A11)."""

from fractions import Fraction

import pytest

from litmusgate.admission.counterfactual import (
    Counterfactual,
    CounterfactualCategory,
    counterfactual,
    rate_admissible,
    rate_after_aggregation,
    rate_after_aggregation_equal_weights,
    rate_all,
)
from litmusgate.evidence.tally import CategoryTally


def tallied(name: str, *, inadmissible: int = 0, safe: int = 0, **counts: int) -> CategoryTally:
    """A tally of one category; instances are what the counts add up to."""
    parts = {"violations": 0, "vacuous": 0, "unknown": 0} | counts
    total = inadmissible + safe + sum(parts.values())
    return CategoryTally(category=name, instances=total, inadmissible=inadmissible, safe=safe, **parts)


def test_counts_come_from_both_tallies_per_category() -> None:
    """A11: counted as a plain scorer would: vacuous instances pass, unknown ones are in n and do not."""
    everything = {"b": tallied("b", safe=6, violations=2, unknown=1, vacuous=1), "a": tallied("a", safe=3)}
    admissible = {"a": tallied("a", inadmissible=3), "b": tallied("b", inadmissible=4, safe=3, violations=2, unknown=1)}
    found = counterfactual(everything=everything, admissible=admissible, pruned={})
    assert found.categories == (
        CounterfactualCategory(name="a", all_passes=3, all_n=3, admissible_passes=0, admissible_n=0),
        CounterfactualCategory(name="b", all_passes=7, all_n=10, admissible_passes=3, admissible_n=6),
    )
    assert rate_all(found) == Fraction(10, 13)
    assert rate_admissible(found) == Fraction(1, 2)
    assert rate_after_aggregation(found) == Fraction(7, 10)
    assert rate_after_aggregation_equal_weights(found) == Fraction(17, 20)


def test_rates_of_nothing_are_undefined() -> None:
    """A11: no instance has no rate, which is neither 0 nor 1."""
    nothing = counterfactual(everything={"a": tallied("a")}, admissible={"a": tallied("a")}, pruned={})
    empty = Counterfactual(categories=())
    for counts in (nothing, empty):
        for rate in (rate_all, rate_admissible, rate_after_aggregation, rate_after_aggregation_equal_weights):
            assert rate(counts) is None


def test_nothing_left_has_a_rate_over_everything_only() -> None:
    """A11: when exclusion leaves nothing, what is left has no rate."""
    found = counterfactual(
        everything={"a": tallied("a", safe=5)}, admissible={"a": tallied("a", inadmissible=5)}, pruned={}
    )
    assert rate_all(found) == 1
    assert rate_admissible(found) is None
    assert rate_after_aggregation(found) is None


def test_tallies_of_other_categories_are_refused() -> None:
    """A category that one tally lacks would be compared with nothing."""
    with pytest.raises(ValueError, match=r"differ in the categories \['b'\]"):
        counterfactual(everything={"a": tallied("a"), "b": tallied("b")}, admissible={"a": tallied("a")}, pruned={})


@pytest.mark.parametrize("counts", [(2, 1, 0, 0), (-1, 1, 0, 0), (1, 2, 2, 1), (1, 2, 1, 3), (1, 3, 2, 2)])
def test_impossible_counts_are_refused(counts: tuple[int, int, int, int]) -> None:
    """More passes than instances, or more admissible than all, is a broken contract."""
    all_passes, all_n, admissible_passes, admissible_n = counts
    with pytest.raises(ValueError, match="category 'a' has more"):
        CounterfactualCategory(
            name="a",
            all_passes=all_passes,
            all_n=all_n,
            admissible_passes=admissible_passes,
            admissible_n=admissible_n,
        )


def test_what_pruning_removed_belongs_to_everything() -> None:
    """A11: instances that a pruned suite no longer has, and the run still holds, count over everything and not as admissible."""
    kept = {"a": tallied("a", safe=3, violations=1)}
    found = counterfactual(everything=kept, admissible=kept, pruned={"a": tallied("a", safe=1, violations=5)})
    assert found.categories == (
        CounterfactualCategory(name="a", all_passes=4, all_n=10, admissible_passes=3, admissible_n=4),
    )


def test_a_category_that_pruning_emptied_still_counts_over_everything() -> None:
    """A11: what is gone altogether is part of everything and of nothing admissible."""
    found = counterfactual(everything={}, admissible={}, pruned={"gone": tallied("gone", safe=2, violations=2)})
    assert found.categories == (
        CounterfactualCategory(name="gone", all_passes=2, all_n=4, admissible_passes=0, admissible_n=0),
    )
