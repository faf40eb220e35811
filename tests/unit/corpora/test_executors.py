"""Threads and processes: one reading for each shard, whatever happens to the workers."""

import importlib.util
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from litmusgate.corpora.executors import Workers, run_shards
from litmusgate.errors import CorpusError, UsageError
from unit.corpora.shard_works import Counting, Telling, shards

KINDS = ("threads:2", "processes:2")


@pytest.mark.parametrize(
    ("text", "kind", "count", "address"),
    [
        ("threads:3", "threads", 3, None),
        ("processes:1", "processes", 1, None),
        ("ray", "ray", 1, None),
        ("ray:10.0.0.1:6379", "ray", 1, "10.0.0.1:6379"),
        ("ray:ray://head:10001", "ray", 1, "ray://head:10001"),
        ("dask", "dask", 1, None),
        ("dask:tcp://head:8786", "dask", 1, "tcp://head:8786"),
    ],
)
def test_workers_are_a_kind_and_how_many_or_where(text: str, kind: str, count: int, address: str | None) -> None:
    """An address keeps its own colons."""
    workers = Workers.parse(text)
    assert (workers.kind, workers.count, workers.address) == (kind, count, address)


@pytest.mark.parametrize("text", [None, "threads", "processes"])
def test_without_a_number_there_is_one_worker_for_each_core(text: str | None) -> None:
    """Cores this process may use; the kind that is meant by no flag at all is threads."""
    workers = Workers.parse(text)
    assert workers.kind == (text or "threads")
    assert workers.count == len(os.sched_getaffinity(0))


@pytest.mark.parametrize(
    "text",
    ["", "2", "threads:", "threads:0", "threads:-1", "threads:two", "processes:", "ray:", "dask:", "spark", "Ray", "²"],
)
def test_other_workers_are_refused(text: str) -> None:
    """Never a guess: the kinds there are, are listed."""
    with pytest.raises(UsageError, match="--workers is not understood") as caught:
        Workers.parse(text)
    assert "processes:N" in str(caught.value)


@pytest.mark.parametrize("kind", KINDS)
def test_every_shard_gives_one_reading(kind: str) -> None:
    """Problems of shards are readings like all others; no shard is left out or read twice."""
    names = [*(f"s{number}" for number in range(40)), "problem:x"]
    found = list(run_shards(Counting(), shards(*names), workers=Workers.parse(kind)))
    assert sorted(item.shard.uri for item in found) == sorted(names)
    assert all(item.reading.documents == item.shard.size for item in found if item.problem is None)
    assert [item.shard.uri for item in found if item.problem is not None] == ["problem:x"]


@pytest.mark.parametrize("kind", KINDS)
def test_no_shard_gives_no_reading(kind: str) -> None:
    """Nothing is started for nothing, such as where all shards were finished before."""
    assert list(run_shards(Counting(prepared="die"), (), workers=Workers.parse(kind))) == []


def test_no_more_shards_are_taken_than_keep_the_workers_busy() -> None:
    """Readings do not queue up while the one who asked for them is still busy with the first."""
    work = Telling()
    readings = run_shards(work, shards(*(f"s{number}" for number in range(100))), workers=Workers.parse("threads:2"))
    next(readings)
    assert len(work.begun) <= 4
    readings.close()  # type: ignore[attr-defined]
    assert len(work.begun) <= 4


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_raised_in_a_worker_is_raised_where_the_scan_is(kind: str) -> None:
    """With its type, its message and its exit code: it is no problem of the shard."""
    with pytest.raises(UsageError, match="raised in a worker") as caught:
        list(run_shards(Counting(), shards("a", "raise:17", "b"), workers=Workers.parse(kind)))
    assert caught.value.got == "17"


@pytest.mark.parametrize("kind", KINDS)
def test_work_that_cannot_begin_says_why(kind: str) -> None:
    """Such as an engine that is not installed; no worker is left behind."""
    with pytest.raises(UsageError, match="no such engine"):
        list(run_shards(Counting(prepared="raise"), shards("a"), workers=Workers.parse(kind)))
    assert not any(_workers())


