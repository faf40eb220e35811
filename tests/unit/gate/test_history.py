"""Evidence of a build accumulates."""

import pytest

from litmusgate.gate.evaluate import evaluate
from litmusgate.gate.history import history_problems
from litmusgate.gate.verdict import Decision
from unit.gate.gate_requests import changed, codes, digest, make_request, make_run, make_tally


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
