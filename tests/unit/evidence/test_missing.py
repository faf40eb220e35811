"""What should be there and is not is UNKNOWN(missing)."""

import pytest

from evidence_builders import columns, trial
from litmusgate.errors import EvidenceError
from litmusgate.evidence.missing import MAX_EXPECTED_TRIALS, missing_trials, with_missing
from litmusgate.evidence.outcome import Reason


def test_every_absent_attempt_is_filled_in():
    """E2: suite ids x epochs less what the run has, each as UNKNOWN(missing)."""
    found = missing_trials(columns(trial("a", 1), trial("outside", 7)), ids=["b", "a"], epochs=2)
    assert [(of.instance_id, of.attempt, of.reason) for of in found.to_trials()] == [
        ("a", 0, Reason.MISSING),
        ("b", 0, Reason.MISSING),
        ("b", 1, Reason.MISSING),
    ]


def test_an_empty_run_is_missing_entirely():
    """E2: no trials at all give as many UNKNOWN ones as were asked for."""
    assert len(with_missing(columns(), ids=["a", "b"], epochs=3)) == 6


def test_a_complete_run_stays_as_it_is():
    """Nothing is added where nothing is missing."""
    whole = columns(trial("a"))
    assert with_missing(whole, ids=["a"], epochs=1) is whole


def test_attempts_beyond_the_epochs_are_an_error():
    """E2: an attempt that nobody asked for is not evidence."""
    with pytest.raises(EvidenceError, match="1 instances have attempts beyond the epochs"):
        missing_trials(columns(trial("a", 2), trial("b")), ids=["a", "b"], epochs=2)


def test_absurd_expectations_are_refused_before_memory_is_taken():
    """A header that asks for billions of attempts is an error."""
    with pytest.raises(EvidenceError, match="too many trials"):
        missing_trials(columns(), ids=["a"], epochs=MAX_EXPECTED_TRIALS + 1)
