"""`litmusgate corpus`: what it prints, and with which exit code it ends."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from litmusgate.cli.corpus import app
from litmusgate.corpora.index import open_index
from litmusgate.errors import CorpusError
from unit.corpora.corpus_files import NOW, jsonl


def _run(*arguments: str | Path) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], catch_exceptions=True)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


def _add(tmp_path: Path, *more: str) -> tuple[int, str, str]:
    file = jsonl(tmp_path / "pub.jsonl", [{"id": "a", "text": "one"}, {"id": "b", "text": ""}])
    return _run("add", tmp_path / "index", file, "--name", "pub", "--revision", "r1", "--now", NOW, *more)


def test_add_prints_the_digest_and_says_what_it_did(tmp_path: Path) -> None:
    """The digest on stdout, the talk on stderr; the second time it says that nothing changed."""
    code, out, err = _add(tmp_path, "--published", "2026-01-01", "--fine-tuning-of", "desk")
    assert (code, out.strip()) == (0, open_index(tmp_path / "index").digest)
    assert "added pub r1: 1 documents, 1 blank rows left out, published 2026-01-01, fine-tuning data of desk" in err
    code, again, err = _add(tmp_path, "--published", "2026-01-01", "--fine-tuning-of", "desk")
    assert (code, again) == (0, out)
    assert "already there, unchanged" in err


def test_list_prints_the_digest_first(tmp_path: Path) -> None:
    """The first line is what a policy pins; as JSON it is a member."""
    _add(tmp_path)
    digest = open_index(tmp_path / "index").digest
    code, out, _ = _run("list", tmp_path / "index")
    assert (code, out.splitlines()[0]) == (0, digest)
    assert "pub r1: 1 documents" in out
    listed = json.loads(_run("list", tmp_path / "index", "--format", "json")[1])
    assert (listed["digest"], listed["documents"], listed["corpora"][0]["revision"]) == (digest, 1, "r1")


def test_verify_ends_with_4_on_any_difference(tmp_path: Path) -> None:
    """0 and the digest when everything is there; 4, and the corpus named, when a byte differs."""
    _add(tmp_path)
    index = open_index(tmp_path / "index")
    assert _run("verify", tmp_path / "index", "--now", NOW)[:2] == (0, index.digest + "\n")
    path = index.segment_path(index.segments[0])
    path.write_bytes(path.read_bytes().replace(b'"r1"', b'"r2"'))
    code, out, err = _run("verify", tmp_path / "index")
    assert (code, out) == (4, "")
    assert err.startswith("pub r1 in ")
    assert "a segment of the index was altered" in err


def test_what_cannot_be_read_is_an_error_of_exit_4(tmp_path: Path) -> None:
    """An index that is not there is broken evidence, not a usage mistake."""
    for verb in ("list", "verify"):
        with pytest.raises(CorpusError, match="no provenance index") as caught:
            _run(verb, tmp_path / "index")
        assert caught.value.exit_code == 4
