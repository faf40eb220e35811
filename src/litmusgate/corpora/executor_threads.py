"""Threads of this process: the kernels let go of the interpreter's lock, so that threads scan side by side."""

from __future__ import annotations

from collections.abc import Collection
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from litmusgate.corpora.executor_place import ShardWork, lost_shard
from litmusgate.corpora.shard_scan import ShardReading
from litmusgate.corpora.shards import Shard


class Threads:
    """`count` threads that share one `work`."""

    def __init__(self, work: ShardWork, count: int) -> None:
        self._work = work
        self._pool = ThreadPoolExecutor(count, thread_name_prefix="scan")
        self.in_flight = 2 * count

    def __enter__(self) -> Threads:
        self._work.prepare()  # before the threads begin: each would build the tables for itself
        return self

    def __exit__(self, *_: object) -> None:
        self._work.stop()
        self._pool.shutdown(cancel_futures=True)

    def begin(self, shard: Shard) -> Future[ShardReading]:
        """Queue `shard` for the next free thread."""
        return self._pool.submit(self._work, shard)

    def wait(self, tasks: Collection[Future[ShardReading]]) -> Collection[Future[ShardReading]]:
        """Wait for the first of them."""
        return wait(tasks, return_when=FIRST_COMPLETED).done

    def take(self, task: Future[ShardReading], shard: Shard) -> ShardReading:
        """The reading; a shard for which the memory did not suffice is a problem, as where a process is killed for it."""
        try:
            return task.result()
        except MemoryError:
            return lost_shard(shard, "out of memory")
