"""Blocks of documents as they stand in text segments: packed columns, the same bytes for the same documents."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from litmusgate.provenance.batch import DocumentBatch

BLOCK_BYTES = 1 << 22
"""A block ends with the document that reaches so many bytes of text."""

_COUNT = struct.Struct("<I")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredDocument:
    """A document as UTF-8; `source` is empty where it is the corpus itself."""

    name: bytes
    source: bytes
    text: bytes


@dataclass(frozen=True, slots=True)
class PackedNames(Sequence[str]):
    """Names decoded on demand: name `i` is `data[ends[i - 1]:ends[i]]`, or `default` where that is empty."""

    data: bytes | memoryview
    ends: NDArray[np.int64]
    default: str = ""

    def __len__(self) -> int:
        return len(self.ends)

    def __getitem__(self, number):  # type: ignore[no-untyped-def]
        if isinstance(number, slice):
            return [self[at] for at in range(*number.indices(len(self)))]
        start = int(self.ends[number - 1]) if number % len(self.ends) else 0
        return bytes(self.data[start : int(self.ends[number])]).decode("utf-8", "replace") or self.default


def packed_blocks(documents: Iterable[StoredDocument]) -> Iterator[bytes]:
    """`documents` in blocks of about `BLOCK_BYTES`."""
    waiting: list[StoredDocument] = []
    size = 0
    for document in documents:
        waiting.append(document)
        size += len(document.text)
        if size >= BLOCK_BYTES:
            yield _packed(waiting)
            waiting, size = [], 0
    if waiting:
        yield _packed(waiting)


def unpacked(block: bytes, *, corpus: str) -> DocumentBatch:
    """The documents of a block; raises `ValueError` for bytes that are none."""
    if len(block) < _COUNT.size or (count := _COUNT.unpack_from(block)[0]) == 0:
        raise ValueError("the block holds no document")
    table_end = _COUNT.size * (1 + 3 * count)
    if len(block) < table_end:
        raise ValueError("the block is shorter than its table")
    lengths = np.frombuffer(block, "<u4", 3 * count, _COUNT.size).astype(np.int64).reshape(3, count)
    names, sources, texts = (np.cumsum(row) for row in lengths)
    names_end = table_end + int(names[-1])
    sources_end = names_end + int(sources[-1])
    if len(block) != sources_end + int(texts[-1]):
        raise ValueError("the block is not as long as its table says")
    return DocumentBatch(
        corpus=corpus,
        data=np.frombuffer(block, np.uint8),
        offsets=np.concatenate([[0], texts]) + sources_end,
        ids=PackedNames(block[table_end:names_end], names),
        sources=PackedNames(block[names_end:sources_end], sources, corpus),
    )


def _packed(documents: Sequence[StoredDocument]) -> bytes:
    columns = [
        [document.name for document in documents],
        [document.source for document in documents],
        [document.text for document in documents],
    ]
    lengths = np.asarray([[len(item) for item in column] for column in columns], "<u4")
    return b"".join([_COUNT.pack(len(documents)), lengths.tobytes(), *(b"".join(column) for column in columns)])
