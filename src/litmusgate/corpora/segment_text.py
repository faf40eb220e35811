"""Text segments: the documents themselves, in compressed blocks, so that a scan of them estimates nothing."""

from __future__ import annotations

import hashlib
import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from litmusgate.corpora.blocks import StoredDocument, packed_blocks, unpacked
from litmusgate.corpora.manifest import Segment
from litmusgate.corpora.scratch import Scratch
from litmusgate.corpora.segment import Draft, Identity, altered, make_draft, open_segment, unreadable
from litmusgate.corpora.segment_spool import DocumentSpool
from litmusgate.provenance.batch import DocumentBatch

if sys.version_info >= (3, 14):
    from compression.zstd import ZstdDecompressor, ZstdError, compress
else:
    from backports.zstd import ZstdDecompressor, ZstdError, compress

LEVEL = 3
_SIZES = struct.Struct("<QQ")
"""Before each block: its bytes as they are stored, and unpacked."""
_NO_BLOCK = _SIZES.pack(0, 0)
_MOST_BLOCK_BYTES = 1 << 31


class TextBuilder:
    """Takes in documents, then drafts a text segment of them. Raises `OSError` where the disk refuses."""

    def __init__(self, scratch: Scratch) -> None:
        self._scratch = scratch
        self._spool = DocumentSpool(scratch)

    def add(self, batch: DocumentBatch) -> None:
        """Take in the documents of `batch`, each with a word in it."""
        for number in range(len(batch)):
            source = "" if batch.sources[number] == batch.corpus else batch.sources[number]
            text = batch.text(number)
            self._spool.add(batch.ids[number].encode(), source.encode(), text, text)

    def finish(self, identity: Identity, *, blank: int) -> Draft:
        """The draft; documents equal in name, source and text are one, and their order does not matter."""
        body = self._scratch.small_file()
        content = hashlib.sha256()
        documents = 0

        def distinct() -> Iterator[StoredDocument]:
            nonlocal documents
            for found in self._spool.in_order():
                if not found.repeated:
                    documents += 1
                    yield StoredDocument(name=found.name, source=found.source, text=found.kept)

        for block in packed_blocks(distinct()):
            content.update(block)
            stored = compress(block, LEVEL)
            body.write(_SIZES.pack(len(stored), len(block)))
            body.write(stored)
        body.write(_NO_BLOCK)
        return make_draft(
            identity,
            body,
            counts={"documents": documents},
            content=f"sha256:{content.hexdigest()}",
            body_bytes=body.tell(),
            blank=blank,
        )


def read_text_segment(path: Path, segment: Segment) -> Iterator[DocumentBatch]:
    """The documents of a segment, a block at a time; raises `CorpusError` at the latest when the last was given.

    What was given before an error may be altered too: a result counts only when the stream ended.
    """
    try:
        with path.open("rb") as stream:
            yield from _read(stream, path, segment)
    except OSError as problem:
        raise unreadable(problem, path) from problem


def _read(stream: IO[bytes], path: Path, segment: Segment) -> Iterator[DocumentBatch]:
    opened = open_segment(stream, segment, path)
    content = hashlib.sha256()
    documents = 0
    stream.seek(opened.body)
    while (sizes := stream.read(_SIZES.size)) != _NO_BLOCK:
        if len(sizes) != _SIZES.size:
            raise altered(path)
        stored, whole = _SIZES.unpack(sizes)
        if stream.tell() + stored > opened.end or whole > _MOST_BLOCK_BYTES:
            raise altered(path)
        block = _unpacked(stream.read(stored), whole, path)
        content.update(block)
        try:
            batch = unpacked(block, corpus=segment.corpus)
        except ValueError as problem:
            raise altered(path) from problem
        documents += len(batch)
        yield batch
    if f"sha256:{content.hexdigest()}" != opened.header.get("content") or documents != segment.documents:
        raise altered(path)


def _unpacked(stored: bytes, whole: int, path: Path) -> bytes:
    """A block unpacked, never to more than the size that stands before it."""
    unpacker = ZstdDecompressor()
    try:
        block = unpacker.decompress(stored, max_length=whole + 1)
    except (ZstdError, EOFError, MemoryError, OverflowError) as problem:
        raise altered(path) from problem
    if len(block) != whole or not unpacker.eof or unpacker.unused_data:
        raise altered(path)
    return block
