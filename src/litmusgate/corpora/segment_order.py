"""Records put in order on disk: sorted runs in a nameless file, read back bucket by bucket, in bounded memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from litmusgate.corpora.scratch import Scratch

RUN_RECORDS = 1 << 20
"""Records that are sorted in memory at once."""
_SAMPLED = 256

Records: TypeAlias = NDArray[Any]
"""A structured array of unsigned numbers; the field `key` is compared first, then the others as they stand."""


class SortedRecords:
    """Records added in any order, given back in order. Raises `OSError` where the disk refuses."""

    def __init__(self, dtype: np.dtype[Any], scratch: Scratch) -> None:
        self._dtype = dtype
        self._scratch = scratch
        self._waiting: list[Records] = []
        self._waiting_count = 0
        self._file: Any = None
        self._runs: list[tuple[int, int]] = []
        self._samples: list[NDArray[np.uint64]] = []

    def add(self, records: Records) -> None:
        """Take in `records`."""
        for start in range(0, len(records), RUN_RECORDS):
            part = records[start : start + RUN_RECORDS]
            self._waiting.append(part)
            self._waiting_count += len(part)
            if self._waiting_count >= RUN_RECORDS:
                self._write_run()

    def in_order(self, change: Callable[[Records], None] | None = None) -> Iterator[Records]:
        """All records, sorted, in pieces; equal keys stand in one piece. `change` may alter fields other than `key` first."""
        if not self._runs:
            pieces = iter([self._taken()])
        else:
            self._write_run()
            pieces = self._buckets()
        for piece in pieces:
            if change is not None:
                change(piece)
            if len(piece):
                yield _ordered(piece)

    def _taken(self) -> Records:
        found = np.concatenate([np.zeros(0, self._dtype), *self._waiting])
        self._waiting, self._waiting_count = [], 0
        return found

    def _write_run(self) -> None:
        run = self._taken()
        if not len(run):
            return
        run = _ordered(run)
        if self._file is None:
            self._file = self._scratch.large_file()
        self._runs.append((self._file.tell(), len(run)))
        self._samples.append(run["key"][::_SAMPLED].copy())
        self._file.write(run.tobytes())

    def _buckets(self) -> Iterator[Records]:
        self._file.flush()
        samples = np.sort(np.concatenate(self._samples))
        bounds = np.unique(samples[:: max(1, RUN_RECORDS // _SAMPLED)])[1:]
        places = [self._places(start, count, bounds) for start, count in self._runs]
        for bucket in range(len(bounds) + 1):
            parts = [
                self._read(start, found[bucket], found[bucket + 1])
                for (start, _), found in zip(self._runs, places, strict=True)
            ]
            yield np.concatenate(parts)

    def _places(self, start: int, count: int, bounds: NDArray[np.uint64]) -> list[int]:
        keys = np.memmap(self._file, self._dtype, "r", start, (count,))["key"]
        return [0, *np.searchsorted(keys, bounds).tolist(), count]

    def _read(self, start: int, first: int, last: int) -> Records:
        size = self._dtype.itemsize
        data = os.pread(self._file.fileno(), (last - first) * size, start + first * size)
        return np.frombuffer(data, self._dtype).copy()


def _ordered(records: Records) -> Records:
    """Sorted by all fields.

    Keys are sorted by their upper bits, with the number of the record in the lower ones: many times faster than an argsort.
    Where the upper bits are equal, which is rare unless keys are, all fields are compared.
    """
    bits = np.uint64(max(1, len(records) - 1).bit_length())
    packed = (records["key"] >> bits << bits) | np.arange(len(records), dtype=np.uint64)
    packed.sort()
    records = records[(packed & ((np.uint64(1) << bits) - np.uint64(1))).astype(np.int64)]
    upper = packed >> bits
    equal = upper[1:] == upper[:-1]
    tied = np.flatnonzero(np.append(equal, False) | np.append(False, equal))
    if len(tied):
        part = records[tied]
        names = records.dtype.names or ()
        records[tied] = part[np.lexsort([part[name] for name in reversed(names)])]
    return records
