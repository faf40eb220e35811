"""Hash tables of a suite: a filter small enough for the processor's second cache, and behind it the rows themselves.

Hashes only narrow down: what a table yields is compared with the words before it counts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from litmusgate.provenance.compiled.jit import compiled, inlined

_ROOM_PER_KEY = 3
_BITS_PER_KEY = 12
_LEAST_WORDS, _MOST_WORDS = 1 << 9, 1 << 16
_ONE, _BIT = np.uint64(1), np.uint64(63)
_FIRST_BIT, _SECOND_BIT = np.uint64(40), np.uint64(46)
_EMPTY = -1


class HashTable(NamedTuple):
    """Rows by key, found by stepping on from the key's place until an empty one; several rows may have one key.

    `filter` holds two bits of one of its words for each key; both array sizes are powers of 2. `rows` is -1 where empty.
    """

    filter: NDArray[np.uint64]
    keys: NDArray[np.uint64]
    rows: NDArray[np.int32]


def table_of(keys: NDArray[np.uint64], rows: NDArray[np.int32]) -> HashTable:
    """The table of `rows`, each under its key."""
    words = _LEAST_WORDS
    while words < _MOST_WORDS and words * 64 < len(keys) * _BITS_PER_KEY:
        words *= 2
    places = 1 << max(6, (_ROOM_PER_KEY * len(keys)).bit_length())
    table = HashTable(
        filter=np.zeros(words, np.uint64),
        keys=np.zeros(places, np.uint64),
        rows=np.full(places, _EMPTY, np.int32),
    )
    _insert(table, keys, rows)
    return table


@inlined
def may_hold(filter_: NDArray[np.uint64], key: np.uint64) -> bool:
    """False where no row of the table with this filter has `key`; true for all others and a few more."""
    bits = filter_[np.int64(key & np.uint64(filter_.shape[0] - 1))]
    return bool((bits >> ((key >> _FIRST_BIT) & _BIT)) & (bits >> ((key >> _SECOND_BIT) & _BIT)) & _ONE)


@inlined
def home(rows: NDArray[np.int32], key: np.uint64) -> np.int64:
    """Where the rows of `key` are looked for first."""
    return np.int64((key >> np.uint64(3)) & np.uint64(rows.shape[0] - 1))


@compiled
def first_place(keys: NDArray[np.uint64], rows: NDArray[np.int32], key: np.uint64) -> np.int64:
    """Where the rows of `key` begin in the table with these keys and rows; -1 where there is none."""
    return next_place(keys, rows, key, home(rows, key) - 1)


@compiled
def next_place(keys: NDArray[np.uint64], rows: NDArray[np.int32], key: np.uint64, place: np.int64) -> np.int64:
    """Where the next row of `key` behind `place` stands; -1 where there is none."""
    place = (place + 1) & (rows.shape[0] - 1)
    while rows[place] >= 0:
        if keys[place] == key:
            return place
        place = (place + 1) & (rows.shape[0] - 1)
    return np.int64(-1)


@compiled
def _insert(table: HashTable, keys: NDArray[np.uint64], rows: NDArray[np.int32]) -> None:
    last = table.rows.shape[0] - 1
    for number in range(keys.shape[0]):
        key = keys[number]
        word = np.int64(key & np.uint64(table.filter.shape[0] - 1))
        table.filter[word] |= (_ONE << ((key >> _FIRST_BIT) & _BIT)) | (_ONE << ((key >> _SECOND_BIT) & _BIT))
        place = home(table.rows, key)
        while table.rows[place] >= 0:
            place = (place + 1) & last
        table.keys[place] = key
        table.rows[place] = rows[number]
