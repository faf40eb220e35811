"""Asking an index about a suite: texts are scanned, fingerprints looked up, and known source files scanned in their place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache

import numpy as np
from numpy.typing import NDArray

from litmusgate.corpora.index import Index
from litmusgate.corpora.manifest import Segment
from litmusgate.corpora.segment_lookup import Found, HashLookup, look_up
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

    @cache
    def finder() -> Finder:
        return engine.finder(suite, encoded=True)

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


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceUse:
    """Of one revision of a corpus kept as hashes: how many source files it has, and the names of those not at hand."""

    corpus: str
    revision: str
    files: int
    missing: tuple[str, ...]


def source_uses(
    index: Index, texts: SourceTexts, *, cutoff: date | None = None, agent: str | None = None
) -> tuple[SourceUse, ...]:
    """What `query_index` finds at hand in `texts`, for every corpus that counts and is kept as hashes; in order."""
    kept: dict[tuple[str, str], list[Segment]] = {}
    for segment in index.counting(cutoff, agent=agent):
        if segment.keep == "hashes":
            kept.setdefault((segment.corpus, segment.revision), []).append(segment)
    return tuple(
        SourceUse(
            corpus=corpus,
            revision=revision,
            files=len({source.digest for segment in segments for source in segment.sources}),
            missing=tuple(
                sorted({file.digest: file.name for part in segments for file in texts.missing(part)}.values())
            ),
        )
        for (corpus, revision), segments in sorted(kept.items())
    )


def _scan(finder: Callable[[], Finder], suite: SuiteTexts, batches: Iterator[DocumentBatch], reading: Reading) -> None:
    for batch in batches:
        read_batch(suite, finder(), reading, batch)


@dataclass(frozen=True, slots=True)
class _SegmentNames(Sequence[HashDocument]):
    """Documents of several segments, numbered one segment after another."""

    lookups: tuple[tuple[str, HashLookup], ...]
    starts: NDArray[np.int64]

    def __len__(self) -> int:
        return int(self.starts[-1])

    def __getitem__(self, row):  # type: ignore[no-untyped-def]
        number = int(np.searchsorted(self.starts, row, "right")) - 1
        corpus, found = self.lookups[number]
        return HashDocument(corpus=corpus, id=found.names[row - int(self.starts[number])])


class _HitList:
    """Hits of several segments, with their sources numbered through."""

    def __init__(self, sources: dict[str, int]) -> None:
        self._sources = sources
        self._prints: list[NDArray[np.int64]] = []
        self._rows: list[NDArray[np.int64]] = []
        self._of_sources: list[NDArray[np.int64]] = []

    def take(self, found: Found, segment: HashLookup, first_row: int) -> None:
        """Add what was `found` in `segment`, whose first row has this number."""
        held, of_held = np.unique(segment.sources[found.rows], return_inverse=True)
        names = [segment.source_names[number] for number in held.tolist()]
        known = np.asarray([self._sources.setdefault(name, len(self._sources)) for name in names], np.int64)
        self._prints.append(found.numbers)
        self._rows.append(found.rows + first_row)
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
    values = np.sort(np.fromiter(prints.wholes, np.uint64, len(prints.wholes)))
    known = values.tolist()
    wholes: list[tuple[int, int]] = []
    lookups: list[tuple[str, HashLookup]] = []
    starts = [0]
    for segment in segments:
        path, first = index.segment_path(segment), starts[-1]
        found = look_up(path, segment, (prints.plain.values, prints.turned.values), values)
        for hits, table in zip((plain, turned), found.tables, strict=True):
            hits.take(table, found, first)
        pairs = zip(found.wholes.numbers.tolist(), found.wholes.rows.tolist(), strict=True)
        wholes += [(text, first + row) for number, row in pairs for text in prints.wholes[known[number]]]
        lookups.append((segment.corpus, found))
        starts.append(first + len(found.words))
    return HashReading(
        suite=prints,
        documents=sum(segment.documents for segment in segments),
        plain=plain.hits(),
        turned=turned.hits(),
        wholes=tuple(wholes),
        names=_SegmentNames(tuple(lookups), np.asarray(starts, np.int64)),
    )
