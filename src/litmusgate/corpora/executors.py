"""Where shards are scanned: threads or processes of this machine, or a Ray or Dask cluster.

What comes out is the same everywhere: one reading for each shard, and readings add up in any order. A worker that is lost is
a problem of its shard, named in the result, which is then incomplete.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

from litmusgate.corpora.executor_place import Place, ShardWork
from litmusgate.corpora.shard_scan import ShardReading
from litmusgate.corpora.shards import Shard
from litmusgate.errors import UsageError

_WANTED = "threads:N, processes:N, ray, ray:ADDRESS, dask or dask:ADDRESS"


@dataclass(frozen=True, slots=True, kw_only=True)
class Workers:
    """Which kind; for threads and processes how many, for clusters the address (None: one started for the scan)."""

    kind: Literal["threads", "processes", "ray", "dask"]
    count: int = 1
    address: str | None = None

    @classmethod
    def parse(cls, text: str | None) -> Workers:
        """`threads:N`, `processes:N`, `ray`, `ray:ADDRESS`, `dask` or `dask:ADDRESS`; None is a thread for each core.

        Without `:N` it is one for each core. Raises `UsageError` for anything else.
        """
        kind, colon, rest = ("threads" if text is None else text).partition(":")
        match kind:
            case "ray" | "dask" if bool(colon) == bool(rest):
                return cls(kind=kind, address=rest or None)
            case "threads" | "processes" if not colon:
                return cls(kind=kind, count=_cores())
            case "threads" | "processes" if rest.isdecimal() and int(rest) > 0:
                return cls(kind=kind, count=int(rest))
        raise UsageError("--workers is not understood", got=repr(text), wanted=_WANTED)


def run_shards(work: ShardWork, shards: Sequence[Shard], *, workers: Workers) -> Iterator[ShardReading]:
    """One reading for each shard, as they come; never more of them at a time than the workers keep busy.

    What is raised in a worker is raised here. Raises `UsageError` where the library of a cluster is not installed, and
    `CorpusError` where a cluster is out of reach. Closing the iterator ends the workers.
    """
    if not shards:
        return
    waiting = iter(shards)
    running: dict[Any, Shard] = {}
    with _place(work, workers, most=len(shards)) as place:
        while True:
            for shard in islice(waiting, max(0, place.in_flight - len(running))):
                running[place.begin(shard)] = shard
            if not running:
                return
            for task in place.wait(running.keys()):
                yield place.take(task, running.pop(task))


def _place(work: ShardWork, workers: Workers, *, most: int) -> Place:
    if workers.kind == "threads":
        from litmusgate.corpora.executor_threads import Threads

        return Threads(work, min(workers.count, most))
    if workers.kind == "processes":
        from litmusgate.corpora.executor_processes import Processes

        return Processes(work, min(workers.count, most))
    _check_installed("ray" if workers.kind == "ray" else "distributed", extra=workers.kind)
    if workers.kind == "ray":
        from litmusgate.corpora.executor_ray import Ray

        return Ray(work, workers.address)
    from litmusgate.corpora.executor_dask import Dask

    return Dask(work, workers.address)


def _check_installed(library: str, *, extra: str) -> None:
    if importlib.util.find_spec(library) is None:
        raise UsageError(
            f"--workers {extra} needs {library}, which is not installed",
            wanted=f"the extra `{extra}`",
            fix=f"pip install 'litmusgate[{extra}]', or use processes:N",
        )


def _cores() -> int:
    """Cores this process may use: a container often has fewer than its machine."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
