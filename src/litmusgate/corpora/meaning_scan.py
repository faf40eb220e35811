"""The embedding channel over shards: a second pass, for corpora small enough for a model to read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from litmusgate.corpora.readers import Columns
from litmusgate.corpora.shards import Shard, read_batches
from litmusgate.errors import CorpusError
from litmusgate.provenance.batch import in_parts
from litmusgate.provenance.chunks import SuiteChunks
from litmusgate.provenance.embedding import EmbeddingResult, Nearest, embedding_results, merge_nearest, nearest_chunks
from litmusgate.provenance.known import KnownDocument
from litmusgate.provenance.vectors import Embedder

_OVERLAP_BYTES = 1 << 12
"""Two parts of a long document have this much in common: more than one chunk."""


def nearest_in_shards(
    suite: SuiteChunks, shards: Sequence[Shard], columns: Columns, *, corpus: str, embedder: Embedder
) -> tuple[tuple[EmbeddingResult, ...], dict[Shard, str]]:
    """The nearest document of every instance, and what kept a shard from being read to its end (it then counts nothing)."""
    nearest: Nearest = (None,) * len(suite.texts)
    problems: dict[Shard, str] = {}
    for shard in shards:
        try:
            found = nearest_chunks(suite, _documents(shard, columns, corpus), embedder)
        except CorpusError as problem:
            problems[shard] = problem.render()
            continue
        nearest = merge_nearest(nearest, found)
    return embedding_results(suite, nearest), problems


def _documents(shard: Shard, columns: Columns, corpus: str) -> Iterator[KnownDocument]:
    for batch in read_batches(shard, columns, corpus=corpus):
        parts = in_parts(batch, overlap_bytes=_OVERLAP_BYTES)
        for number in range(len(parts)):
            yield KnownDocument(
                corpus=parts.corpus,
                id=parts.ids[number],
                text=parts.text(number).decode("utf-8"),
                source=parts.sources[number],
            )
