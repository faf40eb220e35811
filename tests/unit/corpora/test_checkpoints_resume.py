"""`corpus scan --resume`: what an interrupted scan finished counts, and nothing else does."""

import subprocess
import sys
from pathlib import Path

import pytest

from unit.corpora.scanned_copies import scan_command, write_corpus, write_suite

KILLED = """
import os, signal, sys
from litmusgate.cli.main import main
from litmusgate.corpora.checkpoints import Checkpoints

keep, kept = Checkpoints.keep, []

def keep_three(self, item):
    keep(self, item)
    kept.append(item)
    if len(kept) == 3:
        os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    Checkpoints.keep = keep_three
    main()
"""


def _killed_scan(folder: Path, *arguments: object) -> subprocess.CompletedProcess[bytes]:
    script = folder / "killed.py"
    script.write_text(KILLED)
    command = [sys.executable, script, "corpus", "scan", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, check=False, timeout=300)


@pytest.mark.parametrize("workers", ["threads:2", pytest.param("processes:2", marks=pytest.mark.slow)])
def test_a_killed_scan_goes_on_where_it_was(workers: str, tmp_path: Path) -> None:
    """Finished shards are taken over, and the report is byte for byte the one of a scan that nobody killed."""
    corpus = write_corpus(tmp_path, endings=(".jsonl",) * 4)
    scan = ("--suite", write_suite(tmp_path), "--format", "json", corpus, "--workers", workers)
    whole = scan_command(*scan)
    assert whole.returncode == 1, whole.stderr
    kept, out = tmp_path / "kept", tmp_path / "out.json"
    killed = _killed_scan(tmp_path, *scan, "--resume", kept, "--out", out)
    assert (killed.returncode, killed.stdout) == (-9, b""), killed.stderr
    assert not out.exists()
    assert len(list(kept.glob("*.shard"))) == 3
    again = scan_command(*scan, "--resume", kept)
    assert (again.returncode, again.stdout) == (1, whole.stdout), again.stderr
    assert b"in 8 shards, 3 of them from an earlier scan" in again.stderr
    assert len(list(kept.glob("*.shard"))) == 8


def test_only_unchanged_files_are_not_read_again(tmp_path: Path) -> None:
    """A file that changed is scanned as it is now; a damaged finished shard is scanned again, and said so."""
    corpus = write_corpus(tmp_path, endings=(".jsonl",) * 2)
    scan = ("--suite", write_suite(tmp_path), "--format", "json", corpus, "--resume", tmp_path / "kept")
    first = scan_command(*scan)
    assert first.returncode == 1, first.stderr
    copied = corpus / "part-0.jsonl"
    (corpus / "part-1.jsonl").write_bytes(copied.read_bytes())
    for finished in (tmp_path / "kept").glob("*.shard"):
        finished.write_bytes(finished.read_bytes()[:-1])
    second = scan_command(*scan)
    assert second.returncode == 1
    assert b"scanned again" in second.stderr
    fresh = scan_command(*scan[:-2])
    assert second.stdout == fresh.stdout != first.stdout


def test_a_file_that_could_not_be_read_is_tried_again(tmp_path: Path) -> None:
    """The incomplete scan is unknown and exits with 4; once the file is whole, the rest is taken over."""
    corpus = write_corpus(tmp_path, endings=(".jsonl",) * 2)
    broken = corpus / "part-3.jsonl"
    whole = broken.read_bytes()
    broken.write_bytes(whole[:-20])
    scan = ("--suite", write_suite(tmp_path), "--format", "json", corpus, "--resume", tmp_path / "kept")
    first = scan_command(*scan)
    assert first.returncode == 4
    assert b"part-3.jsonl" in first.stderr
    broken.write_bytes(whole)
    second = scan_command(*scan)
    assert second.returncode == 1
    assert b"in 4 shards, 3 of them from an earlier scan" in second.stderr


def test_a_folder_that_cannot_be_written_ends_the_scan_before_it_begins(tmp_path: Path) -> None:
    """Nobody finds out after hours that nothing was kept."""
    corpus = write_corpus(tmp_path, endings=(".jsonl",))
    (tmp_path / "kept").write_text("a file")
    done = scan_command("--suite", write_suite(tmp_path), corpus, "--resume", tmp_path / "kept")
    assert (done.returncode, done.stdout) == (4, b"")
    assert b"cannot be kept" in done.stderr
