"""The figures of one run as the page `docs/benchmarks.md`, and the table of demands as printed lines."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from provenance_checks import Check, command_rate, job_rate
from provenance_engine import COMMANDS, JOBS, Found, Mode
from provenance_flags import Score
from provenance_limits import COUNTS, LIMITS, limit_rate
from provenance_peers import PEERS, Peer, rate
from provenance_series import Series, Unmeasured
from provenance_venvs import TOOLS
from provenance_world import COPIES, World

PAGE = Path(__file__).resolve().parents[1] / "docs" / "benchmarks.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """All that one run measured. `absent` names the peers that were skipped or failed, with the reason."""

    rounds: int
    world: World
    series: Series
    checks: tuple[Check, ...]
    scores: dict[str, Score]
    absent: dict[str, str]
    found: Found | None


def line_of(check: Check) -> str:
    """One demand as a printed line."""
    sign = ">=" if check.at_least else "<="
    verdict = "ok" if check.met else "MISSED"
    return f"provenance: {verdict:6} {check.name}: {measured_of(check)} (wanted {sign} {check.wanted:g}{check.unit})"


def measured_of(check: Check) -> str:
    """The figure, or why there is none."""
    if check.measured is None:
        return f"not measured: {check.why}"
    text = f"{check.measured:d}" if isinstance(check.measured, int) else f"{check.measured:.3g}"
    return f"{text}{check.unit}"


def page(outcome: Outcome) -> str:
    """The whole page."""
    parts = [
        HEAD.format(machine=machine()),
        demands(outcome.checks),
        SPEED_HEAD,
        speeds(outcome),
        METHOD.format(rounds=outcome.rounds, copies=COPIES),
    ]
    parts += [f"Not measured here: {peer}: {why}." for peer, why in outcome.absent.items()]
    parts += [FOUND_HEAD.format(copies=len(outcome.world.plants)), finds(outcome), FOUND_FOOT]
    return "\n\n".join(parts) + "\n"


def machine() -> str:
    """Cores, processor and Python, and nothing that names the machine."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text("utf-8").splitlines() if info.is_file() else []
    model = next(
        (line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine()
    )
    return f"{os.cpu_count()} cores ({model}), {platform.system()}, Python {platform.python_version()}"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def demands(checks: Sequence[Check]) -> str:
    """Every demand with its figure."""
    rows = [
        (
            check.name,
            measured_of(check),
            f"{'≥' if check.at_least else '≤'} {check.wanted:g}{check.unit}",
            "yes" if check.met else "**no**",
        )
        for check in checks
    ]
    return table(("demand", "measured", "wanted", "met"), rows)


def figure(measure: Callable[[], float]) -> str:
    """MB/s, or a word that there is none."""
    try:
        value = measure()
    except Unmeasured:
        return "not measured"
    return f"{value:,.0f}" if value >= 10 else f"{value:.2f}"


def speeds(outcome: Outcome) -> str:
    """The table of speeds."""
    return table(("what", "MB/s per core", "on"), speed_rows(outcome))


def speed_rows(outcome: Outcome) -> list[tuple[str, str, str]]:
    """Limits, peers and the engine: name, MB of text per CPU second, and on what."""
    world, series = outcome.world, outcome.series
    versions = {tool.name: tool.version for tool in TOOLS}
    rows = [(f"limit: {name}", figure(partial(limit_rate, name, world, series)), "") for name in (*LIMITS, *COUNTS)]
    rows += [
        (f"{peer.label} ({versions[peer.tool]})", figure(partial(rate, peer, world, series)), timed(peer, world))
        for peer in PEERS
        if peer.label not in outcome.absent
    ]
    for name, job in JOBS.items():
        if job.threads == 1:
            on = f"{world.corpora[job.corpus].megabytes:.0f} MB, {'memory' if job.mode is Mode.KERNEL else 'files'}"
            rows.append((f"litmusgate, {name}", figure(partial(job_rate, name, job.corpus, world, series)), on))
    for name, (corpus, _, option) in COMMANDS.items():
        on = f"{world.corpora[corpus].megabytes:.0f} MB, `{option}`"
        rows.append((f"litmusgate, {name}", figure(partial(command_rate, name, corpus, world, series)), on))
    return rows


def timed(peer: Peer, world: World) -> str:
    """What a peer was timed on."""
    corpus = world.corpora[f"{peer.timed}-{peer.form}"]
    return f"{corpus.megabytes:.1f} MB, {peer.form}"


def finds(outcome: Outcome) -> str:
    """Copies found per kind, and false reports, a column a tool."""
    columns: dict[str, Score] = {}
    if outcome.found is not None:
        columns = {"litmusgate": outcome.found.contaminated, "litmusgate, at least suspect": outcome.found.suspect}
    columns |= outcome.scores
    kinds = outcome.world.kinds()
    rows = [(f"{kind}, of {n}", *(str(one.found[kind]) for one in columns.values())) for kind, n in kinds.items()]
    clean, hard = len(outcome.world.clean), len(outcome.world.hard_negatives)
    rows.append((f"clean instances flagged, of {clean}", *(known(one.clean_instances) for one in columns.values())))
    rows.append((f"hard negatives flagged, of {hard}", *(str(one.hard_negatives) for one in columns.values())))
    rows.append(("pairs that are no plant", *(known(one.false_pairs) for one in columns.values())))
    return table(("kind", *columns), rows)


def known(count: int | None) -> str:
    """A count, or that the tool names no instances."""
    return "names no instance" if count is None else str(count)


HEAD = """\
# Benchmarks of the contamination engine

Written by `make bench`. Every figure was measured in one run on one machine: {machine}. Ratios travel between machines,
seconds do not. MB are 10^6 bytes of text: what stands around the text in a file is not counted.

## Demands"""

SPEED_HEAD = "## Speed"

METHOD = """\
Each tool runs in a process of its own on one core. Its figure is text per CPU second beyond its start-up, which is measured in
the same rounds by the same command on a corpus of one short document (the suite is loaded there too; corpus-assay and datatrove
have built their index before). Of the interleaved rounds ({rounds}) the least CPU time counts, for the run and for the
start-up. Peers run at their default settings with one thread; slow ones on a part of the corpus, because the rate is what counts. The janitor is
its Python half: the compiled one is not part of its package. datatrove's index is written with its own hashes, because its
indexer asks for a further package.

The large corpus holds each document without a plant {copies} times under different ids, and each plant once. Jobs that say
`bare` and `everything` are timed inside the process once kernels are loaded; those that say `command` are timed from
outside, beyond a run on 4 MB that starts up and loads the kernels."""

FOUND_HEAD = """\
## What is found

{copies} altered copies of instances stand in the corpus, each of another instance. decon and corpus-assay name the instance: a
copy counts when it is named together with its document. The janitor and datatrove flag documents, so any flag on the document
counts; they were run on the documents with copies and the hard negatives alone."""

FOUND_FOOT = """\
Hard negatives are documents that share system prompts and phrases with the suite and copy no instance. A pair is an instance and
a document; pairs of an instance with a document that holds a copy of another one count as false too."""
