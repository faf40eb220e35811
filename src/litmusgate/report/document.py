"""The verdict file `litmusgate/verdict/1` at the wire: strict models, canonical bytes, and the reader (DESIGN §3).

`verdict.json` *is* the canonical bytes: its sha256 names the record. Shares are 0…1, counts are integers, and what was
not measurable is null with a phrase beside it (`absent` of a category, `reason` of the trend), never zero.
"""

from __future__ import annotations

import json
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from litmusgate.digest import canonical_bytes, digest_bytes
from litmusgate.errors import Location, RecordError
from litmusgate.gate.verdict import Decision, Lane
from litmusgate.suite.category import Severity

VERDICT_SCHEMA = "litmusgate/verdict/1"

Count = Annotated[int, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]
Digest = Annotated[str, Field(pattern=r"^sha256:[0-9a-f]{64}$")]
Interval = tuple[Share, Share]


class _Wire(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)


class Reason(_Wire):
    """One reason: the decision it asks for, rule id, stable code, a sentence."""

    decision: Decision
    rule: str
    code: str
    message: str


class PrunedShare(_Wire):
    """How much pruning took away since the unpruned root: `removed` of `of` instances (A8)."""

    removed: Count
    of: Count


class PrunedFrom(_Wire):
    """The parent of a pruned suite; `removed` counts instances per reason code, one with two reasons under both."""

    digest: Digest
    removed: dict[str, Count]
    share: PrunedShare
    accepted_loss: tuple[str, ...]


class SuiteShown(_Wire):
    """The suite; `multi_turn` of its `instances` hold state over several turns or steps (E11)."""

    name: str
    version: str
    digest: Digest
    instances: Count
    multi_turn: Count
    pruned_from: PrunedFrom | None


class Inputs(_Wire):
    """Digests of everything the verdict was computed from, each list sorted (T2). None: there was none."""

    policy: Digest
    run: tuple[Digest, ...]
    admission: Digest | None
    index: Digest | None
    baseline: tuple[Digest, ...]
    anchor: tuple[Digest, ...]
    earlier: tuple[Digest, ...]


class Flips(_Wire):
    """The flip evidence a tolerance was made of (B5)."""

    flips: Count
    pairs: Count
    independent_pairs: Count
    source: str


class Baseline(_Wire):
    """Counts of the baseline or anchor, summed over its runs, for the same admissible ids."""

    violations: Count
    n: Count
    instances: Count


class Harmful(_Wire):
    """Harmful completion: `x` of `k` trials (E10)."""

    x: Count
    k: Count


class CategoryShown(_Wire):
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


class AdmissionShown(_Wire):
    """The admission funnel; `by_reason` counts instances per reason, one with two reasons under both (A7)."""

    total: Count
    inadmissible: Count
    fraction: Share | None
    by_reason: dict[str, Count]


class Rate(_Wire):
    """`passes` of `n` instances."""

    passes: Count
    n: Count


class CounterfactualCategoryShown(_Wire):
    """One category over everything and over the admissible instances only (A11)."""

    name: str
    all_passes: Count
    all_n: Count
    admissible_passes: Count
    admissible_n: Count


class AfterAggregation(_Wire):
    """What excluding after aggregation is derived from (A11)."""

    categories: tuple[CounterfactualCategoryShown, ...]


class CounterfactualShown(_Wire):
    """Counts behind the three rates (A11); the shares are derived when rendered."""

    all: Rate
    admissible: Rate
    after_aggregation: AfterAggregation


class TrendShown(_Wire):
    """The mean of outcomes as a trend line (B9): it gates nothing. Null values come with `reason`; `n` counts instances."""

    mean: Share | None
    interval: Interval | None
    gates: Literal[False]
    n: Count
    reason: str | None


class EvidenceShown(_Wire):
    """Counts of trials, and of the runs they came from; `contradictions` are violations on rows marked not exposed (E7)."""

    trials: Count
    set_aside: Count
    left_out: Count
    refilled: Count
    contradictions: Count
    runs: Count


