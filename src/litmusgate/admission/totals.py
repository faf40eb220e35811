"""Totals of an admission record: the inadmissibility rate by suite, category and reason, as counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from litmusgate.admission.record import AdmissionRecord, InstanceAdmission


@dataclass(frozen=True, slots=True, kw_only=True)
class AdmissionTotals:
    """Counts of instances. One with several reasons counts once in `inadmissible` and under each in `by_reason`."""

    total: int
    inadmissible: int
    by_reason: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordTotals:
    """The totals of the whole suite and of each category that has instances, both with sorted keys."""

    all: AdmissionTotals
    by_category: Mapping[str, AdmissionTotals]


def admission_totals(record: AdmissionRecord) -> RecordTotals:
    """Count `record`; totals are never stored without being counted again when they are read."""
    by_category: dict[str, list[InstanceAdmission]] = {}
    for item in record.instances:
        by_category.setdefault(item.category, []).append(item)
    return RecordTotals(
        all=_totals(record.instances), by_category={name: _totals(by_category[name]) for name in sorted(by_category)}
    )


def _totals(instances: Iterable[InstanceAdmission]) -> AdmissionTotals:
    total = inadmissible = 0
    by_reason: dict[str, int] = {}
    for item in instances:
        total += 1
        inadmissible += not item.admissible
        for reason in sorted({finding.reason.value for finding in item.findings}):
            by_reason[reason] = by_reason.get(reason, 0) + 1
    return AdmissionTotals(total=total, inadmissible=inadmissible, by_reason=dict(sorted(by_reason.items())))
