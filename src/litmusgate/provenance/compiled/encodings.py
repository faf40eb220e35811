"""Which documents may hold an encoded copy: those that `encoded.decoded_texts` finds anything in, and few others.

The web is full of long addresses, which are runs of base64's alphabet too. So every run is decoded here as far as can be
told without a doubt: where more than a tenth of its bytes cannot be text, `decoded_texts` would drop it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from litmusgate.provenance.compiled.jit import ZERO, compiled, inlined, whole
from litmusgate.provenance.compiled.vectors import BLOCK, Bytes, lowest_bit, percent_bits
from litmusgate.provenance.encoded import ADDRESS_MARKS, LEAST_ESCAPES, LEAST_RUN, LEAST_SPACED, SPACED_MARKS

_BASE64, _HEX, _URL, _SPACED = (whole(1 << bit) for bit in range(4))
_BASE64_BITS, _HEX_BITS = whole(6), whole(4)
_LEAST_RUN, _LEAST_SPACED = whole(LEAST_RUN), whole(LEAST_SPACED)
_LINE_FEED, _RETURN, _SPACE, _TAB, _BACKSLASH, _PERCENT = (ord(character) for character in "\n\r \t\\%")
_N, _R = ord("n"), ord("r")
_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_UNKNOWN_OF_TEXT = 10


def _classes() -> Bytes:
    classes = np.zeros(256, np.uint8)
    for byte in range(128):
        character = chr(byte)
        classes[byte] = (
            _BASE64 * (character in f"{_ALPHABET}-_")
            | _HEX * (character in "0123456789abcdefABCDEF")
            | _URL * (character.isalnum() or character in ADDRESS_MARKS)
            | _SPACED * (character in f"0123456789abcdefABCDEF{SPACED_MARKS}")
        )
    return classes


def _values(alphabet: str, others: str, value: int) -> Bytes:
    values = np.zeros(256, np.uint8)
    for place, character in enumerate(alphabet):
        values[ord(character)] = place
    for place, character in enumerate(others):
        values[ord(character)] = value + place
    return values


_CLASSES = _classes()
_BASE64_VALUES = _values(_ALPHABET, "-_", 62)
_HEX_VALUES = _values("0123456789abcdef", "ABCDEF", 10)


@compiled
def flag_encoded(source: Bytes, offsets: NDArray[np.int64], flags: NDArray[np.bool_]) -> None:
    """Set the flag of every document that `decoded_texts` may find something in."""
    for document in range(flags.shape[0]):
        start = offsets[document]
        end = offsets[document + 1]
        flags[document] = (
            _holds_text(source, start, end, _BASE64, _BASE64_BITS, _BASE64_VALUES)
            or _holds_text(source, start, end, _HEX, _HEX_BITS, _HEX_VALUES)
            or _holds_escapes(source, start, end)
            or _holds_spaced(source, start, end)
        )


@compiled
def _holds_text(source: Bytes, start: int, end: int, kind: int, bits: int, values: Bytes) -> bool:
    at = start
    while True:
        at = _long_run(source, at, end, kind, _LEAST_RUN)
        if at < 0:
            return False
        behind = _joined_run(source, at, end, kind)
        for skipped in range(8 // bits if bits == 4 else 4):
            if _may_be_text(source, at, behind, kind, bits, values, skipped):
                return True
        at = behind


@compiled
def _long_run(source: Bytes, at: int, end: int, kind: int, least: int) -> int:
    """Where the next run of at least `least` characters begins, -1 for none; looks at one byte in that many at best."""
    start = at
    probe = at + least - 1
    while probe < end:
        place = probe
        while place >= start and _CLASSES[source[place]] & kind:
            place -= 1
        if place < start:
            return start
        start = place + 1
        probe = place + least
    return -1


@inlined
def _joined_run(source: Bytes, at: int, end: int, kind: int) -> int:
    """Where the run at `at` ends, with the lines it goes on in: those as wide as the first, and a shorter last one."""
    first = -1
    start = at
    while True:
        behind = start
        while behind < end and _CLASSES[source[behind]] & kind:
            behind += 1
        width = behind - start
        if first >= 0 and (width == 0 or width > first):
            return at
        at = behind
        if 0 <= width < first:
            return at
        first = width
        start = _next_line(source, at, end)
        if start == at:
            return at


@inlined
def _holds_spaced(source: Bytes, start: int, end: int) -> bool:
    """Whether enough hexadecimal digits stand in a row with nothing between them but what may stand between two bytes."""
    at = start
    while True:
        at = _long_run(source, at, end, _SPACED, _LEAST_SPACED)
        if at < 0:
            return False
        digits = 0
        while at < end and _CLASSES[source[at]] & _SPACED:
            digits += _CLASSES[source[at]] & _HEX
            at += 1
        if digits >= _HEX * LEAST_RUN:
            return True


@inlined
def _next_line(source: Bytes, at: int, end: int) -> int:
    """The place behind a line end (also an escaped one) and the blanks after it; `at` where there is none."""
    place = at
    if at + 1 < end and source[at] == _RETURN and source[at + 1] == _LINE_FEED:
        place = at + 2
    elif at < end and source[at] == _LINE_FEED:
        place = at + 1
    elif at + 1 < end and source[at] == _BACKSLASH and source[at + 1] == _N:
        place = at + 2
    elif (
        at + 3 < end
        and source[at] == _BACKSLASH
        and source[at + 1] == _R
        and source[at + 2] == _BACKSLASH
        and source[at + 3] == _N
    ):
        place = at + 4
    if place > at:
        while place < end and (source[place] == _SPACE or source[place] == _TAB):
            place += 1
    return place


@inlined
def _may_be_text(source: Bytes, at: int, end: int, kind: int, bits: int, values: Bytes, skipped: int) -> bool:
    """Whether the run, decoded from behind so many of its characters, is compressed, of UTF-16, or not certainly no text:
    at most a tenth of its bytes are wrong.
    """
    held = 0
    width = 0
    count = 0
    wrong = 0
    before = ZERO
    magic = 0
    zeros = 0
    while at < end:
        byte = source[at]
        at += 2 if byte == _BACKSLASH else 1
        if not _CLASSES[byte] & kind:
            continue
        if skipped:
            skipped -= 1
            continue
        held = (held << bits) | int(values[byte])
        width += bits
        if width < 8:
            continue
        width -= 8
        decoded = (held >> width) & 0xFF
        held &= (1 << width) - 1
        if count < 3:
            magic = (magic << 8) | decoded
        count += 1
        zeros += decoded == 0
        wrong += _is_wrong(before, decoded)
        before = decoded
    head = magic >> 8
    packed = count >= 3 and (magic == 0x1F8B08 or head == 0x7801 or head == 0x785E or head == 0x789C or head == 0x78DA)
    wide = head == 0xFFFE or head == 0xFEFF or zeros * 10 >= count * 4
    return packed or wide or wrong * _UNKNOWN_OF_TEXT <= count


@inlined
def _is_wrong(before: int, byte: int) -> int:
    """How many characters, at least, `byte` shows to be unprintable or no UTF-8: of itself, and of the lead before it."""
    wrong = 0
    if 0xC2 <= before <= 0xF4 and not 0x80 <= byte < 0xC0:
        wrong += 1
    if byte < 0x20:
        wrong += not (0x09 <= byte <= 0x0D or byte >= 0x1C)
    elif byte < 0xC0:
        wrong += byte == 0x7F or (byte >= 0x80 and before < 0x80)
    else:
        wrong += byte < 0xC2 or byte > 0xF4
    return wrong


@inlined
def _holds_escapes(source: Bytes, start: int, end: int) -> bool:
    """Whether four percent-escapes stand in a row with nothing between them that does not belong to an address."""
    count = 0
    behind = start
    at = start
    while at < end:
        if at + BLOCK <= source.shape[0]:
            bits = percent_bits(source, at)
            if bits == np.uint64(0):
                at += BLOCK
                continue
            at += lowest_bit(bits)
        elif source[at] != _PERCENT:
            at += 1
            continue
        if at + 2 >= end:
            return False
        if _CLASSES[source[at + 1]] & _HEX and _CLASSES[source[at + 2]] & _HEX:
            place = behind
            while count and place < at:
                if not _CLASSES[source[place]] & _URL:
                    count = 0
                place += 1
            count += 1
            if count == LEAST_ESCAPES:
                return True
            behind = at + 3
        at += 1
    return False
