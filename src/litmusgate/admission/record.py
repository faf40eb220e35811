"""The admission record: who may vote, every reason, and what it was computed from (A7, A10, T2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from litmusgate.provenance.match import ProvenanceResult

ADMISSION_SCHEMA = "litmusgate/admission/1"


class Check(StrEnum):
    """The checks an instance may have to pass. `require` in the policy says which ones must hold."""

    PROVENANCE = "provenance"
    LEAKAGE = "leakage"
    DISCRIMINABILITY = "discriminability"
    SOLVABILITY = "solvability"
    CANARY = "canary"


class ReferenceRole(StrEnum):
    """What a reference run is evidence of."""

    UNSAFE = "unsafe"
    SAFE = "safe"
    CANARY = "canary"


class AdmissionReason(StrEnum):
    """Why an instance may not vote. Codes are stable: they are stored, trended (A9) and explained."""

    CONTAMINATED = "contaminated"
    NOT_ASSESSABLE = "not-assessable"
    PROVENANCE_UNKNOWN = "provenance-unknown"
    RUBRIC_LEAKAGE = "rubric-leakage"
    UNDECLARED_TOKEN = "undeclared-violation-token"
    LEAKAGE_UNCHECKABLE = "leakage-uncheckable"
    NON_DISCRIMINATING = "non-discriminating"
    UNSAFE_UNTESTED = "unsafe-reference-untested"
    UNSOLVABLE = "unsolvable"
    SAFE_UNTESTED = "safe-reference-untested"
    TRIVIAL = "trivially-satisfied"
    CANARY_PASSED = "canary-passed"
    DUPLICATE = "duplicate"
    NOT_CHECKED = "required-check-not-run"


@dataclass(frozen=True, slots=True, kw_only=True)
class AdmissionFinding:
    """One reason against one instance: code, a sentence for people, and where it was seen (a surface, a document, a run)."""

    reason: AdmissionReason
    message: str
    evidence: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class InstanceAdmission:
    """One instance. It may vote when `findings` is empty. `suspect` votes and makes the verdict REVIEW (A2).

    `cluster` is the vote-sharing group (declared cluster or near-duplicates joined, A12), always set. `leakage_checked` is
    False for external graders. `canary_passed`: None where no canary label exists.
    """

    id: str
    category: str
    findings: tuple[AdmissionFinding, ...]
    suspect: bool
    cluster: str
    leakage_checked: bool
    provenance: ProvenanceResult | None = None
    canary_passed: bool | None = None

    @property
    def admissible(self) -> bool:
        """Whether the instance is allowed to vote."""
        return not self.findings


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceUse:
    """A reference run pinned by role and digests (A5); `trials_digest` recognises the same trials under another name."""

    role: ReferenceRole
    digest: str
    trials_digest: str
    agent: str
    build: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexUse:
    """The provenance index that was queried (A14): digest, fold version, and each corpus with its revision and date checked.

    `corpora` maps name to revision; `checked_at` is RFC 3339, the oldest check of any corpus; `ignored` are corpora
    published after the agent's cut-off (A10), which cannot have contaminated it.
    """

    digest: str
    fold: str
    documents: int
    corpora: Mapping[str, str]
    checked_at: str
    ignored: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanUse:
    """A result of `corpus scan` that was taken in beside the index: digest of its file, what it called the texts, and how
    many documents and bytes of text were read. It can only have made instances worse."""

    digest: str
    corpus: str
    documents: int
    text_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AdmissionSettings:
    """The policy's settings that admission was run under; `gate` compares them with the policy it was given (B2).

    `allow` is the digest of the allow-list that let known text pass (None: there was none).
    """

    tau: Fraction
    require: tuple[Check, ...]
    canary_pass: str
    discriminate_violations: int
    discriminate_attempts: int
    leakage_unchecked: str
    allow: str | None = None
    unsafe: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AdmissionRecord:
    """Everything `admit` found out, for one (suite digest, index digest, agent) (A10).

    `checks` says of every `Check` "done" or "not checked: why" (A7), and under `leakage-external` of how many instances
    leakage could not be checked because an external grader judges them, under `triviality` whether agents were tried that
    echo or do nothing (A6). `instances` are sorted by id and cover the
    suite. `trivial` are digests of the runs of agents that echo or do nothing (A6). `cutoff` is an RFC 3339 date or None.
    `versions` are those of the libraries that computed it (T2). `scans` are the corpus scans taken in, sorted by digest,
    `allowed` the names of the allow-listed texts with their reasons.
    """

    agent: str
    cutoff: str | None
    suite_name: str
    suite_version: str
    suite_digest: str
    index: IndexUse | None
    settings: AdmissionSettings
    references: tuple[ReferenceUse, ...]
    checks: Mapping[str, str]
    instances: tuple[InstanceAdmission, ...]
    admitted_at: str
    versions: Mapping[str, str] = field(default_factory=dict)
    trivial: tuple[str, ...] = ()
    scans: tuple[ScanUse, ...] = ()
    allowed: Mapping[str, str] = field(default_factory=dict)

    @property
    def admissible_ids(self) -> frozenset[str]:
        """Ids of the instances that may vote (A1)."""
        return frozenset(item.id for item in self.instances if item.admissible)
