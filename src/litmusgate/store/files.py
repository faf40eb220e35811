"""Files of the store: read whole with a clear error, written whole and synced or not at all."""

from __future__ import annotations

from pathlib import Path

from litmusgate.durable import write_durably
from litmusgate.errors import Location, RecordError


def size_of(path: Path) -> int:
    """Size in bytes; `RecordError` when the file cannot be read."""
    try:
        return path.stat().st_size
    except OSError as error:
        raise RecordError("an input cannot be read", got=error.strerror, at=Location(path=str(path))) from error


def read_whole(path: Path, *, what: str) -> bytes:
    """All bytes of `path`; `RecordError` naming `what` when it is absent or cannot be read."""
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise RecordError(f"{what} is not in the store", rule="T2", at=Location(path=str(path))) from error
    except OSError as error:
        raise RecordError(f"{what} cannot be read", got=error.strerror, at=Location(path=str(path))) from error


def write_whole(target: Path, data: bytes) -> None:
    """Put `data` at `target` all at once; `RecordError` where the disk refuses."""
    try:
        write_durably(target, data)
    except OSError as error:
        raise RecordError(
            "the store cannot be written", got=error.strerror or str(error), at=Location(path=str(target))
        ) from error
