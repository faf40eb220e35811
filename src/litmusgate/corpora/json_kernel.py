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

from litmusgate.corpora.json_rows import CONTENT_KEYS
from litmusgate.corpora.json_strings import read_string, skip_number, skip_space, skip_word
from litmusgate.provenance.compiled.jit import compiled

Bytes = NDArray[np.uint8]
Places = NDArray[np.int64]

NOT_SURE = -1
MOST_NAME_BYTES = 4096

_QUOTE, _COMMA, _COLON, _MINUS = 34, 44, 58, 45
_OPEN_LIST, _CLOSE_LIST, _OPEN_OBJECT, _CLOSE_OBJECT = 91, 93, 123, 125
_LETTER_N = 110
_LINE_FEED = 10
_MOST_DEPTH = 60
_CONTENT, _VALUE, _TEXT = (np.frombuffer(f'{key}"'.encode(), np.uint8) for key in CONTENT_KEYS)


class Wanted(NamedTuple):
    """The columns that are read, the text first: their names with a closing quote each, one after another; where each
    begins, and the end; and which must have a value.
    """

    names: Bytes
    begins: Places
    required: NDArray[np.bool_]


class Target(NamedTuple):
    """Where rows go: texts one after another, where each begins and ends, and where the value of every other column stands
    in the block (shape lines, columns, 2; -1: it is null).
    """

    texts: Bytes
    offsets: Places
    spans: Places


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
    """The end of the row's text."""
    out, to = target.texts, target.offsets[row]
    seen = 0
    at = skip_space(block, at)
    if block[at] != _OPEN_OBJECT:
        return NOT_SURE
    at += 1
    while True:
        start = skip_space(block, at)
        at = skip_key(block, start, out, to)
        if at < 0:
            return NOT_SURE
        column = _column_named(block, start + 1, wanted)
        if column >= 0 and seen & (1 << column):
            return NOT_SURE
        if column == 0:
            at, to = _read_text(block, skip_space(block, at), out, to)
        elif column > 0:
            at = skip_space(block, at)
            end = _skip_name(block, at, (out, to), wanted.required[column])
            if end < 0:
                return NOT_SURE
            null = block[at] == _LETTER_N
            target.spans[row, column, 0] = NOT_SURE if null else at
            target.spans[row, column, 1] = NOT_SURE if null else end
            at = end
        else:
            at = skip_value(block, at, out, to)
        if at < 0:
            return NOT_SURE
        if column >= 0:
            seen |= 1 << column
        at = skip_space(block, at)
        if block[at] != _COMMA:
            break
        at += 1
    if block[at] != _CLOSE_OBJECT or block[skip_space(block, at + 1)] != _LINE_FEED:
        return NOT_SURE
    return to if seen == (1 << len(wanted.required)) - 1 else NOT_SURE


@compiled
def _column_named(block: Bytes, at: int, wanted: Wanted) -> int:
    """The column whose name stands at `at`; -1: none of them."""
    names, begins = wanted.names, wanted.begins
    for column in range(len(begins) - 1):
        length = begins[column + 1] - begins[column]
        for index in range(length):
            if block[at + index] != names[begins[column] + index]:
                break
        else:
            return column
    return -1


@compiled
def _skip_name(block: Bytes, at: int, scratch: tuple[Bytes, int], required: bool) -> int:
    """The place after an id or a source; only after names that need no second look."""
    if block[at] == _QUOTE:
        end, _ = read_string(block, at + 1, scratch[0], scratch[1])
        return end if 2 < end - at <= MOST_NAME_BYTES else NOT_SURE
    if not required:
        return skip_word(block, at) if block[at] == _LETTER_N else NOT_SURE
    end = skip_number(block, at)
    for place in range(at, end):
        if block[place] > 57 or (block[place] < 48 and block[place] != _MINUS):
            return NOT_SURE
    return end


@compiled
def _read_text(block: Bytes, at: int, out: Bytes, to: int) -> tuple[int, int]:
    """A text, null, or a list of texts and messages; the same as `json_rows.text_of`."""
    if block[at] != _OPEN_LIST:
        return _read_string_or_null(block, at, out, to)
    at = skip_space(block, at + 1)
    if block[at] == _CLOSE_LIST:
        return at + 1, to
    while True:
        if block[at] == _OPEN_OBJECT:
            at, to = _read_message(block, at, out, to)
        else:
            at, to = _read_string_or_null(block, at, out, to)
        if at < 0:
            return NOT_SURE, to
        at = skip_space(block, at)
        if block[at] != _COMMA:
            return (at + 1, to) if block[at] == _CLOSE_LIST else (NOT_SURE, to)
        out[to] = _LINE_FEED
        at, to = skip_space(block, at + 1), to + 1


@compiled
def _read_message(block: Bytes, at: int, out: Bytes, to: int) -> tuple[int, int]:
    """The content of one message, which has exactly one of the keys that name it."""
    found = False
    at = skip_space(block, at + 1)
    while True:
        start = at
        at = skip_key(block, start, out, to)
        if at < 0:
            return NOT_SURE, to
        if _names_content(block, start + 1):
            if found:
                return NOT_SURE, to
            found = True
            at, to = _read_content(block, skip_space(block, at), out, to)
        else:
            at = skip_value(block, at, out, to)
        if at < 0:
            return NOT_SURE, to
        at = skip_space(block, at)
        if block[at] != _COMMA:
            return (at + 1, to) if found and block[at] == _CLOSE_OBJECT else (NOT_SURE, to)
        at = skip_space(block, at + 1)


