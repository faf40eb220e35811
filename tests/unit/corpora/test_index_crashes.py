"""Killed at any moment, or on a full disk, an index opens as it was or as it was to be: never between."""

import subprocess
import sys
from pathlib import Path

import pytest

from litmusgate.app.corpus import add_corpus, compact_index, verify_index
from litmusgate.corpora.index import open_index
from unit.corpora.corpus_files import NOW, jsonl, request
from unit.corpora.killed_writer import run

WRITER = Path(__file__).with_name("killed_writer.py")
COMMANDS = ("add-text", "add-hashes", "retire", "compact")


def _world(tmp_path: Path) -> tuple[Path, Path]:
    """An index of two revisions, one of them in two parts, and a file to add."""
    index = tmp_path / "index"
    for number, revision in enumerate(("r1", "r2", "r2")):
        rows = [{"id": str(number), "text": f"text number {number} of a corpus with some words in it"}]
        add_corpus(request(index, jsonl(tmp_path / f"{number}.jsonl", rows), revision=revision))
    more = [{"id": f"m{number}", "text": f"another text with the number {number} and more"} for number in range(9)]
    return index, jsonl(tmp_path / "more.jsonl", more)


def _interrupted(mode: str, command: str, tmp_path: Path) -> tuple[Path, list[Path], Path]:
    """The index, the copies that a run was interrupted on, and the copy that one came through on."""
    index, file = _world(tmp_path)
    work = tmp_path / "work"
    work.mkdir()
    arguments = [sys.executable, str(WRITER), mode, command, str(index), str(work), str(file)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    count = int(done.stdout)
    return index, [work / str(number) for number in range(count)], work / str(count)


@pytest.mark.parametrize("mode", ["step", "bytes"])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_change_that_is_killed_is_wholly_there_or_not_at_all(tmp_path: Path, mode: str, command: str) -> None:
    """Kill -9 at every sync, rename and deletion, and inside every write: it opens, is whole, and the change can be repeated."""
    index, interrupted, finished = _interrupted(mode, command, tmp_path)
    old, new = open_index(index), open_index(finished)
    assert interrupted
    for folder in interrupted:
        found = open_index(folder)
        assert found.digest in (old.digest, new.digest)
        assert found.segments in (old.segments, new.segments)
        assert verify_index(folder, now=NOW).differences == ()
        if found.segments == old.segments:
            run(command, folder, tmp_path / "more.jsonl")
        compact_index(folder)
        named = {segment.file for segment in open_index(folder).segments}
        assert {path.name for path in folder.iterdir()} == {*named, ".lock", "index.json"}
        assert open_index(folder).digest == new.digest


@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_disk_leaves_the_old_index_and_no_half_file(tmp_path: Path, command: str) -> None:
    """The error is the index's, exit code 4, and the folder holds exactly what it held, but for whole files without a name in it."""
    index, interrupted, _ = _interrupted("full", command, tmp_path)
    old = open_index(index)
    assert interrupted
    for folder in interrupted:
        assert open_index(folder).segments == old.segments
        assert not [path for path in folder.iterdir() if path.name.startswith(".writing")]
        assert verify_index(folder, now=NOW).differences == ()
