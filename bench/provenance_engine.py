"""litmusgate's own figures: the library in one process a job, and the command as a user runs it.

A job (`run_job`) warms up first and times the scan alone, inside its process; the command is timed from outside, and its run
on a few megabytes, with which it starts up and loads its kernels, is taken off in time and in text.
"""

from __future__ import annotations

import dataclasses
import json
import sys
import tempfile
import time
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import partial
from pathlib import Path

from measure import cost_of
from provenance_flags import AT_LEAST_SUSPECT, Score, of_pairs, read_result, score
from provenance_series import Series, Unmeasured, checked_cost, one_core
from provenance_world import World

from litmusgate.app.scan_suite import load_scanned_suite
from litmusgate.corpora.engines import best_engine
from litmusgate.corpora.executors import Workers, run_shards
from litmusgate.corpora.readers import Columns
from litmusgate.corpora.shard_scan import ScanPlan, ShardScanner
from litmusgate.corpora.shards import list_shards, read_batches
from litmusgate.provenance.batch import DocumentBatch, batch_of
from litmusgate.provenance.known import KnownDocument
from litmusgate.provenance.reading import Reading
from litmusgate.provenance.scan import judge
from litmusgate.provenance.suite_texts import suite_texts

WARM_TEXT = "Nothing of a suite, naïve &amp; short, in QmFzZTY0 and 4ll th3 r3st."
TAU = Fraction(85, 100)
SCANNED = (0, 1, 4)
"""Exit codes of a scan that wrote a result; whether an instance is unknown is read from the result."""


class Mode(StrEnum):
    """What a job does with the text."""

    KERNEL = "kernel"
    """Fold, hash and look up; the text of every document is in memory before the clock starts."""
    BARE = "bare"
    """Read the files, run the kernel, sum up the hits per instance: no decoding of encoded copies, no stage 2."""
    EVERYTHING = "everything"
    """The bare scan, encoded copies and stage 2, up to the finished result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One timed run of the library. `form` is `parquet` or `jsonl`; `threads` are the workers of the scan."""

    mode: Mode
    suite: Path
    folder: Path
    form: str
    threads: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """What a job took, from the first byte of the corpus to the last result, kernels compiled and loaded before.

    `text_bytes` are the UTF-8 bytes of the text column that were scanned; `first_byte_at` is `time.monotonic()` when the
    first byte of the corpus was asked for.
    """

    text_bytes: int
    wall_seconds: float
    cpu_seconds: float
    first_byte_at: float


