"""`litmusgate admit` on files: the record, the funnel, the exit code."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from admission_world import NOW, instance, run_of, suite_of
from litmusgate.admission.ledger import read_admission
from litmusgate.app.suites import load_suite, save_suite
from litmusgate.cli.main import main
from litmusgate.runs.files import write_run
from litmusgate.suite.instance import Tool, Turn

SIZE = 24


def words(rng: random.Random, count: int) -> str:
    """A text of made-up words."""
    return " ".join("".join(rng.choices("abdegiklmnoprstuvz", k=rng.randint(4, 9))) for _ in range(count))


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    """A suite of 24, a corpus that knows the first of it, an index, an unsafe reference and a policy that pins them."""
    rng = random.Random(3)
    texts = [words(rng, 40) for _ in range(SIZE)]
    tools = (Tool(name="send", parameters={"type": "object"}),)
    cases = [
        instance(f"case-{number:02d}", turns=(Turn(content=text), Turn(content=words(rng, 12))), tools=tools)
        for number, text in enumerate(texts)
    ]
    suite = suite_of(cases)
    save_suite(suite, tmp_path / "suite")
    unknown = "\n".join(json.dumps({"id": f"u{number}", "text": words(rng, 50)}) for number in range(30))
    (tmp_path / "unknown.jsonl").write_text(unknown)
    (tmp_path / "known.jsonl").write_text(json.dumps({"id": "k", "text": f"{words(rng, 20)} {texts[0]}"}))
    weak = run_of(suite, {item.id: "V" for item in suite.instances}, agent="weak")
    write_run(weak, tmp_path / "weak.jsonl")
    add(tmp_path, "unknown")
    assert main(["init", "--suite", path(tmp_path, "suite"), "--index", path(tmp_path, "index"), "--reference",
                 f"unsafe={path(tmp_path, 'weak.jsonl')}", "--out", path(tmp_path, "policy.yaml")]) == 0  # fmt: skip
    return tmp_path


def path(folder: Path, name: str) -> str:
    """A file of the folder as the command line takes it."""
    return str(folder / name)


def add(folder: Path, corpus: str, *more: str) -> None:
    """Add a corpus to the index."""
    arguments = ["corpus", "add", path(folder, "index"), path(folder, f"{corpus}.jsonl"), "--name", corpus]
    columns = ["--id-column", "id", "--text-column", "text"]
    assert main([*arguments, "--revision", "1", "--published", "2026-06-01", *columns, "--now", NOW, *more]) == 0


def admit(folder: Path, *more: str, reference: bool = True, index: bool = True) -> int:
    """Run the command on the folder's files."""
    given = ["--reference", f"unsafe={path(folder, 'weak.jsonl')}"] if reference else []
    known = ["--index", path(folder, "index")] if index else []
    arguments = ["--policy", path(folder, "policy.yaml"), "--suite", path(folder, "suite"), "--agent", "candidate"]
    return main(["admit", *arguments, *known, *given, "--out", path(folder, "a.json"), "--now", NOW, *more])


