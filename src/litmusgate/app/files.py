"""Files of the user: read whole with a clear error, written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from litmusgate.durable import write_durably
from litmusgate.errors import LitmusGateError, Location, UsageError

MAX_FILE_BYTES = 32 * 1024**2
"""Largest file that one person writes (a policy, a file of instances), in bytes (T5)."""

MAX_RECORD_BYTES = 128 * 1024**2
"""Largest record that grows with the suite (admission, verdict), in bytes."""

MAX_TABLE_BYTES = 2 * 1024**3
"""Largest file with an instance a line, or with a whole suite, in bytes; its lines have a limit of their own."""


def read_bytes(
    path: Path, *, what: str, error: type[LitmusGateError] = UsageError, max_bytes: int = MAX_FILE_BYTES
) -> bytes:
    """The bytes of `path`; raises `error` naming `what` when it is absent, a folder, unreadable or above `max_bytes`."""
    try:
        with path.open("rb") as stream:
            # A file says how large it is; a pipe says nothing, so its bytes are counted too.
            too_large = os.fstat(stream.fileno()).st_size > max_bytes
            data = b"" if too_large else stream.read(max_bytes + 1)
    except OSError as problem:
        raise error(
            f"{what} cannot be read", got=problem.strerror or str(problem), at=Location(path=str(path))
        ) from problem
    if too_large or len(data) > max_bytes:
        raise error(f"{what} is too large", wanted=f"at most {max_bytes} bytes", at=Location(path=str(path)))
    return data


def write_new(path: Path, data: bytes, *, force: bool = False) -> None:
    """Write `data` to `path` through a temporary file and a rename, so that nobody ever sees half of it.

    Refuses to replace a file with other content unless `force`; writing the same bytes again is no change.
    """
    if path.is_file() and not force and read_bytes(path, what="the output", max_bytes=MAX_TABLE_BYTES) != data:
        raise UsageError(
            "the output file exists and holds something else",
            at=Location(path=str(path)),
            fix="name another, or --force",
        )
    replace_bytes(path, data)


def replace_bytes(path: Path, data: bytes) -> None:
    """Write `data` to `path` all at once, replacing what is there; `UsageError` where the disk refuses."""
    try:
        write_durably(path, data)
    except OSError as problem:
        raise UsageError(
            "the output cannot be written", got=problem.strerror or str(problem), at=Location(path=str(path))
        ) from problem