def run_job(job: Job) -> Timing:
    """Run the engine as `job` says and time it: kernels are compiled and loaded, and the suite prepared, before the clock
    starts. Raises `Unmeasured` where the compiled engine is not installed."""
    engine = best_engine()
    if engine.name != "compiled":
        raise Unmeasured("the extra `corpora` is not installed")
    instances = load_scanned_suite(job.suite).instances
    suite = suite_texts(instances)
    plan = ScanPlan(
        suite=suite,
        columns=Columns(),
        corpus="bench",
        encoded=job.mode is Mode.EVERYTHING,
        engine=engine.name,
    )
    scanner = ShardScanner(plan)
    finder = scanner.prepare()
    warm = Reading(documents=1)
    texts = [WARM_TEXT, *(turn.content for turn in instances[0].turns)]
    documents = [KnownDocument(corpus="bench", id="warm", text=text, source="bench") for text in texts]
    warm.add(suite, finder.find(batch_of(documents))[1])
    judge(suite, warm, tau=TAU, engine=engine)
    shards = list_shards([str(job.folder)])
    next(iter(read_batches(shards[0], plan.columns, corpus="bench")))
    held: list[DocumentBatch] = []
    if job.mode is Mode.KERNEL:
        held = [batch for shard in shards for batch in read_batches(shard, plan.columns, corpus="bench")]
    first_byte_at = time.monotonic()
    wall, cpu = time.perf_counter(), time.process_time()
    if job.mode is Mode.KERNEL:
        text_bytes = sum(batch.text_bytes for batch in held)
        for batch in held:
            finder.find(batch)
    else:
        reading = Reading()
        for item in run_shards(scanner, shards, workers=Workers(kind="threads", count=job.threads)):
            if item.problem is not None:
                raise Unmeasured(item.problem)
            reading.merge(suite, item.reading)
        text_bytes = reading.text_bytes
        if job.mode is Mode.EVERYTHING:
            judge(suite, reading, tau=TAU, engine=engine)
    return Timing(
        text_bytes=text_bytes,
        wall_seconds=time.perf_counter() - wall,
        cpu_seconds=time.process_time() - cpu,
        first_byte_at=first_byte_at,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    """A job of the bench: on which corpus and with how many threads."""

    mode: Mode
    corpus: str
    threads: int


JOBS = {
    "kernel": Timed(mode=Mode.KERNEL, corpus="many-parquet", threads=1),
    "bare, Parquet": Timed(mode=Mode.BARE, corpus="many-parquet", threads=1),
    "bare, JSONL": Timed(mode=Mode.BARE, corpus="many-jsonl", threads=1),
    "bare, Parquet, 2 threads": Timed(mode=Mode.BARE, corpus="many-parquet", threads=2),
    "everything, Parquet": Timed(mode=Mode.EVERYTHING, corpus="many-parquet", threads=1),
}

COMMANDS = {
    "command, JSONL": ("many-jsonl", "begin-jsonl", "--no-encoded"),
    "command, Parquet, encoded copies too": ("many-parquet", "begin-parquet", "--encoded"),
}
"""Name → the corpus that is timed, the one that shows the start-up, and an option."""

PEAKS = ("whole-parquet", "many-parquet", "many-jsonl")
"""Corpora on which memory is read, with two threads and encoded copies: it must not grow with the corpus."""


def time_engine(world: World, series: Series) -> None:
    """Add one round of every job and command."""
    for name, timed in JOBS.items():
        read_job(name, timed, world, series)
    for name, (corpus, start, option) in COMMANDS.items():
        for part, folder in (("run", corpus), ("start", start)):
            series.read(f"{name}: {part}", partial(command_seconds, world, folder, option))


def read_peaks(world: World, series: Series) -> None:
    """Read the peak memory of the command on each of `PEAKS`."""
    for corpus in PEAKS:
        series.read(f"peak: {corpus}", partial(peak_megabytes, world, corpus))


def read_job(name: str, timed: Timed, world: World, series: Series) -> None:
    """Add wall, CPU and time to the first byte of one job."""
    job = Job(
        mode=timed.mode,
        suite=world.suite,
        folder=world.corpora[timed.corpus].folder,
        form=timed.corpus.rpartition("-")[2],
        threads=timed.threads,
    )
    begun = time.monotonic()
    try:
        timing = run_apart(job, world.corpora[timed.corpus].text_bytes)
    except Unmeasured as problem:
        series.problems.update({f"{name}: {part}": str(problem) for part in ("CPU", "wall", "first byte")})
        return
    for part, seconds in (
        ("CPU", timing.cpu_seconds),
        ("wall", timing.wall_seconds),
        ("first byte", timing.first_byte_at - begun),
    ):
        series.readings.setdefault(f"{name}: {part}", []).append(seconds)


def run_apart(job: Job, text_bytes: int) -> Timing:
    """Run `job` in a process of its own, on one core when it has one thread.

    Raises `Unmeasured` when it fails or has not scanned every byte of the text.
    """
    with tempfile.TemporaryDirectory(prefix="litmusgate-bench-") as folder:
        answer = Path(folder) / "answer.json"
        asked = json.dumps({**dataclasses.asdict(job), "suite": str(job.suite), "folder": str(job.folder)})
        command = [sys.executable, str(Path(__file__)), str(answer), asked]
        if job.threads == 1:
            with one_core():
                cost = cost_of(command)
        else:
            cost = cost_of(command)
        if not answer.is_file():
            raise Unmeasured(f"the job ended with exit code {cost.exit_code} and no answer")
        said = json.loads(answer.read_text("utf-8"))
    if "problem" in said:
        raise Unmeasured(said["problem"])
    timing = Timing(**said)
    if timing.text_bytes != text_bytes:
        raise Unmeasured(f"{timing.text_bytes} bytes of text were scanned, there are {text_bytes}")
    return timing


def scan_command(world: World, folder: Path, result: Path, *options: str) -> list[str]:
    """`litmusgate corpus scan` of every file in `folder`, as a user types it."""
    command = [str(Path(sys.executable).with_name("litmusgate")), "corpus", "scan", "--suite", str(world.suite)]
    return [*command, "--format", "json", "--out", str(result), *options, *map(str, sorted(folder.iterdir()))]


def command_seconds(world: World, corpus: str, option: str) -> float:
    """CPU seconds of the command with one thread on one core. Raises `Unmeasured`."""
    with tempfile.TemporaryDirectory(prefix="litmusgate-bench-") as folder, one_core():
        result = Path(folder) / "scan.json"
        command = scan_command(world, world.corpora[corpus].folder, result, "--workers", "threads:1", option)
        cost = checked_cost(command, wanted=SCANNED)
        if not result.is_file():
            raise Unmeasured("the command wrote no result")
    return cost.cpu_seconds


def peak_megabytes(world: World, corpus: str) -> float:
    """Peak memory, in MB, of the command with two threads on all cores. Raises `Unmeasured`."""
    with tempfile.TemporaryDirectory(prefix="litmusgate-bench-") as folder:
        result = Path(folder) / "scan.json"
        command = scan_command(world, world.corpora[corpus].folder, result, "--workers", "threads:2", "--encoded")
        return checked_cost(command, wanted=SCANNED).peak_mib * 2**20 / 1e6


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What the command finds in the whole corpus, with encoded copies: as contaminated, and as at least suspect."""

    contaminated: Score
    suspect: Score
    hard_negative_pairs: int
    """Pairs that are at least suspect when the hard negatives are scanned as a corpus of their own."""


def find(world: World) -> Found:
    """Scan the corpus and the hard negatives and set the results against the truth. Raises `Unmeasured`."""
    with tempfile.TemporaryDirectory(prefix="litmusgate-bench-") as folder:
        results = {}
        for name in ("whole-parquet", "hardneg-jsonl"):
            results[name] = Path(folder) / f"{name}.json"
            command = scan_command(world, world.corpora[name].folder, results[name], "--encoded")
            checked_cost(command, wanted=SCANNED)
            if not results[name].is_file():
                raise Unmeasured("the command wrote no result")
        hard = read_result(results["hardneg-jsonl"], world, AT_LEAST_SUSPECT)
        whole = results["whole-parquet"]
        return Found(
            contaminated=score(of_pairs(read_result(whole, world, ("contaminated",))), world),
            suspect=score(of_pairs(read_result(whole, world, AT_LEAST_SUSPECT)), world),
            hard_negative_pairs=len(hard),
        )


def main(answer: str, asked: str) -> None:
    """Run the job that `asked` says as JSON, and write its timing, or why there is none, to `answer`."""
    fields = json.loads(asked)
    fields |= {"mode": Mode(fields["mode"]), "suite": Path(fields["suite"]), "folder": Path(fields["folder"])}
    job = Job(**fields)
    try:
        said = dataclasses.asdict(run_job(job))
    except Unmeasured as problem:
        said = {"problem": str(problem)}
    Path(answer).write_text(json.dumps(said), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
