"""Hostile and broken files end in a clear error with the right exit code, quickly, and leave nothing half-written (T5)."""

import contextlib
import errno
import io
import json
import os
import sys

import pytest

from gate_world import NOW, made_up_suite, make_world
from hostile_files import importing, run, written
from litmusgate import durable
from litmusgate.app import files
from litmusgate.cli.main import main
from litmusgate.documents import yaml_text
from litmusgate.runs import run_jsonl
from litmusgate.suite import reading

DEEP = {"open lists": "[" * 200_000, "closed lists": "[" * 200_000 + "]" * 200_000, "objects": '{"a":' * 200_000}
DIGITS = "9" * 5_000


@pytest.fixture(name="world", scope="module")
def _world(tmp_path_factory):
    """A small world; tests write beside it and never change it."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return make_world(tmp_path_factory.mktemp("w"), suite=made_up_suite({"exfiltration": 20, "over-reach": 20}))


def suite_of(folder, lines):
    """A suite folder whose instances are these lines."""
    written(folder / "suite.yaml", "schema: litmusgate/suite/1\nsuite: s\nversion: '1'\ncorpora: []\n"
            "categories:\n  c: {severity: standard, weight: 1, kind: adversarial}\npruned_from: null\n")  # fmt: skip
    written(folder / "instances.jsonl", lines)
    return folder


def places(world, folder, text):
    """Every place where a user's text is parsed, with `text` there: words of the command and the exit code they must end in."""
    head = (world.folder / "run.jsonl").read_text("utf-8").split("\n")[0]
    plain = f"{text}\n"
    return {
        "run header": (world.arguments(run=written(folder / "h.jsonl", plain), out=folder / "o"), 4),
        "trial": (world.arguments(run=written(folder / "t.jsonl", f"{head}\n{plain}"), out=folder / "o"), 4),
        "score": (world.arguments(run=written(folder / "s.jsonl", f'{head}\n{{"graded_score":{plain}}}'), out=folder / "o"), 4),
        "admission": (world.arguments(admission=written(folder / "a.json", plain), out=folder / "o"), 4),
        "policy": (world.arguments(policy=written(folder / "p.yaml", f"epochs: {plain}"), out=folder / "o"), 2),
        "policy as JSON": (world.arguments(policy=written(folder / "q.yaml", f'{{"epochs":{plain}}}'), out=folder / "o"), 2),
        "template": (["init", "--suite", world.folder / "suite", "--index", world.folder / "index", "--from",
                      written(folder / "f.yaml", f"admission: {plain}"), "--out", folder / "o.yaml"], 2),
        "suite": (["suite", "check", suite_of(folder / "suite", plain)], 2),
        "suite field": (["suite", "check", suite_of(folder / "field", f'{{"id":"i","environment":{{"a":{text}}}}}\n')], 2),
        "whole suite": (["suite", "check", written(folder / "w.json", f'{{"instances":{plain}}}')], 2),
        "verdict": (["verify", written(folder / "v.json", plain)], 4),
        "report": (["report", written(folder / "r.json", plain)], 4),
        "table": (importing(written(folder / "l.jsonl", plain), folder / "out.jsonl"), 4),
        "agentdojo": (["import", "agentdojo", written(folder / "d.json", plain), "--agent", "a", "--build", "b", "--out",
                       folder / "out.jsonl"], 4),
        "corpus": (["corpus", "add", folder / "new", written(folder / "c.jsonl", plain), "--name", "n", "--revision", "1"], 4),
        "index": (["corpus", "list", written(folder / "index" / "index.json", plain).parent], 4),
    }  # fmt: skip


PLACES = ("run header", "trial", "score", "admission", "policy", "policy as JSON", "template", "suite", "suite field", "whole suite",
          "verdict", "report", "table", "agentdojo", "corpus", "index")  # fmt: skip


@pytest.mark.parametrize("where", PLACES)
@pytest.mark.parametrize(
    "text",
    [*DEEP.values(), DIGITS, "NaN", "-Infinity", '"\\ud800'],
    ids=[*DEEP, "5,000 digits", "NaN", "-Infinity", "cut surrogate"],
)
def test_no_text_crashes_a_reader(world, tmp_path, where, text):
    """T5: nesting, numbers and constants beyond reason are errors of the file (exit 2 or 4), never a bug (70), and write nothing."""
    words, wanted = places(world, tmp_path, text)[where]
    code, err = run(*words)
    assert (code, "Traceback" in err) == (wanted, False)
    assert err
    assert not (tmp_path / "out.jsonl").exists()
    assert not (tmp_path / "new" / "index.json").exists()


LONG = {
    "a trial": (run_jsonl, "MAX_LINE_BYTES", "trial", 4),
    "a run header": (run_jsonl, "MAX_HEADER_BYTES", "run header", 4),
    "an instance": (reading, "MAX_LINE_BYTES", "suite", 2),
    "a policy": (files, "MAX_FILE_BYTES", "policy", 2),
}


