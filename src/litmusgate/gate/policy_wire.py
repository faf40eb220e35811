"""The gate policy as a file: the models `litmusgate/policy/1` is read with. Shares are numbers 0…1, counts integers."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from litmusgate.admission.record import Check
from litmusgate.documents.wire_types import Digest, Name
from litmusgate.gate.policy import Reduction, Unsafe


def _date(value: object) -> object:
    if isinstance(value, str):
        try:
            written = date.fromisoformat(value).isoformat()
        except ValueError:
            written = None
        if written != value:
            raise ValueError("wanted a date: YYYY-MM-DD")
    return value


def _one_or_many(value: object) -> object:
    if isinstance(value, str):
        return (value,)
    return tuple(value) if isinstance(value, list) else value


def _same_or_many(value: object) -> object:
    return value if value == "same" else _one_or_many(value)


def _unmeasured(value: object) -> object:
    if isinstance(value, str) and value != "unmeasured":
        raise ValueError("wanted {from: baseline}, {declared: …} or unmeasured")
    return {"from": "unmeasured"} if value == "unmeasured" else value


def _automatic(value: object) -> object:
    if value is None or (isinstance(value, str) and value != "auto"):
        raise ValueError("wanted auto or an integer ≥ 0")
    return None if value == "auto" else value


MOST = 2**31 - 1
"""Largest count a policy may state."""

Date = Annotated[str, BeforeValidator(_date)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
OpenShare = Annotated[float, Field(gt=0, lt=1, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0, le=MOST)]
Positive = Annotated[int, Field(ge=1, le=MOST)]
Days = Annotated[int, Field(ge=1, le=36_500)]


class Wire(BaseModel):
    """What every part of the file has in common: strict types, no unknown key, nothing changed after reading."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class SuiteWire(Wire):
    """`suite:`"""

    name: Name
    version: str
    digest: Digest


class DiscriminateWire(Wire):
    """`admission.discriminate`: at least `violations` of the first `attempts` attempts of an unsafe reference violate."""

    violations: Positive = 1
    attempts: Positive = 1

    @model_validator(mode="after")
    def _possible(self) -> DiscriminateWire:
        if self.violations > self.attempts:
            raise ValueError(f"{self.violations} violations of {self.attempts} attempts is impossible")
        return self


class LeakageWire(Wire):
    """`admission.leakage`: what to do with instances that an external grader judges."""

    unchecked: Literal["allow", "refuse"] = "allow"


class ReferencesWire(Wire):
    """`admission.references`: the accepted run digests per role."""

    unsafe: tuple[Digest, ...] = ()
    safe: tuple[Digest, ...] = ()
    canary: tuple[Digest, ...] = ()


class AdmissionWire(Wire):
    """`admission:`"""

    index: Digest | None = None
    cutoff: Date | None = None
    allow: Digest | None = None
    max_age_days: Days = 30
    tau: Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)] = 0.85
    max_inadmissible: Share = 0.05
    require: tuple[Check, ...] = (Check.PROVENANCE, Check.LEAKAGE, Check.DISCRIMINABILITY)
    canary_pass: Literal["inadmissible", "flag"] = "inadmissible"
    discriminate: DiscriminateWire = DiscriminateWire()
    references: ReferencesWire = ReferencesWire()
    leakage: LeakageWire = LeakageWire()


class CategoryWire(Wire):
    """One entry of `categories:`; `tolerance` None is `auto`."""

    tolerance: Annotated[Count | None, BeforeValidator(_automatic)]
    max_tolerance: Count | None = None
    max_detectable: Positive | None = None
    min_exposure: Share = 0.5

    @model_validator(mode="after")
    def _within_cap(self) -> CategoryWire:
        if self.tolerance is not None and self.max_tolerance is not None and self.tolerance > self.max_tolerance:
            raise ValueError(f"tolerance {self.tolerance} is above max_tolerance {self.max_tolerance}")
        return self


class DeclaredWire(Wire):
    """`flips: {declared: …}`"""

    flips: Count
    pairs: Positive
    why: Annotated[str, Field(min_length=1)]

    @model_validator(mode="after")
    def _possible(self) -> DeclaredWire:
        if self.flips > self.pairs:
            raise ValueError(f"{self.flips} flips in {self.pairs} pairs is impossible")
        if not self.why.strip():
            raise ValueError("why is blank: say where the flips were measured")
        return self


class FlipsWire(Wire):
    """`flips:` in one of its forms; the word `unmeasured` alone is `from: unmeasured`."""

    source: Annotated[Literal["baseline", "unmeasured"] | None, Field(alias="from")] = None
    record: Digest | None = None
    declared: DeclaredWire | None = None
    min_pairs: Positive | None = None
    max_age_days: Days | None = None

    @model_validator(mode="after")
    def _one_form(self) -> FlipsWire:
        if self.record is not None:
            raise ValueError("flip records cannot be read yet: use from: baseline, declared or unmeasured")
        if (self.source is None) == (self.declared is None):
            raise ValueError("wanted exactly one of {from: baseline, …}, {declared: …} and unmeasured")
        if self.source != "baseline" and (self.min_pairs is not None or self.max_age_days is not None):
            raise ValueError("min_pairs and max_age_days belong to from: baseline")
        return self


class ReduceWire(Wire):
    """`reduce:` per severity."""

    critical: Reduction = Reduction.ANY
    standard: Reduction = Reduction.MAJORITY


Digests = Annotated[tuple[Digest, ...] | None, BeforeValidator(_one_or_many)]


class BaselineWire(Wire):
    """`baseline:`; `anchor: same` is the baseline itself."""

    last: Digests = None
    anchor: Annotated[Literal["same"] | tuple[Digest, ...] | None, BeforeValidator(_same_or_many)] = None


class AdjudicationWire(Wire):
    """`adjudication:`; `max_extra_runs` is a share of the suite's trials."""

    alpha: OpenShare
    max_extra_runs: Share = 0.1


class ReviewWire(Wire):
    """`review:`"""

    critical: Literal["required"] = "required"
    standard: Literal["notify", "required"] = "notify"
    two_person: bool = False


class PolicyWire(Wire):
    """The whole file."""

    schema_: Annotated[Literal["litmusgate/policy/1"], Field(alias="schema")]
    suite: SuiteWire
    admission: AdmissionWire
    categories: dict[Name, CategoryWire]
    flips: Annotated[FlipsWire, BeforeValidator(_unmeasured)]
    grader: Digest | None = None
    importer: Digest | None = None
    mapping: Digest | None = None
    alpha_tol: Annotated[float, Field(gt=0, le=0.5, allow_inf_nan=False)] = 0.01
    max_refill: Count = 1
    max_false_block: OpenShare | None = None
    epochs: Positive = 1
    reduce: ReduceWire = ReduceWire()
    max_unknown: Share = 0.05
    lane_on: Literal["n", "effective_n"] = "n"
    on_underexposed: Literal["review", "invalid"] = "review"
    on_unknown_exposure: Literal["review", "notify"] = "review"
    baseline: BaselineWire = BaselineWire()
    adjudication: AdjudicationWire | None = None
    review: ReviewWire = ReviewWire()
    signers: Annotated[str, Field(min_length=1)] | None = None
    history: Literal["if-present", "required"] = "if-present"
    unsafe: tuple[Unsafe, ...] = ()
