"""Dask: on this machine or on the cluster at an address; the cluster needs litmusgate and the corpus's paths."""

from __future__ import annotations

import importlib
import logging
import uuid
from collections.abc import Collection
from concurrent.futures import CancelledError
from contextlib import ExitStack, suppress
from typing import Any, cast

from litmusgate.corpora.executor_place import ShardWork, lost_shard
from litmusgate.corpora.shard_scan import ShardReading
from litmusgate.corpora.shards import Shard
from litmusgate.errors import CorpusError

distributed: Any = importlib.import_module("distributed")

ANSWER_SECONDS = 60
"""How long a scheduler may take to answer, and a cluster to have a worker."""


class Dask:
    """The cluster at `address`; None starts one on this machine, for this scan."""

    def __init__(self, work: ShardWork, address: str | None) -> None:
        self._work = work
        self._address = address
        self._name = f"litmusgate-{uuid.uuid4()}"
        self._stack = ExitStack()
        self._client: Any = None

    def __enter__(self) -> Dask:
        with ExitStack() as stack:
            self._client = stack.enter_context(_connect(stack, self._address))
            # a plugin goes to every worker once, to those that join later too
            self._client.register_plugin(_Carrier(self._work), name=self._name)
            stack.callback(self._forget)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @property
    def in_flight(self) -> int:
        """Two for each thread the cluster has now."""
        return 2 * max(1, self._threads())

    def begin(self, shard: Shard) -> Any:
        """Send `shard`; the work is with the workers already."""
        return self._client.submit(_scan, self._name, shard, pure=False)

    def wait(self, tasks: Collection[Any]) -> Collection[Any]:
        """Wait for the first of them, or until the cluster has been without any worker for long."""
        while True:
            try:
                with self._client.as_current():
                    done = distributed.wait(list(tasks), timeout=ANSWER_SECONDS, return_when="FIRST_COMPLETED").done
            except TimeoutError:
                if not self._threads():
                    raise _no_way(self._address, "it has no worker") from None
            except CancelledError:
                return tasks
            else:
                return cast("set[Any]", done)

    def take(self, task: Any, shard: Shard) -> ShardReading:
        """The reading."""
        try:
            return cast("ShardReading", task.result())
        except distributed.KilledWorker:
            return lost_shard(shard, "every worker that tried died")
        except CancelledError:
            return lost_shard(shard, "the cluster gave it up")
        except MemoryError:
            return lost_shard(shard, "out of memory")

    def _threads(self) -> int:
        try:
            return sum(cast("dict[str, int]", self._client.nthreads()).values())
        except OSError as problem:
            raise _no_way(self._address, str(problem)) from problem

    def _forget(self) -> None:
        """Take the work from workers that go on."""
        with suppress(OSError):  # a scheduler that is gone
            self._client.unregister_worker_plugin(self._name)


class _Carrier(distributed.WorkerPlugin):  # type: ignore[misc]
    """Brings the work to a worker."""

    def __init__(self, work: ShardWork) -> None:
        self.work = work


def _scan(name: str, shard: Shard) -> ShardReading:
    work: ShardWork = distributed.get_worker().plugins[name].work
    return work(shard)


def _connect(stack: ExitStack, address: str | None) -> Any:
    """A client of the cluster at `address`, or of one of this machine that `stack` ends."""
    if address is None:
        here = distributed.LocalCluster(threads_per_worker=1, dashboard_address=None, silence_logs=logging.CRITICAL)
        return distributed.Client(stack.enter_context(here), set_as_default=False)
    try:
        client = distributed.Client(address, timeout=ANSWER_SECONDS, set_as_default=False)
        client.wait_for_workers(1, timeout=ANSWER_SECONDS)
    except (OSError, TimeoutError, ValueError) as problem:
        raise _no_way(address, str(problem)) from problem
    return client


def _no_way(address: str | None, why: str) -> CorpusError:
    return CorpusError(
        "there is no way to the Dask cluster", got=f"{address!r}: {why}", fix="check the address after dask:"
    )