@pytest.mark.parametrize("kind", KINDS)
def test_a_shard_for_which_the_memory_does_not_suffice_is_a_problem(kind: str) -> None:
    """The other shards are read."""
    found = {
        item.shard.uri: item for item in run_shards(Counting(), shards("a", "memory", "b"), workers=Workers.parse(kind))
    }
    assert found.keys() == {"a", "memory", "b"}
    assert found["a"].problem is None
    assert found["b"].problem is None
    assert "memory: the worker that read this was lost\n  got: out of memory" in (found["memory"].problem or "")
    assert found["memory"].reading.documents == 0


def test_an_error_that_cannot_be_sent_is_raised_as_its_text() -> None:
    """It is neither lost nor does it look like a lost worker."""
    with pytest.raises(RuntimeError, match="UnsendableError: odd"):
        list(run_shards(Counting(), shards("odd"), workers=Workers.parse("processes:1")))


@pytest.mark.parametrize("count", [1, 2])
def test_a_killed_process_is_a_problem_of_its_shard_alone(count: int) -> None:
    """As when the system ends it for want of memory: the shard is named with how, and another process takes the rest."""
    names = ["a", "kill:1", "b", "leave:1", "kill:2", "c"]
    found = {
        item.shard.uri: item
        for item in run_shards(Counting(), shards(*names), workers=Workers.parse(f"processes:{count}"))
    }
    assert found.keys() == set(names)
    assert {name for name, item in found.items() if item.problem is None} == {"a", "b", "c"}
    assert "killed by SIGKILL" in (found["kill:1"].problem or "")
    assert "exit code 3" in (found["leave:1"].problem or "")


def test_processes_that_die_before_they_begin_end_the_scan() -> None:
    """Ten thousand shards are not ten thousand tries."""
    with pytest.raises(CorpusError, match="ended before it could begin") as caught:
        list(run_shards(Counting(prepared="die"), shards("a", "b"), workers=Workers.parse("processes:2")))
    assert "SIGKILL" in (caught.value.got or "")


@pytest.mark.parametrize("kind", KINDS)
def test_whoever_stops_asking_ends_the_workers(kind: str) -> None:
    """No process and no thread of the scan is left."""
    readings = run_shards(Counting(), shards(*(f"s{number}" for number in range(50))), workers=Workers.parse(kind))
    next(readings)
    assert any(_workers())
    readings.close()  # type: ignore[attr-defined]
    assert not any(_workers())


@pytest.mark.parametrize(("kind", "library"), [("ray", "ray"), ("dask", "distributed")])
def test_a_cluster_without_its_library_names_the_extra(
    kind: str, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before anything is read."""
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == library else found(name))
    with pytest.raises(UsageError, match=library) as caught:
        list(run_shards(Counting(), shards("a"), workers=Workers.parse(kind)))
    assert caught.value.wanted == f"the extra `{kind}`"
    assert f"litmusgate[{kind}]" in (caught.value.fix or "")


INTERRUPTED = """
from litmusgate.corpora.executors import Workers, run_shards
from unit.corpora.shard_works import Sleeping, shards

if __name__ == "__main__":
    for item in run_shards(Sleeping(), shards("now", *("s",) * 9), workers=Workers.parse("processes:2")):
        print(item.shard.uri, flush=True)
"""


def test_an_interrupt_ends_processes_that_are_in_the_middle_of_a_shard(tmp_path: Path) -> None:
    """Ctrl-C goes to the whole group: the asking process ends by it, the others end silently, and none stays behind."""
    script = tmp_path / "scan.py"
    script.write_text(INTERRUPTED)
    tests = str(Path(__file__).parents[2])
    with subprocess.Popen(
        [sys.executable, str(script)],
        env={**os.environ, "PYTHONPATH": tests},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as scan:
        assert scan.stdout is not None
        assert scan.stdout.readline() == "now\n"
        os.killpg(scan.pid, signal.SIGINT)
        _, said = scan.communicate(timeout=60)  # whoever is left would hold stderr open for ten minutes
    assert scan.returncode == -signal.SIGINT
    assert said.count("Traceback") == 1


def _workers() -> Iterator[object]:
    yield from multiprocessing.active_children()
    yield from (thread for thread in threading.enumerate() if thread.name.startswith("scan"))
