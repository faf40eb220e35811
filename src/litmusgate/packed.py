"""Compressed files by their ending, read and written without any extra: `.gz`, and `.zst` through the standard library's
module or, before Python 3.14, its backport. Reading takes bounded memory, and a file that was cut off is an error.
"""

from __future__ import annotations

import gzip
import sys
import zlib
from pathlib import Path
from typing import IO, cast

if sys.version_info >= (3, 14):
    from compression.zstd import CompressionParameter, ZstdError, ZstdFile
else:
    from backports.zstd import CompressionParameter, ZstdError, ZstdFile

UNREADABLE: tuple[type[Exception], ...] = (OSError, EOFError, zlib.error, ZstdError)
"""What reading a file of `open_packed` raises: it is absent, cut off inside a stream (`EOFError`), or damaged."""

PACKED_ENDINGS = (".gz", ".zst")
"""File name endings that say a file is compressed."""

_WRITTEN: dict[int, int] = {CompressionParameter.compression_level: 10, CompressionParameter.checksum_flag: 1}


def open_packed(path: Path) -> IO[bytes]:
    """`path` for reading, unpacked by its ending; any other ending is read as it stands."""
    if path.suffix == ".gz":
        return cast("IO[bytes]", gzip.open(path, "rb"))
    if path.suffix == ".zst":
        return cast("IO[bytes]", ZstdFile(path))
    return path.open("rb")


def unpacked(stream: IO[bytes], ending: str) -> IO[bytes]:
    """What `stream` holds, unpacked by the `ending` of its name; closing it leaves `stream` open."""
    if ending == ".gz":
        return cast("IO[bytes]", gzip.GzipFile(fileobj=stream, mode="rb"))
    return cast("IO[bytes]", ZstdFile(stream)) if ending == ".zst" else stream


def zstd_writer(stream: IO[bytes]) -> IO[bytes]:
    """A writer that packs into `stream`, with a checksum over the frame; closing it leaves `stream` open."""
    return cast("IO[bytes]", ZstdFile(stream, "wb", options=_WRITTEN))


def why_unreadable(problem: Exception) -> str:
    """What to tell the user about one of `UNREADABLE`."""
    if isinstance(problem, OSError) and problem.strerror:
        return problem.strerror
    if isinstance(problem, EOFError):
        return "it was cut off in the middle of a compressed stream"
    return str(problem)
