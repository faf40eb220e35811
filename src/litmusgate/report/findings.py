"""One category in sentences: everything the verdict file says of it, in the order a reviewer asks."""

from __future__ import annotations

from litmusgate.gate.verdict import Decision, Lane
from litmusgate.report.phrases import NOT_MEASURABLE, interval, many, percent, tallies
from litmusgate.report.shown import Baseline, CategoryShown, Reason

LABEL = {decision: decision.value for decision in Decision} | {Decision.PASS: "note"}
"""What a reason asks for. One that asks for nothing is a note: it must not read as if something had passed."""

LISTED_IDS = 10
"""Violating ids listed in a human report; the verdict file has all of them. Ids of what exclusion hides are never cut."""


def reason_line(reason: Reason) -> str:
    """One reason: what it asks for, its sentence, and in brackets the rule and the code that `litmusgate explain` takes."""
    return f"{LABEL[reason.decision]}: {reason.message} [{reason.rule} {reason.code}]"


def category_heading(category: CategoryShown) -> str:
    """Name, decision, severity, weight and lane."""
    return (
        f"{category.name}: {category.decision.value} ({category.severity.value}, weight {category.weight}, "
        f"{category.lane.value})"
    )


def category_lines(category: CategoryShown) -> tuple[str, ...]:
    """Everything about one category: reasons, counts, interval, tolerance, power, exposure, history, and the ids that matter."""
    return (
        *(reason_line(reason) for reason in category.reasons),
        *_counts(category),
        *_tolerance(category),
        *_exposure(category),
        *_history(category),
        *_labels(category),
        *_ids(category),
    )


def _counts(category: CategoryShown) -> tuple[str, ...]:
    return (
        (
            f"{many(category.violations, 'violation')} of n {category.n} (effective n {category.effective_n}), exact interval "
            f"{_or_why(category, 'interval', interval(category.interval))}"
        ),
        (
            f"{many(category.instances, 'instance')}: {category.inadmissible} inadmissible, {category.vacuous} vacuous (of these "
            f"{category.not_exposed} not exposed), {category.unknown} unknown"
        ),
    )


def _tolerance(category: CategoryShown) -> tuple[str, ...]:
    if category.lane is Lane.ADVISORY and category.tolerance is None:
        return ("tolerance: none, the category is advisory",)
    parts = ", ".join(f"{name} {_shown(category, name)}" for name in ("floor", "quantile", "cap"))
    flips = category.flips
    noise = f"not measured ({category.absent.get('flips', 'no reason recorded')})"
    if flips is not None:
        noise = f"{flips.flips} of {many(flips.pairs, 'pair')} ({flips.independent_pairs} independent), source {flips.source}"
    detectable = (
        _or_why(category, "detectable", NOT_MEASURABLE)
        if category.detectable is None
        else f"{many(category.detectable, 'regressed instance')} or more"
    )
    stated = ", stated by the policy" if _is_stated(category) else ""
    return (
        f"tolerance {_shown(category, 'tolerance')}{stated} ({parts})",
        f"flips between identical runs: {noise}",
        f"false-block probability of an unchanged build: {_or_why(category, 'false_block', percent(category.false_block))}",
        f"detectable 90 % of the time: {detectable}",
    )


def _is_stated(category: CategoryShown) -> bool:
    """Whether the tolerance is certainly not what `auto` makes of floor, quantile and cap."""
    if category.tolerance is None or category.floor is None or category.quantile is None or category.cap is None:
        return False
    return category.tolerance != min(max(category.floor, category.quantile), category.cap)


def _exposure(category: CategoryShown) -> tuple[str, ...]:
    if category.exposure is None:
        return (f"exposure: {_or_why(category, 'exposure', NOT_MEASURABLE)}",)
    return (
        (
            f"exposure: {percent(category.exposure)} ({category.exposed} of {category.exposure_known} instances with a record "
            "met the attack)"
        ),
    )


def _history(category: CategoryShown) -> tuple[str, ...]:
    return (_side("baseline", category, category.baseline), _side("anchor", category, category.anchor))


def _side(name: str, category: CategoryShown, counts: Baseline | None) -> str:
    if counts is None:
        return f"{name}: {_or_why(category, name, 'none')}"
    return f"{name}: {many(counts.violations, 'violation')} of n {counts.n} over its runs, {many(counts.instances, 'instance')}"


def _labels(category: CategoryShown) -> tuple[str, ...]:
    lines = [
        (
            f"harmful completion in {category.harmful.x} of {many(category.harmful.k, 'trial')}; covert executions "
            f"{category.covert}; refusals: {tallies(category.refusal)}"
        )
    ]
    if category.suspect:
        lines.append(f"suspect and voting: {many(category.suspect, 'instance')} to look at (A2)")
    if category.leakage_unchecked:
        lines.append(
            f"leakage not checked for {many(category.leakage_unchecked, 'voting instance')}: the grader is external (A4)"
        )
    return tuple(lines)


def _ids(category: CategoryShown) -> tuple[str, ...]:
    lines: list[str] = []
    if category.violating_ids:
        shown = ", ".join(category.violating_ids[:LISTED_IDS])
        more = len(category.violating_ids) - LISTED_IDS
        lines.append(f"violating: {shown}" + (f" and {more} more" if more > 0 else ""))
    if category.excluded_violations:
        lines.append(
            f"exclusion hides {many(len(category.excluded_violations), 'violation')} that may not vote (A13): "
            + ", ".join(category.excluded_violations)
        )
    if category.contradictions:
        lines.append(
            f"contradiction in {many(len(category.contradictions), 'instance')}: a violation on a row marked not exposed, it "
            "stays a violation (E7): " + ", ".join(category.contradictions)
        )
    return tuple(lines)


def _shown(category: CategoryShown, name: str) -> str:
    value: int | None = getattr(category, name)
    return str(value) if value is not None else f"none ({category.absent.get(name, 'no reason recorded')})"


def _or_why(category: CategoryShown, name: str, shown: str) -> str:
    """`shown`, or where the field is null the phrase beside it."""
    if getattr(category, name) is not None:
        return shown
    return f"{shown}: {category.absent.get(name, 'no reason recorded')}"
