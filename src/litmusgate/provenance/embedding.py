"""The embedding channel: which known document is nearest in meaning to an instance (docs/embeddings.md).

A second, review-grade channel. It finds paraphrases, of which no word need be the same, and it also finds texts that
only speak of the same thing: so it never contaminates, and it has a threshold of its own, calibrated per model and
corpus.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice
from typing import TypeAlias

import numpy as np

from litmusgate.provenance.chunks import InstanceChunks, SuiteChunks, chunk_words
from litmusgate.provenance.fold import fold_words
from litmusgate.provenance.known import KnownDocument
from litmusgate.provenance.match import ProvenanceResult, ProvenanceStatus
from litmusgate.provenance.vectors import Embedder, Grid, Vectors, on_grid

BATCH_CHUNKS = 512
"""Chunks of documents that are embedded and compared at a time; with `_ROWS` it bounds memory (8 MB of similarities)."""

_ROWS = 4096
_DIGITS = 4
NOTHING_READ = "the known corpora hold no document of 5 words"


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingFinding:
    """The document nearest to an instance. `similarity` is a cosine -1…1 with four digits, spans are half-open words."""

    instance_id: str
    similarity: float
    corpus: str
    document: str
    field: str
    instance_words: tuple[int, int]
    document_words: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingResult:
    """One instance: its best finding, or (never both) the reason why there is no number."""

    instance_id: str
    best: EmbeddingFinding | None
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NearestChunk:
    """The chunk of a document that is nearest to a text of the suite; `score` is exact, so equal means equally near."""

    score: float
    corpus: str
    document: str
    words: tuple[int, int]

    def order(self) -> tuple[float, str, str, tuple[int, int]]:
        """Nearest first, then by name and place: a total order that does not depend on the order of reading."""
        return -self.score, self.corpus, self.document, self.words


Nearest: TypeAlias = tuple[NearestChunk | None, ...]
"""For each text of a suite, by number, the nearest chunk of any document; None: no document was read."""


def embedding_findings(
    suite: SuiteChunks, documents: Iterable[KnownDocument], embedder: Embedder, *, batch_chunks: int = BATCH_CHUNKS
) -> tuple[EmbeddingResult, ...]:
    """One result per instance, sorted by id. `documents` is read once and may be of any size.

    The order of `documents` and the size of the batches change nothing. Raises `CorpusError` where a text has no vector.
    """
    return embedding_results(suite, nearest_chunks(suite, documents, embedder, batch_chunks=batch_chunks))


def nearest_chunks(
    suite: SuiteChunks, documents: Iterable[KnownDocument], embedder: Embedder, *, batch_chunks: int = BATCH_CHUNKS
) -> Nearest:
    """For each text of `suite` the nearest chunk among `documents`; parts of a corpus are joined by `merge_nearest`."""
    own = on_grid(embedder, suite.texts, "the suite")
    best: list[NearestChunk | None] = [None] * len(suite.texts)
    scores = np.full(len(suite.texts), -np.inf, dtype=np.float32)
    pieces = (piece for document in documents for piece in _pieces(document))
    while batch := list(islice(pieces, batch_chunks)):
        _read_batch(own, sorted(batch, key=_Piece.order), embedder, scores, best)
    return tuple(best)


def merge_nearest(one: Nearest, other: Nearest) -> Nearest:
    """What reading both parts in one go would have given; raises `ValueError` for parts of different suites."""
    return tuple(
        mine if theirs is None or (mine is not None and mine.order() <= theirs.order()) else theirs
        for mine, theirs in zip(one, other, strict=True)
    )


def embedding_results(suite: SuiteChunks, nearest: Nearest) -> tuple[EmbeddingResult, ...]:
    """One result per instance: the nearest of what its chunks found, without a number where there was nothing."""
    if len(nearest) != len(suite.texts):
        raise ValueError(f"{len(nearest)} nearest chunks, wanted one for each of {len(suite.texts)} texts")
    return tuple(_result(instance, nearest) for instance in suite.instances)


def with_embedding(result: ProvenanceResult, found: EmbeddingResult, *, tau: Fraction) -> ProvenanceResult:
    """`result`, made `suspect` where it was clean and the nearest document is at least `tau` near (cosine above 0, ≤ 1).

    Never more: nearness in meaning is for people to look at. And never less: what is not assessable or unknown by its
    words would come to vote as `suspect`, so it stays what it is.
    """
    if result.instance_id != found.instance_id:
        raise ValueError(f"the finding of {found.instance_id!r} does not belong to {result.instance_id!r}")
    if not 0 < tau <= 1:
        raise ValueError(f"tau is {tau}, wanted above 0 and at most 1")
    clean = result.status in (ProvenanceStatus.CLEAN, ProvenanceStatus.CLEAN_SHORT)
    if not clean or found.best is None or Fraction(str(found.best.similarity)) < tau:
        return result
    near = f"{found.best.field} is near in meaning to a known document (cosine {found.best.similarity:.4f})"
    return replace(result, status=ProvenanceStatus.SUSPECT, detail=near)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Piece:
    """One chunk of a document, with its place."""

    corpus: str
    document: str
    words: tuple[int, int]
    text: str

    def order(self) -> tuple[str, str, tuple[int, int]]:
        return self.corpus, self.document, self.words


def _pieces(document: KnownDocument) -> list[_Piece]:
    return [
        _Piece(corpus=document.corpus, document=document.id, words=chunk.words, text=chunk.text)
        for chunk in chunk_words(fold_words(document.text))
    ]


def _read_batch(
    own: Grid, batch: Sequence[_Piece], embedder: Embedder, scores: Vectors, best: list[NearestChunk | None]
) -> None:
    """Keep in `scores` and `best` what `batch` (sorted) holds nearer than what was kept, and of equals the first."""
    first, last = batch[0], batch[-1]
    where = f"documents {first.corpus}/{first.document} to {last.corpus}/{last.document}"
    read = on_grid(embedder, [piece.text for piece in batch], where)
    for start in range(0, len(own.rows), _ROWS):
        block = own.rows[start : start + _ROWS]
        near = (block @ read.rows.T) * read.inverse_lengths
        column = near.argmax(axis=1)
        found = near[np.arange(len(block)), column] * own.inverse_lengths[start : start + _ROWS]
        for offset in np.flatnonzero(found >= scores[start : start + _ROWS]):
            piece = batch[column[offset]]
            chunk = NearestChunk(
                score=float(found[offset]), corpus=piece.corpus, document=piece.document, words=piece.words
            )
            kept = best[start + offset]
            if kept is None or chunk.order() < kept.order():
                best[start + offset] = chunk
                scores[start + offset] = found[offset]


def _result(instance: InstanceChunks, nearest: Nearest) -> EmbeddingResult:
    findings = [
        EmbeddingFinding(
            instance_id=instance.instance_id,
            similarity=round(found.score, _DIGITS),
            corpus=found.corpus,
            document=found.document,
            field=chunk.where,
            instance_words=chunk.words,
            document_words=found.words,
        )
        for chunk in instance.chunks
        if (found := nearest[chunk.text]) is not None
    ]
    reason = instance.reason or (None if findings else NOTHING_READ)
    return EmbeddingResult(
        instance_id=instance.instance_id, best=min(findings, key=_order, default=None), reason=reason
    )


def _order(finding: EmbeddingFinding) -> tuple[float, str, str, str, tuple[int, int], tuple[int, int]]:
    place = finding.field, finding.instance_words, finding.document_words
    return -finding.similarity, finding.corpus, finding.document, *place
