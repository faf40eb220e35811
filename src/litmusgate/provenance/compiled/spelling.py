"""The words of a suite by their hashes, told from all other words letter by letter."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from litmusgate.provenance.compiled.jit import compiled
from litmusgate.provenance.compiled.scratch import Scratch
from litmusgate.provenance.compiled.tables import HashTable, first_place, next_place, table_of
from litmusgate.provenance.compiled.vectors import Bytes, lane_at
from litmusgate.provenance.compiled.words import hash_word

_LANE = 8


class Spelling(NamedTuple):
    """Words numbered from 1: number `n` is `letters[starts[n]:starts[n + 1]]`, and `table` finds it by its hash."""

    letters: Bytes
    starts: NDArray[np.int64]
    table: HashTable


def spelled(words: Sequence[str]) -> tuple[Spelling, NDArray[np.uint64]]:
    """The words numbered in their order, and the hash of each number (0 for number 0)."""
    encoded = [word.encode("utf-8", "surrogatepass") for word in words]
    starts = np.asarray([0, 0, *accumulate(map(len, encoded))], np.int64)
    letters = np.frombuffer(b"".join(encoded) + bytes(_LANE), np.uint8)
    hashes = np.zeros(len(words) + 1, np.uint64)
    _hash_all(letters, starts, hashes)
    table = table_of(hashes[1:], np.arange(1, len(words) + 1, dtype=np.int32))
    return Spelling(letters=letters, starts=starts, table=table), hashes


@compiled
def write_numbers(spelling: Spelling, scratch: Scratch, count: int, numbers: NDArray[np.uint32], first: int) -> None:
    """Write the numbers of the `count` words in `scratch` from `first` on, 0 for words that have none."""
    letters = spelling.letters
    starts = spelling.starts
    keys = spelling.table.keys
    rows = spelling.table.rows
    folded = scratch.folded
    edges = scratch.edges
    hashes = scratch.hashes
    for word in range(count):
        start = edges[2 * word]
        size = edges[2 * word + 1] - start
        place = first_place(keys, rows, hashes[word])
        number = 0
        while place >= 0:
            number = rows[place]
            own = starts[number]
            if starts[number + 1] - own == size and _is_same(letters, own, folded, start, size):
                break
            number = 0
            place = next_place(keys, rows, hashes[word], place)
        numbers[first + word] = number


@compiled
def _is_same(letters: Bytes, first: int, folded: Bytes, start: int, size: int) -> bool:
    """Whether two words of `size` bytes with the same hash are the same: to eight bytes, no two share one."""
    for place in range(0, size - 7 if size > _LANE else 0, 8):
        if lane_at(letters, first + place) != lane_at(folded, start + place):
            return False
    return size <= _LANE or lane_at(letters, first + size - _LANE) == lane_at(folded, start + size - _LANE)


@compiled
def _hash_all(letters: Bytes, starts: NDArray[np.int64], hashes: NDArray[np.uint64]) -> None:
    for number in range(1, hashes.shape[0]):
        hashes[number] = hash_word(letters, starts[number], starts[number + 1])
