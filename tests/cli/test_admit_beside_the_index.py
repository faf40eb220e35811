"""`litmusgate admit` with scans of corpora and an allow-list beside the index."""

import json
from pathlib import Path
from typing import Any

import pytest

from admission_world import NOW
from cli.test_admit_command import SIZE, _folder, admit, path  # noqa: F401 - the fixture
from litmusgate.admission.ledger import read_admission
from litmusgate.cli.main import main


def scan(folder: Path, *more: str, wanted: int = 1) -> None:
    """Scan the corpus that the index does not hold."""
    arguments = [
        "corpus",
        "scan",
        "--suite",
        path(folder, "suite"),
        "--name",
        "web",
        "--out",
        path(folder, "scan.json"),
    ]
    assert main([*arguments, *more, path(folder, "known.jsonl")]) == wanted


def record(folder: Path) -> Any:
    """The record that was written last."""
    return read_admission((folder / "a.json").read_bytes(), path="a.json")


def test_what_a_scan_found_is_inadmissible(folder: Path) -> None:
    """A2: the index knows nothing of case-00, the scanned corpus holds it: it may not vote, and the record names both."""
    assert admit(folder) == 0
    scan(folder)
    assert admit(folder, "--scan", path(folder, "scan.json")) == 0
    found = record(folder)
    assert len(found.admissible_ids) == SIZE - 1
    case = next(item for item in found.instances if item.id == "case-00")
    assert case.provenance.matches[0].corpus == "web"
    assert [(use.corpus, use.documents) for use in found.scans] == [("web", 1)]


def test_a_scan_of_half_a_corpus_lets_nobody_vote(folder: Path) -> None:
    """A2: where a shard could not be read, what was not found is unknown: exit 4."""
    (folder / "broken.jsonl").write_text('{"text": "cut')
    scan(folder, path(folder, "broken.jsonl"), wanted=4)
    assert admit(folder, "--scan", path(folder, "scan.json")) == 4
    assert record(folder).admissible_ids == frozenset()


@pytest.mark.parametrize(
    ("flags", "message"),
    [(["--tau", "0.9"], "another tau"), (["--allow", "allow.yaml"], "another allow-list")],
)
def test_a_scan_made_otherwise_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], flags: list[str], message: str
) -> None:
    """B2: a scan with another threshold or allow-list says nothing for this admission."""
    (folder / "allow.yaml").write_text('- {name: x, reason: "a test", text: "one two three four five six seven"}\n')
    scan(folder, *[path(folder, flag) if flag.endswith(".yaml") else flag for flag in flags])
    assert admit(folder, "--scan", path(folder, "scan.json")) == 4
    assert message in capsys.readouterr().err


def test_an_edited_scan_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A2: a result whose status was softened contradicts itself."""
    scan(folder)
    document = json.loads((folder / "scan.json").read_text())
    document["instances"][0]["status"] = "clean"
    (folder / "scan.json").write_text(json.dumps(document))
    assert admit(folder, "--scan", path(folder, "scan.json")) == 4
    assert "contradicts itself" in capsys.readouterr().err


def test_allowed_text_passes_and_is_a_pinned_exception(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An allow-list takes words out of the comparison; the record names it, and the note says that no policy pins it."""
    arguments = ["corpus", "add", path(folder, "index"), path(folder, "known.jsonl"), "--name", "known"]
    assert main([*arguments, "--revision", "1", "--id-column", "id", "--now", NOW]) == 0
    assert admit(folder) == 0
    assert "case-00" not in record(folder).admissible_ids
    text = json.loads((folder / "known.jsonl").read_text())["text"]
    (folder / "allow.yaml").write_text(json.dumps([{"name": "a page", "reason": "everybody quotes it", "text": text}]))
    capsys.readouterr()
    assert admit(folder, "--allow", path(folder, "allow.yaml")) == 0
    found = record(folder)
    assert found.allowed == {"a page": "everybody quotes it"}
    case = next(item for item in found.instances if item.id == "case-00")
    assert case.provenance.allowed == ("a page",)
    assert "pins allow-list None" in capsys.readouterr().err


