"""YAML without its surprises: one document, JSON's values, no aliases, no tags, and a place for every part.

The value is built from parser events, not by PyYAML's constructors: no recursion, no alias is ever expanded, and
nothing is converted that `scalars` does not know.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NoReturn

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from litmusgate.digest import Json
from litmusgate.documents.document import MAX_DEPTH, Document, KeyPath, Position, position_at
from litmusgate.documents.scalars import Trap, resolve_key, resolve_scalar
from litmusgate.errors import LitmusGateError, Location

MAX_PARTS = 500_000
"""Most values in one document: the place of each is kept."""

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NOT_YAML = re.compile("[^\t\n\r -~\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")


@dataclass(slots=True, kw_only=True)
class _Open:
    """A list or mapping whose end has not been met yet."""

    value: list[Json] | dict[str, Json]
    keys: KeyPath
    key: str | None = None


@dataclass(slots=True, kw_only=True)
class _Builder:
    """The document so far."""

    path: str
    error: type[LitmusGateError]
    open: list[_Open] = field(default_factory=list)
    root: list[Json] = field(default_factory=list)
    documents: int = 0
    positions: dict[KeyPath, Position] = field(default_factory=dict)
    key_positions: dict[KeyPath, Position] = field(default_factory=dict)
    sources: dict[KeyPath, str] = field(default_factory=dict)

    def refuse(self, position: Position, what: str, *, got: str | None = None, fix: str | None = None) -> NoReturn:
        raise self.error(what, got=got, fix=fix, at=Location(path=self.path, line=position[0], column=position[1]))


def parse_yaml(text: str, *, path: str, error: type[LitmusGateError]) -> Document:
    """The one YAML document in `text` (of the file `path`) as plain JSON values with positions.

    Unquoted scalars are `true false null ~`, decimal numbers, or strings. Raises `error` with line and column for
    an empty text, syntax errors, control characters, keys that stand twice, keys that are not strings, anchors,
    aliases, tags, merge keys, directives, a second document, nesting deeper than `MAX_DEPTH`, more than `MAX_PARTS`
    values, and unquoted scalars that YAML readers disagree about (`no`, `12:30`, `010`, dates, `.nan`), each with
    what to write instead.
    """
    builder = _Builder(path=path, error=error)
    _refuse_characters(text.removeprefix("\ufeff"), builder)
    try:
        for event in yaml.parse(text.removeprefix("\ufeff"), Loader=_LOADER):
            _take(event, builder)
    except yaml.MarkedYAMLError as problem:
        _refuse_syntax(text, problem, builder)
    except yaml.YAMLError as problem:
        raise error(f"not valid YAML: {problem}", at=Location(path=path)) from problem
    if not builder.root:
        builder.refuse((1, 1), "the file is empty", fix="write the document, or remove the file")
    return Document(
        value=builder.root[0],
        path=path,
        positions=builder.positions,
        key_positions=builder.key_positions,
        sources=builder.sources,
    )


def _refuse_characters(text: str, builder: _Builder) -> None:
    match = _NOT_YAML.search(text)
    if match is not None:
        code = ord(match.group())
        builder.refuse(
            position_at(text, match.start()),
            f"character U+{code:04X} may not stand in YAML",
            fix=f'write it as an escape between double quotes: "\\u{code:04x}"'
            if not 0xD800 <= code < 0xE000
            else None,
        )


def _refuse_syntax(text: str, problem: yaml.MarkedYAMLError, builder: _Builder) -> NoReturn:
    mark = problem.problem_mark or problem.context_mark
    position = (1, 1) if mark is None else (mark.line + 1, mark.column + 1)
    lines = text.splitlines()
    line = lines[position[0] - 1] if position[0] <= len(lines) else ""
    fix = None
    if "\t" in line[: len(line) - len(line.lstrip())]:
        fix = "indent with spaces, not with tabs"
    elif problem.problem is not None and "mapping values are not allowed" in problem.problem:
        fix = "quote the text that holds ': '"
    phrases = [phrase for phrase in (problem.context, problem.problem) if phrase]
    builder.refuse(position, f"not valid YAML: {', '.join(phrases)}", fix=fix)


def _take(event: yaml.Event, builder: _Builder) -> None:
    if isinstance(event, MappingEndEvent | SequenceEndEvent):
        builder.open.pop()
        return
    mark = event.start_mark
    position = (1, 1) if mark is None else (mark.line + 1, mark.column + 1)
    if isinstance(event, DocumentStartEvent):
        _start_document(event, position, builder)
    elif isinstance(event, AliasEvent):
        builder.refuse(position, "aliases are refused", got=f"*{event.anchor}", fix="write the value out")
    elif isinstance(event, ScalarEvent | SequenceStartEvent | MappingStartEvent):
        if event.anchor is not None:
            builder.refuse(position, "anchors are refused", got=f"&{event.anchor}", fix="write the value out")
        if event.tag is not None:
            builder.refuse(position, "tags are refused", got=repr(event.tag), fix="remove the tag; quote strings")
        _take_node(event, position, builder)


def _start_document(event: DocumentStartEvent, position: Position, builder: _Builder) -> None:
    builder.documents += 1
    if builder.documents > 1:
        builder.refuse(position, "a second document begins", fix="keep one document per file")
    if event.version is not None or event.tags:
        builder.refuse(position, "directives are refused", fix="remove the lines that begin with %")


def _take_node(
    event: ScalarEvent | SequenceStartEvent | MappingStartEvent, position: Position, builder: _Builder
) -> None:
    parent = builder.open[-1] if builder.open else None
    if parent is not None and isinstance(parent.value, dict) and parent.key is None:
        _take_key(event, position, parent, builder)
        return
    keys = _keys_of(parent)
    if len(builder.positions) >= MAX_PARTS:
        builder.refuse(position, f"the document has more than {MAX_PARTS} values", fix="write instances as JSON lines")
    builder.positions[keys] = position
    value = _value_of(event, position, keys, builder)
    _attach(value, parent, builder)
    if isinstance(value, list | dict):
        if len(builder.open) >= MAX_DEPTH:
            builder.refuse(position, f"nested more than {MAX_DEPTH} levels deep")
        builder.open.append(_Open(value=value, keys=keys))


def _keys_of(parent: _Open | None) -> KeyPath:
    if parent is None:
        return ()
    last = len(parent.value) if parent.key is None else parent.key
    return (*parent.keys, last)


def _attach(value: Json, parent: _Open | None, builder: _Builder) -> None:
    if parent is None:
        builder.root.append(value)
    elif isinstance(parent.value, list):
        parent.value.append(value)
    elif parent.key is not None:
        parent.value[parent.key] = value
        parent.key = None


def _value_of(
    event: ScalarEvent | SequenceStartEvent | MappingStartEvent, position: Position, keys: KeyPath, builder: _Builder
) -> Json:
    if isinstance(event, SequenceStartEvent):
        return []
    if isinstance(event, MappingStartEvent):
        return {}
    text = _text_of(event, position, builder)
    if not event.implicit[0]:
        return text
    value = resolve_scalar(text)
    if isinstance(value, Trap):
        builder.refuse(position, f"unquoted value: {value.why}", got=text[:80] or None, fix=value.fix)
    if not isinstance(value, str):
        builder.sources[keys] = text
    return value


def _take_key(event: yaml.Event, position: Position, parent: _Open, builder: _Builder) -> None:
    if not isinstance(event, ScalarEvent):
        builder.refuse(position, "a key is a list or a mapping", fix="use a string as the key")
    text = _text_of(event, position, builder)
    name = resolve_key(text) if event.implicit[0] else text
    if isinstance(name, Trap):
        builder.refuse(position, f"unquoted key: {name.why}", got=text[:80] or None, fix=name.fix)
    keys = (*parent.keys, name)
    earlier = builder.key_positions.get(keys)
    if earlier is not None:
        builder.refuse(
            position, f"key {name[:80]!r} stands twice", got=f"first on line {earlier[0]}", fix="keep one of them"
        )
    builder.key_positions[keys] = position
    parent.key = name


def _text_of(event: ScalarEvent, position: Position, builder: _Builder) -> str:
    text: str = event.value
    if any("\ud800" <= character <= "\udfff" for character in text):
        builder.refuse(position, "a string holds a lone surrogate, which is not a character")
    return text
