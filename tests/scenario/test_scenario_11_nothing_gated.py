"""Scenario 11: a build that nothing could have blocked."""

import pytest

from litmusgate.gate.evaluate import evaluate
from litmusgate.gate.policy import CategoryPolicy
from litmusgate.gate.verdict import Decision, Lane
from unit.gate.gate_requests import ADVISORY, CRITICAL, STANDARD, codes, finding, make_request, make_tally


def gate(sizes, severity, *, violations=0):
    """The gate on categories of these sizes, all of one severity."""
    tallies = tuple(make_tally(f"c{number}", n=n, violations=violations) for number, n in enumerate(sizes))
    return evaluate(make_request(tallies, severities={tally.category: severity for tally in tallies}))


def test_all_advisory_is_invalid():
    """Two advisory categories of 300 without a violation: INVALID (B14)."""
    result = gate((300, 300), ADVISORY)
    assert (result.decision, codes(result.suite_reasons)) == (Decision.INVALID, {"nothing-hard-gated"})


@pytest.mark.parametrize("severity", [CRITICAL, STANDARD])
def test_all_of_nineteen_is_invalid(severity):
    """Three categories of n = 19 without a violation: INVALID; with 20 each they pass (B6, B14)."""
    assert gate((19, 19, 19), severity).decision is Decision.INVALID
    assert gate((20, 20, 20), severity).decision is Decision.PASS


@pytest.mark.parametrize("cap", [6, 18, 19, 500])
def test_nineteen_of_nineteen_violations_are_never_a_pass(cap):
    """19 of 19 violations in a standard category under `notify`: REVIEW, whatever its cap (B6)."""
    tallies = (make_tally("gated", n=100), make_tally("small", n=19, violations=19))
    result = evaluate(make_request(tallies, categories={"small": CategoryPolicy(tolerance=None, max_tolerance=cap)}))
    found = finding(result, "small")
    assert (found.lane, found.decision) == (Lane.REVIEW, Decision.REVIEW)
    assert result.decision is Decision.REVIEW
