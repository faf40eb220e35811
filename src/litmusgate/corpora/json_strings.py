"""Scalars of JSON, compiled: strings copied as UTF-8, numbers and words passed over. See `json_kernel` for the rules."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from litmusgate.provenance.compiled.jit import compiled

Bytes = NDArray[np.uint8]

STRIDE = 32
"""How many bytes `read_string` looks at (and writes) at once, beyond the end of a string too."""

_QUOTE, _BACKSLASH, _SPACE, _LETTER_U = 34, 92, 32, 117
_NOT_SURE = -1


@compiled
def read_string(block: Bytes, at: int, out: Bytes, to: int) -> tuple[int, int]:
    """Copy the string whose first character stands at `at` to `out[to:]`: the place after its quote, and its end in `out`."""
    while True:
        at, to = _copy_plain(block, at, out, to)
        mark = block[at]
        if mark == _QUOTE:
            return at + 1, to
        if mark != _BACKSLASH:
            return _NOT_SURE, to
        mark = block[at + 1]
        if mark == _LETTER_U:
            at, to = _read_unicode(block, at, out, to)
            if at < 0:
                return _NOT_SURE, to
            continue
        meant = _escaped(mark)
        if meant == 0:
            return _NOT_SURE, to
        out[to] = meant
        at, to = at + 2, to + 1


@compiled
def _copy_plain(block: Bytes, at: int, out: Bytes, to: int) -> tuple[int, int]:
    """Copy up to the next quote, backslash or control character. Unsigned places: no check for negative ones."""
    source, target = np.uint64(at), np.uint64(to)
    one, stride = np.uint64(1), np.uint64(STRIDE)
    special = np.uint8(0)
    while special == 0:
        for step in range(STRIDE):
            byte = block[source + np.uint64(step)]
            out[target + np.uint64(step)] = byte
            special |= np.uint8(byte == _QUOTE) | np.uint8(byte == _BACKSLASH) | np.uint8(byte < _SPACE)
        if special == 0:
            source, target = source + stride, target + stride
    byte = block[source]
    while byte not in (_QUOTE, _BACKSLASH) and byte >= _SPACE:
        source, target = source + one, target + one
        byte = block[source]
    return np.int64(source), np.int64(target)  # type: ignore[return-value]


@compiled
def _escaped(mark: int) -> int:
    """What a backslash and `mark` mean; 0: nothing."""
    if mark == 110:
        return 10
    if mark in (_QUOTE, _BACKSLASH, 47):
        return mark
    if mark == 116:
        return 9
    if mark == 114:
        return 13
    if mark == 98:
        return 8
    return 12 if mark == 102 else 0


@compiled
def _read_unicode(block: Bytes, at: int, out: Bytes, to: int) -> tuple[int, int]:
    """The character of the escape at `at`; a lone surrogate is none."""
    code = _hex(block, at + 2)
    at += 6
    if 0xD800 <= code < 0xDC00:
        if block[at] != _BACKSLASH or block[at + 1] != _LETTER_U:
            return _NOT_SURE, to
        low = _hex(block, at + 2)
        at += 6
        if not 0xDC00 <= low < 0xE000:
            return _NOT_SURE, to
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)
    elif code < 0 or 0xDC00 <= code < 0xE000:
        return _NOT_SURE, to
    return at, _write_character(code, out, to)


@compiled
def _write_character(code: np.int64, out: Bytes, to: int) -> int:
    if code < 0x80:
        out[to] = code
        return to + 1
    if code < 0x800:
        out[to], out[to + 1] = 0xC0 | code >> 6, 0x80 | code & 63
        return to + 2
    if code < 0x10000:
        out[to], out[to + 1], out[to + 2] = 0xE0 | code >> 12, 0x80 | code >> 6 & 63, 0x80 | code & 63
        return to + 3
    out[to], out[to + 1] = 0xF0 | code >> 18, 0x80 | code >> 12 & 63
    out[to + 2], out[to + 3] = 0x80 | code >> 6 & 63, 0x80 | code & 63
    return to + 4


@compiled
def _hex(block: Bytes, at: int) -> np.int64:
    """The number in four hexadecimal digits; -1: they are none."""
    value = np.int64(0)
    for place in range(at, at + 4):
        digit = np.int64(block[place])
        if 48 <= digit <= 57:
            digit -= 48
        elif 97 <= (digit | 32) <= 102:
            digit = (digit | 32) - 87
        else:
            return np.int64(_NOT_SURE)
        value = value << 4 | digit
    return value


@compiled
def skip_space(block: Bytes, at: int) -> int:
    """The place of the next byte that is not white space within a line."""
    while block[at] == 32 or block[at] == 9 or block[at] == 13:
        at += 1
    return at


@compiled
def skip_word(block: Bytes, at: int) -> int:
    """The place after `null`, `true` or `false`."""
    if block[at] == 110:
        right = block[at + 1] == 117 and block[at + 2] == 108 and block[at + 3] == 108
        return at + 4 if right else _NOT_SURE
    if block[at] == 116:
        right = block[at + 1] == 114 and block[at + 2] == 117 and block[at + 3] == 101
        return at + 4 if right else _NOT_SURE
    right = block[at] == 102 and block[at + 1] == 97 and block[at + 2] == 108 and block[at + 3] == 115
    return at + 5 if right and block[at + 4] == 101 else _NOT_SURE


@compiled
def skip_number(block: Bytes, at: int) -> int:
    """The place after a number; one of more than 300 digits, or with an exponent of three, may be none for Python."""
    start = at
    at += block[at] == 45
    digits = _skip_digits(block, at)
    if digits == at or (block[at] == 48 and digits > at + 1):
        return _NOT_SURE
    at = digits
    if block[at] == 46:
        digits = _skip_digits(block, at + 1)
        if digits == at + 1:
            return _NOT_SURE
        at = digits
    if block[at] | 32 == 101:
        at += 1
        at += block[at] == 43 or block[at] == 45
        digits = _skip_digits(block, at)
        if digits == at or digits > at + 2:
            return _NOT_SURE
        at = digits
    return at if at - start <= 200 else _NOT_SURE


@compiled
def _skip_digits(block: Bytes, at: int) -> int:
    while 48 <= block[at] <= 57:
        at += 1
    return at