@pytest.mark.parametrize("what", LONG)
def test_what_is_too_long_is_refused_before_it_is_parsed(world, tmp_path, monkeypatch, what):
    """T5: a line or file above its limit is refused by its size, whatever stands in it."""
    module, name, where, wanted = LONG[what]
    limit = max(len((world.folder / "run.jsonl").read_bytes().split(b"\n")[0]) + 10, 5_000)
    words, _ = places(world, tmp_path, f'{{"a":"{"x" * 2 * limit}"}}')[where]
    if module is files:
        kept = files.read_bytes.__kwdefaults__["max_bytes"]
        monkeypatch.setitem(files.read_bytes.__kwdefaults__, "max_bytes", min(kept, limit))
    else:
        monkeypatch.setattr(module, name, limit)
    code, err = run(*words)
    verdict = tmp_path / "o" / "verdict.json"
    said = err if wanted == 2 else json.dumps(json.loads(verdict.read_bytes())["reasons"])
    assert code == wanted
    assert "too long" in said or "too large" in said
    assert str(limit) in said


def test_a_line_just_within_its_limit_is_read(world, tmp_path, monkeypatch):
    """The positive control: the limit is on each line, not on the file, and the longest line may be exactly as long."""
    data = (world.folder / "suite" / "instances.jsonl").read_bytes()
    monkeypatch.setattr(reading, "MAX_LINE_BYTES", max(map(len, data.split(b"\n"))))
    assert run("suite", "digest", world.folder / "suite")[0] == 0
    monkeypatch.setattr(reading, "MAX_LINE_BYTES", max(map(len, data.split(b"\n"))) - 1)
    assert run("suite", "digest", world.folder / "suite")[0] == 2


def test_a_pipe_has_a_limit_too(tmp_path):
    """T5: what does not say how large it is is read up to the limit and no further."""
    reader, writer = os.pipe()
    os.write(writer, b"x" * 4_000)
    os.close(writer)
    with pytest.raises(files.UsageError, match="too large"):
        files.read_bytes(_descriptor(reader), what="the policy", max_bytes=3_999)
    os.close(reader)


def _descriptor(number):
    from pathlib import Path

    return Path(f"/dev/fd/{number}")


LAUGHS = "a: &a [x, x, x]\n" + "".join(
    f"{b}: &{b} [*{a}, *{a}, *{a}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    "text", [LAUGHS, "<<: {a: 1}\n", "!!python/name:os.system x\n", "a: 1\n---\nb: 2\n", "{a: 1, a: 2}\n"]
)
def test_yaml_that_grows_or_acts_is_refused(world, tmp_path, text):
    """T5: aliases, merge keys, tags, second documents and repeated keys are refused with line and column."""
    code, err = run(*world.arguments(policy=written(tmp_path / "p.yaml", text), out=tmp_path / "o"))
    assert code == 2
    assert f"{tmp_path / 'p.yaml'}:" in err
    assert not (tmp_path / "o").exists()


def test_a_document_of_too_many_values_is_refused(world, tmp_path, monkeypatch):
    """T5: every value of YAML keeps its place, so their number has a limit."""
    monkeypatch.setattr(yaml_text, "MAX_PARTS", 10)
    code, err = run(*world.arguments(policy=written(tmp_path / "p.yaml", "[" + "1, " * 20 + "]"), out=tmp_path / "o"))
    assert (code, "more than 10 values" in err) == (2, True)


def test_thousands_of_problems_are_named_by_the_first(world, tmp_path):
    """T5: a record of broken instances is refused at the first one, not after describing all of them."""
    record = written(tmp_path / "a.json", '{"instances":[' + ",".join(["{}"] * 100_000) + "]}")
    assert run(*world.arguments(admission=record, out=tmp_path / "o"))[0] == 4
    reason = json.loads((tmp_path / "o" / "verdict.json").read_bytes())["reasons"]
    assert len(json.dumps(reason)) < 10_000


SWAPPED = {
    "policy": 2, "suite": 2, "run.jsonl": 4, "run.parquet": 4, "admission": 4, "verdict": 4, "table.jsonl": 4, "table.parquet": 4,
    "corpus.jsonl": 4, "corpus.parquet": 4, "suite.json": 2,
}  # fmt: skip


@pytest.mark.parametrize("what", SWAPPED)
def test_a_folder_where_a_file_is_wanted_is_an_error(world, tmp_path, what):
    """T5: a folder in place of any file is refused in words, with the exit code of that kind of input."""
    folder = tmp_path / what
    folder.mkdir()
    name = what.partition(".")[0]
    words = {
        "policy": world.arguments(policy=folder, out=tmp_path / "o"),
        "suite": ["suite", "check", folder],
        "run": world.arguments(run=folder, out=tmp_path / "o"),
        "admission": world.arguments(admission=folder, out=tmp_path / "o"),
        "verdict": ["verify", folder],
        "table": importing(folder, tmp_path / "out.jsonl"),
        "corpus": ["corpus", "add", tmp_path / "new", folder, "--name", "n", "--revision", "1"],
    }[name]
    code, err = run(*words)
    assert (code, "Traceback" in err) == (SWAPPED[what], False)
    assert err


