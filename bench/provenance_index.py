"""The fingerprint index: how large it is beside its text, and how fast a whole suite is looked up in it."""

from __future__ import annotations

from dataclasses import dataclass

from provenance_series import Series, Unmeasured
from provenance_world import World

WANTED_FINGERPRINTS = 20_000_000
"""How many fingerprints the queried index must hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexReading:
    """One index: bytes on disk and of its text, and, for a queried index of `fingerprints`, the warm seconds of a whole suite."""

    index_bytes: int
    text_bytes: int
    fingerprints: int
    query_seconds: float


def measure_index(world: World) -> IndexReading:
    """Build an index of the bench corpus and one of `WANTED_FINGERPRINTS`, and query that with the suite, warm.

    >>> INTEGRATOR: TO FILL IN, in a process of its own (see `provenance_engine.run_apart`). Raises `Unmeasured`. <<<
    """
    raise Unmeasured(f"no index of {world.corpora['whole-parquet'].megabytes:.0f} MB of text is built yet")


def read_index(world: World, series: Series) -> None:
    """Read size and query time. An index smaller than demanded says nothing about the demand on queries."""
    try:
        reading = measure_index(world)
    except Unmeasured as problem:
        series.problems.update({"index: size": str(problem), "index: query": str(problem)})
        return
    series.readings["index: size"] = [reading.index_bytes / reading.text_bytes]
    series.readings["index: query"] = [reading.query_seconds]
    if reading.fingerprints < WANTED_FINGERPRINTS:
        series.problems["index: query"] = f"the index holds {reading.fingerprints} fingerprints"