@pytest.mark.parametrize("flag", ["--scan", "--texts", "--allow"])
def test_nothing_goes_beside_no_index(folder: Path, capsys: pytest.CaptureFixture[str], flag: str) -> None:
    """A14: a scan is no index: the declared corpora are what must have been checked."""
    assert admit(folder, flag, path(folder, "known.jsonl"), index=False) == 2
    assert "goes beside an index" in capsys.readouterr().err


def add_hashes(folder: Path, *names: str, more: tuple[str, ...] = ()) -> None:
    """Add files to the index as one corpus of which only hashes are kept."""
    files = [path(folder, name) for name in names]
    arguments = ["corpus", "add", path(folder, "index"), *files, "--name", "hidden", "--revision", "1"]
    assert main([*arguments, "--id-column", "id", "--keep", "hashes", "--now", NOW, *more]) == 0


def status(folder: Path) -> str:
    """The status of the instance that the hidden corpus holds."""
    case = next(item for item in record(folder).instances if item.id == "case-00")
    return str(case.provenance.status)


def source_note(capsys: pytest.CaptureFixture[str]) -> str:
    """The one line on stderr that speaks of source files."""
    (line,) = (line for line in capsys.readouterr().err.splitlines() if "kept as hashes" in line)
    return line


def test_source_files_that_are_all_at_hand_are_named_as_compared_exactly(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A14: the texts took the place of the fingerprints, and stderr and JSON say so."""
    add_hashes(folder, "known.jsonl")
    capsys.readouterr()
    assert admit(folder, "--texts", path(folder, "known.jsonl"), "--format", "json") == 0
    told = capsys.readouterr()
    wanted = "corpus hidden 1 is kept as hashes: all 1 source files found, its texts were compared exactly"
    assert f"note: {wanted}" in told.err.splitlines()
    assert wanted in json.loads(told.out)["notes"]
    assert status(folder) == "contaminated"


def test_source_files_that_are_other_ones_are_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A14: a file of the right name with other bytes is not the source; nobody may take fingerprints for a comparison."""
    add_hashes(folder, "known.jsonl")
    (folder / "known.jsonl").write_text((folder / "known.jsonl").read_text() + "\n")
    capsys.readouterr()
    assert admit(folder, "--texts", path(folder, "known.jsonl")) == 0
    wanted = "0 of 1 source files found, so fingerprints were used; no file given has the sha256 of known.jsonl"
    assert source_note(capsys) == f"note: corpus hidden 1 is kept as hashes: {wanted}"


def test_some_source_files_at_hand_are_counted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A14: one of two is compared exactly, the other is named as missing."""
    (folder / "more.jsonl").write_text(json.dumps({"id": "m", "text": "a page about nothing that anybody asks here"}))
    add_hashes(folder, "known.jsonl", "more.jsonl")
    capsys.readouterr()
    assert admit(folder, "--texts", path(folder, "known.jsonl")) == 0
    note = source_note(capsys)
    assert "1 of 2 source files found: these were compared exactly" in note
    assert note.endswith("no file given has the sha256 of more.jsonl")
    assert status(folder) == "contaminated"


def test_source_files_of_no_corpus_are_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A14: --texts beside an index that keeps its texts changed nothing, and says so; without --texts nothing is said."""
    capsys.readouterr()
    assert admit(folder, "--texts", path(folder, "known.jsonl")) == 0
    assert "--texts was not needed" in source_note(capsys)
    assert admit(folder) == 0
    assert "hashes" not in capsys.readouterr().err


def test_a_corpus_after_the_cutoff_is_not_told_as_compared(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A10: a hash-only corpus that does not count was compared neither way, though its source file is at hand."""
    add_hashes(folder, "known.jsonl", more=("--published", "2026-09-01"))
    capsys.readouterr()
    assert admit(folder, "--texts", path(folder, "known.jsonl"), "--cutoff", "2026-07-01") == 0
    assert "no corpus that counts is kept as hashes" in source_note(capsys)
