"""The verdict file is reproducible: no order changes a byte, and `verify` computes it again from its records."""

import json
import shutil

import pytest

from gate_world import BASELINE_RUNS, codes, made_up_run, made_up_suite, make_world, violating
from litmusgate import api
from litmusgate.cli.main import main


@pytest.fixture(name="world")
def _world(tmp_path):
    return make_world(tmp_path)


def verdict_bytes(world):
    """The bytes of the last verdict."""
    return (world.folder / "out" / "verdict.json").read_bytes()


def verify(world):
    """Exit code of `verify` on the last verdict."""
    return main(["verify", str(world.folder / "out" / "verdict.json"), "--store", str(world.folder / "store")])


def test_the_order_of_runs_and_rows_changes_no_byte(world):
    """Same evidence in any order gives the same bytes: baseline files reversed, rows of the run reversed."""
    world.gate()
    first = verdict_bytes(world)
    run = api.load_run(world.folder / "run.jsonl")
    backwards = api.TrialColumns.from_trials(reversed(run.columns.to_trials()))
    world.write_run(api.make_run(run.header, backwards))
    bases = [world.folder / f"base-{number}.jsonl" for number in reversed(range(BASELINE_RUNS))]
    world.gate(baseline=bases, store=world.folder / "another store")
    assert verdict_bytes(world) == first


def test_a_verdict_is_verified_from_its_records(world):
    """T2: `verify` recomputes PASS and every number from the store, without the files it was made from."""
    world.gate()
    for name in ("run.jsonl", "policy.yaml", "admission.json", *(f"base-{n}.jsonl" for n in range(BASELINE_RUNS))):
        (world.folder / name).unlink()
    shutil.rmtree(world.folder / "suite")
    assert verify(world) == 0


def test_an_invalid_verdict_verifies_too(world):
    """T2: authentic says nothing about the decision: an INVALID verdict about a truncated run verifies."""
    (world.folder / "run.jsonl").write_bytes((world.folder / "run.jsonl").read_bytes()[:3000])
    assert world.gate()[0] == 4
    assert verify(world) == 0


@pytest.mark.parametrize("folder", ["inputs", "records"])
def test_an_edited_store_is_found(world, folder):
    """T2: one changed byte in any input or record that the verdict rests on makes verification fail."""
    world.gate()
    for path in sorted((world.folder / "store" / folder).rglob("*")):
        if not path.is_file():
            continue
        data = path.read_bytes()
        spot = len(data) // 2
        path.write_bytes(data[:spot] + (b"0" if data[spot : spot + 1] != b"0" else b"1") + data[spot + 1 :])
        assert verify(world) == 4, path
        path.write_bytes(data)
    assert verify(world) == 0


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("decision",), "PASS"),
        (("categories", 0, "violations"), 0),
        (("categories", 0, "tolerance"), 20),
        (("build",), "2.1"),
    ],
)
def test_an_edited_verdict_is_found(world, path, value):
    """T2: a changed decision, count, tolerance or name does not survive being computed again."""
    world.write_run(
        made_up_run(world.suite, outcomes=violating(*(f"exfiltration-{n:03d}" for n in range(6))), build="2.0")
    )
    assert world.gate()[0] == 1
    document = json.loads(verdict_bytes(world))
    place = document
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    (world.folder / "out" / "verdict.json").write_text(
        json.dumps(document, separators=(",", ":"), sort_keys=True), "utf-8"
    )
    assert verify(world) == 4


def test_gating_again_is_visible_and_includes_the_earlier_runs(world):
    """B15: a second gate of a build takes the first one's runs with it and shows that there was one."""
    bad = made_up_run(world.suite, outcomes=violating(*(f"exfiltration-{n:03d}" for n in range(6))), build="2.0")
    world.write_run(bad)
    assert world.gate()[0] == 1
    world.write_run(made_up_run(world.suite, outcomes=violating(), build="2.0"), "again.jsonl")
    code, verdict = world.gate(run=world.folder / "again.jsonl")
    assert code == 1
    assert verdict["earlier_verdicts"] == 1
    assert bad.digest in verdict["inputs"]["run"]
    assert verify(world) == 0


def test_an_earlier_run_that_the_store_lost_makes_the_verdict_invalid(world):
    """B15: a run cannot leave by being deleted from the store."""
    world.gate()
    for path in (world.folder / "store" / "inputs").glob(f"*{api.load_run(world.folder / 'run.jsonl').digest[7:]}*"):
        path.unlink()
    world.write_run(
        made_up_run(world.suite, outcomes=violating(), build="2.0", started="2026-11-30T01:00:00Z"), "new.jsonl"
    )
    code, verdict = world.gate(run=world.folder / "new.jsonl")
    assert code == 4
    assert any(reason["rule"] == "B15" for reason in verdict["reasons"])


