r"""HTML entities and the escapes `\n \t \r \uXXXX`, as `fold.py` reads them, without a regular expression."""

from __future__ import annotations

import numpy as np

from litmusgate.provenance.compiled.jit import compiled, inlined
from litmusgate.provenance.compiled.vectors import Bytes

SEPARATED = -1
"""Instead of a code point: what was read separates words."""

_APOSTROPHE, _AMPERSAND, _BACKSLASH, _NUMBER, _END = (ord(character) for character in "'&\\#;")
_LETTER, _DIGIT, _HEX = 1, 2, 4
_MOST_DIGITS, _MOST_HEX, _MOST_NAME, _LEAST_NAME = 7, 6, 32, 2
_LONGEST_APOSTROPHE = 7


def _classes() -> Bytes:
    classes = np.zeros(256, np.uint8)
    for byte in range(128):
        character = chr(byte)
        classes[byte] = (
            _LETTER * character.isalpha()
            | _DIGIT * character.isdigit()
            | _HEX * (character in "0123456789abcdefABCDEF")
        )
    return classes


def _packed(text: str) -> int:
    return int.from_bytes(text.encode("ascii"), "big")


_CLASSES = _classes()
_APOSTROPHES = np.asarray(
    [
        _packed(name)
        for name in ("apos;", "#39;", "#x27;", "rsquo;", "#8217;", "#x2019;", "lsquo;", "#8216;", "#x2018;")
    ],
    np.int64,
)


@inlined
def escape_at(source: Bytes, at: int, end: int) -> tuple[int, int]:
    """Bytes of the entity or escape at `at` (an `&` or a backslash; 1 when it is none), and the character it stands for."""
    if source[at] == _AMPERSAND:
        return _entity(source, at, end)
    if at + 1 >= end:
        return 1, SEPARATED
    letter = source[at + 1]
    if letter == ord("n") or letter == ord("t") or letter == ord("r"):
        return 2, SEPARATED
    code = _unit(source, at, end)
    if code < 0:
        return 1, SEPARATED
    if 0xD800 <= code < 0xDC00:
        low = _unit(source, at + 6, end)
        if 0xDC00 <= low < 0xE000:
            return 12, 0x10000 + ((code & 0x3FF) << 10) + (low & 0x3FF)
    return 6, code


@compiled
def _unit(source: Bytes, at: int, end: int) -> int:
    r"""The number that `\uXXXX` at `at` names; -1 where none stands."""
    if at + 6 > end or source[at] != _BACKSLASH or source[at + 1] != ord("u"):
        return -1
    code = 0
    for place in range(at + 2, at + 6):
        byte = int(source[place])
        if not _CLASSES[byte] & _HEX:
            return -1
        code = code * 16 + (byte - ord("0") if byte <= ord("9") else (byte | 0x20) - ord("a") + 10)
    return code


@inlined
def _entity(source: Bytes, at: int, end: int) -> tuple[int, int]:
    """An entity, its ampersand escaped any number of times; where nothing follows, the last `amp;` is its name."""
    place = at + 1
    while (
        place + 4 <= end
        and source[place] == ord("a")
        and source[place + 1] == ord("m")
        and source[place + 2] == ord("p")
        and source[place + 3] == _END
    ):
        place += 4
    size = _reference(source, place, end)
    if size == 0:
        return max(place - at, 1), SEPARATED
    return place + size - at, _APOSTROPHE if _is_apostrophe(source, place, size) else SEPARATED


@inlined
def _reference(source: Bytes, at: int, end: int) -> int:
    """Bytes of the number or name and its semicolon at `at`; 0 where none stands."""
    place = at
    kind = _LETTER | _DIGIT
    least = _LEAST_NAME
    most = _MOST_NAME
    if place < end and source[place] == _NUMBER:
        place += 1
        kind = _DIGIT
        least = 1
        most = _MOST_DIGITS
        if place < end and source[place] | 0x20 == ord("x"):
            place += 1
            kind = _HEX
            most = _MOST_HEX
    elif place >= end or not _CLASSES[source[place]] & _LETTER:
        return 0
    first = place
    while place < end and place - first <= most and _CLASSES[source[place]] & kind:
        place += 1
    if place >= end or source[place] != _END or not least <= place - first <= most:
        return 0
    return place + 1 - at


@inlined
def _is_apostrophe(source: Bytes, at: int, size: int) -> bool:
    if size > _LONGEST_APOSTROPHE:
        return False
    packed = 0
    for place in range(at, at + size):
        byte = int(source[place])
        packed = packed * 256 + (byte | 0x20 if _CLASSES[byte] & _LETTER else byte)
    for known in _APOSTROPHES:  # noqa: SIM110
        if packed == known:
            return True
    return False
