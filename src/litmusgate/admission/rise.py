"""The rise test: whether more is inadmissible than at the last accepted admission (A9)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from litmusgate.admission.record import AdmissionRecord
from litmusgate.admission.totals import AdmissionTotals, admission_totals
from litmusgate.stats.tails import fisher_below, is_below

MAX_P = Fraction(5, 100)
"""Largest probability, under an unchanged rate, at which a rise is called significant: equality is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RateRise:
    """A significant rise of the inadmissibility rate. `scope`: a category, or None for the suite; counts of instances.

    `p` is the exact one-sided probability (0…1) of such a difference under one rate.
    """

    scope: str | None
    previous_inadmissible: int
    previous_total: int
    inadmissible: int
    total: int
    p: float

    @property
    def message(self) -> str:
        """The rise in one sentence, with its counts."""
        where = "the suite" if self.scope is None else f"category {self.scope!r}"
        return (
            f"inadmissible in {where}: {self.inadmissible} of {self.total}, at the last accepted admission "
            f"{self.previous_inadmissible} of {self.previous_total} (one-sided exact test, p = {self.p:.3g})"
        )


def rate_rise(previous: AdmissionRecord, current: AdmissionRecord) -> tuple[str, ...]:
    """Every significant rise as a sentence; the verdict turns each into a REVIEW."""
    return tuple(rise.message for rise in significant_rises(previous, current))


def significant_rises(previous: AdmissionRecord, current: AdmissionRecord) -> tuple[RateRise, ...]:
    """A9: the scopes whose inadmissibility rate rose significantly since `previous`, the suite first, then by category.

    One-sided exact (Fisher) test at 5 % for the suite and for every category of both records. A category that only one
    of them has cannot have risen; an empty one shows nothing.
    """
    before, now = admission_totals(previous), admission_totals(current)
    pairs: list[tuple[str | None, AdmissionTotals, AdmissionTotals]] = [(None, before.all, now.all)]
    pairs += [
        (name, before.by_category[name], now.by_category[name])
        for name in sorted(before.by_category.keys() & now.by_category.keys())
    ]
    return tuple(rise for scope, old, new in pairs if (rise := _rise(scope, old, new)) is not None)


def _rise(scope: str | None, old: AdmissionTotals, new: AdmissionTotals) -> RateRise | None:
    counts = (old.inadmissible, old.total, new.inadmissible, new.total)
    if not is_below(*counts, limit=MAX_P):
        return None
    return RateRise(
        scope=scope,
        previous_inadmissible=old.inadmissible,
        previous_total=old.total,
        inadmissible=new.inadmissible,
        total=new.total,
        p=fisher_below(*counts),
    )
