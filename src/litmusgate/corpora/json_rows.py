"""One JSON line of a corpus, read plainly: what a row means, and every error with its place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from litmusgate.corpora.readers import MAX_DOCUMENT_NAME_CHARACTERS, Columns
from litmusgate.documents.json_text import parse_json
from litmusgate.errors import CorpusError, Location

CONTENT_KEYS = ("content", "value", "text")
"""Which keys of a message hold what was said; all that are there count."""

PART_KEYS = ("text", "content")
"""Which keys of a part of a message hold its text; a part without any, such as a picture, says nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonRow:
    """What one line says: its text, blank where it has none, and those of its names that are declared."""

    text: str
    id: str | None
    corpus: str | None
    source: str | None


def read_row(line: bytes, columns: Columns, at: Location) -> JsonRow:
    """The row in `line`; raises `CorpusError` for what is not JSON, not UTF-8, or lacks a declared column."""
    value = parse_json(_decoded(line, at), path=at.path, error=CorpusError, first_line=at.line or 1).value
    if not isinstance(value, dict):
        raise CorpusError("the line is not a JSON object", got=repr(line[:80].decode("utf-8", "replace")), at=at)
    if columns.text not in value:
        raise _absent(value, columns.text, at)
    return JsonRow(
        text=text_of(value[columns.text], columns.text, at),
        id=_own_name(value, columns.own_id) if columns.id is None else _name(value, columns.id, at),
        corpus=None if columns.corpus is None else _name(value, columns.corpus, at),
        source=None if columns.source is None else _source(value, columns.source, at),
    )


def text_of(value: object, column: str, at: Location) -> str:
    """The text in a column: a string, or the contents of a list of strings and messages, joined by line feeds.

    Null is the empty text; a message or a part of one without any text is an error unless it says so with null.
    """
    if isinstance(value, list):
        return "\n".join(_said(element, column, at) for element in value)
    return _string(value, column, at)


def _said(element: object, column: str, at: Location) -> str:
    if not isinstance(element, dict):
        return _string(element, column, at)
    if not any(key in element for key in CONTENT_KEYS):
        raise CorpusError(
            f"a message in column {column!r} has no content",
            got=f"keys {sorted(element)!r}",
            wanted=f"one of {', '.join(CONTENT_KEYS)}",
            at=at,
        )
    return _told(element, CONTENT_KEYS, column, at)


def _told(holder: Mapping[str, object], keys: Sequence[str], column: str, at: Location) -> str:
    """What stands under any of `keys`, lists of parts included; null says nothing."""
    values = [holder[key] for key in keys if holder.get(key) is not None]
    return "\n".join(_content(value, column, at) for value in values)


def _content(value: object, column: str, at: Location) -> str:
    if not isinstance(value, list):
        return _string(value, column, at)
    return "\n".join(
        _told(part, PART_KEYS, column, at) if isinstance(part, dict) else _string(part, column, at) for part in value
    )


def _string(value: object, column: str, at: Location) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    raise no_text(column, repr(value)[:80], at)


def no_text(column: str, got: str, at: Location) -> CorpusError:
    """The error for a column that holds something else."""
    return CorpusError(
        f"column {column!r} holds no text", got=got, wanted="a text, or a list of texts or messages", at=at
    )


def _absent(row: Mapping[str, object], column: str, at: Location) -> CorpusError:
    return missing_column(sorted(row), column, at)


def missing_column(present: Sequence[str], column: str, at: Location) -> CorpusError:
    """The error for a column that is not there."""
    return CorpusError(
        f"there is no column {column!r}",
        got=f"columns {list(present)!r}",
        fix="name the column that is meant (--column or --text-column, --id-column, --source-column)",
        at=at,
    )


def _name(row: Mapping[str, object], column: str, at: Location) -> str:
    """An id or the name of a corpus: a text or a whole number, never blank."""
    if column not in row:
        raise _absent(row, column, at)
    value = row[column]
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    return checked_name(value, column, at)


def _own_name(row: Mapping[str, object], column: str | None) -> str | None:
    """What names the row by itself: a text or a whole number that could be quoted; None for anything else."""
    value = None if column is None else row.get(column)
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    return value if isinstance(value, str) and 0 < len(value) <= MAX_DOCUMENT_NAME_CHARACTERS else None


def checked_name(value: object, column: str, at: Location) -> str:
    """`value` where it can name a document or corpus; raises `CorpusError` otherwise."""
    if not isinstance(value, str) or not value:
        raise CorpusError(f"column {column!r} holds no name", got=repr(value)[:80], wanted="a text or a number", at=at)
    if len(value) > MAX_DOCUMENT_NAME_CHARACTERS:
        raise CorpusError(
            f"column {column!r} holds a name that is too long to be quoted",
            got=repr(value[:80]),
            wanted=f"at most {MAX_DOCUMENT_NAME_CHARACTERS} characters",
            at=at,
        )
    return value


def _source(row: Mapping[str, object], column: str, at: Location) -> str | None:
    """Where the document is from; null or blank where the corpus does not tell."""
    if column not in row:
        raise _absent(row, column, at)
    return checked_name(row[column], column, at) if row[column] not in (None, "") else None


def _decoded(line: bytes, at: Location) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as problem:
        raise CorpusError(
            "the line is not UTF-8",
            got=repr(line[problem.start : problem.start + 8]),
            at=Location(path=at.path, line=at.line, column=problem.start + 1),
        ) from problem
