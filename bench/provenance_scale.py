"""The contamination engine against its limits and peers, on the same data in the same run.

Prints every demand with its figure and writes `docs/benchmarks.md`; ends with 1 when a demand is missed or has no figure. Times of two
runs on one machine differ by some per cent: a demand on them that is missed by at most 5 % is printed as missed, and no failure.
Without `../shared/bench/provenance` nothing is measured: that is printed, and is a failure with LITMUSGATE_REQUIRE=all. A peer
that this machine cannot run is named and skipped.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import provenance_engine as engine
from provenance_checks import Check, recall_checks, speed_checks
from provenance_flags import Score
from provenance_index import read_index
from provenance_limits import time_limits
from provenance_page import PAGE, Outcome, line_of, page, speed_rows
from provenance_peers import PEERS, Peer, Seat, find, prepare, time_once
from provenance_series import Series, Unmeasured
from provenance_venvs import TOOLS, Absent, install
from provenance_world import World, open_world, source_problem

REQUIRE_ALL = os.environ.get("LITMUSGATE_REQUIRE") == "all"
ROUNDS = 3
TIMED_UNITS = ("x", " s")
MOST_ROUNDS = 6
"""Another program that takes the machine for a moment makes figures worse and never better: then the rounds go on."""


def main() -> int:
    """Measure, print and write; 1 when a demand is missed, or a skip is not allowed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--world", type=Path, help="Folder to make the data in, or to take it from when it is there.")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"Interleaved rounds (default {ROUNDS}).")
    parser.add_argument("--page", type=Path, default=PAGE, help="Where to write the page (default docs/benchmarks.md).")
    options = parser.parse_args()
    problem = source_problem()
    if problem is not None:
        say(f"skipped: {problem}")
        return 1 if REQUIRE_ALL else 0
    with tempfile.TemporaryDirectory(prefix="litmusgate-bench-") as work:
        world = open_world(made(options.world or Path(work) / "world"))
        outcome = measure(world, Path(work), options.rounds)
    options.page.write_text(page(outcome), "utf-8")
    for name, figure, on in speed_rows(outcome):
        say(f"{name}, MB/s per core: {figure}{on and f' ({on})'}")
    for check in outcome.checks:
        print(line_of(check))
    for label, why in outcome.absent.items():
        say(f"not measured: {label}: {why}")
    missed = [check for check in outcome.checks if not check.met and not is_skipped(check, outcome)]
    say(f"{len(outcome.checks) - len(missed)} of {len(outcome.checks)} demands met, written to {options.page.name}")
    near = [check.name for check in missed if is_near(check)]
    if near:
        say(f"missed by no more than two runs on one machine differ (5 %), no failure: {'; '.join(near)}")
    return 1 if len(missed) > len(near) else 0


def is_missed(check: Check) -> bool:
    """Whether there is a figure, and it is on the wrong side."""
    return check.measured is not None and not check.met


def is_near(check: Check) -> bool:
    """Whether a figure that is made of times misses its demand by at most 5 %: it is printed as missed, and no failure."""
    if check.measured is None or check.unit not in TIMED_UNITS:
        return False
    return abs(check.measured - check.wanted) * 20 <= check.wanted


def is_skipped(check: Check, outcome: Outcome) -> bool:
    """Whether the demand is on a peer that this machine cannot run; that is printed, and no failure."""
    return check.measured is None and any(label in check.name for label in outcome.absent)


def say(line: str) -> None:
    """Print one line of progress."""
    print(f"provenance: {line}", flush=True)


def made(folder: Path) -> Path:
    """The data in `folder`, written by another process unless it is there already."""
    if not (folder / "corpora.json").exists():
        say("writing the corpora")
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, str(Path(__file__).with_name("provenance_world.py")), str(folder)], check=True)
    return folder


def measure(world: World, work: Path, rounds: int) -> Outcome:
    """Install and prepare the peers, time everything in turns, then see what each finds."""
    absent: dict[str, str] = {}
    seats = seated(world, work, absent)
    begun, series = time.monotonic(), Series()
    done = 0
    while done < rounds or (done < MOST_ROUNDS and any(is_missed(check) for check in speed_checks(world, series))):
        done += 1
        say(f"round {done}, of {rounds} at least")
        time_limits(world, series)
        engine.time_engine(world, series)
        for peer in PEERS:
            if peer.label in seats:
                time_once(peer, seats[peer.label], series)
    absent |= {label: why for label in seats if (why := series.problem_of(label)) is not None}
    engine.read_peaks(world, series)
    read_index(world, series)
    say("recall and false reports")
    scores, found = found_by(world, seats, absent)
    checks = [*speed_checks(world, series), *recall_checks(world, found)]
    say(f"measured in {time.monotonic() - begun:.0f} s")
    return Outcome(
        rounds=done,
        world=world,
        series=series,
        checks=tuple(checks),
        scores=scores,
        absent=absent,
        found=attempt(found),
    )


def seated(world: World, work: Path, absent: dict[str, str]) -> dict[str, Seat]:
    """A seat for every peer that could be installed and prepared; the others go to `absent`, and are named at once."""
    begun = time.monotonic()
    installed = {tool.name: install(tool) for tool in TOOLS}
    seats = {}
    for peer in PEERS:
        python = installed[peer.tool]
        if isinstance(python, Absent):
            absent[peer.label] = python.why
            continue
        seat = Seat(python=python, world=world, folder=work / peer.label.replace(" ", "-"))
        seat.folder.mkdir()
        try:
            prepare(peer, seat)
            seats[peer.label] = seat
        except Unmeasured as problem:
            absent[peer.label] = str(problem)
    for label, why in absent.items():
        say(f"skipped: {label}: {why}")
    say(f"peers installed and their indexes built in {time.monotonic() - begun:.0f} s")
    return seats


def found_by(
    world: World, seats: dict[str, Seat], absent: dict[str, str]
) -> tuple[dict[str, Score], Callable[[], engine.Found]]:
    """What every peer finds, and a function that gives what the engine finds or raises `Unmeasured`; all cores at work."""

    def search(peer: Peer) -> Score | str:
        try:
            return find(peer, seats[peer.label])
        except Unmeasured as problem:
            return str(problem)

    present = [peer for peer in PEERS if peer.label in seats]
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        ours = pool.submit(engine.find, world)
        answers = dict(zip((peer.label for peer in present), pool.map(search, present), strict=True))
    absent |= {label: answer for label, answer in answers.items() if isinstance(answer, str)}
    return {label: answer for label, answer in answers.items() if isinstance(answer, Score)}, ours.result


def attempt(found: Callable[[], engine.Found]) -> engine.Found | None:
    """What the engine found; `None` where that could not be measured (a check says why)."""
    try:
        return found()
    except Unmeasured:
        return None


if __name__ == "__main__":
    sys.exit(main())
