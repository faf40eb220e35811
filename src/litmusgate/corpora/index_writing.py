"""Changing an index: one writer at a time, files before the manifest that names them, the manifest in one step."""

from __future__ import annotations

import contextlib
import fcntl
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from litmusgate.corpora.index import MANIFEST, Index, open_index
from litmusgate.corpora.manifest import Retired, Segment, manifest_bytes
from litmusgate.durable import write_durably
from litmusgate.errors import CorpusError, Location


@contextlib.contextmanager
def only_writer(path: Path) -> Iterator[None]:
    """One writer at a time; the lock dies with its process, so a killed one blocks nobody. The folder is made if absent.

    An `OSError` inside the block becomes a `CorpusError`.
    """
    with writing_errors(path):
        path.mkdir(parents=True, exist_ok=True)
        with (path / ".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


@contextlib.contextmanager
def writing_errors(path: Path) -> Iterator[None]:
    """What the disk refuses is an error of the index at `path`."""
    try:
        yield
    except OSError as problem:
        raise CorpusError(
            "the index cannot be written", got=problem.strerror or str(problem), at=Location(path=str(path))
        ) from problem


def write_manifest(path: Path, segments: Iterable[Segment], retired: Iterable[Retired]) -> Index:
    """Put a manifest of `segments`, whose files must be there already, in the place of the old one."""
    write_durably(path / MANIFEST, manifest_bytes(segments, retired))
    return open_index(path)


def stamp_checked(path: Path, digests: Collection[str], *, now: str) -> Index:
    """Note of the segments `digests`, which must have been checked, that they were at `now`."""
    with only_writer(path):
        index = open_index(path)
        segments = [
            segment.model_copy(update={"checked_at": now}) if segment.digest in digests else segment
            for segment in index.segments
        ]
        return write_manifest(path, segments, index.retired)
