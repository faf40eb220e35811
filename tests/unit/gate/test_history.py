"""Evidence of a build accumulates."""

import pytest

from litmusgate.gate.evaluate import evaluate
from litmusgate.gate.history import history_problems
from litmusgate.gate.policy import CategoryPolicy
from litmusgate.gate.request import RunEvidence
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


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize(
    ("n", "counts", "wanted"),
    [
        (30, (0, 6), Decision.PASS),
        (30, (0, 7), Decision.BLOCK),
        (30, (0, 0, 7, 0, 0), Decision.BLOCK),
        (19, (0, 6), Decision.PASS),
        (19, (0, 7), Decision.REVIEW),
    ],
)
def test_each_run_is_held_to_the_tolerance_by_itself(n, counts, wanted, order):
    """B15: flips and tolerance are of one run, so one red run among green ones decides, whatever their order; equality is within."""
    caps = {"a": CategoryPolicy(tolerance=6, max_tolerance=6)}
    runs = [(make_tally("big", n=30), make_tally("a", n=n, violations=count)) for count in counts][::order]
    others = tuple(RunEvidence(tallies={tally.category: tally for tally in run}) for run in runs[1:])
    found = finding(evaluate(make_request(runs[0], categories=caps, other_runs=others)), "a")
    assert (found.decision, found.violations) == (wanted, max(counts))
    assert "gravest-run" in codes(found.reasons)


def test_a_run_that_measured_nothing_is_not_hidden_by_one_that_did():
    """B15: a second run without evidence makes the category INVALID, although the first one is clean."""
    clean, blank = make_tally("a", n=30), make_tally("a", n=30, unknown=30)
    request = make_request((clean,), other_runs=(RunEvidence(tallies={"a": blank}),))
    assert finding(evaluate(request), "a").decision is Decision.INVALID


def test_the_only_run_carries_no_note():
    """With one run there is nothing to choose from (B15)."""
    assert "gravest-run" not in codes(finding(evaluate(make_request((make_tally("a", n=30),))), "a").reasons)


def test_excluded_violations_are_those_of_the_run():
    """A13, B15: what exclusion hides in any run is seen."""
    hidden = RunEvidence(
        tallies={"a": make_tally("a", n=40)}, excluded={"a": tuple(f"x{number}" for number in range(30))}
    )
    found = finding(evaluate(make_request((make_tally("a", n=40),), other_runs=(hidden,))), "a")
    assert "exclusion-hides-violations" in codes(found.reasons)
