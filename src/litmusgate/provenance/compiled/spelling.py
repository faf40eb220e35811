"""The words of a suite by their hashes, told from all other words letter by letter."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from litmusgate.provenance.compiled.jit import compiled, inlined
from litmusgate.provenance.compiled.scratch import Scratch
from litmusgate.provenance.compiled.tables import HashTable, first_place, home, next_place, row_of, table_of
from litmusgate.provenance.compiled.vectors import Bytes, lane_at
from litmusgate.provenance.compiled.words import hash_word

_LANE = 8
_LONG = 1


class Spelling(NamedTuple):
    """Words numbered from 1: number `n` is `letters[starts[n]:starts[n + 1]]`, and has the hash `hashes[n]` (0 for 0).

    `table` finds `2 * n` by the word's hash; `2 * n + 1` for a word of more than eight bytes, which may share its hash.
    """

    letters: Bytes
    starts: NDArray[np.int64]
    hashes: NDArray[np.uint64]
    table: HashTable


def spelled(words: Sequence[str]) -> Spelling:
    """The words numbered in their order."""
    encoded = [word.encode("utf-8", "surrogatepass") for word in words]
    starts = np.asarray([0, 0, *accumulate(map(len, encoded))], np.int64)
    letters = np.frombuffer(b"".join(encoded) + bytes(_LANE), np.uint8)
    hashes = np.zeros(len(words) + 1, np.uint64)
    _hash_all(letters, starts, hashes)
    numbers = np.arange(1, len(words) + 1)
    table = table_of(hashes[1:], 2 * numbers + (np.diff(starts)[1:] > _LANE))
    return Spelling(letters=letters, starts=starts, hashes=hashes, table=table)


@compiled
def write_numbers(spelling: Spelling, scratch: Scratch, count: int, numbers: NDArray[np.uint32], first: int) -> None:
    """Write the numbers of the `count` words in `scratch` from `first` on, 0 for words that have none.

    Most words are where the table is looked at first, and short: those need no more. The others go through `_number`.
    """
    known = spelling.hashes
    slots = spelling.table.slots
    hashes = scratch.hashes
    doubtful = scratch.ends
    doubts = 0
    for word in range(count):
        key = hashes[word]
        row = max(row_of(slots[home(slots, key)]), 0)
        met = known[row >> 1] == key
        numbers[first + word] = row >> 1 if met else 0
        doubtful[doubts] = word
        doubts += (met & (row & _LONG != 0)) | (~met & (row > 0))
    for number in range(doubts):
        word = doubtful[number]
        start = scratch.edges[2 * word]
        size = scratch.edges[2 * word + 1] - start
        numbers[first + word] = _number(spelling, scratch.folded, start, size, hashes[word])


@inlined
def _number(spelling: Spelling, folded: Bytes, start: int, size: int, key: np.uint64) -> int:
    """The number of the word of `size` bytes at `start`, told from others of the same hash by its letters."""
    slots = spelling.table.slots
    place = first_place(slots, key)
    while place >= 0:
        number = row_of(slots[place]) >> 1
        own = spelling.starts[number]
        if spelling.starts[number + 1] - own == size and _is_same(spelling.letters, own, folded, start, size):
            return number
        place = next_place(slots, key, place)
    return 0


@inlined
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
