"""A parsed text: its value, and the place of every part of it."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias, cast

from litmusgate.digest import Json
from litmusgate.errors import LitmusGateError, Location

KeyPath: TypeAlias = tuple[str | int, ...]
"""Keys and list indexes (from 0) from the root of a document to a part of it."""

Position: TypeAlias = tuple[int, int]
"""Line and column, both counted from 1."""

MAX_DEPTH = 100
"""Deepest nesting of lists and mappings in a document; deeper ones are refused, not recursed into."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """The value of a YAML or JSON text and where its parts stood.

    `positions` and `key_positions` hold line and column (from 1) of every value and of every mapping key by path;
    they are empty for JSON, whose places are found on demand: ask `at`. `sources` holds the unquoted source text of
    the numbers, nulls and booleans of a YAML document, `json_text` the text of a JSON one.
    In a part of a document `prefix` is its path in the whole, which all those paths begin with.
    """

    value: Json
    path: str
    positions: Mapping[KeyPath, Position] = field(default_factory=dict)
    key_positions: Mapping[KeyPath, Position] = field(default_factory=dict)
    sources: Mapping[KeyPath, str] = field(default_factory=dict)
    first_line: int = 1
    json_text: str | None = field(default=None, repr=False, compare=False)
    prefix: KeyPath = ()
    locate: Callable[[KeyPath, bool], Position | None] | None = field(default=None, repr=False, compare=False)

    def at(self, keys: KeyPath = (), *, key: bool = False) -> Location:
        """The place of the value at `keys` (`key=True`: of its key), or of its nearest enclosing part that is known."""
        for length in range(len(keys), -1, -1):
            position = self._position(keys[:length], key=key and length == len(keys))
            if position is not None:
                return Location(path=self.path, line=position[0], column=position[1])
        return Location(path=self.path, line=self.first_line)

    def source(self, keys: KeyPath) -> str | None:
        """The unquoted source text of the number, null or boolean at `keys`; None for JSON and for strings."""
        return self.sources.get((*self.prefix, *keys))

    def part(self, keys: KeyPath) -> Document:
        """The part at `keys` as a document of its own whose places are those in the whole. `KeyError` if it is not there."""
        value = self.value
        for key in keys:
            value = _child(value, key)
        return replace(self, value=value, json_text=None, prefix=(*self.prefix, *keys))

    def _position(self, keys: KeyPath, *, key: bool) -> Position | None:
        whole = (*self.prefix, *keys)
        if self.locate is not None:
            return self.locate(whole, key)
        return (self.key_positions if key else self.positions).get(whole)


def _child(value: Json, key: str | int) -> Json:
    if isinstance(value, dict) and isinstance(key, str):
        return cast("Json", value[key])
    if isinstance(value, list) and isinstance(key, int) and key < len(value):
        return cast("Json", value[key])
    raise KeyError(key)


def position_at(text: str, offset: int, first_line: int = 1) -> Position:
    """Line and column of character `offset` of `text`; lines end at `\\n`."""
    before = text[:offset]
    return first_line + before.count("\n"), offset - (before.rfind("\n") + 1) + 1


def decode_utf8(data: bytes, *, path: str, error: type[LitmusGateError]) -> str:
    """The text of `data`; a UTF-8 byte order mark is dropped.

    Raises `error` for UTF-16 and UTF-32 (with a hint) and for invalid UTF-8 (with the line and the byte offset).
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)) or _looks_like_utf16(data):
        raise error(
            "the file is not UTF-8 text",
            got=f"bytes {data[:4]!r}, which look like UTF-16 or UTF-32",
            wanted="UTF-8",
            fix="save the file as UTF-8",
            at=Location(path=path, line=1, column=1),
        )
    body = data.removeprefix(codecs.BOM_UTF8)
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as problem:
        start = problem.start
        raise error(
            "the file is not valid UTF-8",
            got=f"byte 0x{body[start]:02x} at offset {start + len(data) - len(body)}",
            wanted="UTF-8",
            fix="save the file as UTF-8; if it was cut off, fetch it again",
            at=Location(path=path, line=body.count(b"\n", 0, start) + 1),
        ) from problem


def _looks_like_utf16(data: bytes) -> bool:
    head = data[:4]
    return len(head) >= 2 and head.count(0) >= 1 and any(byte != 0 for byte in head)
