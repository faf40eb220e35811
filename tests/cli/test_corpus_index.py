"""`litmusgate corpus` on an index: adding hashes, retiring, compacting, and what the commands print."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from litmusgate.cli.corpus import app
from litmusgate.corpora.index import open_index
from litmusgate.errors import CorpusError, UsageError
from unit.corpora.corpus_files import NOW, jsonl


def _run(*arguments: str | Path) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], catch_exceptions=True)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


def _add(tmp_path: Path, name: str, revision: str, *more: str) -> tuple[int, str, str]:
    file = jsonl(tmp_path / f"{name}-{revision}.jsonl", [{"id": "a", "text": f"one {name} {revision}"}])
    return _run("add", tmp_path / "index", file, "--name", name, "--revision", revision, "--now", NOW, *more)


def test_hash_only_segments_are_named_as_such(tmp_path: Path) -> None:
    """Whoever reads the list sees of which corpora no text is kept."""
    code, _, err = _add(tmp_path, "pub", "r1", "--keep", "hashes")
    assert (code, "added pub r1: 1 documents, hashes only, published unknown" in err) == (0, True)
    assert "hashes only" in _run("list", tmp_path / "index")[1]


def test_a_folder_is_added_as_a_whole(tmp_path: Path) -> None:
    """Every corpus file in it, as parts of one corpus."""
    (tmp_path / "files").mkdir()
    for number in range(3):
        jsonl(tmp_path / "files" / f"{number}.jsonl", [{"text": f"text {number}"}])
    code, out, err = _run("add", tmp_path / "index", tmp_path / "files", "--name", "n", "--revision", "1", "--now", NOW)
    assert (code, "3 documents" in err) == (0, True)
    assert out.strip() == open_index(tmp_path / "index").digest


def test_retire_prints_the_new_digest_and_the_list_says_why(tmp_path: Path) -> None:
    """The pin changes, and the retired corpus stays visible with date and reason, on one line."""
    _add(tmp_path, "pub", "r1")
    old = _add(tmp_path, "pub", "r2")[1]
    arguments = ("retire", tmp_path / "index", "pub", "--revision", "r1", "--reason", "with\ndrawn", "--now", NOW)
    code, out, err = _run(*arguments)
    assert (code, out.strip()) == (0, open_index(tmp_path / "index").digest)
    assert out != old
    assert err.splitlines()[0].startswith(f"retired pub r1: 1 documents, {NOW}: with")
    assert "pin it in the policy anew" in err.splitlines()[1]
    lines = _run("list", tmp_path / "index")[1].splitlines()
    assert len(lines) == 3
    assert lines[2].startswith(f"retired pub r1: 1 documents, {NOW}: with")


def test_a_second_retirement_tells_only_its_own(tmp_path: Path) -> None:
    """What was retired before is on the list, not in what this command did."""
    for revision in ("r1", "r2", "r3"):
        _add(tmp_path, "pub", revision)
    _run("retire", tmp_path / "index", "pub", "--revision", "r1", "--reason", "x", "--now", NOW)
    err = _run("retire", tmp_path / "index", "pub", "--reason", "y", "--now", NOW)[2]
    assert [line.split(":")[0] for line in err.splitlines()[:-1]] == ["retired pub r2", "retired pub r3"]


def test_verify_says_how_much_it_verified(tmp_path: Path) -> None:
    """The digest alone stands on stdout; how many segments of how many corpora were read stands on stderr."""
    for name, revision in (("pub", "r1"), ("pub", "r2"), ("other", "r1")):
        _add(tmp_path, name, revision)
    code, out, err = _run("verify", tmp_path / "index", "--now", NOW)
    assert (code, out.strip()) == (0, open_index(tmp_path / "index").digest)
    assert err.strip() == "3 segments of 2 corpora verified"


def test_verify_names_the_altered_segment_and_a_way_out(tmp_path: Path) -> None:
    """Corpus, revision and file of the one that differs and no other, with a fix; no digest, no count, exit 4."""
    _add(tmp_path, "pub", "r1")
    _add(tmp_path, "pub", "r2")
    index = open_index(tmp_path / "index")
    segment = next(item for item in index.segments if item.revision == "r2")
    index.segment_path(segment).write_bytes(b"x")
    code, out, err = _run("verify", tmp_path / "index", "--now", NOW)
    assert (code, out, len(err.splitlines())) == (4, "", 1)
    assert err.startswith(f"pub r2 in {segment.file}: ")
    assert "altered; fix: restore the index" in err


def test_retiring_nothing_is_an_error(tmp_path: Path) -> None:
    """A corpus that is not there is broken evidence (exit 4), a blank reason wrong usage (exit 2)."""
    _add(tmp_path, "pub", "r1")
    with pytest.raises(CorpusError) as caught:
        _run("retire", tmp_path / "index", "other", "--reason", "x")
    assert caught.value.exit_code == 4
    with pytest.raises(UsageError) as wrong:
        _run("retire", tmp_path / "index", "pub", "--reason", " ")
    assert wrong.value.exit_code == 2


def test_compact_prints_the_same_digest(tmp_path: Path) -> None:
    """It says what it did, and the digest it prints is the one a policy already pins."""
    _add(tmp_path, "pub", "r1")
    file = jsonl(tmp_path / "more.jsonl", [{"text": "two"}])
    out = _run("add", tmp_path / "index", file, "--name", "pub", "--revision", "r1", "--now", NOW)[1]
    code, again, err = _run("compact", tmp_path / "index")
    assert (code, again) == (0, out)
    assert "2 segments put together, 2 files deleted" in err


@pytest.mark.parametrize("command", [("retire", "pub", "--reason", "x"), ("compact",)])
def test_without_an_index_nothing_is_made(tmp_path: Path, command: tuple[str, ...]) -> None:
    """Exit 4, and no folder where there was none."""
    with pytest.raises(CorpusError, match="no provenance index") as caught:
        _run(command[0], tmp_path / "index", *command[1:])
    assert caught.value.exit_code == 4
    assert not (tmp_path / "index").exists()
