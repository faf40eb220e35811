"""Run files on disk: `.jsonl`, `.jsonl.zst`, `.parquet`; read whole or refused, written whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO

from litmusgate.durable import replaced
from litmusgate.errors import Location, RunError, UsageError
from litmusgate.evidence.columns import TrialColumns
from litmusgate.evidence.run import Run, RunHeader, make_run
from litmusgate.packed import UNREADABLE, open_packed, why_unreadable, zstd_writer
from litmusgate.runs.run_jsonl import run_from_chunks, run_lines
from litmusgate.runs.run_parquet import read_parquet, write_parquet

MAX_RUN_BYTES = 8 * 1024**3
"""Largest run that is read, in bytes after decompression, unless the caller says otherwise."""

_CHUNK_BYTES = 1024 * 1024
_ENDINGS = (".jsonl", ".jsonl.zst", ".parquet")


def read_run(path: Path | str, *, max_bytes: int = MAX_RUN_BYTES) -> Run:
    """The run in `path`, by the file's ending. The digest depends on the trials, not on the format.

    `max_bytes` bounds the run after decompression. A header without trials is a run of 0 trials, for the gate to judge.
    Raises `UsageError` for another ending or a missing extra, `RunError` (with path and line where there is one) for a file
    that is absent, cut off, damaged, larger than `max_bytes`, or that holds an attempt twice (E3).
    """
    path = Path(path)
    at = Location(path=str(path))
    header, columns = _read(path, max_bytes)
    try:
        return make_run(header, columns)
    except RunError as problem:
        raise RunError(
            problem.what, rule=problem.rule, got=problem.got, wanted=problem.wanted, fix=problem.fix, at=at
        ) from problem


def write_run(run: Run, path: Path | str) -> None:
    """Write `run` to `path` in the format of its ending, through a temporary file that is synced and renamed.

    What stands at `path` is replaced. Raises `UsageError` for another ending, a missing extra, or a disk that refuses.
    """
    path = Path(path)
    ending = _ending(path)
    try:
        with replaced(path) as stream:
            if ending == ".parquet":
                write_parquet(run, stream)
            elif ending == ".jsonl.zst":
                with zstd_writer(stream) as packed:
                    _write_lines(run, packed)
            else:
                _write_lines(run, stream)
    except OSError as problem:
        raise UsageError(
            "the run cannot be written", got=problem.strerror or str(problem), at=Location(path=str(path))
        ) from problem


def _read(path: Path, max_bytes: int) -> tuple[RunHeader, TrialColumns]:
    ending = _ending(path)
    try:
        if ending == ".parquet":
            return read_parquet(path, max_bytes=max_bytes)
        with open_packed(path) as stream:
            chunks = iter(lambda: stream.read(_CHUNK_BYTES), b"")
            return run_from_chunks(_limited(chunks, max_bytes, path), path=str(path))
    except UNREADABLE as problem:
        raise RunError("the run cannot be read", got=why_unreadable(problem), at=Location(path=str(path))) from problem


def _ending(path: Path) -> str:
    for ending in _ENDINGS:
        if path.name.endswith(ending):
            return ending
    raise UsageError(
        "the file's ending names no run format",
        got=repr(path.name),
        wanted=" or ".join(_ENDINGS),
        at=Location(path=str(path)),
    )


def _limited(chunks: Iterator[bytes], max_bytes: int, path: Path) -> Iterator[bytes]:
    size = 0
    for chunk in chunks:
        size += len(chunk)
        if size > max_bytes:
            raise RunError(
                "the run is too large when unpacked", wanted=f"at most {max_bytes} bytes", at=Location(path=str(path))
            )
        yield chunk


def _write_lines(run: Run, stream: IO[bytes]) -> None:
    for line in run_lines(run):
        stream.write(line.encode())
