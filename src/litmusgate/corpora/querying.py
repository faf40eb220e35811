"""Asking an index about a suite: texts are scanned, fingerprints looked up, and known source files scanned in their place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from litmusgate.corpora.index import Index
from litmusgate.corpora.manifest import Segment
from litmusgate.corpora.segment_hashes import HashTable, open_hash_segment
from litmusgate.corpora.source_texts import SourceTexts
from litmusgate.provenance.batch import DocumentBatch
from litmusgate.provenance.engine import Engine, Finder
from litmusgate.provenance.fingerprints import SuitePrints, suite_prints
from litmusgate.provenance.hash_evidence import HashDocument, HashHits, HashReading
from litmusgate.provenance.reading import Reading
from litmusgate.provenance.scan import read_batch
from litmusgate.provenance.suite_texts import SuiteTexts


def query_index(
    index: Index,
    suite: SuiteTexts,
    *,
    engine: Engine,
    cutoff: date | None = None,
    agent: str | None = None,
    texts: SourceTexts | None = None,
) -> tuple[Reading, HashReading | None]:
    """Look for `suite` in every segment that counts for `agent` with this training cut-off (A10): in its texts, and in its
    fingerprints where there are any.

    A hash-only segment of which `texts` has all source files is scanned in them instead. Where it has some, these are
    scanned besides. Raises `CorpusError` for a segment or file that cannot be read to its end.
    """
    finder = engine.finder(suite, encoded=True)
    reading = Reading()
    kept_out: list[Segment] = []
    for segment in index.counting(cutoff, agent=agent):
        _scan(finder, suite, index.batches(segment), reading)
        if segment.keep == "hashes":
            whole = texts is not None and texts.has_all(segment)
            if texts is not None:
                _scan(finder, suite, texts.batches(segment), reading)
            if not whole:
                kept_out.append(segment)
    return reading, _looked_up(index, kept_out, suite_prints(suite)) if kept_out else None


def _scan(finder: Finder, suite: SuiteTexts, batches: Iterator[DocumentBatch], reading: Reading) -> None:
    for batch in batches:
        read_batch(suite, finder, reading, batch)


@dataclass(frozen=True, slots=True)
class _SegmentNames(Sequence[HashDocument]):
    """Documents of several segments, numbered one segment after another."""

    tables: tuple[tuple[str, HashTable], ...]
    starts: NDArray[np.int64]

    def __len__(self) -> int:
        return int(self.starts[-1])

    def __getitem__(self, row):  # type: ignore[no-untyped-def]
        number = int(np.searchsorted(self.starts, row, "right")) - 1
        corpus, table = self.tables[number]
        return HashDocument(corpus=corpus, id=table.names[row - int(self.starts[number])])


class _HitList:
    """Hits of several segments, with their sources numbered through."""

    def __init__(self, sources: dict[str, int]) -> None:
        self._sources = sources
        self._prints: list[NDArray[np.int64]] = []
        self._rows: list[NDArray[np.int64]] = []
        self._of_sources: list[NDArray[np.int64]] = []

    def take(self, table: HashTable, values: NDArray[np.uint64], first_row: int) -> None:
        """Look up the rising `values` in `table`."""
        low = np.searchsorted(table.values, values)
        counts = np.searchsorted(table.values, values, "right") - low
        at = np.repeat(low - np.cumsum(counts) + counts, counts) + np.arange(int(counts.sum()))
        rows = table.owners[at].astype(np.int64)
        held, of_held = np.unique(table.sources[rows], return_inverse=True)
        names = [table.source_names[number] for number in held.tolist()]
        known = np.asarray([self._sources.setdefault(name, len(self._sources)) for name in names], np.int64)
        self._prints.append(np.repeat(np.arange(len(values)), counts))
        self._rows.append(rows + first_row)
        self._of_sources.append(known[of_held])

    def hits(self) -> HashHits:
        """All of them."""
        return HashHits(
            prints=np.concatenate(self._prints),
            rows=np.concatenate(self._rows),
            sources=np.concatenate(self._of_sources),
        )


def _looked_up(index: Index, segments: Sequence[Segment], prints: SuitePrints) -> HashReading:
    sources: dict[str, int] = {}
    plain, turned = _HitList(sources), _HitList(sources)
    wholes: list[tuple[int, int]] = []
    tables: list[tuple[str, HashTable]] = []
    starts = [0]
    for segment in segments:
        table = open_hash_segment(index.segment_path(segment), segment)
        plain.take(table, prints.plain.values, starts[-1])
        turned.take(table, prints.turned.values, starts[-1])
        wholes += _wholes(table, prints, starts[-1])
        tables.append((segment.corpus, table))
        starts.append(starts[-1] + len(table.words))
    return HashReading(
        suite=prints,
        documents=sum(segment.documents for segment in segments),
        plain=plain.hits(),
        turned=turned.hits(),
        wholes=tuple(wholes),
        names=_SegmentNames(tuple(tables), np.asarray(starts, np.int64)),
    )


def _wholes(table: HashTable, prints: SuitePrints, first_row: int) -> list[tuple[int, int]]:
    """Pairs of a text and the row of a document that consists of it."""
    values = np.sort(np.fromiter(prints.wholes, np.uint64, len(prints.wholes)))
    low = np.searchsorted(table.wholes, values)
    high = np.searchsorted(table.wholes, values, "right")
    return [
        (text, first_row + row)
        for value, start, end in zip(values.tolist(), low.tolist(), high.tolist(), strict=True)
        for row in table.whole_owners[start:end].tolist()
        for text in prints.wholes[value]
    ]
