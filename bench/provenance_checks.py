"""What the contamination engine must reach, as checks on figures of one run: name, measured, wanted, met or not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
    """MB of text per CPU second of the command beyond its run on a few megabytes. Raises `Unmeasured`."""
    begin = world.corpora[f"begin-{corpus.rpartition('-')[2]}"]
    return (world.corpora[corpus].megabytes - begin.megabytes) / series.seconds(name)


def speed_checks(world: World, series: Series) -> list[Check]:
    """The demands on speed, and those of `size_checks`."""

    def kernel() -> float:
        return job_rate("kernel", "many-parquet", world, series)

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
        *size_checks(world, series),
    ]


def size_checks(world: World, series: Series) -> list[Check]:
    """The demands on memory, on the index and on the time before anything is read."""
    return [
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


Counter = Callable[[Found], int | None]


def recall_checks(world: World, find: Callable[[], Found]) -> list[Check]:
    """The demands on what is found and what is reported falsely; counts, each share rounded up to whole plants."""
    try:
        found, why = find(), ""
    except Unmeasured as problem:
        found, why = None, str(problem)
    return [
        Check(name=name, measured=None if found is None else count(found), wanted=wanted, at_least=at_least, why=why)
        for demands, at_least in ((recalls(world), True), (false_reports(world), False))
        for name, count, wanted in demands
    ]


def recalls(world: World) -> Iterator[tuple[str, Counter, int]]:
    """Name, count and least count of every demand on recall."""
    planted = world.kinds()
    for kind, per_cent in REPORTED_PER_CENT.items():
        wanted = -(-per_cent * planted[kind] // 100)
        yield f"{kind} contaminated, of {planted[kind]}", partial(contaminated, kind), wanted
    for kind, per_cent in SUSPECT_PER_CENT.items():
        wanted = -(-per_cent * planted[kind] // 100)
        yield f"{kind} at least suspect, of {planted[kind]}", partial(at_least_suspect, kind), wanted


def contaminated(kind: str, found: Found) -> int:
    """Plants of `kind` reported as contaminated."""
    return found.contaminated.found[kind]


def at_least_suspect(kind: str, found: Found) -> int:
    """Plants of `kind` reported as contaminated or suspect."""
    return found.suspect.found[kind]


def false_reports(world: World) -> Iterator[tuple[str, Counter, int]]:
    """Name, count and greatest count of every demand on false reports."""
    clean, hard = len(world.clean), len(world.hard_negatives)
    yield f"clean instances flagged, of {clean}", lambda found: found.suspect.clean_instances, 0
    yield f"hard negatives flagged in the corpus, of {hard}", lambda found: found.suspect.hard_negatives, 0
    yield f"pairs with the {hard} hard negatives alone", lambda found: found.hard_negative_pairs, 0
