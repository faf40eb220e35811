"""A sample of known corpora, drawn by hash: the same documents whatever their order, in bounded memory (A3)."""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from litmusgate.provenance.known import KnownDocument

PIECE_CHARACTERS = 1 << 18
"""Longer documents are drawn in pieces, so that one of them is not the whole sample."""

_ABOVE_ALL = 1 << 128


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """Drawn documents, sorted by corpus, id and text; and how many documents and bytes of text there were to draw from."""

    documents: tuple[KnownDocument, ...]
    text_bytes: int
    all_documents: int
    all_bytes: int


def draw_sample(documents: Iterable[KnownDocument], *, most_bytes: int, seed: int) -> Sample:
    """At most `most_bytes` of text out of `documents`, all of it where it is not more. `documents` is read once.

    Every document, or piece of a long one, has a number drawn from the seed and its own text; the lowest numbers win.
    """
    kept: list[tuple[int, int, KnownDocument, int]] = []
    held = total = count = all_bytes = 0
    limit = _ABOVE_ALL
    for document in documents:
        count += 1
        for piece in _pieces(document):
            data = piece.text.encode("utf-8", "replace")
            all_bytes += len(data)
            total += 1
            number = _number(piece, data, seed)
            if number >= limit:
                continue
            heapq.heappush(kept, (-number, total, piece, len(data)))
            held += len(data)
            while held > most_bytes and len(kept) > 1:
                left = heapq.heappop(kept)
                held, limit = held - left[3], -left[0]  # what comes later and is drawn higher would have gone first
    drawn = sorted((item[2] for item in kept), key=lambda found: (found.corpus, found.id, found.text))
    return Sample(documents=tuple(drawn), text_bytes=held, all_documents=count, all_bytes=all_bytes)


def _number(document: KnownDocument, data: bytes, seed: int) -> int:
    name = f"{seed}\0{document.corpus}\0{document.id}\0".encode("utf-8", "replace")
    return int.from_bytes(hashlib.blake2b(name + data, digest_size=16).digest())


def _pieces(document: KnownDocument) -> Iterator[KnownDocument]:
    if len(document.text) <= PIECE_CHARACTERS:
        yield document
        return
    for start in range(0, len(document.text), PIECE_CHARACTERS):
        yield KnownDocument(
            corpus=document.corpus,
            id=f"{document.id}+{start}",
            source=document.source,
            text=document.text[start : start + PIECE_CHARACTERS],
        )
