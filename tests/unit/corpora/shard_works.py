"""Shard work for tests of the executors: at module level, so that other processes can import it."""

import os
import signal
import time
from pathlib import Path

from litmusgate.corpora.shard_scan import ShardReading
from litmusgate.corpora.shards import Shard
from litmusgate.errors import UsageError
from litmusgate.provenance.reading import Reading


class Counting:
    """Says of each shard how large it is; a shard may be named for what shall happen to whoever reads it."""

    def __init__(self, *, prepared: str = "") -> None:
        self.prepared = prepared

    def prepare(self) -> None:
        """Do what `prepared` says."""
        if self.prepared == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.prepared == "raise":
            raise UsageError("no such engine")

    def stop(self) -> None:
        """Nothing of it takes long."""

    def __call__(self, shard: Shard) -> ShardReading:
        """Do what the shard's name says."""
        kind, _, place = shard.uri.partition(":")
        if kind == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if kind == "kill-once" and not Path(place).exists():
            Path(place).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        if kind == "leave":
            os._exit(3)
        if kind == "raise":
            raise UsageError("raised in a worker", got=place)
        if kind == "odd":
            raise UnsendableError(len)
        if kind == "memory":
            raise MemoryError
        if kind == "problem":
            return ShardReading(shard=shard, reading=Reading(), problem="cannot be read")
        return ShardReading(shard=shard, reading=Reading(documents=shard.size))


class UnsendableError(Exception):
    """An error that cannot be pickled."""

    def __init__(self, what: object) -> None:
        super().__init__("odd")
        self.what = lambda: what


def shards(*names: str) -> tuple[Shard, ...]:
    """A shard of each name, of 1, 2, 3 … bytes."""
    return tuple(Shard(uri=name, part=None, size=number, etag="") for number, name in enumerate(names, 1))


class Sleeping(Counting):
    """All shards but the first take longer than anybody waits."""

    def __call__(self, shard: Shard) -> ShardReading:
        """Sleep, but for the shard `now`."""
        if shard.uri != "now":
            time.sleep(600)
        return super().__call__(shard)


class Telling(Counting):
    """Keeps the names of shards that were begun."""

    def __init__(self) -> None:
        super().__init__()
        self.begun: list[str] = []

    def __call__(self, shard: Shard) -> ShardReading:
        """Keep the name."""
        self.begun.append(shard.uri)
        return super().__call__(shard)
