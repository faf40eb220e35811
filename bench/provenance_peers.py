"""The peers: how each is prepared, run on a corpus and read, and what it costs and finds."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from provenance_flags import Flags, Score, read_assay, read_decon, read_documents, score
from provenance_series import Series, Unmeasured, checked_cost, seconds_on_one_core
from provenance_world import World, read_rows

SCRIPTS = Path(__file__).resolve().parent / "peers"
QUIET = ["env", "RAYON_NUM_THREADS=1", "OMP_NUM_THREADS=1", "TOKENIZERS_PARALLELISM=false", "HF_DATASETS_OFFLINE=1"]
ALL_RECORDS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """Where a peer works: its interpreter, the data, and a folder of its own."""

    python: Path
    world: World
    folder: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """One tool at one setting. `timed` and `searched` name the corpora for its speed and for its finds, in the form it reads."""

    label: str
    tool: str
    form: str
    timed: str
    searched: str
    prepare: Callable[[Seat], None]
    command: Callable[[Seat, Path, Path], list[str]]
    read: Callable[[Seat, Path, Path], Flags]


def prepare(peer: Peer, seat: Seat) -> None:
    """Make what the peer needs before a scan (its index); not timed. Raises `Unmeasured` when that fails."""
    try:
        peer.prepare(seat)
    except subprocess.CalledProcessError as problem:
        raise Unmeasured(f"its index could not be built (exit code {problem.returncode})") from problem


def time_once(peer: Peer, seat: Seat, series: Series) -> None:
    """Add one run on the timed corpus and one on a corpus of a single short document, each on one core, with a clean output."""
    for part, corpus in (("run", peer.timed), ("start", "start")):
        with tempfile.TemporaryDirectory(dir=seat.folder) as out:
            command = peer.command(seat, corpus_of(peer, seat.world, corpus), Path(out))
            series.read(f"{peer.label}: {part}", partial(seconds_on_one_core, command))


def rate(peer: Peer, world: World, series: Series) -> float:
    """MB of text per second of one core. Raises `Unmeasured`."""
    return world.corpora[f"{peer.timed}-{peer.form}"].megabytes / series.seconds(peer.label)


def find(peer: Peer, seat: Seat) -> Score:
    """Search the corpus `searched` and set what was reported against the truth; not timed. Raises `Unmeasured`."""
    corpus = corpus_of(peer, seat.world, peer.searched)
    with tempfile.TemporaryDirectory(dir=seat.folder) as out:
        checked_cost(peer.command(seat, corpus, Path(out)))
        return score(peer.read(seat, Path(out), corpus), seat.world)


def corpus_of(peer: Peer, world: World, name: str) -> Path:
    """The folder of that corpus in the form the peer reads."""
    return world.corpora[f"{name}-{peer.form}"].folder


def prepare_decon(seat: Seat) -> None:
    """decon takes instances as questions; the fingerprint is handed through to its report."""
    evals = seat.folder / "evals"
    evals.mkdir(exist_ok=True)
    with (evals / "suite.jsonl").open("w", encoding="utf-8") as file:
        for number, row in enumerate(read_rows(seat.world.flat)):
            entry = {"eval_key": "suite", "eval_instance_index": number, "split": "test", "doc_id": number + 1}
            entry |= {"question": row["text"], "answer": "", "fingerprint": row["id"]}
            file.write(json.dumps(entry) + "\n")


def run_decon(seat: Seat, corpus: Path, out: Path, *, threshold: str) -> list[str]:
    """The command that scans `corpus` with decon."""
    script = str(SCRIPTS / "decon_scan.py")
    return [*QUIET, str(seat.python), script, str(corpus), str(seat.folder / "evals"), str(out), threshold]


def assay(seat: Seat, *words: str) -> list[str]:
    """A command of corpus-assay, with every cache inside the seat."""
    return [*QUIET, f"HF_HOME={seat.folder}", str(seat.python.with_name("corpus-assay")), *words]


def prepare_assay(seat: Seat) -> None:
    """Its configuration at the defaults (13-grams, 3 hits, coverage .001) and its index."""
    bench = {"name": "suite", "dataset": "json", "data_files": {"test": str(seat.world.flat)}}
    config = {"benchmarks": [{**bench, "splits": ["test"], "fields": ["text"]}]}
    (seat.folder / "config.yaml").write_text(json.dumps(config), "utf-8")
    words = ["build-index", "--config", str(seat.folder / "config.yaml"), "--allow-unpinned"]
    run_quietly(assay(seat, *words, "--out-index", str(seat.folder / "index.native")))


def run_assay(seat: Seat, corpus: Path, out: Path) -> list[str]:
    """The command that scans `corpus` with corpus-assay, one worker, every record kept."""
    words = ["scan", "--config", str(seat.folder / "config.yaml"), "--index", str(seat.folder / "index.native")]
    words += ["--input", str(corpus), "--id-key", "id", "--out-dir", str(out), "--workers", "1"]
    return assay(seat, *words, "--max-return-records", str(ALL_RECORDS))


def run_janitor(seat: Seat, corpus: Path, out: Path) -> list[str]:
    """The command that scans `corpus` with the janitor."""
    script = str(SCRIPTS / "janitor_scan.py")
    return [*QUIET, str(seat.python), script, str(corpus), str(seat.world.flat), str(out)]


def prepare_datatrove(seat: Seat) -> None:
    """Its index of hashes."""
    script = str(SCRIPTS / "datatrove_scan.py")
    run_quietly([*QUIET, str(seat.python), script, "index", str(seat.world.flat), str(seat.folder / "index")])


def run_datatrove(seat: Seat, corpus: Path, out: Path) -> list[str]:
    """The command that scans `corpus` with datatrove's filter."""
    script = str(SCRIPTS / "datatrove_scan.py")
    return [*QUIET, str(seat.python), script, "scan", str(corpus), str(seat.folder / "index"), str(out)]


def run_quietly(command: list[str]) -> None:
    """Run `command`; raises `CalledProcessError`."""
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def nothing(_seat: Seat) -> None:
    """The janitor builds its set of n-grams in every run."""


def decon_at(threshold: str, *, timed: str) -> Peer:
    """decon at one threshold."""
    return Peer(
        label=f"decon {threshold}",
        tool="decon",
        form="jsonl",
        timed=timed,
        searched="whole",
        prepare=prepare_decon,
        command=partial(run_decon, threshold=threshold),
        read=lambda _seat, out, corpus: read_decon(out, corpus),
    )


PEERS = (
    decon_at("0.8", timed="whole"),
    decon_at("0.2", timed="few"),
    Peer(
        label="corpus-assay",
        tool="corpus-assay",
        form="parquet",
        timed="few",
        searched="whole",
        prepare=prepare_assay,
        command=run_assay,
        read=lambda seat, out, _corpus: read_assay(out, seat.world.flat),
    ),
    Peer(
        label="janitor 13-gram",
        tool="janitor",
        form="jsonl",
        timed="slow",
        searched="marked",
        prepare=nothing,
        command=run_janitor,
        read=lambda _seat, out, _corpus: read_documents(out),
    ),
    Peer(
        label="datatrove 12-gram",
        tool="datatrove",
        form="jsonl",
        timed="slow",
        searched="marked",
        prepare=prepare_datatrove,
        command=run_datatrove,
        read=lambda _seat, out, _corpus: read_documents(out),
    ),
)
