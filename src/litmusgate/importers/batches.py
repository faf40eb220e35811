"""Tables as batches of columns: CSV, JSONL (both plain, `.gz` or `.zst`) and Parquet. Only the columns asked for."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from litmusgate.errors import ImportFormatError, Location, UsageError
from litmusgate.extras import corpora_module
from litmusgate.importers.log_json import parse_log_json
from litmusgate.importers.streams import text_lines, unreadable
from litmusgate.text import MAX_TEXT_CHARACTERS

_T = TypeVar("_T")

BATCH_ROWS = 65_536
"""Rows handled at once: large enough that the work per batch is by column, small enough to keep memory flat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Consecutive rows: each wanted column as a list of values (None: null), and where each row stands.

    `lines` are line numbers of a text file (from 1) or row numbers of a Parquet file (from 1, `by_row`).
    """

    path: str
    columns: dict[str, list[Any]]
    lines: Sequence[int]
    by_row: bool = False

    def place(self, row: int) -> Location:
        """Where row number `row` of this batch (from 0) stands in its file."""
        if self.by_row:
            return Location(path=f"{self.path} row {self.lines[row]}")
        return Location(path=self.path, line=self.lines[row])

    def take(self, rows: Sequence[int]) -> Batch:
        """Only the given rows (from 0), in that order."""
        columns = {name: [values[row] for row in rows] for name, values in self.columns.items()}
        lines = [self.lines[row] for row in rows]
        return Batch(path=self.path, columns=columns, lines=lines, by_row=self.by_row)


def read_batches(path: Path, wanted: frozenset[str]) -> Iterator[Batch]:
    """The rows of `path` with the columns `wanted`; the format is that of the file's ending, never guessed.

    Raises `UsageError` for another ending or a column the file does not have (listing those it has), and
    `ImportFormatError` for a file that is truncated or malformed.
    """
    name = path.name.removesuffix(".gz").removesuffix(".zst")
    ending = name[name.rfind(".") :] if "." in name else ""
    if ending not in _READERS or (ending == ".parquet" and name != path.name):
        raise UsageError(
            f"{path.name!r} is not a table by its name",
            got=repr(ending),
            wanted=".csv, .jsonl or .ndjson (also with .gz or .zst), or .parquet",
        )
    return _READERS[ending](path, wanted)


def _read_csv(path: Path, wanted: frozenset[str]) -> Iterator[Batch]:
    # the limit is the module's own global; a long transcript column must not stop the import
    csv.field_size_limit(MAX_TEXT_CHARACTERS)
    reader = csv.reader(text_lines(path), strict=True)
    try:
        header = next(reader, [])
        _require_columns(path, wanted, header)
        places = _csv_places(path, wanted, header)
        for rows in _chunked((reader.line_num, row) for row in reader if row):
            _refuse_ragged(path, rows, len(header))
            columns = {name: [row[index] or None for _, row in rows] for name, index in places.items()}
            yield Batch(path=str(path), columns=columns, lines=[line for line, _ in rows])
    except csv.Error as problem:
        raise ImportFormatError(
            f"not valid CSV: {problem}", at=Location(path=str(path), line=max(reader.line_num, 1))
        ) from problem


def _csv_places(path: Path, wanted: frozenset[str], header: list[str]) -> dict[str, int]:
    twice = sorted(name for name in wanted if header.count(name) > 1)
    if twice:
        raise ImportFormatError(f"columns {twice!r} stand twice in the header", at=Location(path=str(path), line=1))
    return {name: header.index(name) for name in sorted(wanted)}


def _refuse_ragged(path: Path, rows: list[tuple[int, list[str]]], width: int) -> None:
    for line, row in rows:
        if len(row) != width:
            raise ImportFormatError(
                "the row has another number of cells than the header",
                got=f"{len(row)} cells",
                wanted=f"{width} cells",
                fix="if the file was cut off, fetch it again",
                at=Location(path=str(path), line=line),
            )


def _read_jsonl(path: Path, wanted: frozenset[str]) -> Iterator[Batch]:
    names = sorted(wanted)
    seen: set[str] = set()
    for rows in _chunked(_json_rows(path, names, seen)):
        if len(rows) < BATCH_ROWS:
            # the last batch: say that a column is nowhere before somebody says that its values are null
            _require_columns(path, wanted, seen)
        columns = {name: [row[index] for _, row in rows] for index, name in enumerate(names)}
        yield Batch(path=str(path), columns=columns, lines=[line for line, _ in rows])
    _require_columns(path, wanted, seen)


def _json_rows(path: Path, names: Sequence[str], seen: set[str]) -> Iterator[tuple[int, list[Any]]]:
    for number, line in enumerate(text_lines(path), start=1):
        if not line.strip():
            continue
        row = parse_log_json(line, path=str(path), first_line=number)
        if not isinstance(row, dict):
            raise ImportFormatError(
                "the line is not a JSON object",
                got=repr(line[:40]),
                wanted="one object per line",
                at=Location(path=str(path), line=number),
            )
        seen.update(row)
        yield number, [row.get(name) for name in names]


def _read_parquet(path: Path, wanted: frozenset[str]) -> Iterator[Batch]:
    arrow_error: type[Exception] = corpora_module("pyarrow", path=path).ArrowException
    parquet = corpora_module("pyarrow.parquet", path=path)
    try:
        with parquet.ParquetFile(path) as file:
            _require_columns(path, wanted, file.schema_arrow.names)
            first = 1
            for part in file.iter_batches(batch_size=BATCH_ROWS, columns=sorted(wanted)):
                columns = {name: _arrow_values(part.column(name)) for name in sorted(wanted)}
                lines = range(first, first + part.num_rows)
                yield Batch(path=str(path), columns=columns, lines=lines, by_row=True)
                first += part.num_rows
    except (OSError, arrow_error) as problem:
        raise unreadable(path, problem) from problem


def _arrow_values(array: Any) -> list[Any]:
    arrow = corpora_module("pyarrow")
    if arrow.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    if arrow.types.is_timestamp(array.type):
        # nanoseconds have no Python type; a trial's start needs none
        array = array.cast(arrow.timestamp("us", array.type.tz), safe=False)
    if arrow.types.is_string(array.type) or arrow.types.is_large_string(array.type):
        strings: list[Any] = array.to_numpy(zero_copy_only=False).tolist()
        return strings
    values: list[Any] = array.to_pylist()
    return values


def _require_columns(path: Path, wanted: frozenset[str], known: Iterable[str]) -> None:
    names = sorted(set(known))
    absent = sorted(wanted - set(names))
    if absent:
        raise UsageError(
            f"{path.name!r} has no column {', '.join(repr(name) for name in absent)}",
            got=f"the columns {', '.join(repr(name) for name in names) or 'none: the file is empty'}",
            fix="declare columns by the names the file uses",
        )


def _chunked(rows: Iterable[_T]) -> Iterator[list[_T]]:
    iterator = iter(rows)
    while chunk := list(itertools.islice(iterator, BATCH_ROWS)):
        yield chunk


_READERS: dict[str, Callable[[Path, frozenset[str]], Iterator[Batch]]] = {
    ".csv": _read_csv,
    ".jsonl": _read_jsonl,
    ".ndjson": _read_jsonl,
    ".parquet": _read_parquet,
}