@compiled
def _read_content(block: Bytes, at: int, out: Bytes, to: int) -> tuple[int, int]:
    """A text, null, or a list of parts."""
    if block[at] != _OPEN_LIST:
        return _read_string_or_null(block, at, out, to)
    at = skip_space(block, at + 1)
    if block[at] == _CLOSE_LIST:
        return at + 1, to
    while True:
        if block[at] == _OPEN_OBJECT:
            at, to = _read_part(block, at, out, to)
        else:
            at, to = _read_string_or_null(block, at, out, to)
        if at < 0:
            return NOT_SURE, to
        at = skip_space(block, at)
        if block[at] != _COMMA:
            return (at + 1, to) if block[at] == _CLOSE_LIST else (NOT_SURE, to)
        out[to] = _LINE_FEED
        at, to = skip_space(block, at + 1), to + 1


@compiled
def _read_part(block: Bytes, at: int, out: Bytes, to: int) -> tuple[int, int]:
    """The `text` of one part of a message; pictures and the like have none."""
    found = False
    at = skip_space(block, at + 1)
    while True:
        start = at
        at = skip_key(block, start, out, to)
        if at < 0:
            return NOT_SURE, to
        if _stands(block, start + 1, _TEXT):
            if found:
                return NOT_SURE, to
            found = True
            at, to = _read_string_or_null(block, skip_space(block, at), out, to)
        else:
            at = skip_value(block, at, out, to)
        if at < 0:
            return NOT_SURE, to
        at = skip_space(block, at)
        if block[at] != _COMMA:
            return (at + 1, to) if block[at] == _CLOSE_OBJECT else (NOT_SURE, to)
        at = skip_space(block, at + 1)


@compiled
def _names_content(block: Bytes, at: int) -> bool:
    return _stands(block, at, _CONTENT) or _stands(block, at, _VALUE) or _stands(block, at, _TEXT)


@compiled
def _stands(block: Bytes, at: int, word: Bytes) -> bool:
    for index in range(len(word)):  # noqa: SIM110 - not in compiled code
        if block[at + index] != word[index]:
            return False
    return True


@compiled
def _read_string_or_null(block: Bytes, at: int, out: Bytes, to: int) -> tuple[int, int]:
    if block[at] == _QUOTE:
        return read_string(block, at + 1, out, to)
    return (skip_word(block, at) if block[at] == _LETTER_N else NOT_SURE), to


@compiled
def skip_key(block: Bytes, at: int, out: Bytes, to: int) -> int:
    """The place after a key and its colon; keys with escapes are not surely what they look like."""
    if block[at] != _QUOTE:
        return NOT_SURE
    end, written = read_string(block, at + 1, out, to)
    if end < 0 or written - to != end - at - 2:
        return NOT_SURE
    end = skip_space(block, end)
    return end + 1 if block[end] == _COLON else NOT_SURE


@compiled
def skip_value(block: Bytes, at: int, out: Bytes, to: int) -> int:
    """The place after any value; `out` from `to` on is scribbled over."""
    depth, objects = 0, 0
    while True:
        at = skip_space(block, at)
        mark = block[at]
        if mark in (_OPEN_LIST, _OPEN_OBJECT):
            inner = skip_space(block, at + 1)
            if block[inner] != mark + 2:
                depth, objects = depth + 1, objects << 1 | (mark == _OPEN_OBJECT)
                at = skip_key(block, inner, out, to) if mark == _OPEN_OBJECT else inner
                if at < 0 or depth > _MOST_DEPTH:
                    return NOT_SURE
                continue
            at = inner + 1
        else:
            at = _skip_scalar(block, at, out, to)
        if at < 0:
            return NOT_SURE
        at, depth, objects = _close(block, at, depth, objects)
        if at < 0 or depth == 0:
            return at
        at = skip_space(block, at)
        if objects & 1:
            at = skip_key(block, at, out, to)
            if at < 0:
                return NOT_SURE


@compiled
def _close(block: Bytes, at: int, depth: int, objects: int) -> tuple[int, int, int]:
    """After a value: close what ends here; the place after the comma, or after the outermost value (depth 0)."""
    while depth > 0:
        at = skip_space(block, at)
        if block[at] == _COMMA:
            return at + 1, depth, objects
        if block[at] != (_CLOSE_OBJECT if objects & 1 else _CLOSE_LIST):
            return NOT_SURE, depth, objects
        at, depth, objects = at + 1, depth - 1, objects >> 1
    return at, depth, objects


@compiled
def _skip_scalar(block: Bytes, at: int, out: Bytes, to: int) -> int:
    mark = block[at]
    if mark == _QUOTE:
        return read_string(block, at + 1, out, to)[0]
    return skip_number(block, at) if mark == _MINUS or 48 <= mark <= 57 else skip_word(block, at)
