"""A verdict made by the gate on files, verified from its store, altered, and verified again (T2)."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from litmusgate import api
from litmusgate.admission.ledger import admission_bytes
from litmusgate.app.gate import GateFiles, gate_files
from litmusgate.app.suites import save_suite
from litmusgate.app.verify import Authenticity, render_verification, verify_record
from litmusgate.cli.main import main
from litmusgate.digest import canonical_bytes, digest_bytes
from litmusgate.errors import RecordError
from litmusgate.evidence.columns import TrialColumns
from litmusgate.evidence.outcome import Outcome
from litmusgate.evidence.run import make_run
from litmusgate.evidence.trial import Trial
from litmusgate.gate.policy import CategoryPolicy, FlipsDeclared
from litmusgate.gate.policy_document import policy_document
from litmusgate.runs.files import write_run
from litmusgate.suite.category import Severity
from unit.gate import gate_requests as made

SIZE = 200


def files(folder, *, violations, suffix=".jsonl"):
    """A policy, suite, admission and run on disk: one critical category of 200 with so many violations, cap 6."""
    suite = made.make_suite({"exfiltration": SIZE}, {"exfiltration": Severity.CRITICAL})
    policy = made.make_policy(
        suite,
        {"exfiltration": CategoryPolicy(tolerance=None, max_tolerance=6)},
        flips=FlipsDeclared(flips=2, pairs=600, why="measured by hand"),
        baseline=(),
    )
    header = made.make_run(suite, "candidate", build="2").header
    trials = [
        Trial(
            instance_id=item.id,
            attempt=0,
            outcome=Outcome.VIOLATION if number < violations else Outcome.SAFE,
            cached=False,
        )
        for number, item in enumerate(suite.instances)
    ]
    folder.mkdir()
    (folder / "policy.yaml").write_bytes(canonical_bytes(policy_document(policy)))
    save_suite(suite, folder / "suite")
    (folder / "admission.json").write_bytes(admission_bytes(made.make_record(suite)))
    write_run(make_run(header, TrialColumns.from_trials(trials)), folder / f"run{suffix}")
    return GateFiles(
        policy=folder / "policy.yaml",
        suite=folder / "suite",
        runs=(folder / f"run{suffix}",),
        admission=folder / "admission.json",
        now=made.NOW,
        out=folder / "out",
        store=folder / ".litmusgate",
    )


@pytest.fixture
def gated(tmp_path):
    """One gate with 9 violations above a cap of 6, and its folder."""
    request = files(tmp_path / "gate", violations=9)
    return tmp_path / "gate", gate_files(request)


def edited(path, **changes):
    """The verdict at `path` with some top-level fields changed, as canonical bytes in its place."""
    value = json.loads(path.read_bytes())
    path.write_bytes(canonical_bytes(value | changes))


@pytest.mark.parametrize(("violations", "decision"), [(0, "PASS"), (1, "PASS"), (9, "BLOCK")])
def test_a_verdict_is_authentic_whatever_it_decided(tmp_path, violations, decision):
    """Recomputed from its store a PASS and a BLOCK are both authentic, by record and by output file, and exit 0 (T2)."""
    outcome = gate_files(files(tmp_path / "g", violations=violations))
    assert outcome.document.decision == decision
    for path in (
        tmp_path / "g" / "out" / "verdict.json",
        outcome.store / "records" / "verdict" / f"{outcome.digest[7:]}.json",
    ):
        found = verify_record(path, store=outcome.store)
        assert (found.authenticity, found.decision, found.digest) == (Authenticity.AUTHENTIC, decision, outcome.digest)
        assert found.authentic
        assert found.differences == found.versions == ()
        assert main(["verify", str(path), "--store", str(outcome.store)]) == 0


def test_a_record_in_a_store_is_verified_from_that_store(gated, monkeypatch):
    """Without --store and environment, a record leads to the store it is in, beside or below; elsewhere to none (T2)."""
    folder, outcome = gated
    monkeypatch.delenv("LITMUSGATE_STORE", raising=False)
    record = outcome.store / "records" / "verdict" / f"{outcome.digest[7:]}.json"
    assert verify_record(record).authentic
    copy = folder / "copy.json"
    shutil.copy(record, copy)
    assert verify_record(copy).authentic
    assert verify_record(folder / "out" / "verdict.json").authentic
    elsewhere = folder.parent / "elsewhere" / "verdict.json"
    elsewhere.parent.mkdir()
    shutil.copy(record, elsewhere)
    assert verify_record(elsewhere).authenticity is Authenticity.UNVERIFIABLE
    monkeypatch.setenv("LITMUSGATE_STORE", str(outcome.store))
    assert verify_record(elsewhere).authentic


def test_a_verdict_turned_into_a_pass_is_different(gated):
    """Editing the decision, or a count, is found and named by its JSON path; verify exits 4 (T2)."""
    folder, outcome = gated
    path = folder / "out" / "verdict.json"
    value = json.loads(path.read_bytes())
    category = value["categories"][0] | {"violations": 1, "decision": "PASS", "reasons": []}
    edited(path, decision="PASS", categories=[category])
    found = verify_record(path, store=outcome.store)
    assert found.authenticity is Authenticity.DIFFERENT
    places = {item.path: (item.recorded, item.recomputed) for item in found.differences}
    assert places["$.decision"] == ("'PASS'", "'BLOCK'")
    assert places["$.categories[0].violations"] == ("1", "9")
    assert "$.categories[0].reasons" in places
    assert main(["verify", str(path), "--store", str(outcome.store)]) == 4


def test_an_invented_and_a_dropped_check_are_both_named(gated):
    """A key that the inputs do not give, and one that is gone, are differences (T2)."""
    folder, outcome = gated
    path = folder / "out" / "verdict.json"
    checks = json.loads(path.read_bytes())["checks"]
    del checks["leakage"]
    edited(path, checks=checks | {"invented": "done"})
    found = {
        item.path: (item.recorded, item.recomputed) for item in verify_record(path, store=outcome.store).differences
    }
    assert found == {"$.checks.invented": ("'done'", "absent"), "$.checks.leakage": ("absent", "'done'")}


@pytest.mark.parametrize(("shift", "authentic"), [(1e-12, True), (1e-6, False)])
def test_floats_are_compared_to_a_billionth(gated, shift, authentic):
    """Another machine's last bits are no difference; a millionth is (T2)."""
    folder, outcome = gated
    path = folder / "out" / "verdict.json"
    trend = json.loads(path.read_bytes())["trend"]
    edited(path, trend=trend | {"mean": trend["mean"] - shift})
    assert verify_record(path, store=outcome.store).authentic is authentic


