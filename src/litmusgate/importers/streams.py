"""Lines of text files, plain or compressed. A file that ends in the middle of a compressed stream is an error."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from litmusgate.documents import decode_utf8
from litmusgate.errors import ImportFormatError, Location
from litmusgate.packed import UNREADABLE, open_packed, why_unreadable

MAX_LINE_BYTES = 64_000_000
"""Longest line of a text log, in bytes: it bounds the memory that a hostile or compressed line can take."""

_CHUNK_BYTES = 1 << 20


def text_lines(path: Path) -> Iterator[str]:
    """The lines of `path` with their `\\n`, decompressed by its ending (`.gz`, `.zst`), a byte order mark dropped.

    Raises `ImportFormatError` for a truncated or damaged compressed stream, a line beyond `MAX_LINE_BYTES`, and text
    that is not UTF-8.
    """
    for number, line in enumerate(_byte_lines(path), start=1):
        at = Location(path=str(path), line=number)
        if number == 1:
            yield decode_utf8(line, path=str(path), error=ImportFormatError)
            continue
        try:
            yield line.decode("utf-8")
        except UnicodeDecodeError as problem:
            wanted = "UTF-8"
            raise ImportFormatError(f"not valid UTF-8: {problem.reason}", wanted=wanted, at=at) from problem


def _byte_lines(path: Path) -> Iterator[bytes]:
    pending: list[bytes] = []
    pending_bytes = 0
    for chunk in _chunks(path):
        *whole, rest = chunk.split(b"\n")
        for piece in whole:
            yield b"".join([*pending, piece, b"\n"])
            pending, pending_bytes = [], 0
        pending.append(rest)
        pending_bytes += len(rest)
        if pending_bytes > MAX_LINE_BYTES:
            raise ImportFormatError(f"a line is longer than {MAX_LINE_BYTES} bytes", at=Location(path=str(path)))
    if pending_bytes:
        yield b"".join(pending)


def _chunks(path: Path) -> Iterator[bytes]:
    try:
        with open_packed(path) as stream:
            while chunk := stream.read(_CHUNK_BYTES):
                yield chunk
    except UNREADABLE as problem:
        raise unreadable(path, problem) from problem


def unreadable(path: Path, problem: Exception) -> ImportFormatError:
    """The error for a file that cannot be opened or ends too early."""
    return ImportFormatError(
        f"the file cannot be read: {why_unreadable(problem)}",
        fix=None if isinstance(problem, FileNotFoundError) else "if the file was cut off, fetch it again",
        at=Location(path=str(path)),
    )
