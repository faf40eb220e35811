"""What the contamination engine must reach, as checks on figures of one run: name, measured, wanted, met or not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from provenance_engine import PEAKS, Found
from provenance_limits import COUNTS, limit_rate
from provenance_peers import PEERS, rate
from provenance_series import Series, Unmeasured
from provenance_world import World

REPORTED_PER_CENT = {
    **dict.fromkeys(("verbatim", "edit01", "edit03", "edit05", "recase", "repunct", "whitespace", "homoglyph"), 96),
    **dict.fromkeys(("zerowidth", "fullwidth", "leet", "sentshuffle", "quote_wrap", "json_escape", "html_escape"), 96),
    "edit10": 94,
    **dict.fromkeys(("base64", "hex", "rot13", "trunc50"), 95),
}
"""Kind of plant → the share that must be contaminated, in per cent."""

SUSPECT_PER_CENT = dict.fromkeys(("edit20", "synonym15", "synonym40", "paraphrase"), 95)
"""Kind of plant → the share that must be at least suspect, in per cent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One demand. `measured` is `None` where there is no figure, with the reason in `why`; that is never met."""

    name: str
    measured: float | None
    wanted: float
    at_least: bool
    unit: str = ""
    why: str = ""

    @property
    def met(self) -> bool:
        """Whether the figure is there and on the right side of what is wanted."""
        if self.measured is None:
            return False
        return self.measured >= self.wanted if self.at_least else self.measured <= self.wanted


def check(name: str, measure: Callable[[], float], wanted: float, *, at_least: bool = True, unit: str = "") -> Check:
    """The check on what `measure` returns; without a figure where it raises `Unmeasured`."""
    try:
        return Check(name=name, measured=measure(), wanted=wanted, at_least=at_least, unit=unit)
    except Unmeasured as problem:
        return Check(name=name, measured=None, wanted=wanted, at_least=at_least, unit=unit, why=str(problem))


def job_rate(name: str, corpus: str, world: World, series: Series) -> float:
    """MB of text per CPU second of a job. Raises `Unmeasured`."""
    return world.corpora[corpus].megabytes / series.least(f"{name}: CPU")


def command_rate(name: str, corpus: str, world: World, series: Series) -> float:
    """MB of text per CPU second of the command beyond its start-up. Raises `Unmeasured`."""
    return world.corpora[corpus].megabytes / series.seconds(name)


def speed_checks(world: World, series: Series) -> list[Check]:
    """The demands on speed and memory."""

    def kernel() -> float:
        return job_rate("kernel", "whole-parquet", world, series)

    def limit(name: str) -> float:
        return limit_rate(name, world, series)

    return [
        check(
            "command, JSONL / decon 0.8, JSONL, per core",
            lambda: command_rate("command, JSONL", "many-jsonl", world, series) / rate(PEERS[0], world, series),
            25,
            unit="x",
        ),
        check("kernel / zstd decode", lambda: kernel() / limit("zstd decode"), 0.33, unit="x"),
        check("kernel / wc -w in its faster locale", lambda: kernel() / max(map(limit, COUNTS)), 1.2, unit="x"),
        check(
            "bare scan of Parquet / decoding that column",
            lambda: job_rate("bare, Parquet", "many-parquet", world, series) / limit("Parquet column decode"),
            0.25,
            unit="x",
        ),
        check(
            "two threads / one, Parquet, wall time",
            lambda: series.least("bare, Parquet: wall") / series.least("bare, Parquet, 2 threads: wall"),
            1.7,
            unit="x",
        ),
        check(
            "everything / bare scan, CPU time",
            lambda: series.least("everything, Parquet: CPU") / series.least("bare, Parquet: CPU"),
            2.2,
            at_least=False,
            unit="x",
        ),
        *(
            check(
                f"peak memory, {world.corpora[corpus].megabytes:.0f} MB of text, {corpus.rpartition('-')[2]}",
                partial(series.most, f"peak: {corpus}"),
                700,
                at_least=False,
                unit=" MB",
            )
            for corpus in PEAKS
        ),
        check("index / its text", lambda: series.most("index: size"), 0.45, at_least=False, unit="x"),
        check(
            "whole suite against 20 M fingerprints, warm",
            lambda: series.least("index: query"),
            1,
            at_least=False,
            unit=" s",
        ),
        check(
            "warm start to the first byte",
            lambda: series.least("bare, Parquet: first byte"),
            3.5,
            at_least=False,
            unit=" s",
        ),
    ]


def recall_checks(world: World, find: Callable[[], Found]) -> list[Check]:
    """The demands on what is found and what is reported falsely; counts, each share rounded up to whole plants."""
    try:
        found = find()
    except Unmeasured as problem:
        return [Check(name="recall and false reports", measured=None, wanted=0, at_least=True, why=str(problem))]
    planted = world.kinds()
    checks = []
    for shares, side, word in (
        (REPORTED_PER_CENT, found.contaminated, "contaminated"),
        (SUSPECT_PER_CENT, found.suspect, "at least suspect"),
    ):
        for kind, per_cent in shares.items():
            wanted = -(-per_cent * planted[kind] // 100)
            name = f"{kind} {word}, of {planted[kind]}"
            checks.append(Check(name=name, measured=side.found[kind], wanted=wanted, at_least=True))
    many = len(world.hard_negatives)
    for name, count in (
        (f"clean instances flagged, of {len(world.clean)}", found.suspect.clean_instances),
        (f"hard negatives flagged in the corpus, of {many}", found.suspect.hard_negatives),
        (f"pairs with the {many} hard negatives as a corpus of their own", found.hard_negative_pairs),
    ):
        checks.append(Check(name=name, measured=count, wanted=0, at_least=False))
    return checks
