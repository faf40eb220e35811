"""Scanning one shard."""

import json
import pickle
from pathlib import Path

import pytest

from litmusgate.corpora.readers import Columns
from litmusgate.corpora.shard_scan import ScanPlan, ShardScanner
from litmusgate.corpora.shards import list_shards, read_batches
from litmusgate.errors import CorpusError
from litmusgate.provenance.suite_texts import suite_texts
from unit.provenance.made_suite import instance, prose


def _plan() -> ScanPlan:
    suite = suite_texts([instance("a", prose(1, 40))])
    return ScanPlan(suite=suite, columns=Columns(), corpus="web", encoded=True, engine="plain")


def _file(folder: Path, *texts: str | None) -> Path:
    path = folder / "c.jsonl"
    path.write_text("".join(f"{json.dumps({'text': text})}\n" for text in texts))
    return path


def test_a_shard_gives_its_reading_also_after_a_journey(tmp_path: Path) -> None:
    """Documents, bytes, and what shares anything with the suite; a pickled scanner gives the same."""
    (shard,) = list_shards([str(_file(tmp_path, prose(1, 40), prose(2, 40)))])
    for scanner in (ShardScanner(_plan()), pickle.loads(pickle.dumps(ShardScanner(_plan())))):
        found = scanner(shard)
        assert (found.problem, found.reading.documents) == (None, 2)
        assert [document.id for document in found.reading.touched] == ["c.jsonl:1"]


def test_a_shard_without_a_word_is_a_problem(tmp_path: Path) -> None:
    """Blank rows are evidence of nothing."""
    (shard,) = list_shards([str(_file(tmp_path, None, " "))])
    assert "no document with a word" in (ShardScanner(_plan())(shard).problem or "")


def test_a_stopped_scanner_ends_at_the_next_batch_and_says_so(tmp_path: Path) -> None:
    """What was read of the shard by then counts nothing; prepared again, the scanner reads on."""
    (shard,) = list_shards([str(_file(tmp_path, prose(1, 40)))])
    scanner = ShardScanner(_plan())
    scanner.prepare()
    scanner.stop()
    stopped = scanner(shard)
    assert "stopped" in (stopped.problem or "")
    assert stopped.reading.touched == []
    scanner.prepare()
    assert scanner(shard).problem is None


def test_a_plan_is_named_by_all_that_decides_what_is_found() -> None:
    """Not by the engine: engines find the same."""
    plan = _plan()
    digests = {
        plan.digest("sha256:a", None),
        plan.digest("sha256:b", None),
        plan.digest("sha256:a", "sha256:c"),
        ScanPlan(suite=plan.suite, columns=Columns(text="body"), corpus="web", encoded=True, engine="plain").digest(
            "sha256:a", None
        ),
        ScanPlan(suite=plan.suite, columns=Columns(), corpus="web", encoded=False, engine="plain").digest(
            "sha256:a", None
        ),
    }
    assert len(digests) == 5
    other = ScanPlan(suite=plan.suite, columns=Columns(), corpus="web", encoded=True, engine="compiled")
    assert other.digest("sha256:a", None) == plan.digest("sha256:a", None)


def test_a_file_that_is_rewritten_while_it_is_read_is_a_problem(tmp_path: Path) -> None:
    """The same size a moment later is another file: what was read before it changed says nothing of what it holds now."""
    path = _file(tmp_path, prose(2, 40))
    (shard,) = list_shards([str(path)])
    batches = read_batches(shard, Columns(), corpus="web")
    next(batches)
    data = path.read_bytes()
    path.write_bytes(data)
    with pytest.raises(CorpusError, match="changed since it was listed"):
        next(batches)