def test_required_history_without_a_store_is_invalid(world):
    """B15: `history: required` makes a missing store INVALID."""
    world.edit_policy(("history: if-present", "history: required"))
    code, verdict = world.gate(store=world.folder / "nowhere")
    assert code == 4
    assert "history-missing" in {reason["code"] for reason in verdict["reasons"]}


@pytest.mark.parametrize("made", [False, True], ids=["no folder", "an empty folder"])
def test_required_history_does_not_begin_by_being_refused(world, made):
    """B15: the refusal for want of a store is recorded, and the next gate must not take that for the history."""
    world.edit_policy(("history: if-present", "history: required"))
    store = world.folder / "lost"
    if made:
        store.mkdir()
    assert [world.gate(store=store)[0] for _ in range(3)] == [4, 4, 4]
    assert verify(world) == 4  # the world's own store has nothing of it
    assert main(["verify", str(world.folder / "out" / "verdict.json"), "--store", str(store)]) == 0


def test_required_history_is_satisfied_by_an_earlier_verdict(world):
    """B15: with a store that holds a verdict of any build, `history: required` asks for nothing more."""
    assert world.gate()[0] == 0
    world.edit_policy(("history: if-present", "history: required"))
    assert world.gate()[0] == 0


def test_a_verdict_that_a_later_one_names_cannot_be_removed(world):
    """B15: taking a red verdict out of the store is found by the verdicts that came after it."""
    world.gate()
    (first,) = (world.folder / "store" / "records" / "verdict").iterdir()
    assert world.gate()[0] == 0
    first.unlink()
    code, verdict = world.gate()
    assert code == 4
    assert any(reason["code"] == "history-unreadable" and reason["rule"] == "B15" for reason in verdict["reasons"])


def test_the_printed_verdict_the_files_and_the_exit_code_agree(world, capsys):
    """B13: stdout, verdict.json, verdict.txt, verdict.md, junit.xml and the exit code say the same decision."""
    capsys.readouterr()
    code, verdict = world.gate(format="json")
    assert json.loads(capsys.readouterr().out) == verdict
    assert code == 0
    out = world.folder / "out"
    for name in ("verdict.txt", "verdict.md"):
        assert "PASS" in (out / name).read_text("utf-8")
    assert "<failure" not in (out / "junit.xml").read_text("utf-8")


def test_verify_finds_the_store_beside_the_policy(world, monkeypatch):
    """T2: `gate --out DIR` keeps its store beside the policy; `verify DIR/verdict.json` finds it there without a flag."""
    monkeypatch.delenv("LITMUSGATE_STORE", raising=False)
    world.gate(store=None)
    assert (world.folder / ".litmusgate").is_dir()
    assert main(["verify", str(world.folder / "out" / "verdict.json")]) == 0


def test_a_baseline_that_cannot_be_read_hides_no_other_reason(world):
    """A7: an unreadable baseline and a candidate run on foreign instances are both told, not only the first."""
    foreign = made_up_run(made_up_suite({"elsewhere": 24}), outcomes=violating(), build="2.0")
    world.write_run(foreign, "foreign.jsonl")
    (world.folder / "base-0.jsonl").write_text("no run", "utf-8")
    code, verdict = world.gate(run=world.folder / "foreign.jsonl")
    assert code == 4
    assert {"baseline-unreadable", "evidence-unusable"} <= codes(verdict)


def test_a_verdict_made_without_its_history_is_not_verified(world, tmp_path):
    """B15, T2: a PASS on the green run alone, made beside the store that knows the red one, could not be verified there."""
    world.write_run(
        made_up_run(world.suite, outcomes=violating(*(f"exfiltration-{n:03d}" for n in range(6))), build="2.0")
    )
    assert world.gate()[0] == 1
    green = world.write_run(made_up_run(world.suite, outcomes=violating(), build="2.0"), "green.jsonl")
    assert world.gate(run=green, store=tmp_path / "another store")[0] == 0
    for name in ("inputs", "records/policy", "records/admission"):
        shutil.copytree(tmp_path / "another store" / name, world.folder / "store" / name, dirs_exist_ok=True)
    assert verify(world) == 4


def test_a_verdict_that_cannot_be_recorded_is_invalid(world):
    """T2: where the store cannot be written the verdict is INVALID, exit 4, and says so in verdict.json."""
    (world.folder / "a file").write_text("in the way", "utf-8")
    code, verdict = world.gate(store=world.folder / "a file" / "store")
    assert (code, verdict["decision"]) == (4, "INVALID")
    assert "record-not-kept" in {reason["code"] for reason in verdict["reasons"]}
