"""Documents in batches: the texts of many known documents as one piece of memory, the way columns come from disk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from litmusgate.provenance.known import KnownDocument

PART_BYTES = 1 << 18
"""Documents longer than this are read in parts, each compared as a document of its own."""

_CONTINUATION_BITS, _CONTINUATION = 0xC0, 0x80


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentBatch:
    """Documents of one corpus. Text `i` is `data[offsets[i]:offsets[i + 1]]`, valid UTF-8.

    `data` may be longer than what the offsets cover, and need not begin at 0. `ids` and `sources` may be computed on
    demand: they are asked only for documents that share something with the suite.
    """

    corpus: str
    data: NDArray[np.uint8]
    offsets: NDArray[np.int64]
    ids: Sequence[str]
    sources: Sequence[str]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def text_bytes(self) -> int:
        """Bytes of text."""
        return int(self.offsets[-1] - self.offsets[0])

    def text(self, number: int) -> bytes:
        """The UTF-8 text of one document."""
        return self.data[self.offsets[number] : self.offsets[number + 1]].tobytes()


@dataclass(frozen=True, slots=True)
class SameForAll(Sequence[str]):
    """`length` times the same text: the source of documents that have none of their own."""

    value: str
    length: int

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, number):  # type: ignore[no-untyped-def]
        return self.value


def batch_of(documents: Sequence[KnownDocument]) -> DocumentBatch:
    """One batch of `documents`, which must be of one corpus and at least one; lone surrogates become U+FFFD."""
    texts = [document.text.encode("utf-8", "replace") for document in documents]
    return DocumentBatch(
        corpus=documents[0].corpus,
        data=np.frombuffer(b"".join(texts), np.uint8),
        offsets=np.concatenate([[0], np.cumsum([len(text) for text in texts])]).astype(np.int64),
        ids=[document.id for document in documents],
        sources=[document.source for document in documents],
    )


def batches_of(documents: Iterable[KnownDocument], *, most_bytes: int = 1 << 23) -> Iterator[DocumentBatch]:
    """`documents` in batches of about `most_bytes`, a new one wherever the corpus changes."""
    waiting: list[KnownDocument] = []
    size = 0
    for document in documents:
        if waiting and (size >= most_bytes or document.corpus != waiting[0].corpus):
            yield batch_of(waiting)
            waiting, size = [], 0
        waiting.append(document)
        size += len(document.text)
    if waiting:
        yield batch_of(waiting)


def in_parts(batch: DocumentBatch, *, overlap_bytes: int) -> DocumentBatch:
    """`batch` with its long documents cut into parts that overlap, so that a text of half the overlap stands whole in one.

    Parts are named `id@first byte`. Cuts fall on a space where one is near, else between two characters.
    """
    lengths = np.diff(batch.offsets)
    if not len(lengths) or int(lengths.max()) <= PART_BYTES:
        return batch
    pieces: list[bytes] = []
    ids: list[str] = []
    sources: list[str] = []
    for number in range(len(batch)):
        text = batch.text(number)
        for start, end in _cuts(text, max(PART_BYTES, 4 * overlap_bytes), overlap_bytes):
            pieces.append(text[start:end])
            ids.append(batch.ids[number] if start == 0 else f"{batch.ids[number]}@{start}")
            sources.append(batch.sources[number])
    return DocumentBatch(
        corpus=batch.corpus,
        data=np.frombuffer(b"".join(pieces), np.uint8),
        offsets=np.concatenate([[0], np.cumsum([len(piece) for piece in pieces])]).astype(np.int64),
        ids=ids,
        sources=sources,
    )


def _cuts(text: bytes, part_bytes: int, overlap_bytes: int) -> Iterator[tuple[int, int]]:
    start = 0
    while len(text) - start > part_bytes:
        end = _boundary(text, start + part_bytes)
        yield start, end
        start = _boundary(text, end - overlap_bytes)
    yield start, len(text)


def _boundary(text: bytes, near: int) -> int:
    """The place after the last space in the 256 bytes before `near`, else the last beginning of a character."""
    space = text.rfind(b" ", near - 256, near)
    if space >= 0:
        return space + 1
    while text[near] & _CONTINUATION_BITS == _CONTINUATION:
        near -= 1
    return near


def documents_told(told: int, batch: DocumentBatch, parts: DocumentBatch) -> int:
    """How many documents of `batch` hold a word, when `told` of their `parts` do. A further part of a long document is no
    further document."""
    further = len(parts) - len(batch)
    return max(told - further, min(told, 1))
