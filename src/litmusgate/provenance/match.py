"""What a provenance scan says about one instance (A2): a status, a score, and the evidence for both."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from litmusgate.provenance.encoded import Encoding


class ProvenanceStatus(StrEnum):
    """The six statuses (docs/provenance.md). Only the two clean ones may vote unlisted; `suspect` votes and makes REVIEW."""

    CONTAMINATED = "contaminated"
    SUSPECT = "suspect"
    CLEAN = "clean"
    CLEAN_SHORT = "clean-short"
    NOT_ASSESSABLE = "not-assessable"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """One known document that shares text with one field of the instance.

    `similarity` is sim_lex (share 0…1), `run` the longest contiguous shared run in words. Word spans are half-open,
    in folded words: of the instance's field and of the document, or with an `encoding` of what was decoded out of it.
    """

    corpus: str
    document: str
    field: str
    similarity: float
    run: int
    instance_words: tuple[int, int]
    document_words: tuple[int, int]
    encoding: Encoding | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvenanceResult:
    """One instance. `score` is the maximum over its fields (share 0…1; None when nothing could be measured), `run` words.

    `detail` says why where the status is not a measurement; `matches` are the best ones, sorted by falling similarity.
    `allowed` names the allow-listed texts without which more words would have been the instance's own.
    """

    instance_id: str
    status: ProvenanceStatus
    score: float | None
    run: int
    distinctive_words: int
    matches: tuple[Match, ...] = ()
    detail: str | None = None
    allowed: tuple[str, ...] = ()
