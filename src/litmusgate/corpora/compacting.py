"""Compacting an index: small segments of one corpus and revision share a file, and files nobody refers to go.

A segment in a shared file is byte for byte what it was, so neither its digest nor that of the index changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import IO

from litmusgate.corpora.index import Index, open_index
from litmusgate.corpora.index_writing import only_writer, write_manifest
from litmusgate.corpora.manifest import Segment
from litmusgate.corpora.segment import altered, open_segment
from litmusgate.digest import digest_json
from litmusgate.durable import replaced

SMALL_BYTES = 1 << 26
"""Files of fewer bytes are put together."""

_OURS = (".text", ".hashes", ".pack")
_WRITING = ".writing-"
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Compacted:
    """What was done: the index, how many segments were moved to shared files, and the names of the deleted files."""

    index: Index
    moved: int
    deleted: tuple[str, ...]


def compact_segments(path: Path) -> Compacted:
    """Put small segments together and delete what the manifest no longer names, in this order.

    Raises `CorpusError` where a segment is not what its manifest says, and then changes nothing.
    """
    open_index(path)  # so that no folder is made where there is no index
    with only_writer(path):
        index = open_index(path)
        placed: list[Segment] = []
        moved = 0
        for _, group in groupby(index.segments, key=lambda segment: (segment.corpus, segment.revision)):
            segments = list(group)
            small = _small(path, segments)
            placed += [segment for segment in segments if segment not in small]
            placed += _packed(path, small)
            moved += len(small)
        if moved:
            index = write_manifest(path, placed, index.retired)
        deleted = _delete_unnamed(path, {segment.file for segment in index.segments})
    return Compacted(index=index, moved=moved, deleted=deleted)


def _small(path: Path, segments: Sequence[Segment]) -> list[Segment]:
    """The segments that stand in small files, where there are several such files."""
    small = [segment for segment in segments if (path / segment.file).stat().st_size < SMALL_BYTES]
    return small if len({segment.file for segment in small}) > 1 else []


def _packed(path: Path, segments: Sequence[Segment]) -> list[Segment]:
    if not segments:
        return []
    name = digest_json([segment.digest for segment in segments]).removeprefix("sha256:") + ".pack"
    placed: list[Segment] = []
    with replaced(path / name) as target:
        for segment in segments:
            start = target.tell()
            with (path / segment.file).open("rb") as source:
                open_segment(source, segment, path / segment.file)
                _copy(source, target, segment, path / segment.file)
            placed.append(segment.model_copy(update={"file": name, "start": start}))
    return placed


def _copy(source: IO[bytes], target: IO[bytes], segment: Segment, path: Path) -> None:
    source.seek(segment.start)
    left = segment.length
    while left:
        chunk = source.read(min(_CHUNK, left))
        if not chunk:
            raise altered(path)
        target.write(chunk)
        left -= len(chunk)


def _delete_unnamed(path: Path, named: set[str]) -> tuple[str, ...]:
    """Files of ours that the manifest does not name: retired segments, and what a killed change left behind."""
    unnamed = sorted(
        file.name
        for file in path.iterdir()
        if file.name not in named and (file.suffix in _OURS or file.name.startswith(_WRITING))
    )
    for name in unnamed:
        (path / name).unlink()
    return tuple(unnamed)