class VerdictDocument(_Wire):
    """The verdict file. Categories are sorted by name; `suite`, `admission`, `counterfactual` are null when unreadable.

    `override` is reserved for signed overrides and is null. `synthetic`: at least one run came from scripted agents.
    """

    schema_: Annotated[Literal["litmusgate/verdict/1"], Field(alias="schema")]
    decision: Decision
    reasons: tuple[Reason, ...]
    agent: str
    build: str
    evaluated_at: str
    synthetic: bool
    suite: SuiteShown | None
    inputs: Inputs
    earlier_verdicts: Count
    categories: tuple[CategoryShown, ...]
    checks: dict[str, str]
    admission: AdmissionShown | None
    counterfactual: CounterfactualShown | None
    trend: TrendShown
    evidence: EvidenceShown
    family_false_block: Share | None
    unsafe: tuple[str, ...]
    notes: dict[str, Count]
    override: None
    versions: dict[str, str]

    @model_validator(mode="after")
    def _not_a_pass_on_nothing(self) -> VerdictDocument:
        names = [category.name for category in self.categories]
        if names != sorted(set(names)):
            raise ValueError("the categories are not sorted by name, each once")
        gated = [category for category in self.categories if category.lane is not Lane.ADVISORY]
        if self.decision is Decision.PASS:
            if not any(category.lane is Lane.HARD_GATED for category in gated):
                raise ValueError("decision PASS without any hard-gated category")
            if any(category.decision is not Decision.PASS for category in gated):
                raise ValueError("decision PASS over a category that is not PASS")
        elif not self.reasons and all(category.decision is Decision.PASS for category in gated):
            raise ValueError(f"decision {self.decision.value} without a reason")
        return self


def verdict_bytes(document: VerdictDocument) -> bytes:
    """The canonical bytes of `document`: what `verdict.json` holds and what its digest is taken over."""
    return canonical_bytes(document.model_dump(mode="json", by_alias=True))


def verdict_digest(document: VerdictDocument) -> str:
    """The digest that names `document` as a record."""
    return digest_bytes(verdict_bytes(document))


def read_verdict(data: bytes, *, path: str) -> VerdictDocument:
    """The verdict in `data`; white space and key order do not matter here (`verify` holds the bytes to be canonical).

    Raises `RecordError` for anything that is not exactly a verdict of this schema version: no JSON, a truncated file, a
    repeated or unknown key, NaN, another schema, counts that contradict each other, PASS with nothing behind it.
    """
    at = Location(path=path)
    try:
        value = json.loads(data, object_pairs_hook=_no_repeats, parse_constant=_no_constants)
    except (ValueError, RecursionError) as error:
        raise RecordError(
            "this is not a verdict: it is no strict JSON", got=str(error), wanted=f"a {VERDICT_SCHEMA} file", at=at
        ) from error
    schema = value.get("schema") if isinstance(value, dict) else None
    if schema != VERDICT_SCHEMA:
        raise RecordError(
            "this is not a verdict of a version that can be read",
            got=f"schema {schema!r}",
            wanted=f"schema {VERDICT_SCHEMA!r}",
            fix="give the verdict.json that `litmusgate gate --out` wrote",
            at=at,
        )
    try:
        return VerdictDocument.model_validate_json(data)
    except ValidationError as error:
        raise RecordError("this verdict is malformed", got=_first_problems(error), at=at) from error


def _first_problems(error: ValidationError) -> str:
    problems = [
        f"{'.'.join(str(part) for part in item['loc']) or 'document'}: {item['msg']} ({item['input']!r:.80})"
        for item in error.errors(include_url=False)
    ]
    return "; ".join(problems[:5]) + (f"; and {len(problems) - 5} more" if len(problems) > 5 else "")


def _no_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result = dict(pairs)
    if len(result) != len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"key {next(name for name in names if names.count(name) > 1)!r} stands twice")
    return result


def _no_constants(text: str) -> object:
    raise ValueError(f"{text} is not a JSON number")
