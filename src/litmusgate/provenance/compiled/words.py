"""Words of folded bytes and their hashes (`hashing.word_hash`), without a branch that text could mislead."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from litmusgate.provenance import hashing
from litmusgate.provenance.compiled.jit import ZERO, compiled, inlined
from litmusgate.provenance.compiled.vectors import (
    BLOCK,
    Bytes,
    apostrophe_bits,
    count_bits,
    gap_bits,
    lane_at,
    lowest_bit,
)

BASE = np.uint64(hashing.BASE)

_MIX, _FINAL_MIX = np.uint64(hashing.MIX), np.uint64(hashing.FINAL_MIX)
_NONE, _ONE, _ALL = np.uint64(0), np.uint64(1), np.uint64((1 << 64) - 1)
_LAST_BIT = np.uint64(BLOCK - 1)
_STEP_SHIFT, _FINAL_SHIFT = np.uint64(32), np.uint64(29)
_LETTERS = np.uint64(0x4040404040404040)
"""The bit that ASCII letters have and digits lack."""
_APOSTROPHE = ord("'")
_AT_ONCE = 8
"""Edges written before looking whether there are more: a block of text has two or three times so many."""


def _leet() -> Bytes:
    read_as = np.arange(256, dtype=np.uint8)
    for digit, letter in zip("431057", "aeiost", strict=True):
        read_as[ord(digit)] = ord(letter)
    return read_as


_LEET = _leet()


@compiled
def split_words(folded: Bytes, size: int, edges: NDArray[np.int32], joined: NDArray[np.int32]) -> tuple[int, int]:
    """Where the words of `folded[:size]` begin and end, in turn, into `edges`; how many there are.

    Apostrophes inside a word are still part of it: the numbers of such words go into `joined`, and their count is the
    second result. `folded` must be readable for a block behind `size`, and `edges` has
    room for `_AT_ONCE` more than are found.
    """
    found = ZERO
    joints = 0
    carried = _NONE
    for at in range(0, size, BLOCK):
        words = ~gap_bits(folded, at)
        if size - at < BLOCK:
            words &= (_ONE << np.uint64(size - at)) - _ONE
        apostrophes = apostrophe_bits(folded, at) & words
        inner = _NONE
        if apostrophes:
            words ^= apostrophes
            following = at + BLOCK < size and folded[at + BLOCK] != 0 and folded[at + BLOCK] != _APOSTROPHE
            after = (words >> _ONE) | (np.uint64(following) << _LAST_BIT)
            inner = apostrophes & ((words << _ONE) | carried) & after
            words |= inner
        turns = words ^ ((words << _ONE) | carried)
        carried = words >> _LAST_BIT
        first = found
        behind = found + count_bits(turns)
        while turns:
            for _ in range(_AT_ONCE):
                edges[found] = at + lowest_bit(turns)
                found += 1
                turns &= turns - _ONE
        found = behind
        while inner:
            word = _word_at(edges, first, found, at + lowest_bit(inner))
            if joints == 0 or joined[joints - 1] != word:
                joined[joints] = word
                joints += 1
            inner &= inner - _ONE
    edges[found] = size
    return (found + 1) >> 1, joints


@inlined
def _word_at(edges: NDArray[np.int32], first: int, found: int, place: int) -> int:
    """Number of the word around `place`, whose beginning is the last edge before it (`edges[first:found]` are near)."""
    edge = found
    while edge > first and edges[edge - 1] > place:
        edge -= 1
    return (edge - 1) >> 1


@inlined
def close_up(folded: Bytes, edges: NDArray[np.int32], joined: NDArray[np.int32], joints: int) -> None:
    """Take the apostrophes out of the words `joined[:joints]`: what stands before them moves up, the word begins later."""
    for joint in range(joints):
        word = int(joined[joint])
        start = int(edges[2 * word])
        target = int(edges[2 * word + 1])
        for place in range(target - 1, start - 1, -1):
            if folded[place] != _APOSTROPHE:
                target -= 1
                folded[target] = folded[place]
        edges[2 * word] = target


@compiled
def hash_words(
    folded: Bytes, edges: NDArray[np.int32], count: int, hashes: NDArray[np.uint64], mixed: NDArray[np.int32]
) -> None:
    """Hashes of `count` words; words of letters and digits are read as leet first, and written so into `folded`."""
    doubtful = 0
    for word in range(count):
        start = int(edges[2 * word])
        end = int(edges[2 * word + 1])
        size = end - start
        known = _ALL >> np.uint64(64 - 8 * min(size, 8))
        first = lane_at(folded, start) & known
        last = lane_at(folded, max(end - 8, start))
        if size <= 16:
            beyond = _ALL if size > 8 else _NONE
            last &= beyond
            letters = (first | last) & _LETTERS
            digits = ((~first & known) | (~last & beyond)) & _LETTERS
            mixed[doubtful] = word
            doubtful += (letters != _NONE) & (digits != _NONE)
            hashes[word] = finalised(_step(_step(_NONE, first), last))
        else:
            mixed[doubtful] = word
            doubtful += 1
            hashes[word] = _long_hash(folded, start, end)
    for number in range(doubtful):
        word = int(mixed[number])
        if _unleet(folded, int(edges[2 * word]), int(edges[2 * word + 1])):
            hashes[word] = hash_word(folded, int(edges[2 * word]), int(edges[2 * word + 1]))


@compiled
def hash_word(folded: Bytes, start: int, end: int) -> np.uint64:
    """`hashing.word_hash` of one word, of which `folded` must hold eight bytes more."""
    size = end - start
    if size > 16:
        return _long_hash(folded, start, end)
    first = lane_at(folded, start) & (_ALL >> np.uint64(64 - 8 * min(size, 8)))
    last = lane_at(folded, end - 8) if size > 8 else _NONE
    return finalised(_step(_step(_NONE, first), last))


@inlined
def finalised(value: np.uint64) -> np.uint64:
    """`hashing.finalised`."""
    mixed = value * _FINAL_MIX
    return mixed ^ (mixed >> _FINAL_SHIFT)


@inlined
def _step(state: np.uint64, lane: np.uint64) -> np.uint64:
    mixed = (state ^ lane) * _MIX
    return mixed ^ (mixed >> _STEP_SHIFT)


@compiled
def _long_hash(folded: Bytes, start: int, end: int) -> np.uint64:
    state = _NONE
    for place in range(start, end - 7, 8):
        state = _step(state, lane_at(folded, place))
    return finalised(_step(state, lane_at(folded, end - 8)))


@inlined
def _unleet(folded: Bytes, start: int, end: int) -> bool:
    """Whether the word consists of `a-z` and `0-9` and has both; its digits that are leet are then letters."""
    letters = False
    digits = False
    for place in range(start, end):
        byte = folded[place]
        if byte >= 0x80:
            return False
        if byte >= ord("a"):
            letters = True
        else:
            digits = True
    if letters and digits:
        for place in range(start, end):
            folded[place] = _LEET[folded[place]]
        return True
    return False
