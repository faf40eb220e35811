"""Corpus files to documents: JSON lines (plain, .gz, .zst), Parquet and plain text, by declared columns.

A corpus is read whole or not at all: everything unreadable is an error with file and line, because a shard that was
skipped would make every instance look cleaner than it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from litmusgate.corpora.compression import MAX_DECOMPRESSED_BYTES, compressed_suffix, read_lines
from litmusgate.corpora.parquet import read_parquet_rows
from litmusgate.documents.json_text import parse_json
from litmusgate.errors import CorpusError, Location

MAX_DOCUMENT_NAME_CHARACTERS = 4096
"""Longest id of a document; ids stand in admission records as evidence, addresses of pages among them."""

FORMATS = (".jsonl", ".ndjson", ".parquet", ".txt")


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Which column holds what. `id` None: documents are named `file:line`. `corpus` and `source` None: there is none."""

    text: str = "text"
    id: str | None = None
    corpus: str | None = None
    source: str | None = None

    def wanted(self) -> tuple[str, ...]:
        """The declared columns, text first."""
        return tuple(name for name in (self.text, self.id, self.corpus, self.source) if name is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusRow:
    """One row of a corpus file; `text` is blank where the row has none. `at` is its place (line, or row in Parquet)."""

    id: str
    text: str
    corpus: str | None
    source: str | None
    at: Location


def format_of(path: Path) -> str:
    """The format of a corpus file by its suffix, compression aside; raises `CorpusError` for any other suffix."""
    plain = path.with_suffix("") if compressed_suffix(path) else path
    if plain.suffix in FORMATS and not (plain.suffix == ".parquet" and plain != path):
        return plain.suffix
    raise CorpusError(
        "the file is of no known corpus format",
        got=repr(path.name),
        wanted=f"one of {' '.join(FORMATS)}; .jsonl, .ndjson and .txt also as .gz or .zst",
        at=Location(path=str(path)),
    )


def corpus_file_stem(path: Path) -> str:
    """The file's name without the suffixes of its format and compression."""
    plain = path.with_suffix("") if compressed_suffix(path) else path
    return plain.stem


def read_rows(path: Path, columns: Columns) -> Iterator[CorpusRow]:
    """Every row of `path`; raises `CorpusError` with the place of the first thing that cannot be read."""
    form = format_of(path)
    if form == ".txt":
        yield _text_row(path, columns)
        return
    rows = _parquet_rows(path, columns) if form == ".parquet" else _json_rows(path)
    characters = 0
    for at, row in rows:
        found = _row(row, columns, at, path)
        characters += len(found.text)
        if characters > MAX_DECOMPRESSED_BYTES:  # columns of equal texts are small on disk in Parquet too
            raise CorpusError(
                "the file is too large when unpacked",
                wanted=f"at most {MAX_DECOMPRESSED_BYTES} characters",
                fix="split it",
                at=at,
            )
        yield found


def _text_row(path: Path, columns: Columns) -> CorpusRow:
    if columns.corpus is not None:
        raise CorpusError(
            "a plain text file has no columns",
            got=repr(columns.corpus),
            fix="name the corpus with --name or --name-from file",
            at=Location(path=str(path)),
        )
    text = "\n".join(line for _, line in read_lines(path))
    return CorpusRow(id=path.name, text=text, corpus=None, source=None, at=Location(path=str(path)))


def _json_rows(path: Path) -> Iterator[tuple[Location, dict[str, object]]]:
    for number, line in read_lines(path):
        if not line.strip():
            continue
        value = parse_json(line, path=str(path), error=CorpusError, first_line=number).value
        at = Location(path=str(path), line=number)
        if not isinstance(value, dict):
            raise CorpusError("the line is not a JSON object", got=repr(line[:80]), at=at)
        yield at, dict(value)


def _parquet_rows(path: Path, columns: Columns) -> Iterator[tuple[Location, dict[str, object]]]:
    for number, row in read_parquet_rows(path, columns.wanted()):
        yield Location(path=str(path), line=number), row


def _row(row: dict[str, object], columns: Columns, at: Location, path: Path) -> CorpusRow:
    text = _column(row, columns.text, at, may_be_null=True)
    name = f"{path.name}:{at.line}" if columns.id is None else _column(row, columns.id, at)
    if len(name) > MAX_DOCUMENT_NAME_CHARACTERS:
        wanted = f"at most {MAX_DOCUMENT_NAME_CHARACTERS} characters"
        raise CorpusError("the document's id is too long to be quoted", got=repr(name[:80]), wanted=wanted, at=at)
    corpus = None if columns.corpus is None else _column(row, columns.corpus, at)
    source = None if columns.source is None else _column(row, columns.source, at, may_be_null=True)
    return CorpusRow(id=name, text=text, corpus=corpus, source=source or None, at=at)


def _column(row: dict[str, object], column: str, at: Location, *, may_be_null: bool = False) -> str:
    """The text in `column`; null is the empty text only where the caller counts blanks."""
    if column not in row:
        raise CorpusError(
            f"the row has no column {column!r}", got=f"columns {sorted(row)!r}", fix="declare the columns", at=at
        )
    value = row[column]
    if value is None and may_be_null:
        return ""
    if isinstance(value, int) and not isinstance(value, bool) and not may_be_null:
        return str(value)
    if not isinstance(value, str) or (not value and not may_be_null):
        raise CorpusError(f"column {column!r} holds no text", got=repr(value)[:80], wanted="a text", at=at)
    return value
