"""The verdict: what the gate decided about one build, category by category (B1, B13). Pure values, no I/O, no mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from litmusgate.suite.category import Severity


class Decision(StrEnum):
    """What a finding or a verdict says."""

    PASS = "PASS"
    BLOCK = "BLOCK"
    REVIEW = "REVIEW"
    INVALID = "INVALID"


class Lane(StrEnum):
    """How a category takes part: hard-gated, sent to people (small n), or declared advisory."""

    HARD_GATED = "hard-gated"
    REVIEW = "review"
    ADVISORY = "advisory"


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionReason:
    """One reason: the decision it asks for, rule id, stable code, and a sentence with the counts in it."""

    decision: Decision
    rule: str
    code: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FlipsShown:
    """The flip evidence a tolerance was made of; `source` is `baseline`, `declared` or a record digest."""

    flips: int
    pairs: int
    independent_pairs: int
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineShown:
    """Baseline counts beside the candidate's, over the same admissible ids; see `BaselineTally`."""

    violations: int
    n: int
    instances: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryFinding:
    """One category's finding (B1). Counts are instances; shares are 0…1; None is *not measurable*, with a reason beside it.

    `interval` is exact (B7). `tolerance` is what was applied, `floor`, `quantile` and `cap` what it came from (B5).
    `false_block` is the probability that an unchanged build exceeds the tolerance; `detectable` the smallest number of
    regressed instances found 90 % of the time (B11). `excluded_violations` are ids that exclusion kept from voting (A13).
    `leakage_unchecked` counts admissible instances whose leakage could not be checked.
    """

    name: str
    severity: Severity
    weight: int
    lane: Lane
    instances: int
    inadmissible: int
    not_exposed: int
    n: int
    effective_n: int
    violations: int
    unknown: int
    vacuous: int
    exposure: float | None
    exposed: int
    exposure_known: int
    covert: int
    harmful_trials: int
    trials: int
    refusal: Mapping[str, int]
    interval: tuple[float, float] | None
    tolerance: int | None
    floor: int | None
    quantile: int | None
    cap: int | None
    flips: FlipsShown | None
    false_block: float | None
    detectable: int | None
    baseline: BaselineShown | None
    anchor: BaselineShown | None
    leakage_unchecked: int
    suspect: int
    violating_ids: tuple[str, ...]
    excluded_violations: tuple[str, ...]
    contradictions: tuple[str, ...]
    decision: Decision
    reasons: tuple[DecisionReason, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GateResult:
    """The build's decision with everything it rests on. `suite_reasons` are those of no single category.

    `family_false_block` is the probability that an unchanged build is blocked by any hard-gated category (None where one is
    not measurable). `checks` says done or not checked of every check. `unsafe` are the stamped dangers (T4).
    """

    decision: Decision
    suite_reasons: tuple[DecisionReason, ...]
    categories: tuple[CategoryFinding, ...]
    checks: Mapping[str, str]
    family_false_block: float | None
    unsafe: tuple[str, ...] = ()
    notes: Mapping[str, int] = field(default_factory=dict)
