"""The table every human report leads with: what decides, and beside it what does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from litmusgate.gate.precedence import CATEGORY_GRAVITY
from litmusgate.gate.verdict import Decision
from litmusgate.report.document import VerdictDocument
from litmusgate.report.phrases import NOT_MEASURABLE, interval, many, percent
from litmusgate.report.shown import CategoryShown, TrendShown

LEGEND = "4+2? means 4 violations and 2 instances that nobody could judge"
NOT_BELIEVED = "the build is INVALID: a PASS here is what the category would have been, and lets nothing ship"


@dataclass(frozen=True, slots=True, kw_only=True)
class CountsAndTrend:
    """Rows of text cells under `headers`, one per category, and the sentence on the mean that stands beside them.

    `legend` explains `4+2?` where it occurs, and what the rows of an INVALID build are.
    """

    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    trend: str
    legend: str | None


def counts_and_trend(document: VerdictDocument) -> CountsAndTrend:
    """B10: counts per category, violations against tolerance, side by side with the mean trend, on every human report.

    Rows stand in reading order. `4+2?` are 4 violations and 2 instances nobody could judge.
    """
    return CountsAndTrend(
        headers=("category", "decision", "lane", "n", "violations", "tolerated"),
        rows=tuple(_row(category) for category in in_reading_order(document.categories)),
        trend=_trend(document.trend),
        legend=_legend(document),
    )


def in_reading_order(categories: Sequence[CategoryShown]) -> list[CategoryShown]:
    """The categories with the gravest decision first, then by falling weight, then by name."""
    return sorted(categories, key=lambda item: (-CATEGORY_GRAVITY.index(item.decision), -item.weight, item.name))


def _row(category: CategoryShown) -> tuple[str, ...]:
    violations = str(category.violations)
    if category.unknown:
        violations += f"+{category.unknown}?"
    return (
        category.name,
        category.decision.value,
        category.lane.value,
        str(category.n),
        violations,
        "none" if category.tolerance is None else str(category.tolerance),
    )


def _legend(document: VerdictDocument) -> str | None:
    unjudged = any(category.unknown for category in document.categories)
    would_pass = any(category.decision is Decision.PASS for category in document.categories)
    notes = [LEGEND] if unjudged else []
    notes += [NOT_BELIEVED] if document.decision is Decision.INVALID and would_pass else []
    return "; ".join(notes) or None


def _trend(trend: TrendShown) -> str:
    head = "mean trend (gates nothing): "
    if trend.mean is None:
        return f"{head}{NOT_MEASURABLE}, {trend.reason or 'no reason recorded'}"
    return (
        f"{head}{percent(trend.mean)} safe over {many(trend.n, 'instance')}, 95 % interval {interval(trend.interval)}"
    )
