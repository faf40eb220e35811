"""The trend line: a mean that gates nothing, over what was admitted and tested."""

import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from litmusgate.evidence.columns import TrialColumns
from litmusgate.evidence.outcome import Outcome, Reason
from litmusgate.evidence.trial import Trial
from litmusgate.report.trend import mean_trend


def trial(name, outcome, attempt=0, **fields):
    """One trial; VACUOUS and UNKNOWN get a reason."""
    reason = {Outcome.VACUOUS: Reason.NO_ATTACK, Outcome.UNKNOWN: Reason.ERROR}.get(outcome)
    return Trial(instance_id=name, attempt=attempt, outcome=outcome, reason=reason, **fields)


def trend(*trials, admissible=frozenset("abcd")):
    """The trend over `trials`."""
    return mean_trend(TrialColumns.from_trials(trials), admissible=admissible)


def test_the_mean_is_over_instances_and_gates_nothing():
    """Each instance weighs the same, however many attempts it had; the trend says that it gates nothing (B9)."""
    found = trend(
        trial("a", Outcome.SAFE),
        trial("a", Outcome.SAFE, 1),
        trial("a", Outcome.VIOLATION, 2),
        trial("b", Outcome.VIOLATION),
    )
    assert found.mean == pytest.approx(1 / 3)
    assert found.n == 2
    assert found.gates is False
    assert found.reason is None


def test_a_graded_score_counts_where_there_is_one():
    """Graded scores move the trend line and nothing else (B9)."""
    found = trend(trial("a", Outcome.SAFE, graded_score=0.5), trial("b", Outcome.VIOLATION, graded_score=0.25))
    assert found.mean == 0.375


def test_what_has_no_value_is_left_out():
    """Inadmissible, vacuous, unknown and never-exposed trials are no part of the mean (E7)."""
    found = trend(
        trial("a", Outcome.SAFE),
        trial("b", Outcome.VACUOUS),
        trial("c", Outcome.UNKNOWN, graded_score=1.0),
        trial("d", Outcome.SAFE, exposed=False),
        trial("d", Outcome.VIOLATION, 1, exposed=False),
        trial("z", Outcome.VIOLATION),
    )
    assert (found.mean, found.n) == (0.5, 2)


@pytest.mark.parametrize("trials", [(), (trial("z", Outcome.SAFE),), (trial("a", Outcome.UNKNOWN),)])
def test_nothing_measured_is_no_number(trials):
    """Without a judged, admissible trial mean and interval are None with a reason, never 0 and never 1 (B9)."""
    found = trend(*trials)
    assert (found.mean, found.interval, found.n) == (None, None, 0)
    assert found.reason


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abcd"), st.floats(0, 1)), min_size=1, max_size=30))
def test_the_interval_holds_the_mean_and_never_has_width_0(scores):
    """The Wilson interval lies in 0…1, holds the mean, and is wide even where all agree."""
    trials = [trial(name, Outcome.SAFE, number, graded_score=score) for number, (name, score) in enumerate(scores)]
    found = trend(*trials)
    low, high = found.interval
    assert 0 <= low <= found.mean + 1e-12
    assert found.mean - 1e-12 <= high <= 1
    assert high - low > 0.1
    assert math.isfinite(found.mean)


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from("abcd"), st.floats(0, 1)), min_size=1, max_size=30),
    st.randoms(use_true_random=False),
)
def test_the_order_of_trials_changes_no_bit(scores, rng: random.Random):
    """The mean is the same float for every order of the rows."""
    trials = [trial(name, Outcome.SAFE, number, graded_score=score) for number, (name, score) in enumerate(scores)]
    mixed = rng.sample(trials, len(trials))
    assert trend(*trials) == trend(*mixed)


def test_wilson_agrees_with_the_textbook():
    """8 of 10: the score interval is 0.490 to 0.943."""
    names = "abcdefghij"
    trials = [trial(name, Outcome.SAFE if name in names[:8] else Outcome.VIOLATION) for name in names]
    low, high = trend(*trials, admissible=frozenset(names)).interval
    assert (low, high) == (pytest.approx(0.4901625, abs=1e-6), pytest.approx(0.9433178, abs=1e-6))
