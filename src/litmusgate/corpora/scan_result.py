"""The result file of `corpus scan`: canonical JSON, the same bytes whichever workers and engine made it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from litmusgate.digest import Json, canonical_bytes
from litmusgate.documents import decode_utf8, parse_json, validate
from litmusgate.documents.wire_types import Digest
from litmusgate.errors import CorpusError, Location
from litmusgate.provenance.embedding import EmbeddingResult
from litmusgate.provenance.encoded import Encoding
from litmusgate.provenance.fold import FOLD_VERSION
from litmusgate.provenance.locating import LocatedMatch
from litmusgate.provenance.match import Match, ProvenanceResult, ProvenanceStatus

SCAN_SCHEMA = "litmusgate/scan/1"

_HEADLINE_FIRST = (
    ProvenanceStatus.UNKNOWN,
    ProvenanceStatus.CONTAMINATED,
    ProvenanceStatus.SUSPECT,
    ProvenanceStatus.NOT_ASSESSABLE,
    ProvenanceStatus.CLEAN_SHORT,
    ProvenanceStatus.CLEAN,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingUse:
    """The second channel, where it was used: the model, the digest of its files, and its own threshold (a cosine)."""

    model: str
    digest: str
    tau: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanResult:
    """What a scan found. `problems` names every shard that could not be read to its end, with why.

    `suite` is the digest of what was looked for, `documents` (`blank` ones without a word apart) and `text_bytes` count what was read. `located` holds the
    evidence by instance id where the texts were at hand. `allow` is the digest of the allow-list (None: there was none),
    `allowed` maps the names of its texts to their reasons. `nearest` is what the embedding channel found by instance id.
    """

    suite: str
    tau: Fraction
    encoded: bool
    corpus: str
    shards: int
    documents: int
    blank: int = 0
    text_bytes: int
    problems: tuple[tuple[str, str], ...]
    results: tuple[ProvenanceResult, ...]
    located: Mapping[str, Sequence[LocatedMatch]] = field(default_factory=dict)
    allow: str | None = None
    allowed: Mapping[str, str] = field(default_factory=dict)
    embedding: EmbeddingUse | None = None
    nearest: Mapping[str, EmbeddingResult] = field(default_factory=dict)
    fold: str = FOLD_VERSION

    @property
    def status(self) -> ProvenanceStatus:
        """What heads the result: `unknown` above all (and when there is no instance), then what was found, then the rest."""
        found = {result.status for result in self.results}
        return next((status for status in _HEADLINE_FIRST if status in found), ProvenanceStatus.UNKNOWN)


def scan_bytes(result: ScanResult, *, show_text: bool) -> bytes:
    """The canonical file. Without `show_text` the evidence is told by hashes alone."""
    return canonical_bytes(
        {
            "schema": SCAN_SCHEMA,
            "status": result.status.value,
            "suite": result.suite,
            "tau": str(result.tau),
            "fold": result.fold,
            "encoded": result.encoded,
            "corpus": result.corpus,
            "shards": result.shards,
            "documents": result.documents,
            "blank": result.blank,
            "text_bytes": result.text_bytes,
            "problems": [{"shard": shard, "problem": problem} for shard, problem in result.problems],
            "allow": result.allow,
            "allowed": dict(result.allowed),
            "embedding": None if result.embedding is None else _embedding(result.embedding),
            "instances": [
                _instance(item, result.located.get(item.instance_id, ()), show_text)
                | _nearest(result.nearest.get(item.instance_id))
                for item in result.results
            ],
        }
    )


def _embedding(use: EmbeddingUse) -> dict[str, Json]:
    return {"model": use.model, "digest": use.digest, "tau": str(use.tau)}


def _nearest(found: EmbeddingResult | None) -> dict[str, Json]:
    """The nearest document, or why there is none; nothing where the channel was not used."""
    if found is None:
        return {}
    best = found.best
    if best is None:
        return {"nearest": {"reason": found.reason}}
    return {
        "nearest": {
            "corpus": best.corpus,
            "document": best.document,
            "field": best.field,
            "cosine": best.similarity,
            "instance_words": list(best.instance_words),
            "document_words": list(best.document_words),
        }
    }


def _instance(item: ProvenanceResult, located: Sequence[LocatedMatch], show_text: bool) -> dict[str, Json]:
    evidence = {found.match: found for found in located}
    return {
        "instance_id": item.instance_id,
        "status": item.status.value,
        "score": item.score,
        "run": item.run,
        "distinctive_words": item.distinctive_words,
        "detail": item.detail,
        "allowed": list(item.allowed),
        "matches": [_match(match, evidence.get(match), show_text) for match in item.matches],
    }


def _match(match: Match, located: LocatedMatch | None, show_text: bool) -> dict[str, Json]:
    document: dict[str, Json] = {
        "corpus": match.corpus,
        "document": match.document,
        "field": match.field,
        "encoding": match.encoding,
        "similarity": match.similarity,
        "run": match.run,
        "instance_words": list(match.instance_words),
        "document_words": list(match.document_words),
    }
    if located is not None:
        document["instance_characters"] = list(located.instance_characters)
        document["document_characters"] = list(located.document_characters)
        document["instance_sha256"] = _sha256(located.instance_text)
        document["document_sha256"] = _sha256(located.document_text)
        if show_text:
            document["instance_text"] = located.instance_text
            document["document_text"] = located.document_text
    return document


def _sha256(text: str) -> str:
    return f"sha256:{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()}"


class _Wire(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


_Count = Annotated[int, Field(ge=0)]
_Share = Annotated[float, Field(ge=0, le=1)]
_Span = tuple[_Count, _Count]


class _WireMatch(_Wire):
    corpus: str
    document: str
    field: str
    encoding: Encoding | None
    similarity: _Share
    run: _Count
    instance_words: _Span
    document_words: _Span
    instance_characters: _Span | None = None
    document_characters: _Span | None = None
    instance_sha256: Digest | None = None
    document_sha256: Digest | None = None
    instance_text: str | None = None
    document_text: str | None = None


class _WireNearest(_Wire):
    reason: str | None = None
    corpus: str | None = None
    document: str | None = None
    field: str | None = None
    cosine: Annotated[float, Field(ge=-1, le=1)] | None = None
    instance_words: _Span | None = None
    document_words: _Span | None = None


class _WireEmbedding(_Wire):
    model: str
    digest: Digest
    tau: str


class _WireInstance(_Wire):
    instance_id: str
    status: ProvenanceStatus
    score: _Share | None
    run: _Count
    distinctive_words: _Count
    detail: str | None
    allowed: tuple[str, ...]
    matches: tuple[_WireMatch, ...]
    nearest: _WireNearest | None = None


class _WireProblem(_Wire):
    shard: str
    problem: str


class _WireScan(_Wire):
    schema_: Annotated[Literal["litmusgate/scan/1"], Field(alias="schema")]
    status: ProvenanceStatus
    suite: Digest
    tau: str
    fold: str
    encoded: bool
    corpus: str
    shards: _Count
    documents: _Count
    blank: _Count
    text_bytes: _Count
    problems: tuple[_WireProblem, ...]
    allow: Digest | None
    allowed: dict[str, str]
    embedding: _WireEmbedding | None
    instances: tuple[_WireInstance, ...]


def read_scan(data: bytes, *, path: str) -> ScanResult:
    """The result in a file; evidence characters, texts and nearest documents stay in the file.

    Raises `CorpusError` for anything `scan_bytes` would not have written: a status that is not the gravest, instances
    unsorted or twice, a scan with problems that calls an instance clean.
    """
    document = parse_json(decode_utf8(data, path=path, error=CorpusError), path=path, error=CorpusError)
    wire = validate(_WireScan, document, what="scan result", error=CorpusError)
    result = ScanResult(
        suite=wire.suite,
        tau=_tau(wire.tau, path),
        encoded=wire.encoded,
        corpus=wire.corpus,
        shards=wire.shards,
        documents=wire.documents,
        blank=wire.blank,
        text_bytes=wire.text_bytes,
        problems=tuple((item.shard, item.problem) for item in wire.problems),
        results=tuple(_result(item) for item in wire.instances),
        allow=wire.allow,
        allowed=wire.allowed,
        embedding=None if wire.embedding is None else _embedding_use(wire.embedding, path),
        fold=wire.fold,
    )
    problem = _contradiction(result, wire.status)
    if problem is not None:
        raise CorpusError(f"the scan result contradicts itself: {problem}", at=Location(path=path))
    return result


def _tau(text: str, path: str) -> Fraction:
    try:
        tau = Fraction(text)
    except (ValueError, ZeroDivisionError) as problem:
        raise CorpusError("tau is not a share", got=repr(text), at=Location(path=path)) from problem
    return tau


def _embedding_use(wire: _WireEmbedding, path: str) -> EmbeddingUse:
    return EmbeddingUse(model=wire.model, digest=wire.digest, tau=_tau(wire.tau, path))


def _result(wire: _WireInstance) -> ProvenanceResult:
    return ProvenanceResult(
        instance_id=wire.instance_id,
        status=wire.status,
        score=wire.score,
        run=wire.run,
        distinctive_words=wire.distinctive_words,
        detail=wire.detail,
        allowed=wire.allowed,
        matches=tuple(
            Match(
                corpus=match.corpus,
                document=match.document,
                field=match.field,
                encoding=match.encoding,
                similarity=match.similarity,
                run=match.run,
                instance_words=match.instance_words,
                document_words=match.document_words,
            )
            for match in wire.matches
        ),
    )


def _contradiction(result: ScanResult, status: ProvenanceStatus) -> str | None:
    if not 0 < result.tau <= 1:
        return f"tau is {result.tau}"
    ids = [item.instance_id for item in result.results]
    if sorted(set(ids)) != ids:
        return "its instances are unsorted, or one stands twice"
    if result.status is not status:
        return f"its status is {status.value!r} and its gravest instance is {result.status.value!r}"
    believed = {item.status for item in result.results} - {ProvenanceStatus.CONTAMINATED, ProvenanceStatus.UNKNOWN}
    if believed and (result.problems or not result.documents):
        return f"it was incomplete and calls instances {sorted(believed)!r}"
    return None
