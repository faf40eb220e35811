"""The fold as machine code: a document's bytes to the bytes of its words, with 0 between words.

ASCII goes through 64 bytes at a time, everything else character by character with what `fold_table` says. Apostrophes
are left in place: whether one separates is known when the words are.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from litmusgate.provenance.compiled.escapes import SEPARATED, escape_at
from litmusgate.provenance.compiled.jit import ZERO, compiled, inlined
from litmusgate.provenance.compiled.vectors import BLOCK, Bytes, fold_block, lowest_bit
from litmusgate.provenance.fold_table import fold_table

SPARE = 2 * BLOCK
"""Room that must be left at any time behind what was folded: for a block, or for what one character becomes."""
NO_ROOM = -1

_CODE_POINTS = 0x110000
_SEPARATOR, _DROP, _KEEP, _SINGLE, _HANGUL, _FIRST_TEXT = 0, 1, 2, 3, 4, 8
_HANGUL_FIRST, _HANGUL_LAST, _LEAD, _VOWEL, _TRAIL, _TRAILS, _PER_LEAD = 0xAC00, 0xD7A3, 0x1100, 0x1161, 0x11A7, 28, 588
_AMPERSAND, _BACKSLASH = ord("&"), ord("\\")
_ONE = np.uint64(1)


class FoldArrays(NamedTuple):
    """`fold_table` as arrays: what is done with each code point, and the texts that some become, one after another."""

    actions: NDArray[np.uint16]
    letters: NDArray[np.uint8]
    starts: NDArray[np.int32]


@functools.cache
def fold_arrays() -> FoldArrays:
    """The arrays of fold version 1, made once."""
    table = fold_table()
    actions = np.full(_CODE_POINTS, _SEPARATOR, np.uint16)
    numbers = {"keep": _KEEP, "single": _SINGLE, "drop": _DROP}
    texts: list[bytes] = []
    for first, last, kind in zip(table.starts, table.ends, table.kinds, strict=True):
        if kind not in numbers:
            numbers[kind] = _FIRST_TEXT + len(texts)
            texts.append(kind[1:].encode("utf-8").replace(b" ", b"\0"))
        actions[first : last + 1] = numbers[kind]
    actions[_HANGUL_FIRST : _HANGUL_LAST + 1] = _HANGUL
    if max(map(len, texts)) > BLOCK:
        raise ValueError("a character becomes more than a block of bytes")
    starts = np.concatenate([[0], np.cumsum([len(text) for text in texts])]).astype(np.int32)
    return FoldArrays(actions=actions, letters=np.frombuffer(b"".join(texts), np.uint8), starts=starts)


@compiled
def fold_document(source: Bytes, start: int, end: int, folded: Bytes, arrays: FoldArrays) -> int:
    """Fold `source[start:end]` into `folded`; the bytes written, or `NO_ROOM`. Behind them `folded` holds anything."""
    room = folded.shape[0] - SPARE
    readable = source.shape[0] - BLOCK
    at = start
    out = ZERO
    while at < end:
        if out > room:
            return NO_ROOM
        if at <= readable:
            width = min(BLOCK, end - at)
            special = fold_block(source, at, folded, out)
            if width < BLOCK:
                special &= (_ONE << np.uint64(width)) - _ONE
            plain = min(lowest_bit(special), width)
            at += plain
            out += plain
            if plain == width:
                continue
        beyond = True
        while beyond:
            at, out = fold_character(source, at, end, folded, out, arrays)
            beyond = at < end and source[at] >= 0x80 and out <= room
    return out if out <= room else NO_ROOM


@compiled
def fold_character(source: Bytes, at: int, end: int, folded: Bytes, out: int, arrays: FoldArrays) -> tuple[int, int]:
    """Fold the character, entity or escape at `at`; the places behind it in `source` and in `folded`.

    Bytes that are no UTF-8 become anything, but nothing is read at or behind `end`.
    """
    byte = int(source[at])
    code = byte
    size = 1
    if byte == _AMPERSAND or byte == _BACKSLASH:
        size, code = escape_at(source, at, end)
        if code == SEPARATED:
            folded[out] = 0
            return at + size, out + 1
    elif byte >= 0x80:
        size, code = _decoded(source, at, end)
    return at + size, _put(code, folded, out, arrays)


@inlined
def _decoded(source: Bytes, at: int, end: int) -> tuple[int, int]:
    """Size and code point of the character of several bytes at `at`; a separator where it is cut off or none."""
    byte = int(source[at])
    size = 2 if byte < 0xE0 else (3 if byte < 0xF0 else 4)
    if byte < 0xC0 or at + size > end:
        return 1, 0
    code = byte & (0x7F >> size)
    for place in range(at + 1, at + size):
        code = (code << 6) | (int(source[place]) & 0x3F)
    return size, min(code, _CODE_POINTS - 1)


@inlined
def _put(code: int, folded: Bytes, out: int, arrays: FoldArrays) -> int:
    """Write what the character `code` becomes; the place behind it."""
    action = int(arrays.actions[code])
    if action == _KEEP:
        return _encode(code, folded, out)
    if action >= _FIRST_TEXT:
        text = action - _FIRST_TEXT
        for place in range(arrays.starts[text], arrays.starts[text + 1]):
            folded[out] = arrays.letters[place]
            out += 1
        return out
    if action == _DROP:
        return out
    if action == _HANGUL:
        return _put_jamo(code - _HANGUL_FIRST, folded, out)
    folded[out] = 0
    if action == _SEPARATOR:
        return out + 1
    out = _encode(code, folded, out + 1)
    folded[out] = 0
    return out + 1


@inlined
def _put_jamo(syllable: int, folded: Bytes, out: int) -> int:
    """The canonical decomposition of a Hangul syllable, by the arithmetic of the Unicode Standard (3.12)."""
    out = _encode(_LEAD + syllable // _PER_LEAD, folded, out)
    out = _encode(_VOWEL + syllable % _PER_LEAD // _TRAILS, folded, out)
    trail = syllable % _TRAILS
    return _encode(_TRAIL + trail, folded, out) if trail else out


@compiled
def _encode(code: int, folded: Bytes, out: int) -> int:
    if code < 0x80:
        folded[out] = code
        return out + 1
    if code < 0x800:
        folded[out] = 0xC0 | (code >> 6)
        folded[out + 1] = 0x80 | (code & 0x3F)
        return out + 2
    if code < 0x10000:
        folded[out] = 0xE0 | (code >> 12)
        folded[out + 1] = 0x80 | ((code >> 6) & 0x3F)
        folded[out + 2] = 0x80 | (code & 0x3F)
        return out + 3
    folded[out] = 0xF0 | (code >> 18)
    folded[out + 1] = 0x80 | ((code >> 12) & 0x3F)
    folded[out + 2] = 0x80 | ((code >> 6) & 0x3F)
    folded[out + 3] = 0x80 | (code & 0x3F)
    return out + 4
