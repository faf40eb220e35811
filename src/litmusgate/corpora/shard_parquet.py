"""Row groups of Parquet files to batches (extra `[corpora]`), streamed page by page, texts where Arrow put them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from litmusgate.corpora.arrow_texts import names_of, row_bytes, texts_of
from litmusgate.corpora.document_names import LineNames, Origin, split_by_corpus
from litmusgate.corpora.json_rows import CONTENT_KEYS, missing_column
from litmusgate.corpora.line_blocks import MAX_LINE_BYTES
from litmusgate.corpora.readers import Columns
from litmusgate.errors import CorpusError, Location
from litmusgate.extras import corpora_module
from litmusgate.provenance.batch import DocumentBatch, SameForAll

_LIST_LEVELS = {"list", "element", "item", "bag", "array", "array_element"}
"""Names of the levels that a list has in Parquet, by several writers."""

PART_BYTES = 128 << 20
"""About how many bytes on disk one part of a large file has."""

_READ_BYTES, _GATHERED_BYTES = 1 << 18, 2 << 20
_MOST_BATCH_BYTES = 16 << 20
_LONG_ROW_BYTES, _MOST_LONG_ROWS, _MOST_ROWS, _FIRST_ROWS = 1 << 10, 1 << 7, 1 << 13, 16
_FETCH_BYTES = 1 << 20
_BOMB_BYTES, _BOMB_RATIO = 64 << 20, 200
_REPEATED_ROW_BYTES, _REPEATED_RATIO = 64, 2


Part = tuple[int, int]


def row_group_parts(stream: IO[bytes], *, path: str, size: int) -> list[tuple[Part, int]]:
    """The row groups of a file of `size` bytes in parts of about `PART_BYTES`: each a half-open range, and its bytes.

    Raises `CorpusError` for a footer that cannot be read.
    """
    with _errors_named(path):
        sizes = _group_bytes(_opened(stream, path).metadata)
    parts: list[tuple[Part, int]] = []
    first = held = given = 0
    for number, group in enumerate(sizes, start=1):
        held += group
        covered = size * held // max(sum(sizes), 1)  # bytes on disk, as far as all groups are packed alike
        if covered - given >= PART_BYTES or number == len(sizes):
            parts.append(((first, number), covered - given))
            first, given = number, covered
    return parts


def read_parquet(stream: IO[bytes], part: Part | None, columns: Columns, origin: Origin) -> Iterator[DocumentBatch]:
    """The rows of the row groups in `part` (None: of all), in order.

    Raises `CorpusError` for what cannot be read to its end, an absent column, and rows that are not as many as the
    footer says.
    """
    with _errors_named(origin.path):
        file = _opened(stream, origin.path)
        metadata = file.metadata
        _check_columns(file.schema_arrow.names, columns, origin.path)
        groups = _checked_groups(metadata, part, stream.seek(0, os.SEEK_END), origin.path)
        first = row = sum(metadata.row_group(number).num_rows for number in range(groups.start))
        promised = sum(metadata.row_group(number).num_rows for number in groups)
        for batch in _record_batches(stream, file, groups, columns, origin.path):
            yield from _batches(batch, row, columns, origin)
            row += batch.num_rows
    if row - first != promised:
        raise CorpusError(
            "the Parquet file holds other rows than its footer says",
            got=f"{row - first} rows",
            wanted=f"{promised} rows",
            at=Location(path=origin.path),
        )


def _opened(stream: IO[bytes], path: str, **how: Any) -> Any:
    """The Parquet file over `stream`, which stays open. Pages are fetched one by one, and checked where they can be."""
    parquet = corpora_module("pyarrow.parquet", path=path, error=CorpusError)
    stream.seek(0)
    return parquet.ParquetFile(
        stream, pre_buffer=False, buffer_size=_FETCH_BYTES, page_checksum_verification=True, **how
    )


@contextmanager
def _errors_named(path: str) -> Iterator[None]:
    """What Arrow and the disk raise becomes a `CorpusError`."""
    arrow = corpora_module("pyarrow", path=path, error=CorpusError)
    try:
        yield
    except (OSError, arrow.ArrowException, UnicodeDecodeError) as problem:
        raise CorpusError(
            "the Parquet file cannot be read to its end",
            got=str(problem).strip(),
            fix="fetch it again; a part of a corpus is no evidence",
            at=Location(path=path),
        ) from problem


def _group_bytes(metadata: Any) -> list[int]:
    """Unpacked bytes of each row group, all columns together.

    That is all that is asked: for the metadata of one column, damaged or encrypted, Arrow would end the process.
    """
    return [metadata.row_group(number).total_byte_size for number in range(metadata.num_row_groups)]


def _checked_groups(metadata: Any, part: Part | None, size: int, path: str) -> range:
    """The row groups to read; raises `CorpusError` for a footer that contradicts itself, and for bombs."""
    groups = range(metadata.num_row_groups) if part is None else range(*part)
    counted = sum(metadata.row_group(number).num_rows for number in range(metadata.num_row_groups))
    if counted != metadata.num_rows or groups.stop > metadata.num_row_groups:
        raise CorpusError(
            "the footer of the Parquet file contradicts itself, or is not the one that was listed",
            got=f"{counted} rows in {metadata.num_row_groups} row groups",
            wanted=f"{metadata.num_rows} rows in at least {groups.stop}",
            at=Location(path=path),
        )
    largest = max(_group_bytes(metadata), default=0)
    if largest > _BOMB_BYTES and largest > _BOMB_RATIO * size:
        raise _too_large(f"{size} bytes that unpack to {largest}", "smaller row groups", path)
    return groups


def _record_batches(stream: IO[bytes], file: Any, groups: range, columns: Columns, path: str) -> Iterator[Any]:
    """The rows of `groups` as Arrow's batches of a few megabytes.

    Texts that stand once in a dictionary and are used a thousand times are larger than the footer says. The first rows
    tell: such a column is read as numbers, to be unpacked piece by piece.
    """
    rows = sum(file.metadata.row_group(number).num_rows for number in groups)
    row_bytes = sum(_group_bytes(file.metadata)[groups.start : groups.stop]) // max(rows, 1)
    if row_bytes > MAX_LINE_BYTES:
        raise _too_large(f"{row_bytes} bytes a row", f"texts of at most {MAX_LINE_BYTES} bytes", path)
    leaves = _text_leaves([file.schema.column(place).path for place in range(len(file.schema))], columns.text)
    long_rows = row_bytes >= _LONG_ROW_BYTES
    how = {
        "row_groups": list(groups),
        "columns": [*leaves, *dict.fromkeys((*columns.wanted()[1:], *_own_id(file, columns)))],
        "use_threads": False,
        "batch_size": max(1, min(_MOST_LONG_ROWS if long_rows else _MOST_ROWS, _READ_BYTES // max(row_bytes, 1))),
    }
    batches = file.iter_batches(**how)
    looked = batches if long_rows else file.iter_batches(**(how | {"batch_size": _FIRST_ROWS}))
    head = list(islice(looked, 1))
    large = any(batch.nbytes > _REPEATED_RATIO * row_bytes * batch.num_rows for batch in head)
    if leaves == (columns.text,) and (large or row_bytes < _REPEATED_ROW_BYTES):
        again = _opened(stream, path, metadata=file.metadata, read_dictionary=[columns.text])
        yield from again.iter_batches(**how)
    else:
        yield from _gathered(chain(head, batches) if long_rows else batches, path)


def _own_id(file: Any, columns: Columns) -> tuple[str, ...]:
    """The column that names documents by itself, where the file has one of a type that can."""
    return (columns.own_id,) if columns.own_id in file.schema_arrow.names and columns.own_id else ()


def _gathered(batches: Iterable[Any], path: str) -> Iterator[Any]:
    """Small batches joined: Arrow unpacks fastest in small steps, and everything after it works best in larger ones."""
    arrow = corpora_module("pyarrow", path=path, error=CorpusError)
    waiting: list[Any] = []
    size = 0
    for batch in batches:
        waiting.append(batch)
        size += batch.nbytes
        if size >= _GATHERED_BYTES:
            yield from arrow.Table.from_batches(waiting).combine_chunks().to_batches()
            waiting, size = [], 0
    if waiting:
        yield from arrow.Table.from_batches(waiting).combine_chunks().to_batches()


def _too_large(got: str, wanted: str, path: str) -> CorpusError:
    return CorpusError(
        "a column of the Parquet file is too large to be unpacked",
        got=got,
        wanted=wanted,
        fix="write it again with smaller row groups, or split the texts",
        at=Location(path=path),
    )


def _check_columns(present: list[str], columns: Columns, path: str) -> None:
    for column in columns.wanted():
        if column not in present:
            raise missing_column(sorted(present), column, Location(path=path))


def _text_leaves(leaves: list[str], column: str) -> tuple[str, ...]:
    """The leaves of `column` that hold what was said: in chats, the contents and not the rest of the messages."""
    own = [leaf for leaf in leaves if leaf == column or leaf.startswith(f"{column}.")]
    said = [leaf for leaf in own if _is_said(leaf[len(column) :].split("."))]
    return tuple(said or own)


def _is_said(path: Sequence[str]) -> bool:
    """Whether the leaf at `path` of a chat is a content, or the text of a part of one."""
    inside = [number for number, name in enumerate(path) if name in CONTENT_KEYS]
    return bool(inside) and (inside[-1] == len(path) - 1 or set(path[inside[-1] + 1 :]) <= _LIST_LEVELS)


def _batches(batch: Any, row: int, columns: Columns, origin: Origin) -> Iterator[DocumentBatch]:
    """`batch`, whose rows come after the first `row` of the file, in pieces of bounded text."""
    texts = batch.column(columns.text)
    for start, end in _cuts(row_bytes(texts)):
        piece = batch.slice(start, end - start)
        at = Location(path=origin.path, line=row + start + 1)
        data, offsets = texts_of(piece.column(columns.text), columns.text, at)
        corpora = columns.corpus and names_of(piece.column(columns.corpus), columns.corpus, at, otherwise=None)
        otherwise = "" if corpora else origin.corpus
        documents = DocumentBatch(
            corpus=origin.corpus,
            data=data,
            offsets=offsets,
            ids=_ids(piece, columns, origin, at),
            sources=SameForAll(origin.corpus, end - start)
            if columns.source is None
            else names_of(piece.column(columns.source), columns.source, at, otherwise=otherwise),
        )
        if corpora:
            yield from split_by_corpus(documents, corpora, own_sources=columns.source is not None)
        else:
            yield documents


def _cuts(lengths: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Rows that are read together: about `_MOST_BATCH_BYTES` of text, at least one row."""
    ends = np.cumsum(lengths)
    start, rows = 0, len(lengths)
    while start < rows:
        before = int(ends[start - 1]) if start else 0
        end = max(start + 1, int(np.searchsorted(ends, before + _MOST_BATCH_BYTES, side="right")))
        yield start, end
        start = end


def _ids(piece: Any, columns: Columns, origin: Origin, at: Location) -> Sequence[str]:
    """Names of the documents of `piece`: of the declared column, else of the column `id` where that can name them all."""
    first = at.line or 1
    lines = LineNames(origin.file, np.arange(first, first + piece.num_rows))
    if columns.id is not None:
        return names_of(piece.column(columns.id), columns.id, at, otherwise=None)
    if columns.own_id not in piece.schema.names or columns.own_id is None:
        return lines
    try:
        return names_of(piece.column(columns.own_id), columns.own_id, at, otherwise=None)
    except CorpusError:
        return lines
