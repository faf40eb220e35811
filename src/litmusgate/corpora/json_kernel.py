"""Rows of JSON lines, compiled: the texts of one block, as far as they are surely what the plain reader would give.

Whatever is unusual (an error, a key that stands twice, a lone surrogate, depth) stops the kernel at its line, which then
goes through `json_rows`: there is no second opinion about what is an error. Places are indexes into the block; a
negative place means "not surely". Every line of a block ends with a line feed, and room follows the last one, so that
no scan needs to watch for the end: a line feed is neither part of a string nor white space here.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from litmusgate.corpora.json_rows import CONTENT_KEYS, PART_KEYS
from litmusgate.corpora.json_strings import read_string, skip_number, skip_space, skip_word
from litmusgate.provenance.compiled.jit import compiled

Bytes = NDArray[np.uint8]
Places = NDArray[np.int64]

NOT_SURE = -1
MOST_NAME_BYTES = 4096
MOST_DEPTH = 60

_QUOTE, _COMMA, _COLON, _MINUS, _LETTER_N, _LINE_FEED = 34, 44, 58, 45, 110, 10
_OPEN_LIST, _OPEN_OBJECT = 91, 123
_CONTENT_KEYS = np.frombuffer("".join(f'{key}"' for key in CONTENT_KEYS).encode(), np.uint8)
_CONTENT_BEGINS = np.cumsum([0, *(len(key) + 1 for key in CONTENT_KEYS)])
_PART_KEYS = np.frombuffer("".join(f'{key}"' for key in PART_KEYS).encode(), np.uint8)
_PART_BEGINS = np.cumsum([0, *(len(key) + 1 for key in PART_KEYS)])

# what a value is: of no interest, an element of the text column's list, a part of what a message says, what a message
# says, the text of such a part, and from _TEXT on the value of a column
_SKIPPED, _SAID, _PART, _CONTENT, _WORDS, _TEXT = 0, 1, 2, 3, 4, 5

# what holds values: objects are odd, and lists twice what their elements are
_SKIPPED_LIST, _SAID_LIST, _PART_LIST = 2 * _SKIPPED, 2 * _SAID, 2 * _PART
_SKIPPED_OBJECT, _MESSAGE, _PART_OBJECT, _ROW = 1, 3, 5, 7


class Wanted(NamedTuple):
    """The columns that are read, the text first: their names with a closing quote each, one after another; where each
    begins, and the end; and which must have a value.
    """

    names: Bytes
    begins: Places
    required: NDArray[np.bool_]


class Target(NamedTuple):
    """Where rows go: texts one after another, where each begins and ends, and where the value of every other column stands
    in the block (shape lines, columns, 2; -1: it is null). `holders` is room for `MOST_DEPTH` open lists and objects.
    """

    texts: Bytes
    offsets: Places
    spans: Places
    holders: Places


@compiled
def read_rows(block: Bytes, starts: Places, row: int, wanted: Wanted, target: Target) -> int:
    """Read the lines at `starts` from number `row` on; the number of the first that is not surely a row, or of all."""
    while row < len(starts):
        end = _read_row(block, starts[row], wanted, target, row)
        if end < 0:
            break
        target.offsets[row + 1] = end
        row += 1
    return row


@compiled
def _read_row(block: Bytes, at: int, wanted: Wanted, target: Target, row: int) -> int:
    """The end of the row's text. One walk over all values, however deep: what holds them says what they are."""
    to, depth, seen = target.offsets[row], 0, 0
    at = skip_space(block, at)
    if block[at] != _OPEN_OBJECT:
        return NOT_SURE
    at += 1
    target.holders[0] = _ROW
    while depth >= 0:
        holder = target.holders[depth]
        role = holder >> 1
        if holder & 1:
            start = skip_space(block, at)
            at = _skip_key(block, start, target.texts, to)
            if at < 0:
                return NOT_SURE
            role = _role(block, start + 1, holder, wanted)
            if role != _SKIPPED and seen >> role & 1:
                return NOT_SURE
            seen |= 1 << role
        at = skip_space(block, at)
        if block[at] in (_OPEN_LIST, _OPEN_OBJECT):
            inside = _holder(role, block[at])
            inner = skip_space(block, at + 1)
            if inside < 0 or depth == MOST_DEPTH - 1:
                return NOT_SURE
            if block[inner] != block[at] + 2:
                at, depth = inner, depth + 1
                target.holders[depth] = inside
                seen &= ~(1 << _CONTENT if inside == _MESSAGE else 1 << _WORDS if inside == _PART_OBJECT else 0)
                continue
            at = inner + 1 if inside != _MESSAGE else NOT_SURE
        elif role > _TEXT:
            column = role - _TEXT
            at = _note_name(block, at, wanted.required[column], (target.texts, to), target.spans[row, column])
        else:
            at, to = _read_scalar(block, at, role, target.texts, to)
        if at >= 0:
            at, to, depth = _close(block, at, (to, depth), seen, target)
        if at < 0:
            return NOT_SURE
    if seen >> _TEXT != (1 << len(wanted.required)) - 1 or block[skip_space(block, at)] != _LINE_FEED:
        return NOT_SURE
    return int(to)