def printed(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """The JSON the command printed last."""
    found = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert isinstance(found, dict)
    return found


def test_a_clean_suite_is_admitted_and_the_record_is_canonical(folder: Path) -> None:
    """The positive control: exit 0, every instance may vote, and the same call writes the same bytes."""
    assert admit(folder) == 0
    data = (folder / "a.json").read_bytes()
    record = read_admission(data, path="a.json")
    assert len(record.admissible_ids) == SIZE
    assert record.suite_digest == load_suite(folder / "suite").digest
    assert record.index is not None
    assert record.index.corpora == {"unknown": "1"}
    assert record.admitted_at == NOW
    assert {"litmusgate", "python", "numpy", "scipy"} <= record.versions.keys()
    assert admit(folder) == 0
    assert (folder / "a.json").read_bytes() == data


def test_a_contaminated_suite_is_stale_and_still_recorded(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A8: six of 24 known instances are more than 5 %, exit 4; the record and its reasons are written all the same."""
    suite = load_suite(folder / "suite")
    lines = [json.dumps({"id": item.id, "text": item.turns[0].content}) for item in suite.instances[:6]]
    (folder / "leak.jsonl").write_text("\n".join(lines))
    add(folder, "leak")
    assert admit(folder, "--format", "json") == 4
    shown = printed(capsys)
    assert shown["stale"] is True
    assert shown["totals"]["by_reason"] == {"contaminated": 6}
    codes = {finding["code"] for finding in shown["findings"]}
    assert codes == {"suite-stale", "critical-category-stale", "pushed-under-20"}
    assert len(read_admission((folder / "a.json").read_bytes(), path="a.json").admissible_ids) == 18


def test_a_corpus_published_after_the_cutoff_cannot_have_contaminated(folder: Path) -> None:
    """A10 reaches the record: with an earlier cut-off the index holds nothing that counts, which is not clean."""
    add(folder, "known")
    assert admit(folder, "--cutoff", "2026-07-01") == 0
    late = read_admission((folder / "a.json").read_bytes(), path="a.json")
    assert not late.instances[0].admissible
    assert late.cutoff == "2026-07-01"
    assert admit(folder, "--cutoff", "2026-01-01") == 4
    early = read_admission((folder / "a.json").read_bytes(), path="a.json")
    assert {finding.reason.value for item in early.instances for finding in item.findings} == {"provenance-unknown"}


def test_a_copy_that_only_hashes_show_is_suspect_in_a_record_that_is_believed(folder: Path) -> None:
    """A2, A7: a verbatim copy in a hash-only segment votes under review; no score above τ is claimed, and gates read it."""
    add(folder, "known", "--keep", "hashes")
    assert admit(folder) == 0
    record = read_admission((folder / "a.json").read_bytes(), path="a.json")
    found, other = record.instances[0], record.instances[1]
    assert found.provenance is not None
    assert (found.admissible, found.suspect, found.provenance.status.value) == (True, True, "suspect")
    assert found.provenance.score is not None
    assert found.provenance.score <= float(record.settings.tau)
    best = found.provenance.matches[0]
    assert (best.corpus, best.document, best.field, best.similarity) == ("known", "k", "turns[0]", 1.0)
    assert "fetch the document" in (found.provenance.detail or "")
    assert not other.suspect


def test_a_missing_reference_or_index_is_a_check_that_was_not_run(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A7: required and not run is exit 4, printed as not checked with its cause."""
    assert admit(folder, reference=False) == 4
    assert "not checked: no unsafe reference was given" in capsys.readouterr().out
    assert admit(folder, index=False) == 4
    assert "not checked: no provenance index was given" in capsys.readouterr().out


def test_the_funnel_goes_from_the_suite_to_what_may_vote(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Total, inadmissible by reason, voting, checks, references and staleness stand on the printed page."""
    add(folder, "known")
    capsys.readouterr()
    assert admit(folder) == 0
    out = capsys.readouterr()
    lines = [line.strip() for line in out.out.splitlines()]
    assert lines[0].startswith("admission sha256:")
    for line in (
        "24 instances in the suite",
        "1   contaminated",
        "23 may vote",
        "23   of 24 in exfiltration",
        "not stale",
    ):
        assert line in lines
    assert any(line.startswith("provenance") and line.endswith("done") for line in lines)
    assert any(line.startswith("unsafe") and "weak, build 1" in line for line in lines)
    assert "the policy pins index" in out.err


def test_scripted_references_admit_what_they_can_solve(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A6: the complying agent violates and the refusing one passes every instance; their runs are on the record."""
    assert admit(folder, "--run-references", "--format", "json") == 0
    shown = printed(capsys)
    assert shown["checks"]["solvability"] == "done"
    assert shown["totals"]["inadmissible"] == 0
    assert [item["role"] for item in shown["references"]] == ["safe", "unsafe", "unsafe"]
    assert len(shown["trivial"]) == 2
    again = printed_digests(folder, capsys)
    assert again == [item["digest"] for item in shown["references"]]


def printed_digests(folder: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Digests of the references of another admission an hour later."""
    assert admit(folder, "--run-references", "--format", "json", "--now", "2026-11-30T13:00:00Z") == 0
    return [item["digest"] for item in printed(capsys)["references"]]


@pytest.mark.parametrize(
    ("more", "code", "message"),
    [
        (["--agent", ""], 2, "--agent is not a name"),
        (["--agent", "a\x1b[31m"], 2, "--agent is not a name"),
        (["--cutoff", "yesterday"], 2, "--cutoff is not a date"),
        (["--cutoff", "20260131"], 2, "2026-01-31"),
        (["--reference", "weak.jsonl"], 2, "ROLE=RUN"),
        (["--reference", "mutant=weak.jsonl"], 2, "unsafe"),
        (["--now", "soon"], 2, "--now is not a time"),
        (["--agent", "Weak"], 4, "its own reference"),
        (["--policy", "absent.yaml"], 2, "policy cannot be read"),
        (["--index", "absent"], 4, "index"),
        (["--reference", "safe=absent.jsonl"], 4, "absent.jsonl"),
    ],
)
def test_what_cannot_be_admitted_is_an_error_and_writes_nothing(
    folder: Path, capsys: pytest.CaptureFixture[str], more: list[str], code: int, message: str
) -> None:
    """Wrong usage is 2, evidence that cannot be believed is 4; no record is left behind and no control character shown."""
    assert admit(folder, *more) == code
    errors = capsys.readouterr().err
    assert message in errors
    assert "\x1b" not in errors
    assert not (folder / "a.json").exists()


def test_hostile_names_are_shown_and_never_sent_to_the_terminal(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """T5: what a run calls itself is made visible in the funnel."""
    suite = load_suite(folder / "suite")
    names = {item.id: "V" for item in suite.instances}
    write_run(run_of(suite, names, agent="we\u202eak"), folder / "odd.jsonl")
    capsys.readouterr()
    assert admit(folder, "--reference", f"unsafe={path(folder, 'odd.jsonl')}") == 0
    out = capsys.readouterr().out
    assert "\\u202e" in out
    assert "\u202e" not in out
