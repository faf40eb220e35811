"""The counterfactual in sentences: what the rate would have been without exclusion, or with exclusion too late (A11)."""

from __future__ import annotations

from fractions import Fraction

from litmusgate.admission.counterfactual import (
    Counterfactual,
    CounterfactualCategory,
    rate_admissible,
    rate_after_aggregation,
    rate_after_aggregation_equal_weights,
    rate_all,
)
from litmusgate.report.phrases import percent, points
from litmusgate.report.shown import CounterfactualCategoryShown, CounterfactualShown


def counterfactual_lines(shown: CounterfactualShown | None) -> tuple[str, ...]:
    """The three rates with their shift in points, in all and per category. Pass rates: safe of tested instances."""
    if shown is None:
        return ("not computed: there was no admission record and run to compute it from",)
    values = _values(shown)
    everything, admissible = rate_all(values), rate_admissible(values)
    late, equal = rate_after_aggregation(values), rate_after_aggregation_equal_weights(values)
    return (
        f"over everything: {percent(everything)} pass ({shown.all.passes} of {shown.all.n})",
        (
            f"over admissible instances: {percent(admissible)} pass ({shown.admissible.passes} of {shown.admissible.n}), "
            f"{points(_shift(everything, admissible))} against everything"
        ),
        (
            f"excluding after aggregation instead would have said {percent(late)}, "
            f"{points(_shift(admissible, late))} against admissible (every category weighed the same: {percent(equal)}, "
            f"{points(_shift(admissible, equal))})"
        ),
        *(_category_line(category) for category in shown.after_aggregation.categories),
    )


def _category_line(category: CounterfactualCategoryShown) -> str:
    everything = _rate(category.all_passes, category.all_n)
    admissible = _rate(category.admissible_passes, category.admissible_n)
    return (
        f"{category.name}: {percent(everything)} of {category.all_n} over everything, {percent(admissible)} of "
        f"{category.admissible_n} admissible ({points(_shift(everything, admissible))})"
    )


def _values(shown: CounterfactualShown) -> Counterfactual:
    return Counterfactual(
        categories=tuple(
            CounterfactualCategory(
                name=item.name,
                all_passes=item.all_passes,
                all_n=item.all_n,
                admissible_passes=item.admissible_passes,
                admissible_n=item.admissible_n,
            )
            for item in shown.after_aggregation.categories
        )
    )


def _rate(passes: int, n: int) -> Fraction | None:
    return Fraction(passes, n) if n else None


def _shift(before: Fraction | None, after: Fraction | None) -> Fraction | None:
    return None if before is None or after is None else after - before
