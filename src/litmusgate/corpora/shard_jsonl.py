"""JSON lines to batches: by a compiled kernel where numba is there, and by the plain reader for all it is not sure of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import IO, Any, cast

import numpy as np

from litmusgate.corpora.document_names import LineNames, Origin, WrittenNames, split_by_corpus
from litmusgate.corpora.json_rows import JsonRow, read_row
from litmusgate.corpora.line_blocks import BLOCK_BYTES, ROOM, LineBlock, line_blocks
from litmusgate.corpora.readers import OWN_ID, Columns
from litmusgate.corpora.utf8 import is_utf8
from litmusgate.errors import Location
from litmusgate.provenance.batch import DocumentBatch, SameForAll


def read_json_lines(
    stream: IO[bytes], columns: Columns, origin: Origin, *, block_bytes: int = BLOCK_BYTES
) -> Iterator[DocumentBatch]:
    """The rows of `stream`, in order; raises `CorpusError` with the line of the first that is none."""
    for block in line_blocks(stream, path=origin.path, block_bytes=block_bytes):
        if not len(block.starts):
            continue
        batch, corpora = _Rows(block, columns, origin).read()
        if corpora is None:
            yield batch
        else:
            yield from split_by_corpus(batch, corpora, own_sources=columns.source is not None)


FEW_BYTES = 1 << 18
"""Blocks of less are read plainly."""


class _Rows:
    """What was read of one block so far: texts one after another, and where each name stands or what it is."""

    def __init__(self, block: LineBlock, columns: Columns, origin: Origin) -> None:
        rows = len(block.starts)
        self.block, self.columns, self.origin = block, columns, origin
        self.texts = np.empty(int(block.ends[-1]) + 2 * ROOM, np.uint8)
        self.offsets = np.zeros(rows + 1, np.int64)
        self.id_column = columns.id or (columns.own_id if _names_itself(block) else None)
        own = () if columns.id or not self.id_column else (self.id_column,)
        self.names = (*columns.wanted(), *own)
        self.spans = np.full((rows, len(self.names), 2), -1, np.int64)
        self.told: dict[str, dict[int, str]] = {name: {} for name in ("id", "corpus", "source")}

    def read(self) -> tuple[DocumentBatch, WrittenNames | None]:
        """All rows as one batch, and the corpus of each where a column tells."""
        fast = self._kernel()
        row, rows = 0, len(self.block.starts)
        while row < rows:
            if fast is not None:
                row = fast(row)
            if row < rows:
                self._add(row)
                row += 1
        return self._batch(), None if self.columns.corpus is None else self._written("corpus", self.origin.corpus)

    def _kernel(self) -> Callable[[int], int] | None:
        """What reads rows from a number on, up to the first it is not sure of; None where nothing may be read so."""
        if int(self.block.ends[-1]) < FEW_BYTES:
            return None  # read before the kernel would be loaded
        kernel = _compiled()
        if kernel is None or len(set(self.names)) < len(self.names):
            return None  # a value that is both text and name is nobody's usual case
        if not is_utf8(self.block.data[: int(self.block.ends[-1])]):
            return None  # the plain reader names the line
        keys = [f'{name}"'.encode() for name in self.names]
        begins = np.concatenate([[0], np.cumsum([len(key) for key in keys])]).astype(np.int64)
        required = np.array([name != self.columns.source for name in self.names])
        wanted = kernel.Wanted(np.frombuffer(b"".join(keys), np.uint8), begins, required)
        target = kernel.Target(self.texts, self.offsets, self.spans, np.empty(kernel.MOST_DEPTH, np.int64))
        return lambda row: int(kernel.read_rows(self.block.data, self.block.starts, row, wanted, target))

    def _add(self, row: int) -> None:
        """Read one line plainly. A text is never longer than the line it stands in, so there is room."""
        at = Location(path=self.origin.path, line=int(self.block.numbers[row]))
        found: JsonRow = read_row(self.block.line(row), self.columns, at)
        text = np.frombuffer(found.text.encode(), np.uint8)
        start = int(self.offsets[row])
        self.texts[start : start + len(text)] = text
        self.offsets[row + 1] = start + len(text)
        self.spans[row] = -1
        for name, value in (("id", found.id), ("corpus", found.corpus), ("source", found.source)):
            if value is not None:
                self.told[name][row] = value

    def _batch(self) -> DocumentBatch:
        rows, corpus = len(self.block.starts), self.origin.corpus
        return DocumentBatch(
            corpus=corpus,
            data=self.texts,
            offsets=self.offsets,
            ids=self._ids(),
            sources=SameForAll(corpus, rows)
            if self.columns.source is None
            else self._written("source", "" if self.columns.corpus else corpus),
        )

    def _ids(self) -> Sequence[str]:
        lines = LineNames(self.origin.file, self.block.numbers)
        return self._written("id", lines) if self.id_column else lines

    def _written(self, what: str, otherwise: str | Sequence[str]) -> WrittenNames:
        column = {"id": self.id_column, "corpus": self.columns.corpus, "source": self.columns.source}[what]
        place = self.names.index(cast("str", column))
        return WrittenNames(self.block.data, self.spans[:, place], otherwise, self.told[what])


def _names_itself(block: LineBlock) -> bool:
    """Whether the first row has a key `id`: else no row of the block is asked for one that the kernel would miss in each."""
    return f'"{OWN_ID}"'.encode() in block.line(0)


@cache
def _compiled() -> Any:
    """The compiled reader of rows; None without numba."""
    try:
        import_module("numba")
    except ImportError:
        return None
    return import_module("litmusgate.corpora.json_kernel")
