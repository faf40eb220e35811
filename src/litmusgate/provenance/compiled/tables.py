"""Hash tables of a suite: a filter small enough for the processor's second cache, and behind it the rows themselves.

Hashes only narrow down: what a table yields is compared with the words before it counts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from litmusgate.provenance.compiled.jit import compiled, inlined

_ROOM_PER_KEY = 2
_BITS_PER_KEY = 12
_LEAST_WORDS, _MOST_WORDS = 1 << 9, 1 << 16
_NONE, _ONE, _BIT = np.uint64(0), np.uint64(1), np.uint64(63)
_FIRST_BIT, _SECOND_BIT, _HOME_BIT = np.uint64(40), np.uint64(46), np.uint64(3)
_KEY = np.uint64(0xFFFFFFFF00000000)
_ROW = np.uint64(0x00000000FFFFFFFF)


class HashTable(NamedTuple):
    """Rows by key, found by stepping on from the key's place until an empty one; several rows may have one key.

    `filter` holds two bits of one of its words for each key; both array sizes are powers of 2. A slot holds the upper
    half of the key and, below, the row plus 1; it is 0 where empty.
    """

    filter: NDArray[np.uint64]
    slots: NDArray[np.uint64]


def table_of(keys: NDArray[np.uint64], rows: NDArray[np.int64]) -> HashTable:
    """The table of `rows` (less than 2^32 - 1), each under its key."""
    words = _LEAST_WORDS
    while words < _MOST_WORDS and words * 64 < len(keys) * _BITS_PER_KEY:
        words *= 2
    places = 1 << max(6, (_ROOM_PER_KEY * len(keys)).bit_length())
    table = HashTable(filter=np.zeros(words, np.uint64), slots=np.zeros(places, np.uint64))
    _insert(table.filter, table.slots, keys, (keys & _KEY) | (rows.astype(np.uint64) + _ONE))
    return table


@inlined
def may_hold(filter_: NDArray[np.uint64], key: np.uint64) -> bool:
    """False where no row of the table with this filter has `key`; true for all others and a few more."""
    bits = filter_[np.int64(key & np.uint64(filter_.shape[0] - 1))]
    return bool((bits >> ((key >> _FIRST_BIT) & _BIT)) & (bits >> ((key >> _SECOND_BIT) & _BIT)) & _ONE)


@inlined
def home(slots: NDArray[np.uint64], key: np.uint64) -> int:
    """Where the rows of `key` are looked for first."""
    return int(np.int64((key >> _HOME_BIT) & np.uint64(slots.shape[0] - 1)))


@inlined
def row_of(slot: np.uint64) -> int:
    """The row in a slot; -1 in an empty one."""
    return int(np.int64(slot & _ROW)) - 1


@compiled
def first_place(slots: NDArray[np.uint64], key: np.uint64) -> int:
    """Where the rows begin that may have `key` in the table with these slots; -1 where there is none."""
    return next_place(slots, key, home(slots, key) - 1)


@compiled
def next_place(slots: NDArray[np.uint64], key: np.uint64, place: int) -> int:
    """Where the next row behind `place` stands that may have `key`; -1 where there is none."""
    place = (place + 1) & (slots.shape[0] - 1)
    while slots[place] != _NONE:
        if (slots[place] ^ key) & _KEY == _NONE:
            return place
        place = (place + 1) & (slots.shape[0] - 1)
    return -1


@compiled
def _insert(
    filter_: NDArray[np.uint64], slots: NDArray[np.uint64], keys: NDArray[np.uint64], filled: NDArray[np.uint64]
) -> None:
    for number in range(keys.shape[0]):
        key = keys[number]
        word = np.int64(key & np.uint64(filter_.shape[0] - 1))
        filter_[word] |= (_ONE << ((key >> _FIRST_BIT) & _BIT)) | (_ONE << ((key >> _SECOND_BIT) & _BIT))
        place = home(slots, key)
        while slots[place] != _NONE:
            place = (place + 1) & (slots.shape[0] - 1)
        slots[place] = filled[number]
