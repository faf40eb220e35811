"""Ray and Dask, started on this machine: the same report as from threads, and lost workers are named."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from litmusgate.corpora.executors import Workers, run_shards
from litmusgate.errors import CorpusError
from unit.corpora.scanned_copies import scan_command, write_corpus, write_suite
from unit.corpora.shard_works import Counting, shards

TESTS = str(Path(__file__).parents[2])


def _environment(folder: Path) -> dict[str, str]:
    """Ray keeps a token in the home folder; that of whoever tests is not touched, the kept kernels are found."""
    caches = os.environ.get("XDG_CACHE_HOME", str(Path.home() / ".cache"))
    path = os.pathsep.join(filter(None, (TESTS, os.environ.get("PYTHONPATH"))))
    return {"HOME": str(folder), "XDG_CACHE_HOME": caches, "PYTHONPATH": path}


@pytest.mark.parametrize(
    "workers",
    [
        "processes:2",
        pytest.param("ray", marks=pytest.mark.slow),
        pytest.param("dask", marks=pytest.mark.slow),
    ],
)
def test_every_executor_writes_the_same_report(workers: str, tmp_path: Path) -> None:
    """Byte for byte what one thread writes; of what a cluster has to say nothing comes on stdout."""
    _need(workers)
    pytest.importorskip("pyarrow", reason="the extra [corpora] is not installed")
    scan = ("--suite", write_suite(tmp_path), "--format", "json", write_corpus(tmp_path))
    alone = scan_command(*scan, "--workers", "threads:1")
    assert alone.returncode == 1, alone.stderr
    told = {item["instance_id"]: item["status"] for item in json.loads(alone.stdout)["instances"]}
    assert told == {"copied": "contaminated", "hidden": "contaminated", "clean": "clean"}
    other = scan_command(*scan, "--workers", workers, env=_environment(tmp_path))
    assert (other.returncode, other.stdout) == (1, alone.stdout), other.stderr


ON_RAY = """
import ray
ray.init(address="local", include_dashboard=False, log_to_driver=False)
inside = "ray"
outside = f"ray:{ray.get_runtime_context().gcs_address}"
def stays():
    return ray.is_initialized()
def end():
    ray.shutdown()
"""

ON_DASK = """
from distributed import LocalCluster
cluster = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50)
inside = outside = f"dask:{cluster.scheduler_address}"
def stays():
    return len(cluster.scheduler.workers) > 0
def end():
    cluster.close()
"""

SCANS = """
import json, sys
from litmusgate.corpora.executors import Workers, run_shards
from litmusgate.corpora.executors import Workers, run_shards
from litmusgate.errors import CorpusError
from unit.corpora.scanned_copies import scan_command
from unit.corpora.shard_works import Counting, shards

if __name__ == "__main__":
    {cluster}
    names = ["a", "b", "problem:x", "memory", "kill-once:" + sys.argv[1], "c"]
    found = list(run_shards(Counting(), shards(*names), workers=Workers.parse(inside)))
    # alone: whatever waits for a worker that is killed again and again is given up with it
    found += run_shards(Counting(), shards("kill:1"), workers=Workers.parse(inside))
    try:
        list(run_shards(Counting(), shards("a", "raise:17"), workers=Workers.parse(inside)))
        raised = "nothing"
    except Exception as problem:
        raised = type(problem).__name__ + " " + str(problem)
    other = scan_command(*sys.argv[2:], "--workers", outside)
    told = {{
        "readings": [(item.shard.uri.partition(":")[0], item.reading.documents, item.problem) for item in found],
        "raised": raised,
        "stays": stays(),
        "scan": [other.returncode, other.stdout.decode(), other.stderr.decode()],
    }}
    end()
    print(json.dumps(told), file=sys.__stdout__)
"""


@pytest.mark.slow
@pytest.mark.parametrize(("workers", "cluster"), [("ray", ON_RAY), ("dask", ON_DASK)])
def test_a_cluster_that_is_there_is_used_and_stays(workers: str, cluster: str, tmp_path: Path) -> None:
    """Each shard gives one reading; who was killed twice is named, errors are raised; others may use its address."""
    _need(workers)
    script = tmp_path / "scans.py"
    script.write_text(SCANS.format(cluster=cluster.strip().replace("\n", "\n    ")))
    corpus = write_corpus(tmp_path, endings=(".jsonl",))
    scan = ("--suite", write_suite(tmp_path), "--format", "json", corpus)
    command = [sys.executable, script, tmp_path / "killed", *scan]
    environment = {**os.environ, **_environment(tmp_path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=400)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    readings = {uri: (documents, problem) for uri, documents, problem in told["readings"]}
    assert len(told["readings"]) == len(readings) == 7
    assert {uri: readings[uri] for uri in ("a", "b", "kill-once", "c")} == {
        "a": (1, None),
        "b": (2, None),
        "kill-once": (5, None),
        "c": (6, None),
    }
    assert readings["problem"] == (0, "cannot be read")
    assert "kill:1: the worker that read this was lost" in readings["kill"][1]
    assert "out of memory" in readings["memory"][1]
    assert told["raised"].startswith("UsageError raised in a worker")
    assert told["stays"] is True
    alone = scan_command(*scan, "--workers", "threads:1")
    assert told["scan"][:2] == [1, alone.stdout.decode()], told["scan"][2]


@pytest.mark.parametrize("workers", ["ray:127.0.0.1:1", "ray:ray://127.0.0.1:1", "dask:tcp://127.0.0.1:1", "dask:x"])
def test_a_cluster_that_does_not_answer_ends_the_scan(
    workers: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within the time it has to answer, with the address that was given; nothing was read, so nothing is clean."""
    kind = workers.partition(":")[0]
    _need(kind)
    monkeypatch.setattr(f"litmusgate.corpora.executor_{kind}.ANSWER_SECONDS", 1)
    with pytest.raises(CorpusError, match="there is no way to the") as caught:
        list(run_shards(Counting(), shards("a"), workers=Workers.parse(workers)))
    assert workers.partition(":")[2] in (caught.value.got or "")


def _need(workers: str) -> None:
    library = {"ray": "ray", "dask": "distributed"}.get(workers)
    if library is not None:
        pytest.importorskip(library, reason=f"the extra [{workers}] is not installed")
