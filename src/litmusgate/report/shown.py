"""The parts of the verdict file at the wire: strict, frozen models that refuse unknown keys and NaN."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from litmusgate.documents.wire_types import Digest
from litmusgate.gate.verdict import Decision, Lane
from litmusgate.suite.category import Severity

Count = Annotated[int, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]
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
    """Digests of everything the verdict was computed from, each list sorted (T2). None: there was none.

    `accepted_verdict` is the last PASS of this agent and suite name: A9 and B2 compare with its admission and policy.
    """

    policy: Digest
    run: tuple[Digest, ...]
    admission: Digest | None
    index: Digest | None
    baseline: tuple[Digest, ...]
    anchor: tuple[Digest, ...]
    earlier: tuple[Digest, ...]
    accepted_verdict: Digest | None


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
        if self.exposed > self.exposure_known or self.harmful.x > self.harmful.k:
            raise ValueError(f"category {self.name!r} counts a part larger than its whole")
        if self.decision is not Decision.PASS and not self.reasons:
            raise ValueError(f"category {self.name!r} is {self.decision.value} without a reason")
        return self


class AdmissionShown(Wire):
    """The admission funnel; `by_reason` counts instances per reason, one with two reasons under both (A7)."""

    total: Count
    inadmissible: Count
    fraction: Share | None
    by_reason: dict[str, Count]

    @model_validator(mode="after")
    def _part_of_total(self) -> AdmissionShown:
        if self.inadmissible > self.total or (self.fraction is None) != (self.total == 0):
            raise ValueError(f"{self.inadmissible} of {self.total} instances inadmissible, fraction {self.fraction!r}")
        return self


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

    @model_validator(mode="after")
    def _nested(self) -> CounterfactualCategoryShown:
        if self.all_passes > self.all_n or self.admissible_passes > self.admissible_n:
            raise ValueError(f"category {self.name!r} has more passes than instances")
        if self.admissible_n > self.all_n or self.admissible_passes > self.all_passes:
            raise ValueError(f"category {self.name!r} has more admissible instances than instances")
        return self


class AfterAggregation(Wire):
    """What excluding after aggregation is derived from (A11)."""

    categories: tuple[CounterfactualCategoryShown, ...]


class CounterfactualShown(Wire):
    """Counts behind the three rates (A11); the shares are derived when rendered."""

    all: Rate
    admissible: Rate
    after_aggregation: AfterAggregation

    @model_validator(mode="after")
    def _sums(self) -> CounterfactualShown:
        parts = self.after_aggregation.categories
        everything = Rate(passes=sum(item.all_passes for item in parts), n=sum(item.all_n for item in parts))
        admissible = Rate(
            passes=sum(item.admissible_passes for item in parts), n=sum(item.admissible_n for item in parts)
        )
        if (self.all, self.admissible) != (everything, admissible):
            raise ValueError("the totals of the counterfactual are not the sums over its categories")
        return self


class TrendShown(Wire):
    """The mean of outcomes as a trend line (B9): it gates nothing. Null values come with `reason`; `n` counts instances."""

    mean: Share | None
    interval: Interval | None
    gates: Literal[False]
    n: Count
    reason: str | None

    @model_validator(mode="after")
    def _never_null_without_a_reason(self) -> TrendShown:
        if (self.mean is None) != (self.n == 0) or (self.mean is None) != (self.interval is None):
            raise ValueError(f"mean {self.mean!r} with interval {self.interval!r} over {self.n} instances")
        if self.mean is None and not self.reason:
            raise ValueError("the trend is null without a reason")
        return self


class EvidenceShown(Wire):
    """Counts of trials, and of the runs they came from; `contradictions` are violations on rows marked not exposed (E7)."""

    trials: Count
    set_aside: Count
    left_out: Count
    refilled: Count
    contradictions: Count
    runs: Count