def test_another_library_version_is_told_and_is_no_difference(gated):
    """A verdict made with other versions is authentic when everything else agrees; the versions are listed (T2)."""
    folder, outcome = gated
    path = folder / "out" / "verdict.json"
    versions = json.loads(path.read_bytes())["versions"]
    edited(path, versions=versions | {"scipy": "0.1", "other": "9"})
    found = verify_record(path, store=outcome.store)
    assert found.authentic
    assert [item.path for item in found.versions] == ["$.versions.other", "$.versions.scipy"]
    assert "note: $.versions.scipy: recorded '0.1'" in render_verification(found)


def test_bytes_that_are_not_canonical_are_a_difference(gated):
    """The digest names canonical bytes; a pretty-printed copy has another one and is not the record (T2)."""
    folder, outcome = gated
    path = folder / "out" / "verdict.json"
    path.write_bytes(json.dumps(json.loads(path.read_bytes()), indent=1).encode())
    found = verify_record(path, store=outcome.store)
    assert [item.path for item in found.differences] == ["$"]
    assert not found.authentic


def spoil_policy(store):
    """Delete the policy record."""
    shutil.rmtree(store / "records" / "policy")


def spoil_admission(store):
    """Change one byte of the admission record."""
    (path,) = (store / "records" / "admission").iterdir()
    path.write_bytes(path.read_bytes().replace(b'"bot"', b'"bat"'))


def spoil_run(store):
    """Turn the first violation of the kept run into a safe trial."""
    (path,) = (store / "inputs").glob("*.jsonl")
    path.write_bytes(path.read_bytes().replace(b'"violation"', b'"safe"', 1))


def spoil_suite(store):
    """Change the wording of one kept instance."""
    (path,) = (store / "inputs").glob("*.json")
    path.write_bytes(path.read_bytes().replace(b"question 7 of", b"question 8 of"))


def lose_everything(store):
    """Remove the whole store."""
    shutil.rmtree(store)


