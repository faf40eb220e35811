"""What an executor is to the rest: a place that takes a few shards at a time and gives a reading of each."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import AbstractContextManager
from typing import Any, Protocol

from litmusgate.corpora.shard_scan import ShardReading
from litmusgate.corpora.shards import Shard
from litmusgate.errors import CorpusError, Location
from litmusgate.provenance.reading import Reading


class ShardWork(Protocol):
    """What is done with each shard, such as a `ShardScanner`. It can be pickled, and threads may share it."""

    def prepare(self) -> object:
        """Build, once for each process, what all shards need."""

    def stop(self) -> None:
        """Let the shards that threads are at end soon, with whatever result: nobody waits for it any more."""

    def __call__(self, shard: Shard, /) -> ShardReading:
        """Read one shard; what is wrong with the shard is a value, everything else is raised."""


class Place(AbstractContextManager["Place"], Protocol):
    """Where shards are scanned. Leaving it ends what still runs there; tasks are its own and can be hashed."""

    @property
    def in_flight(self) -> int:
        """How many shards it takes at a time: enough that no worker waits, few enough that no queue of readings forms."""

    def begin(self, shard: Shard) -> Any:
        """Have `shard` scanned, and return the task at once."""

    def wait(self, tasks: Collection[Any]) -> Collection[Any]:
        """Wait until at least one of `tasks` is done, and return those that are."""

    def take(self, task: Any, shard: Shard) -> ShardReading:
        """The reading that a task which is done gave. A lost worker is a problem of its shard; errors are raised."""


def lost_shard(shard: Shard, why: str) -> ShardReading:
    """What is said of a shard whose worker did not live to give its reading."""
    problem = CorpusError(
        "the worker that read this was lost",
        got=why,
        fix="scan again, with --resume only what is missing; where memory is short with fewer workers",
        at=Location(path=shard.uri),
    )
    return ShardReading(shard=shard, reading=Reading(), problem=problem.render())
