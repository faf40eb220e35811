"""Hashes of words and grams: how texts are looked up in tables and kept in hash-only segments.

A match of hashes is never a finding by itself where the text is at hand; in hash-only segments it is what there is. The
functions are fixed: fingerprints on disk depend on them, under `HASH_VERSION`.
"""

from __future__ import annotations

from collections.abc import Sequence

HASH_VERSION = "litmusgate/gram-hash/1"

BASE = 0x9E3779B97F4A7C15
"""A gram is the polynomial of its words' hashes in this base, modulo 2^64."""
MIX = 0xFF51AFD7ED558CCD
FINAL_MIX = 0xC4CEB9FE1A85EC53
_MASK = (1 << 64) - 1
_LANE = 8


def word_hash(word: str) -> int:
    """The 64-bit hash of a folded word: its UTF-8 bytes in lanes of 8, the last lane overlapping the one before."""
    data = word.encode("utf-8", "surrogatepass")
    if len(data) <= _LANE:
        return finalised(_step(_step(0, _lane(data)), 0))
    state = 0
    whole = len(data) - len(data) % _LANE if len(data) > 2 * _LANE else _LANE
    for place in range(0, whole, _LANE):
        state = _step(state, _lane(data[place : place + _LANE]))
    return finalised(_step(state, _lane(data[-_LANE:])))


def gram_hash(word_hashes: Sequence[int]) -> int:
    """The 64-bit hash of a gram from the hashes of its words."""
    value = 0
    for found in word_hashes:
        value = (value * BASE + found) & _MASK
    return finalised(value)


def finalised(value: int) -> int:
    """Spread the bits of `value`, so that any of them may choose a place in a table."""
    value = (value * FINAL_MIX) & _MASK
    return value ^ (value >> 29)


def _step(state: int, lane: int) -> int:
    state = ((state ^ lane) * MIX) & _MASK
    return state ^ (state >> 32)


def _lane(data: bytes) -> int:
    return int.from_bytes(data, "little")
