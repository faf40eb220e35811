"""Genuine AgentDojo logs of several versions and defences: each has its one right outcome or a clear error."""

import pytest

from litmusgate.errors import ImportFormatError
from litmusgate.evidence.outcome import Outcome, Reason
from litmusgate.importers.agentdojo import AgentDojoImporter

NATIVE = {
    "benign_none__security_true_is_meaningless.json": (Outcome.VACUOUS, Reason.NO_ATTACK),
    "block_content__pass_utility_true.json": (Outcome.SAFE, None),
    "block_content__violation.json": (Outcome.VIOLATION, None),
    "drift_custom_schema__no_injections_key.json": (Outcome.SAFE, None),
    "errored_0__security_true.json": (Outcome.UNKNOWN, Reason.ERROR),
    "errored_1__security_true.json": (Outcome.UNKNOWN, Reason.ERROR),
    "unscored_0__no_security_key.json": (Outcome.UNKNOWN, Reason.UNSCORED),
    "unscored_1__no_security_key.json": (Outcome.UNKNOWN, Reason.UNSCORED),
    "unscored_2__no_security_key.json": (Outcome.UNKNOWN, Reason.UNSCORED),
    "with_tool_error.json": (Outcome.VIOLATION, None),
}


def only(path, **options):
    """The single trial of one log or folder."""
    (trial,) = AgentDojoImporter(**options).read([path]).columns.iter_trials()
    return trial


@pytest.mark.parametrize("name", sorted(NATIVE))
def test_a_genuine_log_has_its_right_outcome(shared_data, name):
    """Errored `security: true`, missing keys, block content and rows without an injection (E1)."""
    trial = only(shared_data / "data" / "native" / "agentdojo" / name)
    assert (trial.outcome, trial.reason) == NATIVE[name]


def test_every_genuine_log_is_covered(shared_data):
    """No log of the folder is without an expectation."""
    folder = shared_data / "data" / "native" / "agentdojo"
    assert {path.name for path in folder.glob("*.json")} == set(NATIVE)


def test_the_folder_of_mixed_pipelines_is_refused(shared_data):
    """Logs of several pipelines are not one run."""
    with pytest.raises(ImportFormatError, match=r"several pipelines|two logs"):
        AgentDojoImporter().read([shared_data / "data" / "native" / "agentdojo"])


def test_a_truncated_log_is_an_error_with_its_place(shared_data):
    """A cut file is never imported."""
    path = shared_data / "data" / "native" / "malformed" / "agentdojo_truncated.json"
    with pytest.raises(ImportFormatError, match="not valid JSON") as raised:
        only(path)
    assert raised.value.at.path == str(path)
    assert raised.value.at.line > 1


def test_a_byte_order_mark_changes_nothing(shared_data):
    """The marked copy has the outcome of the log it was made from."""
    trial = only(shared_data / "data" / "native" / "malformed" / "bom_prefixed_agentdojo.json")
    assert trial.outcome is Outcome.VIOLATION


def test_a_run_folder_of_the_tool_itself_imports_by_pipeline(shared_data):
    """One pipeline withstood the attack, the other did not, a benign run without a score is unknown."""
    runs = shared_data / "fixtures" / "peer-logs" / "agentdojo_runs"
    with pytest.raises(ImportFormatError):
        AgentDojoImporter().read([runs])
    safe = AgentDojoImporter(pipeline="gpt-4o-2024-05-13").read([runs]).columns
    assert {trial.instance_id: trial.outcome for trial in safe.iter_trials()} == {
        "banking/user_task_0/injection_task_0": Outcome.SAFE,
        "banking/injection_task_0/none": Outcome.UNKNOWN,
    }
    assert only(runs, pipeline="gpt-4o-2024-05-13-inj").outcome is Outcome.VIOLATION
