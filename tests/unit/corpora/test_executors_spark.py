"""The Spark recipe: finished shards that the command takes over."""

import importlib.util
import os
import pickle
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from conftest import PROJECT
from litmusgate.corpora.shard_scan import ShardReading
from litmusgate.corpora.shards import Shard
from unit.corpora.scanned_copies import scan_command, write_corpus, write_suite

RECIPE = PROJECT / "examples" / "spark" / "scan.py"


class Slices:
    """As much of Spark as the recipe asks for: what goes to the slices and what comes back is pickled."""

    defaultParallelism = 2  # noqa: N815 - the name Spark gives it

    def __init__(self, shards: tuple[Shard, ...] = ()) -> None:
        self._shards = shards
        self.asked = 0

    def parallelize(self, shards: list[Shard], slices: int) -> "Slices":
        """Take the shards."""
        self.asked += len(shards)
        self._shards = pickle.loads(pickle.dumps(tuple(shards)))
        assert slices == self.defaultParallelism
        return self

    def mapPartitions(self, scan: Callable[[Iterator[Shard]], Iterator[ShardReading]]) -> "Slices":  # noqa: N802
        """Take what is done with each slice."""
        (cell,) = scan.__closure__ or ()
        self._scan = pickle.loads(pickle.dumps(cell.cell_contents))
        return self

    def collect(self) -> list[ShardReading]:
        """Do it."""
        return [pickle.loads(pickle.dumps(self._scan(shard))) for shard in self._shards]


def test_the_command_takes_over_what_the_recipe_finished(tmp_path: Path) -> None:
    """All but the file that cannot be read, which the command reads again and names; nothing is finished twice."""
    corpus, suite, kept = write_corpus(tmp_path, endings=(".jsonl",) * 2), write_suite(tmp_path), tmp_path / "kept"
    (corpus / "broken.jsonl").write_text('{"text": ')
    context = Slices()
    _recipe().finish_shards(context, suite, kept, [str(corpus)])
    assert context.asked == 5
    assert len(list(kept.glob("*.shard"))) == 4
    _recipe().finish_shards(context, suite, kept, [str(corpus)])
    assert context.asked == 6
    scan = ("--suite", suite, "--format", "json", corpus)
    done, alone = scan_command(*scan, "--resume", kept), scan_command(*scan)
    assert b"in 5 shards, 4 of them from an earlier scan" in done.stderr
    assert b"broken.jsonl" in done.stderr
    assert (done.returncode, done.stdout) == (4, alone.stdout)


@pytest.mark.slow
def test_the_recipe_runs_on_spark(tmp_path: Path) -> None:
    """With two local workers; the report is byte for byte the one without Spark."""
    pytest.importorskip("pyspark", reason="pyspark, which no extra brings and make setup does not install, is absent")
    if shutil.which("java") is None:
        pytest.skip("Java, which Spark needs, is absent")
    corpus, suite, kept = write_corpus(tmp_path, endings=(".jsonl",) * 2), write_suite(tmp_path), tmp_path / "kept"
    environment = {
        **os.environ,
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_SUBMIT_ARGS": "--master local[2] --conf spark.ui.enabled=false pyspark-shell",
        "SPARK_LOCAL_IP": "127.0.0.1",
    }
    command = [sys.executable, RECIPE, suite, kept, corpus]
    done = subprocess.run(command, env=environment, capture_output=True, check=False, timeout=400, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    scan = ("--suite", suite, "--format", "json", corpus)
    taken, alone = scan_command(*scan, "--resume", kept), scan_command(*scan)
    assert b"in 4 shards, 4 of them from an earlier scan" in taken.stderr
    assert (taken.returncode, taken.stdout) == (1, alone.stdout)


def _recipe() -> Any:
    spec = importlib.util.spec_from_file_location("spark_recipe", RECIPE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
