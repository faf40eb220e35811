"""Files of the user: read whole with a clear error, written whole or not at all."""

from __future__ import annotations

from pathlib import Path

from litmusgate.durable import write_durably
from litmusgate.errors import LitmusGateError, Location, UsageError


def read_bytes(path: Path, *, what: str, error: type[LitmusGateError] = UsageError) -> bytes:
    """The bytes of `path`; raises `error` naming `what` when it is absent, a folder or unreadable."""
    try:
        return path.read_bytes()
    except OSError as problem:
        raise error(
            f"{what} cannot be read", got=problem.strerror or str(problem), at=Location(path=str(path))
        ) from problem


def write_new(path: Path, data: bytes, *, force: bool = False) -> None:
    """Write `data` to `path` through a temporary file and a rename, so that nobody ever sees half of it.

    Refuses to replace a file with other content unless `force`; writing the same bytes again is no change.
    """
    if path.exists() and not force and path.read_bytes() != data:
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
