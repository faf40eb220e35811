"""The admission record at the wire: strict, frozen models that refuse unknown keys, NaN and other schemas."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, FailFast, Field

from litmusgate.admission.record import AdmissionReason, Check, ReferenceRole
from litmusgate.documents.wire_types import Digest
from litmusgate.provenance.encoded import Encoding
from litmusgate.provenance.match import ProvenanceStatus

Count = Annotated[int, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]
ExactShare = Annotated[str, Field(pattern=r"^[0-9]{1,18}(/[1-9][0-9]{0,17})?$")]
Span = tuple[Count, Count]


class Wire(BaseModel):
    """How every part is read: strictly, completely, once."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)


class WireMatch(Wire):
    """`Match`."""

    corpus: str
    document: str
    field: str
    similarity: Share
    run: Count
    instance_words: Span
    document_words: Span
    encoding: Encoding | None


class WireProvenance(Wire):
    """`ProvenanceResult` without the id, which stands beside it."""

    status: ProvenanceStatus
    score: Share | None
    run: Count
    distinctive_words: Count
    matches: tuple[WireMatch, ...]
    detail: str | None
    allowed: tuple[str, ...]


class WireFinding(Wire):
    """`AdmissionFinding`."""

    reason: AdmissionReason
    message: str
    evidence: str | None


class WireInstance(Wire):
    """`InstanceAdmission`; `admissible` is written for readers and checked against the findings."""

    id: str
    category: str
    admissible: bool
    findings: tuple[WireFinding, ...]
    suspect: bool
    cluster: str
    leakage_checked: bool
    provenance: WireProvenance | None
    canary_passed: bool | None


class WireReference(Wire):
    """`ReferenceUse`."""

    role: ReferenceRole
    digest: Digest
    trials_digest: Digest
    agent: str
    build: str


class WireIndex(Wire):
    """`IndexUse`."""

    digest: Digest
    fold: str
    documents: Count
    corpora: dict[str, str]
    checked_at: str
    ignored: tuple[str, ...]


class WireScan(Wire):
    """`ScanUse`."""

    digest: Digest
    corpus: str
    documents: Count
    text_bytes: Count


class WireSettings(Wire):
    """`AdmissionSettings`; tau as an exact fraction, `17/20`."""

    tau: ExactShare
    require: tuple[Check, ...]
    canary_pass: Literal["inadmissible", "flag"]
    discriminate_violations: Annotated[int, Field(ge=1)]
    discriminate_attempts: Annotated[int, Field(ge=1)]
    leakage_unchecked: Literal["allow", "refuse"]
    allow: Digest | None
    unsafe: tuple[str, ...]


class WireSuite(Wire):
    """The suite admission was run for."""

    name: str
    version: str
    digest: Digest


class WireTotals(Wire):
    """`AdmissionTotals`."""

    total: Count
    inadmissible: Count
    by_reason: dict[str, Count]


class WireRecordTotals(WireTotals):
    """`RecordTotals`: those of the suite, and each category's."""

    by_category: dict[str, WireTotals]


class WireRecord(Wire):
    """`AdmissionRecord`."""

    schema_: Annotated[Literal["litmusgate/admission/1"], Field(alias="schema")]
    agent: str
    cutoff: str | None
    suite: WireSuite
    index: WireIndex | None
    settings: WireSettings
    references: tuple[WireReference, ...]
    trivial: tuple[Digest, ...]
    scans: tuple[WireScan, ...]
    allowed: dict[str, str]
    checks: dict[str, str]
    instances: Annotated[tuple[WireInstance, ...], FailFast()]
    totals: WireRecordTotals
    admitted_at: str
    versions: dict[str, str]
