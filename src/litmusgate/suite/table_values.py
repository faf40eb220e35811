"""The shapes in which tables hold texts: one string, a list, a mapping of names to texts, a list of objects."""

from __future__ import annotations

from typing import NoReturn

from litmusgate.digest import Json
from litmusgate.documents import Document
from litmusgate.errors import SuiteError

_SHAPES = "a string, a list of strings or of objects with text, or an object of names to texts"


def turns(value: Json, column: str, document: Document) -> list[Json]:
    """The turns in a cell: a string is one user turn, a list holds strings or objects with `content` (and `role`).

    Raises `SuiteError` with the row's place for any other shape, and for a cell without turns.
    """
    entries = value if isinstance(value, list) else [value]
    if not entries:
        _refuse(value, column, document, "at least one turn")
    found: list[Json] = []
    for entry in entries:
        if isinstance(entry, str):
            found.append({"role": "user", "content": entry})
        elif isinstance(entry, dict) and isinstance(entry.get("content"), str):
            found.append({"role": entry.get("role", "user"), "content": entry["content"]})
        else:
            _refuse(value, column, document, "a string, or a list of strings or of objects with content and role")
    return found


def named_texts(value: Json, column: str, document: Document) -> tuple[tuple[str, str], ...]:
    """Texts with names that are unique within the cell, in the cell's order (an object's in the order of its names).

    An object of the list gives its name by `name` or `tool`; what has no name is called after the column. A name that
    comes again gets `#2`, `#3`, … Raises `SuiteError` with the row's place for any other shape.
    """
    found: list[tuple[str, str]] = []
    taken: set[str] = set()
    for label, text in _labelled(value, column, document):
        name, number = label, 1
        while name in taken:
            number += 1
            name = f"{label}#{number}"
        taken.add(name)
        found.append((name, text))
    return tuple(found)


def texts(value: Json, column: str, document: Document) -> tuple[str, ...]:
    """Only the texts of a cell, in the same shapes. Raises `SuiteError` with the row's place for any other."""
    return tuple(text for _, text in _labelled(value, column, document))


def _labelled(value: Json, column: str, document: Document) -> list[tuple[str, str]]:
    if isinstance(value, str):
        return [(column, value)]
    if isinstance(value, dict):
        pairs: list[tuple[str, Json]] = [(name, value[name]) for name in sorted(value)]
    elif isinstance(value, list):
        pairs = [_labelled_entry(entry, column) for entry in value]
    else:
        pairs = [(column, None)]
    found: list[tuple[str, str]] = []
    for label, text in pairs:
        if not isinstance(text, str):
            _refuse(value, column, document, _SHAPES)
        found.append((label, text))
    return found


def _labelled_entry(entry: Json, column: str) -> tuple[str, Json]:
    if isinstance(entry, dict):
        label = entry.get("name", entry.get("tool", column))
        return (label if isinstance(label, str) else column), entry.get("text")
    return column, entry


def _refuse(value: Json, column: str, document: Document, wanted: str) -> NoReturn:
    raise SuiteError(
        f"column {column!r} has a value of another shape", got=repr(value)[:80], wanted=wanted, at=document.at()
    )