@compiled
def _close(block: Bytes, at: int, state: tuple[int, int], seen: int, target: Target) -> tuple[int, int, int]:
    """After a value: close what ends here, up to the next comma (the place after it) or the end of the row (depth -1)."""
    to, depth = state
    while depth >= 0:
        holder = target.holders[depth]
        at = skip_space(block, at)
        if block[at] == _COMMA:
            if holder in (_SAID_LIST, _PART_LIST):
                target.texts[to] = _LINE_FEED
                to += 1
            return at + 1, to, depth
        if block[at] != (_OPEN_OBJECT + 2 if holder & 1 else _OPEN_LIST + 2):
            return NOT_SURE, to, depth
        if holder == _MESSAGE and not seen >> _CONTENT & 1:
            return NOT_SURE, to, depth
        at, depth = at + 1, depth - 1
    return at, to, depth


@compiled
def _role(block: Bytes, at: int, holder: int, wanted: Wanted) -> int:
    """What the value is whose key stands at `at`, in an object of this kind."""
    if holder == _ROW:
        column = _key_number(block, at, wanted.names, wanted.begins)
        return _TEXT + column if column >= 0 else _SKIPPED
    if holder == _MESSAGE:
        return _CONTENT if _key_number(block, at, _CONTENT_KEYS, _CONTENT_BEGINS) >= 0 else _SKIPPED
    if holder == _PART_OBJECT:
        return _WORDS if _key_number(block, at, _PART_KEYS, _PART_BEGINS) >= 0 else _SKIPPED
    return _SKIPPED


@compiled
def _key_number(block: Bytes, at: int, keys: Bytes, begins: Places) -> int:
    """Which of `keys` stands at `at`; -1: none."""
    for number in range(len(begins) - 1):
        length = begins[number + 1] - begins[number]
        same = 0
        while same < length and block[at + same] == keys[begins[number] + same]:
            same += 1
        if same == length:
            return number
    return NOT_SURE


@compiled
def _holder(role: int, mark: int) -> int:
    """The kind of a list or an object that stands where a value of this role is expected."""
    if role == _SKIPPED:
        return _SKIPPED_LIST if mark == _OPEN_LIST else _SKIPPED_OBJECT
    if mark == _OPEN_LIST:
        return _SAID_LIST if role == _TEXT else _PART_LIST if role == _CONTENT else NOT_SURE
    return _MESSAGE if role == _SAID else _PART_OBJECT if role == _PART else NOT_SURE


@compiled
def _skip_key(block: Bytes, at: int, out: Bytes, to: int) -> int:
    """The place after a key and its colon; keys with escapes are not surely what they look like."""
    if block[at] != _QUOTE:
        return NOT_SURE
    end, written = read_string(block, at + 1, out, to)
    if end < 0 or written - to != end - at - 2:
        return NOT_SURE
    end = skip_space(block, end)
    return end + 1 if block[end] == _COLON else NOT_SURE


@compiled
def _note_name(block: Bytes, at: int, required: bool, scratch: tuple[Bytes, int], span: Places) -> int:
    """Note where an id or a source stands; only one that needs no second look."""
    if block[at] == _QUOTE:
        end, _ = read_string(block, at + 1, scratch[0], scratch[1])
        end = end if 2 < end - at <= MOST_NAME_BYTES else NOT_SURE
    elif required:
        end = skip_number(block, at)
        for place in range(at, end):
            if block[place] != _MINUS and not 48 <= block[place] <= 57:
                return NOT_SURE
    else:
        end = skip_word(block, at) if block[at] == _LETTER_N else NOT_SURE
        at = NOT_SURE
    span[0] = at
    span[1] = end
    return end


@compiled
def _read_scalar(block: Bytes, at: int, role: int, out: Bytes, to: int) -> tuple[int, int]:
    """The place after a string, which is kept where somebody asked for it, null, or a value nobody asked for."""
    if block[at] == _QUOTE:
        at, end = read_string(block, at + 1, out, to)
        return at, to if role == _SKIPPED else end
    if block[at] == _LETTER_N or role != _SKIPPED:
        return skip_word(block, at) if block[at] == _LETTER_N else NOT_SURE, to
    number = block[at] == _MINUS or 48 <= block[at] <= 57
    return skip_number(block, at) if number else skip_word(block, at), to
