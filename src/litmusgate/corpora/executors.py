"""Where shards are scanned: threads of this process."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass

from litmusgate.corpora.shard_scan import ShardReading
from litmusgate.corpora.shards import Shard
from litmusgate.errors import UsageError


@dataclass(frozen=True, slots=True, kw_only=True)
class Workers:
    """How many, and of which kind."""

    kind: str
    count: int

    @classmethod
    def parse(cls, text: str | None) -> Workers:
        """`threads:N`; None is a thread for each core. Raises `UsageError` for anything else."""
        if text is None:
            return cls(kind="threads", count=os.cpu_count() or 1)
        kind, _, count = text.partition(":")
        if kind != "threads" or not count.isdecimal() or int(count) < 1:
            raise UsageError("--workers is not understood", got=repr(text), wanted="threads:N")
        return cls(kind=kind, count=int(count))


def run_shards(
    work: Callable[[Shard], ShardReading], shards: Sequence[Shard], *, workers: Workers
) -> Iterator[ShardReading]:
    """One reading for each shard, as they come."""
    with ThreadPoolExecutor(workers.count) as pool:
        for future in as_completed([pool.submit(work, shard) for shard in shards]):
            yield future.result()
