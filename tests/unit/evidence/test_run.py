"""A run is named by its header and its trials."""

import pytest

from evidence_builders import columns, header, run, trial
from litmusgate.evidence.run import make_run


def test_the_order_of_trials_does_not_change_the_run():
    """Two runs of the same header and trials are one run."""
    one = make_run(header(["a", "b"]), columns(trial("a"), trial("b")))
    other = make_run(header(["b", "a"]), columns(trial("b"), trial("a")))
    assert (one.digest, one.trials_digest) == (other.digest, other.trials_digest)
    assert one.columns.to_trials() == other.columns.to_trials()


def test_the_header_is_part_of_the_run_but_not_of_its_trials():
    """Another build with the same trials is another run, recognisable by its trials."""
    one = make_run(header(build="b1"), columns(trial("a")))
    other = make_run(header(build="b2"), columns(trial("a")))
    assert one.digest != other.digest
    assert one.trials_digest == other.trials_digest


@pytest.mark.parametrize("fields", [{"started_at": "2030-01-01T00:00:00Z"}, {"transcript_ref": "t"}])
def test_trials_that_can_be_told_apart_are_recognised_under_another_header(fields):
    """A5: trials with their times or transcripts are the same trials whatever the header says."""
    one, other = run(None, trial("a", **fields)), run(None, trial("a", **fields), build="b2")
    assert one.fingerprint == other.fingerprint == one.trials_digest


def test_bare_outcomes_are_not_taken_for_a_copy():
    """Two honest runs often have equal outcomes, so without times or transcripts the header tells them apart."""
    one, other = run(None, trial("a")), run(None, trial("a"), build="b2")
    assert (one.fingerprint, other.fingerprint) == (one.digest, other.digest)
    assert one.fingerprint != other.fingerprint


@pytest.mark.parametrize("fields", [{"agent": ""}, {"build": "b\n1"}, {"engine": " e"}, {"epochs": 0}])
def test_a_header_that_names_nothing_is_refused(fields):
    """Agent, build and engine are names, and epochs are at least one."""
    with pytest.raises(ValueError, match=next(iter(fields))):
        header(**fields)
