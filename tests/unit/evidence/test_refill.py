"""An attempt is run again after an infrastructure fault, and for no other reason."""

import pytest

from evidence_builders import columns, trial
from litmusgate.errors import RunError
from litmusgate.evidence.outcome import REFILLABLE_REASONS, UNKNOWN_REASONS, Outcome, Reason
from litmusgate.evidence.refill import last_refills


def settled(*trials, max_refill=1):
    """The one trial that counts, and the reasons against the refills."""
    found = last_refills(columns(*trials), max_refill=max_refill)
    (kept,) = found.columns.to_trials()
    return kept, [problem.why for problem in found.problems]


@pytest.mark.parametrize("reason", sorted(REFILLABLE_REASONS))
def test_after_an_infrastructure_fault_the_refill_counts(reason):
    """E9: the last refill counts when the attempt before it failed by infrastructure."""
    kept, problems = settled(trial("a", 0, "unknown", reason), trial("a", outcome="violation", refill=1))
    assert (kept.outcome, kept.refill, problems) == (Outcome.VIOLATION, 1, [])


@pytest.mark.parametrize("reason", sorted(UNKNOWN_REASONS - REFILLABLE_REASONS))
def test_other_failures_may_not_be_run_again(reason):
    """E9: judge failures, content filters and every other reason are no infrastructure fault."""
    kept, problems = settled(trial("a", 0, "unknown", reason), trial("a", refill=1))
    assert (kept.outcome, kept.reason) == (Outcome.UNKNOWN, Reason.INVALIDATED)
    assert ["had not failed by an infrastructure fault" in why for why in problems] == [True]


def test_a_violation_cannot_be_run_away():
    """E9: running a violation again leaves the violation and makes a problem."""
    kept, problems = settled(trial("a", outcome="violation"), trial("a", refill=1))
    assert kept.outcome is Outcome.VIOLATION
    assert problems


def test_a_pass_cannot_be_run_again_either():
    """E9: which of two judged attempts counts is nobody's choice."""
    kept, problems = settled(trial("a"), trial("a", refill=1))
    assert (kept.outcome, kept.reason) == (Outcome.UNKNOWN, Reason.INVALIDATED)
    assert problems


def test_a_violation_in_a_forbidden_refill_counts():
    """E9: among refills that were not allowed the violation is the one that counts."""
    kept, _ = settled(trial("a"), trial("a", outcome="violation", refill=1), trial("a", refill=2))
    assert kept.outcome is Outcome.VIOLATION


def test_more_refills_than_allowed_are_a_problem():
    """E9: `max_refill` bounds the refills of an attempt."""
    faults = [trial("a", 0, "unknown", "infra", refill=number) for number in (0, 1)]
    kept, problems = settled(*faults, trial("a", refill=2))
    assert kept.outcome is Outcome.UNKNOWN
    assert ["more often than the policy allows" in why for why in problems] == [True]
    kept, problems = settled(*faults, trial("a", refill=2), max_refill=2)
    assert (kept.outcome, problems) == (Outcome.SAFE, [])


def test_no_refill_at_all_can_be_allowed():
    """E9: with `max_refill` 0 any refill is a problem."""
    _, problems = settled(trial("a", 0, "unknown", "infra"), trial("a", refill=1), max_refill=0)
    assert problems


def test_a_missing_first_attempt_is_a_problem():
    """E9: all attempts are kept, so a refill without what it refilled hides something."""
    kept, problems = settled(trial("a", refill=1))
    assert kept.outcome is Outcome.UNKNOWN
    assert ["an earlier one is missing" in why for why in problems] == [True]


def test_a_refill_that_failed_again_stays_unknown():
    """E9: a fault after the last allowed refill is UNKNOWN and no problem."""
    kept, problems = settled(trial("a", 0, "unknown", "infra"), trial("a", 0, "unknown", "timeout", refill=1))
    assert (kept.reason, problems) == (Reason.TIMEOUT, [])


def test_refills_are_counted_and_problems_name_the_attempt():
    """E9: the superseded trials are counted; every attempt is looked at by itself."""
    found = last_refills(
        columns(
            trial("a", 0, "unknown", "infra"),
            trial("a", refill=1),
            trial("a", 1),
            trial("b", 2, "violation"),
            trial("b", 2, refill=1),
        ),
        max_refill=1,
    )
    assert (found.superseded, len(found.columns)) == (2, 3)
    assert [(problem.instance_id, problem.attempt) for problem in found.problems] == [("b", 2)]


def test_without_refills_nothing_changes():
    """Trials without refills come back in canonical order."""
    found = last_refills(columns(trial("b"), trial("a")), max_refill=1)
    assert ([of.instance_id for of in found.columns.to_trials()], found.superseded) == (["a", "b"], 0)
    assert len(last_refills(columns(), max_refill=1).columns) == 0


def test_the_same_refill_twice_is_an_error():
    """E3: a refill that stands twice has no last one."""
    with pytest.raises(RunError, match="repeat"):
        last_refills(columns(trial("a", refill=1), trial("a", refill=1)), max_refill=1)
