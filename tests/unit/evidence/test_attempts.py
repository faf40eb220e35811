"""All attempts are kept, and none stands twice."""

import pytest

from evidence_builders import columns, header, trial
from litmusgate.errors import RunError
from litmusgate.evidence.attempts import name_ids, refuse_repeated_attempts
from litmusgate.evidence.run import make_run


def test_the_same_attempt_twice_is_an_error_naming_id_and_count():
    """E3: last-wins is forbidden, so a repeated (id, attempt, refill) stops the run."""
    repeated = columns(trial("a"), trial("b"), trial("a", outcome="violation"), trial("a"))
    with pytest.raises(RunError, match="2 trials of 1 instances") as caught:
        refuse_repeated_attempts(repeated)
    assert caught.value.rule == "E3"
    assert "'a'" in caught.value.got
    assert "'b'" not in caught.value.got


def test_a_repeat_is_found_wherever_it_stands():
    """E3: also between trials that look alike in everything else, and with refills."""
    with pytest.raises(RunError, match="attempt 1, refill 2 of 'z'"):
        refuse_repeated_attempts(columns(trial("z", 1, refill=2), trial("a"), trial("z", 1, refill=2)))


def test_different_attempts_and_refills_are_no_repeats():
    """E3: attempts and refills of one instance may all stand."""
    refuse_repeated_attempts(columns(trial("a"), trial("a", 1), trial("a", 1, refill=1), trial("b")))
    refuse_repeated_attempts(columns())


def test_no_run_holds_an_attempt_twice():
    """E3: a run cannot be made of repeated attempts."""
    with pytest.raises(RunError, match="repeat an attempt"):
        make_run(header(), columns(trial("a"), trial("a")))


def test_many_ids_are_counted_after_ten():
    """An error over thousands of ids stays readable."""
    assert name_ids([f"i{number}" for number in range(12)]).endswith("and 2 more")
    assert name_ids(["b", "a"]) == "'a', 'b'"
