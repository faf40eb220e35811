"""Readings of several rounds by name. What could not be read keeps its reason, and is never taken for a number."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from measure import Cost, cost_of


class Unmeasured(Exception):  # noqa: N818 - it says what became of the figure
    """A figure that could not be measured; a check on it is never met."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """Name → readings of all rounds, and name → why there are none."""

    readings: dict[str, list[float]] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)

    def read(self, name: str, measure: Callable[[], float]) -> None:
        """Add what `measure` returns; an `Unmeasured` of any round spoils the figure."""
        try:
            self.readings.setdefault(name, []).append(measure())
        except Unmeasured as problem:
            self.problems[name] = str(problem)

    def least(self, name: str) -> float:
        """The least reading: whatever else runs on the machine only ever adds. Raises `Unmeasured` where there is none."""
        self._demand(name)
        return min(self.readings[name])

    def most(self, name: str) -> float:
        """The greatest reading, for memory. Raises `Unmeasured` where there is none."""
        self._demand(name)
        return max(self.readings[name])

    def _demand(self, name: str) -> None:
        if name in self.problems or not self.readings.get(name):
            raise Unmeasured(self.problems.get(name, "it was not measured"))

    def problem_of(self, name: str) -> str | None:
        """Why `name: run` or `name: start` has no reading; `None` when both have."""
        return self.problems.get(f"{name}: run", self.problems.get(f"{name}: start"))

    def seconds(self, name: str) -> float:
        """CPU seconds of a run beyond its own start-up: the least `name: run` less the least `name: start`.

        Raises `Unmeasured` when the difference is not above zero: then the run was too short to be told from its start-up.
        """
        beyond = self.least(f"{name}: run") - self.least(f"{name}: start")
        if beyond <= 0:
            raise Unmeasured("the run took no longer than its start-up")
        return beyond


@contextmanager
def one_core() -> Iterator[None]:
    """Children started inside run on one core, where the system can say so."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def seconds_on_one_core(command: list[str], *, wanted: tuple[int, ...] = (0,)) -> float:
    """CPU seconds of `command` on one core. Raises `Unmeasured` when it ends with a code that is not `wanted`."""
    with one_core():
        return checked_cost(command, wanted=wanted).cpu_seconds


def checked_cost(command: list[str], *, wanted: tuple[int, ...] = (0,)) -> Cost:
    """What `command` costs on all cores. Raises `Unmeasured` when it ends with a code that is not `wanted`."""
    cost = cost_of(command)
    if cost.exit_code not in wanted:
        raise Unmeasured(f"it ended with exit code {cost.exit_code}")
    return cost
