"""Ray: plain tasks, on this machine or on the cluster at an address; the cluster needs litmusgate and the corpus's paths."""

from __future__ import annotations

import functools
import importlib
import logging
import os
import socket
import sys
from collections.abc import Collection
from contextlib import ExitStack, redirect_stdout
from typing import Any, cast

from litmusgate.corpora.executor_place import ShardWork, lost_shard
from litmusgate.corpora.shard_scan import ShardReading
from litmusgate.corpora.shards import Shard
from litmusgate.errors import CorpusError

ray: Any = importlib.import_module("ray")
ANSWER_SECONDS = 30
"""How long a cluster may take to answer at all."""

_HERE = "local"


class Ray:
    """The cluster at `address`; None starts one on this machine, for this scan. One that the program is in already stays."""

    def __init__(self, work: ShardWork, address: str | None) -> None:
        self._work = work
        self._address = address or _HERE
        self._stack = ExitStack()
        self._scan: Any = None
        self._sent: Any = None

    def __enter__(self) -> Ray:
        with ExitStack() as stack:
            if not ray.is_initialized():
                # Ray tells of lost workers on stdout, from a thread of its own; stdout is for results
                stack.enter_context(redirect_stdout(sys.stderr))
                stack.callback(ray.shutdown)
                _connect(self._address)
            # a task whose worker was lost is tried once more, maybe on another machine
            self._scan = ray.remote(num_cpus=1, max_retries=1)(_scan)
            self._sent = ray.put(self._work)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._sent = None
        self._stack.close()

    @property
    def in_flight(self) -> int:
        """Two for each processor the cluster has now."""
        return 2 * max(1, int(ray.cluster_resources().get("CPU", 1)))

    def begin(self, shard: Shard) -> Any:
        """Send `shard`; the work was put once, and only its reference goes along."""
        return self._scan.remote([self._sent], shard)

    def wait(self, tasks: Collection[Any]) -> Collection[Any]:
        """Wait for the first of them."""
        return cast("list[Any]", ray.wait(list(tasks), num_returns=1)[0])

    def take(self, task: Any, shard: Shard) -> ShardReading:
        """The reading."""
        try:
            return cast("ShardReading", ray.get(task))
        except ray.exceptions.RayTaskError as problem:
            if isinstance(problem.cause, MemoryError):
                return lost_shard(shard, "out of memory")
            raise problem.cause from problem
        except ray.exceptions.RayError as problem:
            return lost_shard(shard, type(problem).__name__)


def _connect(address: str) -> None:
    """Enter the cluster, or start one; it tells nobody and, as far as it can be told to, says little."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    quiet: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False}
    if address == _HERE:
        quiet["include_dashboard"] = False
    try:
        _check_answers(address)
        ray.init(address=address, **quiet)
    except (ImportError, OSError, RuntimeError, ValueError) as problem:
        raise CorpusError(
            "there is no way to the Ray cluster", got=f"{address!r}: {problem}", fix="check the address after ray:"
        ) from problem


def _check_answers(address: str) -> None:
    """Raise `OSError` where nobody listens at `address`; Ray itself would go on trying for a quarter of an hour."""
    host, colon, port = address.rpartition("://")[2].rpartition(":")
    if colon and port.isdecimal():
        socket.create_connection((host.strip("[]"), int(port)), timeout=ANSWER_SECONDS).close()


def _scan(work: list[Any], shard: Shard) -> ShardReading:
    return _prepared(work[0])(shard)


@functools.lru_cache(maxsize=1)
def _prepared(sent: Any) -> ShardWork:
    """The work with its tables, kept in the worker process for the next shard."""
    work: ShardWork = ray.get(sent)
    work.prepare()
    return work
