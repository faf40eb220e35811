"""Row groups of Parquet files to batches (extra `[corpora]`), streamed page by page, texts where Arrow put them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
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

PART_BYTES = 128 << 20
"""About how many bytes on disk one part of a large file has."""

_READ_BYTES = 4 << 20
_MOST_BATCH_BYTES = 16 << 20
_MOST_ROWS = 1 << 16
_FETCH_BYTES = 1 << 20
_BOMB_BYTES, _BOMB_RATIO = 64 << 20, 200
_REPEATED_ROW_BYTES, _REPEATED_RATIO = 64, 50

Part = tuple[int, int]


def row_group_parts(stream: IO[bytes], *, path: str) -> list[tuple[Part, int]]:
    """The row groups of a file in parts of about `PART_BYTES`: each a half-open range, and its bytes on disk.

    Raises `CorpusError` for a footer that cannot be read.
    """
    parts: list[tuple[Part, int]] = []
    first = size = 0
    with _errors_named(path):
        metadata = _opened(stream, path).metadata
        for number in range(metadata.num_row_groups):
            group = metadata.row_group(number)
            size += sum(group.column(place).total_compressed_size for place in range(group.num_columns))
            if size >= PART_BYTES or number == metadata.num_row_groups - 1:
                parts.append(((first, number + 1), size))
                first, size = number + 1, 0
    return parts


def read_parquet(stream: IO[bytes], part: Part | None, columns: Columns, origin: Origin) -> Iterator[DocumentBatch]:
    """The rows of the row groups in `part` (None: of all), in order.

    Raises `CorpusError` for what cannot be read to its end, an absent column, and rows that are not as many as the
    footer says.
    """
    with _errors_named(origin.path):
        file = _opened(stream, origin.path)
        metadata = file.metadata
        groups = _checked_groups(metadata, part, origin.path)
        chunks = _text_chunks(file, groups, columns, origin.path)
        if chunks.repeats:
            file = _opened(stream, origin.path, metadata=metadata, read_dictionary=[columns.text])
        first = row = sum(metadata.row_group(number).num_rows for number in range(groups.start))
        for batch in file.iter_batches(
            batch_size=chunks.rows_at_once,
            row_groups=list(groups),
            columns=[*chunks.leaves, *dict.fromkeys(columns.wanted()[1:])],
            use_threads=False,
        ):
            yield from _batches(batch, row, columns, origin)
            row += batch.num_rows
    if row - first != chunks.rows:
        raise CorpusError(
            "the Parquet file holds other rows than its footer says",
            got=f"{row - first} rows",
            wanted=f"{chunks.rows} rows",
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


def _checked_groups(metadata: Any, part: Part | None, path: str) -> range:
    groups = range(metadata.num_row_groups) if part is None else range(*part)
    counted = sum(metadata.row_group(number).num_rows for number in range(metadata.num_row_groups))
    if counted != metadata.num_rows or groups.stop > metadata.num_row_groups:
        raise CorpusError(
            "the footer of the Parquet file contradicts itself, or is not the one that was listed",
            got=f"{counted} rows in {metadata.num_row_groups} row groups",
            wanted=f"{metadata.num_rows} rows in at least {groups.stop}",
            at=Location(path=path),
        )
    return groups


@dataclass(frozen=True, slots=True, kw_only=True)
class _TextChunks:
    """The text column of some row groups: its leaves, rows, how many to read at once, and whether few texts repeat."""

    leaves: tuple[str, ...]
    rows: int
    rows_at_once: int
    repeats: bool


def _text_chunks(file: Any, groups: range, columns: Columns, path: str) -> _TextChunks:
    """What the footer tells; raises `CorpusError` for absent columns and for chunks that would not fit in memory.

    Texts that stand once in a dictionary and are used a thousand times are larger than the footer says: they are read
    as numbers, and unpacked piece by piece.
    """
    _check_columns(file.schema_arrow.names, columns, path)
    leaves = _text_leaves([file.schema.column(place).path for place in range(len(file.schema))], columns.text)
    rows = unpacked = 0
    repeats = False
    for number in groups:
        group = file.metadata.row_group(number)
        rows += group.num_rows
        for chunk in (group.column(place) for place in range(group.num_columns)):
            if chunk.path_in_schema not in leaves:
                continue
            size, packed = chunk.total_uncompressed_size, max(chunk.total_compressed_size, 1)
            unpacked += size
            if chunk.has_dictionary_page and leaves == (columns.text,):
                repeats |= size < _REPEATED_ROW_BYTES * group.num_rows or size > _REPEATED_RATIO * packed
            elif size > _BOMB_BYTES and size > _BOMB_RATIO * packed:
                raise _too_large(f"{packed} bytes that unpack to {size}", "smaller row groups", path)
    row_bytes = unpacked // max(rows, 1)
    if row_bytes > MAX_LINE_BYTES:
        raise _too_large(f"{row_bytes} bytes a row", f"texts of at most {MAX_LINE_BYTES} bytes", path)
    at_once = max(1, min(_MOST_ROWS, _READ_BYTES // max(row_bytes, 1)))
    return _TextChunks(leaves=leaves, rows=rows, rows_at_once=at_once, repeats=repeats)


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
    for key in CONTENT_KEYS:
        contents = [leaf for leaf in own if key in leaf[len(column) :].split(".")]
        if contents:
            texts = [leaf for leaf in contents if leaf.endswith(".text")]
            return tuple(texts or contents)
    return tuple(own)


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
            ids=LineNames(origin.file, np.arange(row + start + 1, row + end + 1))
            if columns.id is None
            else names_of(piece.column(columns.id), columns.id, at, otherwise=None),
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
