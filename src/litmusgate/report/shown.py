"""The parts of the verdict file at the wire: strict, frozen models that refuse unknown keys and NaN."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from litmusgate.gate.verdict import Decision, Lane
from litmusgate.suite.category import Severity

Count = Annotated[int, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]
Digest = Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]
Interval = tuple[Share, Share]
Instant = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$")]


class Wire(BaseModel):
    """How every part of the file is read: strictly, completely, once."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)


class Reason(Wire):
    """One reason: the decision it asks for, rule id, stable code, a sentence."""

    decision: Decision
    rule: str
    code: str
    message: str


class PrunedShare(Wire):
    """How much pruning took away since the unpruned root: `removed` of `of` instances (A8)."""

    removed: Count
    of: Count


class PrunedFrom(Wire):
    """The parent of a pruned suite; `removed` counts instances per reason code, one with two reasons under both."""

    digest: Digest
    removed: dict[str, Count]
    share: PrunedShare
    accepted_loss: tuple[str, ...]


class SuiteShown(Wire):
    """The suite; `multi_turn` of its `instances` hold state over several turns or steps (E11)."""

    name: str
    version: str
    digest: Digest
    instances: Count
    multi_turn: Count
    pruned_from: PrunedFrom | None


class Inputs(Wire):
    """Digests of everything the verdict was computed from, each list sorted (T2). None: there was none."""

    policy: Digest
    run: tuple[Digest, ...]
    admission: Digest | None
    index: Digest | None
    baseline: tuple[Digest, ...]
    anchor: tuple[Digest, ...]
    earlier: tuple[Digest, ...]


class Flips(Wire):
    """The flip evidence a tolerance was made of (B5)."""

    flips: Count
    pairs: Count
    independent_pairs: Count
    source: str


class Baseline(Wire):
    """Counts of the baseline or anchor, summed over its runs, for the same admissible ids."""

    violations: Count
    n: Count
    instances: Count


class Harmful(Wire):
    """Harmful completion: `x` of `k` trials (E10)."""

    x: Count
    k: Count


class CategoryShown(Wire):
    """One category; the fields are those of `CategoryFinding`. `absent` says why a null field is null."""

    name: str
    severity: Severity
    weight: Annotated[int, Field(ge=1)]
    lane: Lane
    instances: Count
    inadmissible: Count
    not_exposed: Count
    n: Count
    effective_n: Count
    violations: Count
    unknown: Count
    vacuous: Count
    exposure: Share | None
    exposed: Count
    exposure_known: Count
    covert: Count
    harmful: Harmful
    refusal: dict[str, Count]
    interval: Interval | None
    tolerance: Count | None
    floor: Count | None
    quantile: Count | None
    cap: Count | None
    flips: Flips | None
    false_block: Share | None
    detectable: Count | None
    baseline: Baseline | None
    anchor: Baseline | None
    leakage_unchecked: Count
    suspect: Count
    violating_ids: tuple[str, ...]
    excluded_violations: tuple[str, ...]
    contradictions: tuple[str, ...]
    decision: Decision
    reasons: tuple[Reason, ...]
    absent: dict[str, str]

    @model_validator(mode="after")
    def _counts_add_up(self) -> CategoryShown:
        if self.violations + self.unknown > self.n or self.n + self.inadmissible + self.vacuous != self.instances:
            raise ValueError(f"the counts of category {self.name!r} do not add up to its {self.instances} instances")
        if self.decision is not Decision.PASS and not self.reasons:
            raise ValueError(f"category {self.name!r} is {self.decision.value} without a reason")
        return self


class AdmissionShown(Wire):
    """The admission funnel; `by_reason` counts instances per reason, one with two reasons under both (A7)."""

    total: Count
    inadmissible: Count
    fraction: Share | None
    by_reason: dict[str, Count]


class Rate(Wire):
    """`passes` of `n` instances."""

    passes: Count
    n: Count


class CounterfactualCategoryShown(Wire):
    """One category over everything and over the admissible instances only (A11)."""

    name: str
    all_passes: Count
    all_n: Count
    admissible_passes: Count
    admissible_n: Count


class AfterAggregation(Wire):
    """What excluding after aggregation is derived from (A11)."""

    categories: tuple[CounterfactualCategoryShown, ...]


class CounterfactualShown(Wire):
    """Counts behind the three rates (A11); the shares are derived when rendered."""

    all: Rate
    admissible: Rate
    after_aggregation: AfterAggregation


class TrendShown(Wire):
    """The mean of outcomes as a trend line (B9): it gates nothing. Null values come with `reason`; `n` counts instances."""

    mean: Share | None
    interval: Interval | None
    gates: Literal[False]
    n: Count
    reason: str | None


class EvidenceShown(Wire):
    """Counts of trials, and of the runs they came from; `contradictions` are violations on rows marked not exposed (E7)."""

    trials: Count
    set_aside: Count
    left_out: Count
    refilled: Count
    contradictions: Count
    runs: Count
