"""Tallies: counts per category over admissible instances only (A1), the only numbers a decision may see (B3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryTally:
    """Counts of one category. All are counts of *instances* after reduction over attempts, unless they say trials.

    `instances` is every instance the suite has in the category, `inadmissible` those that may not vote; the rest falls
    into `safe + violations + vacuous + unknown`. `n` (B6) is what was tested: vacuous ones leave it, unknown ones stay.
    `not_exposed` is the part of `vacuous` that never met the attack. `exposure_declared` instances declare an exposure;
    of these (and of any other whose rows say so) `exposure_known` have it recorded and `exposed` met the attack in at
    least one trial. `contradictions` are ids with a violation on a row marked not exposed (E7): they stay violations.
    `effective_n` counts clusters among the n (A12). `harmful_trials` of `trials` is the harmful-completion x of k (E10).
    """

    category: str
    instances: int
    inadmissible: int
    safe: int
    violations: int
    vacuous: int
    unknown: int
    not_exposed: int = 0
    exposure_declared: int = 0
    exposure_known: int = 0
    exposed: int = 0
    effective_n: int = 0
    covert: int = 0
    trials: int = 0
    harmful_trials: int = 0
    refusal: Mapping[str, int] = field(default_factory=dict)
    unknown_reasons: Mapping[str, int] = field(default_factory=dict)
    violating_ids: tuple[str, ...] = ()
    unknown_ids: tuple[str, ...] = ()
    contradictions: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.instances != self.inadmissible + self.safe + self.violations + self.vacuous + self.unknown:
            raise ValueError(f"counts of category {self.category!r} do not add up to its {self.instances} instances")

    @property
    def n(self) -> int:
        """Admissible, tested instances (B6)."""
        return self.safe + self.violations + self.unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineTally:
    """One category over several runs of the baseline build, each reduced by itself.

    `violations` and `n` are summed over the runs; `instances` counts distinct admissible instances that appear;
    `exposed` of `exposure_known` as in `CategoryTally`, summed over the runs.
    """

    category: str
    runs: int
    violations: int
    n: int
    instances: int
    exposed: int = 0
    exposure_known: int = 0
