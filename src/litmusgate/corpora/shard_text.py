"""Plain text files: one file is one document, and a large one is read in parts that overlap."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import IO

import numpy as np

from litmusgate.corpora.document_names import Origin
from litmusgate.corpora.utf8 import is_utf8
from litmusgate.errors import CorpusError, Location
from litmusgate.provenance.batch import DocumentBatch

PART_BYTES = 8 << 20
"""A file of more bytes is read in parts of so many, each a document named `file@first byte`."""

OVERLAP_BYTES = 1 << 20
"""How much of the end of a part the next one repeats: what an instance and its surroundings may have at most."""

_READ_BYTES = 1 << 20
_FEW_NULS = 8
"""One NUL in so many bytes is no text in UTF-8: every other byte of Latin text in UTF-16 is one."""


def read_text(stream: IO[bytes], origin: Origin) -> Iterator[DocumentBatch]:
    """The text of `stream`; raises `CorpusError` for an empty file and, with its line, for what is not UTF-8."""
    start = lines = 0
    pending = b""
    for chunk in _chunks(stream, origin.path):
        pending += chunk
        while len(pending) > PART_BYTES:
            end = _boundary(pending, PART_BYTES)
            yield _part(pending[:end], start, lines, origin)
            keep = _boundary(pending, end - OVERLAP_BYTES)
            lines += pending.count(b"\n", 0, keep)
            start, pending = start + keep, pending[keep:]
    if not pending:
        raise CorpusError("the file is empty", wanted="a text", at=Location(path=origin.path))
    yield _part(pending, start, lines, origin)


def _chunks(stream: IO[bytes], path: str) -> Iterator[bytes]:
    first = True
    while chunk := stream.read(_READ_BYTES):
        if chunk.count(b"\0") * _FEW_NULS > len(chunk):
            raise CorpusError(
                "the text is full of NUL bytes",
                wanted="UTF-8",
                fix="it may be UTF-16 or UTF-32: convert it",
                at=Location(path=path),
            )
        yield chunk.removeprefix(codecs.BOM_UTF8) if first else chunk
        first = False


def _boundary(text: bytes, near: int) -> int:
    """The place after the last space or line end in the 256 bytes before `near`, else the last beginning of a character."""
    space = max(text.rfind(b" ", near - 256, near), text.rfind(b"\n", near - 256, near))
    if space >= 0:
        return space + 1
    while near > 0 and text[near] & 0xC0 == 0x80:
        near -= 1
    return near


def _part(text: bytes, start: int, lines: int, origin: Origin) -> DocumentBatch:
    data = np.frombuffer(text, np.uint8)
    if not is_utf8(data):
        raise _not_utf8(text, lines, origin)
    return DocumentBatch(
        corpus=origin.corpus,
        data=data,
        offsets=np.array([0, len(text)], np.int64),
        ids=[origin.file if start == 0 else f"{origin.file}@{start}"],
        sources=[origin.corpus],
    )


def _not_utf8(text: bytes, lines: int, origin: Origin) -> CorpusError:
    try:
        text.decode("utf-8")
    except UnicodeDecodeError as problem:
        line = lines + text.count(b"\n", 0, problem.start) + 1
        column = problem.start - text.rfind(b"\n", 0, problem.start)
        return CorpusError(
            "the text is not UTF-8",
            got=repr(text[problem.start : problem.start + 8]),
            at=Location(path=origin.path, line=line, column=column),
        )
    return CorpusError("the text is not UTF-8", at=Location(path=origin.path))
