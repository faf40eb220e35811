"""The fingerprint index: how large it is beside its text, and how fast a whole suite is looked up in it."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from provenance_series import Series, Unmeasured
from provenance_world import World

from litmusgate.app.scan_suite import load_scanned_suite
from litmusgate.corpora.adding import Addition, CorpusAdding
from litmusgate.corpora.engines import best_engine
from litmusgate.corpora.index import Index
from litmusgate.corpora.querying import query_index
from litmusgate.corpora.readers import Columns
from litmusgate.corpora.segment_lookup import look_up
from litmusgate.corpora.shards import list_shards, read_batches
from litmusgate.provenance.batch import DocumentBatch, batch_of
from litmusgate.provenance.engine import Engine
from litmusgate.provenance.known import KnownDocument
from litmusgate.provenance.suite_texts import suite_texts

WANTED_FINGERPRINTS = 20_000_000
"""How many fingerprints the queried index must hold."""

DOCUMENT_WORDS = 6000
"""Words of a drawn document."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexReading:
    """One index: bytes on disk and of its text, and, for a queried index of `fingerprints`, the warm seconds of a whole suite."""

    index_bytes: int
    text_bytes: int
    fingerprints: int
    query_seconds: float


class DrawnWords:
    """An engine whose documents hold as many words as wanted, drawn by chance: folding them is not what is measured here."""

    name = "drawn"

    def __init__(self, engine: Engine, words: int) -> None:
        self._engine = engine
        self._words = words
        self._rng = np.random.default_rng(1)

    def word_hashes(self, batch: DocumentBatch) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        """`words` hashes for each document."""
        count = len(batch) * self._words
        hashes = self._rng.integers(0, 1 << 63, count, np.uint64)
        return hashes, np.arange(0, count + 1, self._words, dtype=np.int64)

    def __getattr__(self, name: str) -> Any:
        """Everything else as the engine does it."""
        return getattr(self._engine, name)


def measure_index(world: World) -> IndexReading:
    """Build a hash-only index of the bench corpus and one of `WANTED_FINGERPRINTS`, and query that with the suite, warm.

    Raises `Unmeasured` where the compiled engine is not installed.
    """
    engine = best_engine()
    if engine.name != "compiled":
        raise Unmeasured("the extra `corpora` is not installed")
    suite = suite_texts(load_scanned_suite(world.suite).instances)
    corpus = world.corpora["whole-parquet"]
    with tempfile.TemporaryDirectory(prefix="litmusgate-bench-") as folder:
        small = _build(Path(folder, "small"), _read(corpus.folder), engine)
        large = _build(Path(folder, "large"), _drawn(), cast("Engine", DrawnWords(engine, DOCUMENT_WORDS)))
        seconds = []
        for _ in range(3):
            begun = time.perf_counter()
            query_index(large, suite, engine=engine)
            seconds.append(time.perf_counter() - begun)
        (segment,) = large.segments
        none = np.zeros(0, np.uint64)
        return IndexReading(
            index_bytes=small.stored_bytes,
            text_bytes=corpus.text_bytes,
            fingerprints=look_up(large.segment_path(segment), segment, (), none).fingerprints,
            query_seconds=min(seconds),
        )


def _read(folder: Path) -> Iterator[DocumentBatch]:
    for shard in list_shards([str(folder)]):
        yield from read_batches(shard, Columns(), corpus="bench")


def _drawn() -> Iterator[DocumentBatch]:
    """Documents enough that two of nine of their words' runs are the wanted fingerprints."""
    documents = -(-WANTED_FINGERPRINTS * 9 // (2 * (DOCUMENT_WORDS - 12))) * 102 // 100
    for first in range(0, documents, 500):
        names = range(first, min(first + 500, documents))
        yield batch_of([KnownDocument(corpus="bench", id=f"d{n}", text=f"drawn {n}", source="bench") for n in names])


def _build(folder: Path, batches: Iterator[DocumentBatch], engine: Engine) -> Index:
    addition = Addition(revision="1", published=None, fine_tuning_of=None, keep="hashes", columns=Columns())
    with CorpusAdding(folder, addition, engine=engine) as adding:
        for batch in batches:
            adding.add(batch)
        adding.add_source("bench", "bench", "sha256:" + "0" * 64)
        return adding.finish(now="2026-01-01T00:00:00Z").index


def read_index(world: World, series: Series) -> None:
    """Read size and query time. An index smaller than demanded says nothing about the demand on queries."""
    try:
        reading = measure_index(world)
    except Unmeasured as problem:
        series.problems.update({"index: size": str(problem), "index: query": str(problem)})
        return
    series.readings["index: size"] = [reading.index_bytes / reading.text_bytes]
    series.readings["index: query"] = [reading.query_seconds]
    if reading.fingerprints < WANTED_FINGERPRINTS:
        series.problems["index: query"] = f"the index holds {reading.fingerprints} fingerprints"
