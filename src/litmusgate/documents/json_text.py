"""Strict JSON: what Python's reader lets through and the standard does not is refused, with its line."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from functools import partial
from typing import NoReturn

from litmusgate.digest import Json
from litmusgate.documents.document import MAX_DEPTH, Document, KeyPath, Position, position_at
from litmusgate.errors import LitmusGateError, Location

_SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")
_STRING_OR_CONSTANT = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|-?Infinity|NaN', re.DOTALL)
_SPACE = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_SCALAR = re.compile(r"[^\s,\]}]+")
_SHOWN = 80


class _Refused(Exception):  # noqa: N818 - a signal between the reader's hooks and parse_json, never seen outside
    """A hook met something that strict JSON does not have."""

    def __init__(self, what: str, *, got: str, wanted: str, constant: bool) -> None:
        super().__init__(what)
        self.what, self.got, self.wanted, self.constant = what, got, wanted, constant


def parse_json(text: str, *, path: str, error: type[LitmusGateError], first_line: int = 1) -> Document:
    """The document in `text`, which starts at line `first_line` of the file `path`.

    Raises `error` with line and column for text that is not JSON, NaN, infinities and numbers that overflow to them,
    keys that stand twice in one object, lone surrogates, and nesting deeper than `MAX_DEPTH`.
    """
    try:
        value: Json = json.loads(
            text, object_pairs_hook=_unique_pairs, parse_constant=_refuse_constant, parse_float=_finite
        )
    except json.JSONDecodeError as problem:
        raise _not_json(text, problem, path, error, first_line) from problem
    except _Refused as problem:
        line, column = _place_of(text, problem, first_line)
        raise error(
            problem.what, got=problem.got, wanted=problem.wanted, at=Location(path=path, line=line, column=column)
        ) from None
    except RecursionError:
        _refuse_depth(path, error, first_line)
    except ValueError as problem:  # an integer of more digits than Python converts
        raise error(f"not readable as JSON: {problem}", at=Location(path=path, line=first_line)) from problem
    if text.count("[") + text.count("{") > MAX_DEPTH and _is_deep(value):
        _refuse_depth(path, error, first_line)
    document = Document(
        value=value, path=path, first_line=first_line, json_text=text, locate=partial(_locate, text, first_line)
    )
    if _SURROGATE_ESCAPE.search(text) is not None or not _encodable(text):
        _refuse_lone_surrogates(document, error)
    return document


def _unique_pairs(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    value = dict(pairs)
    if len(value) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _Refused(f"key {_short(twice)} stands twice", got=_short(twice), wanted="unique keys", constant=False)
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise _Refused(f"{name} is not JSON", got=name, wanted="a finite number or null", constant=True)


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise _Refused(
            "a number is too large for a double", got=text[:_SHOWN], wanted="a finite number", constant=False
        )
    return number


def _not_json(
    text: str, problem: json.JSONDecodeError, path: str, error: type[LitmusGateError], first_line: int
) -> LitmusGateError:
    line, column = position_at(text, problem.pos, first_line)
    rest = text[problem.pos : problem.pos + 20]
    return error(
        "the text is empty" if not text.strip() else f"not valid JSON: {problem.msg}",
        got=repr(rest) if rest else "the end of the text",
        fix=None if rest else "if the file was cut off, fetch it again",
        at=Location(path=path, line=line, column=column),
    )


def _refuse_depth(path: str, error: type[LitmusGateError], first_line: int) -> NoReturn:
    raise error(
        "the document is nested too deeply",
        wanted=f"at most {MAX_DEPTH} levels of lists and objects",
        at=Location(path=path, line=first_line),
    ) from None


def _is_deep(value: Json) -> bool:
    level: list[Json] = [value]
    for _ in range(MAX_DEPTH):
        level = [
            child
            for parent in level
            for child in (parent.values() if isinstance(parent, dict) else parent if isinstance(parent, list) else ())
            if isinstance(child, dict | list)
        ]
        if not level:
            return False
    return True


def _encodable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _refuse_lone_surrogates(document: Document, error: type[LitmusGateError]) -> None:
    pending: list[tuple[KeyPath, Json]] = [((), document.value)]
    while pending:
        keys, value = pending.pop()
        if isinstance(value, str) and not _encodable(value):
            _refuse_surrogate(document, keys, error, key=False)
        elif isinstance(value, dict):
            for name, child in value.items():
                if not _encodable(name):
                    _refuse_surrogate(document, (*keys, name), error, key=True)
                pending.append(((*keys, name), child))
        elif isinstance(value, list):
            pending.extend(((*keys, index), child) for index, child in enumerate(value))


def _refuse_surrogate(document: Document, keys: KeyPath, error: type[LitmusGateError], *, key: bool) -> NoReturn:
    raise error(
        "a string holds a lone surrogate, which is not a character",
        got=f"the {'key' if key else 'value'} at {'.'.join(str(part) for part in keys)!r}",
        wanted="text that can be written as UTF-8",
        at=document.at(keys, key=key),
    )


def _short(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


def _place_of(text: str, problem: _Refused, first_line: int) -> Position:
    """Where the refused thing stands; only ever called for a text that a hook refused."""
    if problem.constant:
        for match in _STRING_OR_CONSTANT.finditer(text):
            if match.group() == problem.got:
                return position_at(text, match.start(), first_line)
    seen: set[KeyPath] = set()
    try:
        for keys, key_offset, offset in _walk(text, _skip_space(text, 0), (), None):
            if text.startswith(problem.got, offset):
                return position_at(text, offset, first_line)
            if key_offset is not None and keys in seen:
                return position_at(text, key_offset, first_line)
            seen.add(keys)
    except (IndexError, AttributeError, RecursionError, ValueError):
        pass  # the walk needs well-formed text; a hook may refuse before the reader meets the malformed part
    return position_at(text, 0, first_line)


def _locate(text: str, first_line: int, keys: KeyPath, key: bool) -> Position | None:
    for found, key_offset, offset in _walk(text, _skip_space(text, 0), (), None):
        if found == keys:
            chosen = key_offset if key and key_offset is not None else offset
            return position_at(text, chosen, first_line)
    return None


def _walk(text: str, start: int, keys: KeyPath, key_offset: int | None) -> Iterator[tuple[KeyPath, int | None, int]]:
    """Path, offset of the key (None in lists and at the root) and offset of every value of a well-formed JSON text."""
    yield keys, key_offset, start
    if text[start] not in "[{":
        return
    in_object = text[start] == "{"
    position, index = _skip_space(text, start + 1), 0
    while text[position] not in "]}":
        name: str | int = index
        key_at: int | None = None
        if in_object:
            key_at, end = position, _end_of_string(text, position)
            name = json.loads(text[position:end])
            position = _skip_space(text, _skip_space(text, end) + 1)
        yield from _walk(text, position, (*keys, name), key_at)
        position = _skip_space(text, _end_of_value(text, position))
        if text[position] == ",":
            position = _skip_space(text, position + 1)
        index += 1


def _skip_space(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return position if match is None else match.end()


def _end_of_string(text: str, position: int) -> int:
    match = _STRING.match(text, position)
    if match is None:
        raise ValueError(position)
    return match.end()


def _end_of_value(text: str, position: int) -> int:
    if text[position] == '"':
        return _end_of_string(text, position)
    if text[position] not in "[{":
        match = _SCALAR.match(text, position)
        if match is None:
            raise ValueError(position)
        return match.end()
    depth = 0
    while True:
        if text[position] == '"':
            position = _end_of_string(text, position)
            continue
        depth += (text[position] in "[{") - (text[position] in "]}")
        position += 1
        if depth == 0:
            return position
