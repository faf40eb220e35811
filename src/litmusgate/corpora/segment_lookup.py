"""Looking hashes up in a hash-only segment: one pass from its beginning to its end, in which it is checked as well.

The segment has to be hashed at every use in any case, and then nothing of it needs to stay in memory but what was found.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from litmusgate.corpora.blocks import PackedNames
from litmusgate.corpora.manifest import Segment
from litmusgate.corpora.segment import OpenSegment, altered, open_segment, unreadable

_AT_ONCE = 1 << 17
"""Numbers of a column that are read at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Which of the hashes that were looked up stand there, by number, each with a row of a document that has it."""

    numbers: NDArray[np.int64]
    rows: NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class HashLookup:
    """What was found in a segment, for each table of hashes and among the hashes of whole documents.

    `fingerprints` is how many it holds. By row of a document: `words`, how many it has, `sources`, the number of its source
    in `source_names`, and `names`.
    """

    fingerprints: int
    tables: tuple[Found, ...]
    wholes: Found
    words: NDArray[np.uint32]
    sources: NDArray[np.uint32]
    names: PackedNames
    source_names: PackedNames


def look_up(
    path: Path, segment: Segment, tables: Sequence[NDArray[np.uint64]], wholes: NDArray[np.uint64]
) -> HashLookup:
    """Look up rising, distinct hashes: those of `tables` among the fingerprints, `wholes` among the whole documents.

    Raises `CorpusError` for a segment that is altered, or whose numbers do not hang together.
    """
    try:
        with path.open("rb") as stream:
            return _Pass(stream, open_segment(stream, segment, path), path).run(segment, tables, wholes)
    except OSError as problem:
        raise unreadable(problem, path) from problem


class _Search:
    """One table being looked up while columns go by."""

    def __init__(self, values: NDArray[np.uint64]) -> None:
        self._values = values
        self._numbers: list[NDArray[np.int64]] = [np.zeros(0, np.int64)]
        self._places: list[NDArray[np.int64]] = [np.zeros(0, np.int64)]
        self._owners: list[NDArray[np.int64]] = [np.zeros(0, np.int64)]

    def meet(self, first: int, part: NDArray[np.uint64]) -> None:
        """Find values in `part`, which is the column from `first` on."""
        start = int(np.searchsorted(self._values, part[0]))
        end = int(np.searchsorted(self._values, part[-1], "right"))
        low = np.searchsorted(part, self._values[start:end])
        counts = np.searchsorted(part, self._values[start:end], "right") - low
        at = np.repeat(low - np.cumsum(counts) + counts, counts) + np.arange(int(counts.sum()))
        self._numbers.append(np.repeat(np.arange(start, end), counts))
        self._places.append(at + first)

    def take(self, first: int, part: NDArray[np.uint32]) -> None:
        """Note the owners that stand in `part`, which is their column from `first` on."""
        if len(self._places) > 1:
            self._places = [np.concatenate(self._places)]
        start, end = np.searchsorted(self._places[0], [first, first + len(part)])
        self._owners.append(part[self._places[0][start:end] - first].astype(np.int64))

    def found(self) -> Found:
        """All of it."""
        return Found(numbers=np.concatenate(self._numbers), rows=np.concatenate(self._owners))


class _Pass:
    """A segment being read once, in order."""

    def __init__(self, stream: IO[bytes], opened: OpenSegment, path: Path) -> None:
        self._stream = stream
        self._opened = opened
        self._path = path
        self._digest = hashlib.sha256()
        self._place = opened.body

    def run(self, segment: Segment, tables: Sequence[NDArray[np.uint64]], wholes: NDArray[np.uint64]) -> HashLookup:
        """Read everything; what was found counts only when it returns."""
        prints, whole_prints, rows, sources = map(self._size, ("fingerprints", "wholes", "rows", "source_names"))
        self._stream.seek(self._opened.body)
        searches, whole_search = [_Search(values) for values in tables], _Search(wholes)
        self._look(prints, searches)
        self._look(whole_prints, [whole_search])
        self._own(prints, rows, searches)
        self._own(whole_prints, rows, [whole_search])
        words, source_numbers, lengths = (self._column("<u4", rows) for _ in range(3))
        source_lengths = self._column("<u4", sources)
        if len(source_numbers) and int(source_numbers.max()) >= sources:
            raise altered(self._path)
        names_at, names = self._place, np.cumsum(lengths, dtype=np.int64)
        for _ in self._parts("u1", int(names[-1]) if rows else 0):
            pass
        source_names = self._column("u1", int(source_lengths.sum(dtype=np.int64)))
        if f"sha256:{self._digest.hexdigest()}" != self._opened.header.get("content"):
            raise altered(self._path)
        mapped = np.memmap(self._path, np.uint8, "r", names_at, (int(names[-1]),)) if rows and names[-1] else None
        return HashLookup(
            fingerprints=prints,
            tables=tuple(search.found() for search in searches),
            wholes=whole_search.found(),
            words=words,
            sources=source_numbers,
            names=PackedNames(b"" if mapped is None else mapped.data, names),
            source_names=PackedNames(source_names.tobytes(), np.cumsum(source_lengths, dtype=np.int64), segment.corpus),
        )

    def _size(self, name: str) -> int:
        found = self._opened.header.get(name)
        if not isinstance(found, int) or found < 0:
            raise altered(self._path)
        return found

    def _look(self, count: int, searches: Sequence[_Search]) -> None:
        last = np.uint64(0)
        for first, part in self._parts("<u8", count):
            if part[0] < last or bool((part[1:] < part[:-1]).any()):
                raise altered(self._path)
            last = part[-1]
            for search in searches:
                search.meet(first, part)

    def _own(self, count: int, rows: int, searches: Sequence[_Search]) -> None:
        for first, part in self._parts("<u4", count):
            if int(part.max()) >= rows:
                raise altered(self._path)
            for search in searches:
                search.take(first, part)

    def _column(self, dtype: str, count: int) -> NDArray[Any]:
        return np.concatenate([np.zeros(0, dtype), *(part for _, part in self._parts(dtype, count))])

    def _parts(self, dtype: str, count: int) -> Iterator[tuple[int, NDArray[Any]]]:
        """The next `count` numbers of the body, in pieces, each with the number of its first."""
        size = np.dtype(dtype).itemsize
        if self._place + count * size > self._opened.end:
            raise altered(self._path)
        for first in range(0, count, _AT_ONCE):
            wanted = min(_AT_ONCE, count - first) * size
            data = self._stream.read(wanted)
            if len(data) != wanted:
                raise altered(self._path)
            self._digest.update(data)
            self._place += wanted
            yield first, np.frombuffer(data, dtype)