@pytest.mark.parametrize("spoil", [spoil_policy, spoil_admission, spoil_run, spoil_suite, lose_everything])
def test_a_missing_or_altered_input_leaves_the_verdict_unverifiable(gated, spoil):
    """Not being able to verify is its own answer, with the reason, never authentic and not called false; exit 4 (T2)."""
    folder, outcome = gated
    path = folder / "out" / "verdict.json"
    spoil(outcome.store)
    found = verify_record(path, store=outcome.store)
    assert found.authenticity is Authenticity.UNVERIFIABLE
    assert found.why
    assert not found.authentic
    assert render_verification(found).startswith("could not be verified: verdict BLOCK, sha256:")
    assert main(["verify", str(path), "--store", str(outcome.store)]) == 4


def test_what_is_no_verdict_is_an_error(tmp_path):
    """An absent file and a file that is no verdict are errors with exit 4, not verified and not different (T2)."""
    for path in (tmp_path / "absent.json", tmp_path / "other.json"):
        if path.name == "other.json":
            path.write_bytes(b"{}")
        with pytest.raises(RecordError):
            verify_record(path, store=tmp_path)
        assert main(["verify", str(path), "--store", str(tmp_path)]) == 4


def test_the_format_of_the_kept_run_does_not_matter(tmp_path):
    """A run has one digest in every format; a verdict made from Parquet verifies, and is the same verdict."""
    pytest.importorskip("pyarrow", reason="needs the corpora extra")
    one = gate_files(files(tmp_path / "a", violations=9))
    other = gate_files(files(tmp_path / "b", violations=9, suffix=".parquet"))
    assert one.digest == other.digest
    assert verify_record(tmp_path / "b" / "out" / "verdict.json", store=other.store).authentic


def test_a_second_verdict_on_a_build_verifies_with_its_history(gated):
    """A gate run again counts the earlier verdict (B15), and recomputing it takes the same history from the record (T2)."""
    folder, outcome = gated
    request = files(folder.parent / "again", violations=9)
    second = gate_files(replace(request, store=outcome.store, now="2026-12-01T12:00:00Z"))
    assert second.document.earlier_verdicts == 1
    assert verify_record(folder.parent / "again" / "out" / "verdict.json", store=outcome.store).authentic


def test_an_edited_verdict_is_different_whatever_was_gated_after_it(gated, tmp_path):
    """An edit is told by its place (T2), not as a verdict that the later ones of the store do not know (B15)."""
    folder, outcome = gated
    gate_files(
        replace(files(tmp_path / "unused", violations=9), store=folder / ".litmusgate", now="2026-12-01T12:00:00Z")
    )
    path = folder / "out" / "verdict.json"
    value = json.loads(path.read_bytes())
    value["categories"][0]["covert"] += 1
    path.write_bytes(canonical_bytes(value))
    result = verify_record(path, store=outcome.store)
    assert result.authenticity is Authenticity.DIFFERENT
    assert [item.path for item in result.differences] == ["$.categories[0].covert"]


def test_report_shows_a_verdict_again_and_exits_0(gated, capsys):
    """`report` renders any verdict file in every format with exit 0; JSON is the file byte for byte."""
    folder, outcome = gated
    path = folder / "out" / "verdict.json"
    for form in ("text", "markdown", "json", "junit"):
        assert main(["report", str(path), "--format", form]) == 0
        assert capsys.readouterr().out == api.render(outcome.document, form)
    assert digest_bytes(api.report_verdict(path, "json").encode()) == outcome.digest


def test_report_analysis_explores_a_run_without_deciding(gated, capsys):
    """`report --analysis` counts a run's trials and exits 0 although the gate blocked it (E11)."""
    folder, _ = gated
    assert main(["report", "--analysis", str(folder / "run.jsonl"), "--suite", str(folder / "suite")]) == 0
    shown = capsys.readouterr().out
    assert "NO DECISION" in shown
    assert "exfiltration" in shown
    assert main(["report", "--analysis", str(folder / "run.jsonl"), "--format", "junit"]) == 2


@pytest.mark.parametrize(
    "arguments", [[], ["v.json", "--analysis", "r.jsonl"], ["v.json", "--suite", "s"], ["absent.json"]]
)
def test_report_called_wrongly_reports_nothing(arguments, capsys, tmp_path, monkeypatch):
    """Neither, both, or a stray --suite is a usage error (2); an absent verdict is 4; nothing is printed as a report."""
    monkeypatch.chdir(tmp_path)
    assert main(["report", *arguments]) == (4 if arguments == ["absent.json"] else 2)
    assert capsys.readouterr().out == ""
    assert list(Path().iterdir()) == []
