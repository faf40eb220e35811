"""Hash-only segments: fingerprints of documents without the documents, so that they may be shared.

The body is columns of little-endian numbers, largest first, then names: fingerprints, rising, and hashes of whole short
documents; the document of each; for every document its words, the number of its source and the length of its name; the
lengths of the names of sources; all names; all names of sources. Documents of more than 256 KiB stand in parts.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO

import numpy as np
from numpy.typing import NDArray

from litmusgate.corpora.scratch import Scratch
from litmusgate.corpora.segment import Draft, Identity, body_digest, make_draft
from litmusgate.corpora.segment_order import Records, SortedRecords
from litmusgate.corpora.segment_spool import DocumentSpool
from litmusgate.provenance.batch import DocumentBatch, in_parts
from litmusgate.provenance.encoded import decoded_texts
from litmusgate.provenance.engine import Engine
from litmusgate.provenance.fingerprints import WHOLE_WORDS, document_fingerprints
from litmusgate.provenance.hashing import gram_hash

OVERLAP_BYTES = 1 << 13
"""How much two parts of a long document have in common."""

_PRINT = np.dtype([("key", "<u8"), ("document", "<u4")], align=True)
_ROW = struct.Struct("<IIQ")
"""What is kept of a document: its words, 1 unless it is a later part of one, the hash of all its words or 0."""


class HashBuilder:
    """Takes in documents, then drafts a hash-only segment of them. Raises `OSError` where the disk refuses.

    What stands encoded in a document (base64, hexadecimal, percent-encoding, gzip) is fingerprinted with it.
    """

    def __init__(self, scratch: Scratch, engine: Engine) -> None:
        self._scratch = scratch
        self._engine = engine
        self._spool = DocumentSpool(scratch)
        self._prints = SortedRecords(_PRINT, scratch)

    def add(self, batch: DocumentBatch) -> None:
        """Take in the documents of `batch`, each with a word in it."""
        parts = in_parts(batch, overlap_bytes=OVERLAP_BYTES)
        hashes, starts = self._engine.word_hashes(parts)
        first = self._spool.count
        self._keep(*document_fingerprints(hashes, starts), first)
        lengths = np.diff(starts).tolist()
        later = set() if parts is batch else _later_parts(batch, parts)
        for number, words in enumerate(lengths):
            source = "" if parts.sources[number] == batch.corpus else parts.sources[number]
            span = hashes[starts[number] : starts[number + 1]]
            whole = gram_hash(span.tolist()) if 0 < words <= WHOLE_WORDS and number not in later else 0
            kept = _ROW.pack(words, number not in later, whole)
            self._spool.add(parts.ids[number].encode(), source.encode(), parts.text(number), kept)
        self._keep_encoded(parts, first)

    def finish(self, identity: Identity, *, blank: int) -> Draft:
        """The draft; documents equal in name, source and text are one, and their order does not matter."""
        rows = _write_rows(self._spool, self._scratch)
        body, owners = self._scratch.small_file(), self._scratch.small_file()
        fingerprints = 0
        for records in self._distinct_prints(rows.rank):
            body.write(records["key"].tobytes())
            owners.write(records["document"].tobytes())
            fingerprints += len(records)
        order = np.lexsort((rows.whole_rows, rows.wholes))
        body.write(rows.wholes[order].tobytes())
        _copy(owners, body)
        body.write(rows.whole_rows[order].tobytes())
        for column in (rows.words, rows.sources, rows.name_lengths):
            body.write(column.tobytes())
        sources = list(rows.source_names)
        body.write(np.asarray([len(name) for name in sources], "<u4").tobytes())
        _copy(rows.names, body)
        body.write(b"".join(sources))
        length = body.tell()
        return make_draft(
            identity,
            body,
            counts={
                "documents": rows.documents,
                "rows": len(rows.words),
                "fingerprints": fingerprints,
                "wholes": len(rows.wholes),
                "source_names": len(sources),
            },
            content=body_digest(body, 0, length),
            body_bytes=length,
            blank=blank,
        )

    def _keep(self, values: NDArray[np.uint64], documents: NDArray[np.uint32], first: int) -> None:
        records = np.zeros(len(values), _PRINT)
        records["key"] = values
        records["document"] = documents + np.uint32(first)
        self._prints.add(records)

    def _keep_encoded(self, parts: DocumentBatch, first: int) -> None:
        layers = [
            (number, found.encode("utf-8", "replace"))
            for number in self._engine.may_be_encoded(parts)
            for _, found in decoded_texts(parts.text(number).decode("utf-8"))
        ]
        if not layers:
            return
        texts = [text for _, text in layers]
        batch = DocumentBatch(
            corpus=parts.corpus,
            data=np.frombuffer(b"".join(texts), np.uint8),
            offsets=np.cumsum([0, *map(len, texts)]).astype(np.int64),
            ids=[""] * len(texts),
            sources=[""] * len(texts),
        )
        values, layer = document_fingerprints(*self._engine.word_hashes(batch))
        self._keep(values, np.asarray([number for number, _ in layers], np.uint32)[layer], first)

    def _distinct_prints(self, rank: NDArray[np.uint32]) -> Iterator[Records]:
        def renumber(records: Records) -> None:
            records["document"] = rank[records["document"]]

        for records in self._prints.in_order(renumber):
            fresh = np.ones(len(records), np.bool_)
            fresh[1:] = records[1:] != records[:-1]
            yield records[fresh]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rows:
    """The documents in their order. `rank` maps the number a document was added under to its row."""

    documents: int
    rank: NDArray[np.uint32]
    words: NDArray[np.uint32]
    sources: NDArray[np.uint32]
    name_lengths: NDArray[np.uint32]
    wholes: NDArray[np.uint64]
    whole_rows: NDArray[np.uint32]
    source_names: dict[bytes, int]
    names: IO[bytes]


def _write_rows(spool: DocumentSpool, scratch: Scratch) -> _Rows:
    rank = np.zeros(spool.count, "<u4")
    table = np.zeros((spool.count, 3), "<u4")
    wholes = np.zeros(spool.count, "<u8")
    source_names: dict[bytes, int] = {}
    names = scratch.small_file()
    row, documents = -1, 0
    for found in spool.in_order():
        if not found.repeated:
            row += 1
            words, first, wholes[row] = _ROW.unpack(found.kept)
            documents += first
            source = source_names.setdefault(found.source, len(source_names))
            table[row] = words, source, len(found.name)
            names.write(found.name)
        rank[found.number] = row
    held = np.flatnonzero(wholes)
    return _Rows(
        documents=documents,
        rank=rank,
        words=table[: row + 1, 0],
        sources=table[: row + 1, 1],
        name_lengths=table[: row + 1, 2],
        wholes=wholes[held],
        whole_rows=held.astype("<u4"),
        source_names=source_names,
        names=names,
    )


def _later_parts(batch: DocumentBatch, parts: DocumentBatch) -> set[int]:
    """Numbers of the parts that are not the first of their document: those whose name is not the next document's."""
    later: set[int] = set()
    document = 0
    for number in range(len(parts)):
        if document < len(batch) and parts.ids[number] == batch.ids[document]:
            document += 1
        else:
            later.add(number)
    return later


def _copy(source: IO[bytes], target: IO[bytes]) -> None:
    source.seek(0)
    while chunk := source.read(1 << 20):
        target.write(chunk)
