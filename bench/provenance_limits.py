"""What the machine does with the same bytes when nothing is looked for: the limits that a scan is set against.

Each limit is measured by a process of its own on one core: CPU seconds around the work alone, inputs in the page cache.
`wc -w` is a command: its run less a run on an empty file, in the C locale and in UTF-8.
"""

from __future__ import annotations

import hashlib
import io
import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from provenance_series import Series, Unmeasured, one_core, seconds_on_one_core
from provenance_world import World

CHUNK_BYTES = 1 << 20
REPEATS = 3


def main(name: str, folder: str) -> None:
    """Print the least CPU seconds of `REPEATS` passes, after one that warms the caches."""
    work = LIMITS[name]
    work(Path(folder))
    print(min(cpu_seconds_of(work, Path(folder)) for _ in range(REPEATS)))


def cpu_seconds_of(work: Callable[[Path], object], folder: Path) -> float:
    """CPU seconds of one pass."""
    begun = time.process_time()
    work(folder)
    return time.process_time() - begun


def read_pages(folder: Path) -> None:
    """Read the text from the page cache into one buffer."""
    buffer = bytearray(CHUNK_BYTES)
    for path in sorted((folder / "text").glob("*.txt")):
        with path.open("rb", buffering=0) as file:
            while file.readinto(buffer):
                pass


def digest(folder: Path) -> None:
    """sha256 of the text, read as above."""
    buffer, total = bytearray(CHUNK_BYTES), hashlib.sha256()
    for path in sorted((folder / "text").glob("*.txt")):
        with path.open("rb", buffering=0) as file:
            while count := file.readinto(buffer):
                total.update(memoryview(buffer)[:count])


def unpack(folder: Path) -> None:
    """Decode the text, one zstd frame a shard, as a stream into one buffer."""
    import pyarrow as pa

    buffer = bytearray(CHUNK_BYTES)
    for path in sorted((folder / "text").glob("*.zst")):
        with pa.CompressedInputStream(pa.OSFile(str(path)), "zstd") as stream:
            while stream.readinto(buffer):
                pass


def read_column(folder: Path) -> None:
    """Decode the text column of the Parquet shards with one thread."""
    import pyarrow.parquet as pq

    for path in sorted((folder / "whole-parquet").glob("*.parquet")):
        with pq.ParquetFile(path) as file:
            for group in range(file.num_row_groups):
                file.read_row_group(group, columns=["text"], use_threads=False)


def read_json(folder: Path) -> None:
    """Parse the JSONL shards with an explicit schema and one thread."""
    import pyarrow as pa
    import pyarrow.json as pj

    schema = pa.schema([("id", pa.string()), ("text", pa.string())])
    parse = pj.ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore")
    for path in sorted((folder / "whole-jsonl").glob("*.jsonl")):
        data = path.read_bytes()
        options = pj.ReadOptions(use_threads=False, block_size=len(data) + 1)
        pj.read_json(io.BytesIO(data), read_options=options, parse_options=parse)


LIMITS: dict[str, Callable[[Path], None]] = {
    "page-cache read": read_pages,
    "sha256": digest,
    "zstd decode": unpack,
    "Parquet column decode": read_column,
    "pyarrow.json": read_json,
}
COUNTS = {"wc -w (C)": "C", "wc -w (UTF-8)": "C.UTF-8"}
"""Name → locale."""


def time_limits(world: World, series: Series) -> None:
    """Add one round of every limit."""
    for name in LIMITS:
        series.read(name, partial(limit_seconds, name, world.folder))
    text = [str(path) for path in sorted((world.folder / "text").glob("*.txt"))]
    for name, locale in COUNTS.items():
        for part, paths in (("run", text), ("start", [os.devnull])):
            command = ["env", f"LC_ALL={locale}", "wc", "-w", *paths]
            series.read(f"{name}: {part}", partial(seconds_on_one_core, command))


def limit_seconds(name: str, folder: Path) -> float:
    """CPU seconds of one limit, measured by a process of its own. Raises `Unmeasured`."""
    with one_core():
        command = [sys.executable, str(Path(__file__)), name, str(folder)]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        raise Unmeasured(f"it ended with exit code {done.returncode}")
    return float(done.stdout)


def limit_rate(name: str, world: World, series: Series) -> float:
    """MB of text per second of one core. Raises `Unmeasured`."""
    seconds = series.seconds(name) if name in COUNTS else series.least(name)
    return world.corpora["whole-parquet"].megabytes / seconds


if __name__ == "__main__":
    main(*sys.argv[1:])