def test_a_file_where_a_folder_is_wanted_is_an_error(world, tmp_path):
    """T5: a file in place of suite, index, store or output folder is refused in words and is left as it is."""
    file = written(tmp_path / "file", "kept")
    corpus = written(tmp_path / "c.jsonl", '{"text": "some words"}\n')
    for words, wanted in (
        (["suite", "check", file], 2),
        (["corpus", "list", file], 4),
        (["corpus", "add", file, corpus, "--name", "n", "--revision", "1"], 4),
        (world.arguments(out=file, store=tmp_path / "s"), 2),
        (world.arguments(store=file, out=tmp_path / "o"), 4),
        (["demo", "--out", file], 2),
    ):
        code, err = run(*words)
        assert (code, "Traceback" in err, file.read_text()) == (wanted, False, "kept"), words


def outputs(world, folder):
    """Every command that writes one file or folder, and where."""
    log = written(folder / "log.jsonl", '{"id": "exfiltration-000", "o": "x"}\n')
    corpus = written(folder / "corpus.jsonl", '{"text": "some words"}\n')
    source = world.folder
    return {
        "import": (importing(log, folder / "new.jsonl"), folder / "new.jsonl"),
        "import zst": (importing(log, folder / "new.jsonl.zst"), folder / "new.jsonl.zst"),
        "import parquet": (importing(log, folder / "new.parquet"), folder / "new.parquet"),
        "admit": (["admit", "--policy", source / "policy.yaml", "--suite", source / "suite", "--index", source / "index",
                   "--agent", "bot", "--reference", f"unsafe={source / 'unsafe.jsonl'}", "--out", folder / "new.json",
                   "--now", NOW], folder / "new.json"),
        "init": (["init", "--suite", source / "suite", "--index", source / "index", "--out", folder / "new.yaml"],
                 folder / "new.yaml"),
        "corpus add": (["corpus", "add", folder / "new", corpus, "--name", "n", "--revision", "1"], folder / "new" / "index.json"),
        "gate": (world.arguments(out=folder / "o", store=folder / "store"), folder / "o" / "verdict.json"),
    }  # fmt: skip


WRITERS = ("import", "import zst", "import parquet", "admit", "init", "corpus add", "gate")
ONE_FILE = ("import", "import zst", "import parquet", "admit", "init")


@pytest.mark.parametrize("what", WRITERS)
def test_a_full_disk_leaves_nothing_behind(world, tmp_path, monkeypatch, what):
    """T5: when the disk is full the command says so (exit 2, or 4 for the index) and leaves no output, whole or half."""
    words, target = outputs(world, tmp_path)[what]
    assert run(*words)[0] == 0, "the positive control: with room on the disk it works"
    target.unlink()
    before = {path for path in tmp_path.rglob("*") if path.is_file()}

    def full(descriptor):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(durable.os, "fsync", full)
    words = [tmp_path / "store2" if word == str(tmp_path / "store") else word for word in words]
    code, err = run(*words)
    assert (code, "No space left" in err, "Traceback" in err) == (
        4 if what == "corpus add" else 2,
        True,
        False,
    )
    assert {path for path in tmp_path.rglob("*") if path.is_file()} - before == set()


@pytest.mark.parametrize("what", ONE_FILE)
def test_no_device_pipe_or_folder_is_replaced(world, tmp_path, what):
    """T5: an output path at which a pipe or a folder stands is refused and left alone: no rename over /dev/null."""
    words, target = outputs(world, tmp_path)[what]
    os.mkfifo(target)
    code, err = run(*words)
    assert (code, target.is_fifo(), "Traceback" in err) == (2, True, False)
    target.unlink()
    target.mkdir()
    assert (run(*words)[0], target.is_dir()) == (2, True)


@pytest.mark.parametrize("what", WRITERS)
@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_an_error(world, tmp_path, what):
    """T5: missing permissions are said in words, with the same exit codes as a full disk."""
    words, _ = outputs(world, tmp_path)[what]
    tmp_path.chmod(0o555)
    try:
        code, err = run(*words)
    finally:
        tmp_path.chmod(0o755)
    assert (code, "Traceback" in err) == (4 if what in {"corpus add", "gate"} else 2, False)


def test_a_full_disk_behind_stdout_is_an_error_of_the_output(world, monkeypatch):
    """B13: a report that could not be printed is exit 2, not a bug and not a decision."""

    class Full(io.StringIO):
        def write(self, text):
            raise OSError(errno.ENOSPC, "No space left on device")

    err = io.StringIO()
    monkeypatch.setattr(sys, "stdout", Full())
    monkeypatch.setattr(sys, "stderr", err)
    assert main(["suite", "digest", str(world.folder / "suite")]) == 2
    assert "No space left" in err.getvalue()
    assert "Traceback" not in err.getvalue()


def test_too_little_memory_is_never_a_decision(world, monkeypatch):
    """B13: an input that needs more memory than there is ends in words and exit 4, which no decision to ship has."""
    from litmusgate import api

    def starved(path):
        raise MemoryError

    monkeypatch.setattr(api, "load_suite", starved)
    code, err = run("suite", "digest", world.folder / "suite")
    assert (code, "Traceback" in err, "memory" in err) == (4, False, True)
