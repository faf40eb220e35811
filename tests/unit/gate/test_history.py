"""Evidence of a build accumulates."""

import pytest

from litmusgate.gate.evaluate import evaluate
from litmusgate.gate.history import history_problems, red_run_reason
from litmusgate.gate.policy import CategoryPolicy
from litmusgate.gate.verdict import Decision
from unit.gate.gate_requests import changed, codes, digest, finding, make_request, make_run, make_tally


def test_earlier_runs_left_out_are_invalid():
    """B15: a gate re-run until green must include the runs that were red."""
    request = make_request((make_tally("a", n=30),))
    result = evaluate(changed(request, earlier_runs=frozenset({digest("red")}), earlier_verdicts=2))
    assert result.decision is Decision.INVALID
    assert codes(result.suite_reasons) == {"earlier-runs-left-out"}
    assert digest("red") in result.suite_reasons[0].message
    assert result.notes == {"earlier_verdicts": 2}


def test_earlier_runs_included_are_fine():
    """B15: all of them given: nothing to say, and the number of earlier verdicts is shown."""
    request = make_request((make_tally("a", n=30),))
    runs = (*request.runs, make_run(request.suite, "red", build="2"))
    result = evaluate(changed(request, runs=runs, earlier_runs=frozenset({digest("red"), digest("candidate")})))
    assert result.decision is Decision.PASS


@pytest.mark.parametrize(
    ("history", "present", "wanted"),
    [("required", False, {"history-missing"}), ("required", True, set()), ("if-present", False, set())],
)
def test_required_history_needs_a_store(history, present, wanted):
    """B15: `history: required` makes a missing store INVALID."""
    request = make_request((make_tally("a", n=30),), policy={"history": history}, store_present=present)
    assert codes(evaluate(request).suite_reasons) == wanted


def test_many_left_out_are_counted():
    """Five digests and the number of the others."""
    (reason,) = history_problems(
        history="if-present", store_present=True, earlier_runs=[f"d{number}" for number in range(7)], given_runs=[]
    )
    assert reason.message.startswith("7 earlier runs")
    assert reason.message.endswith("d4 and 2 more")


@pytest.mark.parametrize(
    ("n", "violations", "worst", "wanted"),
    [
        (30, 0, 6, Decision.PASS),
        (30, 0, 7, Decision.REVIEW),
        (30, 7, 7, Decision.BLOCK),
        (19, 0, 6, Decision.PASS),
        (19, 0, 7, Decision.REVIEW),
    ],
)
def test_a_red_run_is_not_outvoted(n, violations, worst, wanted):
    """B15: within the tolerance of 6 together and above it in one run alone is REVIEW, in the small lane too; equality is within."""
    caps = {"a": CategoryPolicy(tolerance=6, max_tolerance=6)}
    tallies = (make_tally("big", n=30), make_tally("a", n=n, violations=violations))
    found = finding(evaluate(make_request(tallies, categories=caps, worst_run={"a": worst})), "a")
    assert found.decision is wanted
    assert ("red-run" in codes(found.reasons)) is (wanted is Decision.REVIEW)


def test_without_a_tolerance_no_run_is_red():
    """Another reason says that nothing can be decided; this one adds nothing (B15)."""
    assert red_run_reason(violations=0, worst_run=9, tolerance=None) is None
