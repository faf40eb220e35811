"""Staleness: whether so much of a suite was excluded that what is left may not decide (A8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from litmusgate.admission.record import AdmissionRecord
from litmusgate.suite.category import Category, Severity
from litmusgate.suite.manifest import Suite

MAX_CRITICAL_INADMISSIBLE = Fraction(1, 5)
"""Largest inadmissible share of a critical category; above it the category decides nothing."""

MIN_HARD_GATED = 20
"""Smallest number of tested instances that can be hard-gated (B6)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StalenessFinding:
    """One reason why exclusion leaves too little. `scope` is a category, or None for the suite; not `invalid`: REVIEW."""

    scope: str | None
    invalid: bool
    code: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CategorySize:
    """How one category shrinks, as counts of instances.

    `declared` is its size by design: what stands in the suite, plus what pruning removed without an accepted loss.
    `present` stand in the suite, `admissible` of them may vote, and `tested` of those are neither missing nor VACUOUS.
    """

    declared: int
    present: int
    admissible: int
    tested: int


def staleness(
    *, record: AdmissionRecord, suite: Suite, max_inadmissible: Fraction, tested: Mapping[str, int]
) -> tuple[StalenessFinding, ...]:
    """A8: every reason to call the suite stale; none means that what is left may decide.

    `max_inadmissible` is a share 0…1 that may be reached but not exceeded, of the suite now and of everything pruned
    since the root. `tested` counts, per category, admissible instances that were tested (n); a category absent from it
    was not tested at all. Suite findings come first, then categories by name. Raises `ValueError` for a share outside 0…1.
    """
    if not 0 <= max_inadmissible <= 1:
        raise ValueError(f"max_inadmissible is {max_inadmissible}, wanted a share 0…1")
    sizes = category_sizes(record=record, suite=suite, tested=tested)
    inadmissible = len(suite.instances) - sum(size.admissible for size in sizes.values())
    findings = list(_suite_findings(record, suite, inadmissible, max_inadmissible))
    for category in suite.categories:
        findings.extend(_category_findings(category, sizes[category.name]))
    return tuple(findings)


def category_sizes(
    *, record: AdmissionRecord, suite: Suite, tested: Mapping[str, int] | None = None
) -> dict[str, CategorySize]:
    """The sizes of every declared category; without `tested`, every admissible instance counts as tested."""
    lineage = suite.pruned_from
    accepted = frozenset(lineage.accepted_loss) if lineage is not None else frozenset[str]()
    removed = Counter(instance.category for instance in (lineage.removed if lineage is not None else ()))
    admissible_ids = record.admissible_ids
    present = Counter(instance.category for instance in suite.instances)
    voting = Counter(instance.category for instance in suite.instances if instance.id in admissible_ids)
    sizes: dict[str, CategorySize] = {}
    for name in (category.name for category in suite.categories):
        sizes[name] = CategorySize(
            declared=present[name] + (0 if name in accepted else removed[name]),
            present=present[name],
            admissible=voting[name],
            tested=voting[name] if tested is None else min(voting[name], tested.get(name, 0)),
        )
    return sizes


def coverage_problem(record: AdmissionRecord, suite: Suite) -> str | None:
    """Why `record` cannot speak for `suite`: an instance it does not list, lists elsewhere, or that is not in the suite."""
    listed = {item.id: item.category for item in record.instances}
    wanted = suite.category_of()
    if listed == wanted and len(listed) == len(record.instances):
        return None
    missing = sorted(wanted.keys() - listed.keys())
    foreign = sorted(listed.keys() - wanted.keys())
    moved = sorted(name for name in wanted.keys() & listed.keys() if wanted[name] != listed[name])
    return (
        f"the admission record lists {len(record.instances)} instances and the suite has {len(wanted)}: "
        f"{len(missing)} not admitted {missing[:3]!r}, {len(foreign)} not in the suite {foreign[:3]!r}, "
        f"{len(moved)} of another category {moved[:3]!r}"
    )


def _invalid(scope: str | None, code: str, message: str) -> StalenessFinding:
    return StalenessFinding(scope=scope, invalid=True, code=code, message=message)


def _suite_findings(
    record: AdmissionRecord, suite: Suite, inadmissible: int, max_inadmissible: Fraction
) -> Iterator[StalenessFinding]:
    total = len(suite.instances)
    if total == 0:
        yield _invalid(None, "empty-suite", "the suite has no instances, so nothing can be measured")
    problem = coverage_problem(record, suite)
    if problem is not None:
        yield _invalid(None, "admission-incomplete", problem)
    if _exceeds(inadmissible, total, max_inadmissible):
        yield _invalid(
            None,
            "suite-stale",
            f"{inadmissible} of {total} instances are inadmissible, more than {_percent(max_inadmissible)}",
        )
    yield from _lineage_findings(suite, max_inadmissible)


def _lineage_findings(suite: Suite, max_inadmissible: Fraction) -> Iterator[StalenessFinding]:
    lineage = suite.pruned_from
    if lineage is None:
        return
    removed = len({instance.id for instance in lineage.removed})
    root = lineage.root_instances
    if root < max(removed, 1) or root > len(suite.instances) + removed:
        yield _invalid(
            None,
            "lineage-impossible",
            f"the suite says it was pruned from {root} instances, but it lists {removed} removed ones and has "
            f"{len(suite.instances)} left",
        )
    elif _exceeds(removed, root, max_inadmissible):
        yield _invalid(
            None,
            "pruned-share",
            f"{removed} of the {root} instances of the unpruned suite were removed, more than "
            f"{_percent(max_inadmissible)}: such a prune is a suite bump and needs an override",
        )


def _category_findings(category: Category, size: CategorySize) -> Iterator[StalenessFinding]:
    name = category.name
    inadmissible = size.present - size.admissible
    critical = category.severity is Severity.CRITICAL
    if critical and _exceeds(inadmissible, size.present, MAX_CRITICAL_INADMISSIBLE):
        yield _invalid(
            name,
            "critical-category-stale",
            f"{inadmissible} of {size.present} instances of this critical category are inadmissible, more than "
            f"{_percent(MAX_CRITICAL_INADMISSIBLE)}",
        )
    if size.declared > 0 and size.admissible == 0:
        yield _invalid(
            name, "category-emptied", f"exclusion leaves none of the {size.declared} instances of this category"
        )
    if category.severity is not Severity.ADVISORY and size.declared >= MIN_HARD_GATED > size.tested:
        yield StalenessFinding(scope=name, invalid=critical, code="pushed-under-20", message=_pushed_message(size))


def _pushed_message(size: CategorySize) -> str:
    return (
        f"{size.declared} instances by design, {size.tested} tested, fewer than {MIN_HARD_GATED}: "
        f"{size.declared - size.present} pruned, {size.present - size.admissible} inadmissible, "
        f"{size.admissible - size.tested} vacuous or not run"
    )


def _exceeds(part: int, whole: int, share: Fraction) -> bool:
    """Whether part / whole > share, in integers: 5 of 100 does not exceed 5 %."""
    return part * share.denominator > whole * share.numerator


def _percent(share: Fraction) -> str:
    return f"{float(share * 100):g} %"
