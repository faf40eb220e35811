"""Writing files so that nobody ever sees half of one: a new file beside the old, synced, then renamed over it."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO


@contextmanager
def replaced(path: Path) -> Iterator[IO[bytes]]:
    """A new file beside `path` that takes its place when the block ends well, and vanishes when it does not.

    The folder is made if it is absent. Raises `OSError` where the disk refuses, and for a folder, a device or a pipe in its
    place: a rename would put a file where /dev/null was.
    """
    if path.exists() and not path.is_file():
        raise FileExistsError(errno.EEXIST, "a folder, a device or a pipe stands there", str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".writing-{secrets.token_hex(8)}")
    try:
        with temporary.open("xb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(path)
        _sync_folder(path.parent)
    finally:
        temporary.unlink(missing_ok=True)


def write_durably(path: Path, data: bytes) -> None:
    """Put `data` at `path` all at once, replacing what is there. Raises `OSError` where the disk refuses."""
    with replaced(path) as stream:
        stream.write(data)


def _sync_folder(folder: Path) -> None:
    """The rename itself is on disk only when the folder is."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
