"""Lines of a corpus file, decompressed while reading; a stream that ends early is an error, never a shorter corpus."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from litmusgate.errors import CorpusError, Location
from litmusgate.packed import PACKED_ENDINGS, UNREADABLE, open_packed, why_unreadable

MAX_DECOMPRESSED_BYTES = 2 * 2**30
"""Largest decompressed size of one file (T5); a bigger corpus comes in more files."""

MAX_LINE_BYTES = 64 * 2**20
"""Longest line, in bytes: a long book."""

_CHUNK = 1 << 20


def compressed_suffix(path: Path) -> bool:
    """Whether the file says it is compressed."""
    return path.suffix in PACKED_ENDINGS


def read_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Lines of `path` as UTF-8 without their newline, counted from 1; raises `CorpusError` with the line it failed at."""
    number = 0
    try:
        for line in _split(_limited(path), path):
            number += 1
            yield number, _decoded(line, path, number)
    except UNREADABLE as problem:
        raise CorpusError(
            "the file cannot be read to its end",
            got=why_unreadable(problem),
            fix="fetch it again; a part of a corpus is no evidence",
            at=Location(path=str(path), line=number + 1),
        ) from problem


def _split(chunks: Iterator[bytes], path: Path) -> Iterator[bytes]:
    """The lines in `chunks`; the last one may lack its line end. Pieces of a long line are joined once, not piece by piece."""
    pending: list[bytes] = []
    pending_bytes, number = 0, 1
    for chunk in chunks:
        *whole, rest = chunk.split(b"\n")
        for piece in whole:
            yield b"".join((*pending, piece))
            pending, pending_bytes, number = [], 0, number + 1
        pending.append(rest)
        pending_bytes += len(rest)
        if pending_bytes > MAX_LINE_BYTES:
            raise CorpusError(
                "the line is too long",
                wanted=f"at most {MAX_LINE_BYTES} bytes",
                fix="split it into documents",
                at=Location(path=str(path), line=number),
            )
    if pending_bytes:
        yield b"".join(pending)


def _limited(path: Path) -> Iterator[bytes]:
    total = 0
    for chunk in _chunks(path):
        total += len(chunk)
        if total > MAX_DECOMPRESSED_BYTES:
            raise CorpusError(
                "the file is too large when decompressed",
                wanted=f"at most {MAX_DECOMPRESSED_BYTES} bytes",
                fix="split it",
                at=Location(path=str(path)),
            )
        yield chunk


def _chunks(path: Path) -> Iterator[bytes]:
    with open_packed(path) as stream:
        while chunk := stream.read(_CHUNK):
            yield chunk


def _decoded(line: bytes, path: Path, number: int) -> str:
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as problem:
        raise CorpusError(
            "the line is not UTF-8",
            got=repr(line[problem.start : problem.start + 8]),
            at=Location(path=str(path), line=number, column=problem.start + 1),
        ) from problem
