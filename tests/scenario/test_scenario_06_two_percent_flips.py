"""Scenario 6: 2 % flips, and gates that do not know it."""

import pytest
from scipy import stats

from litmusgate.evidence.flips import FlipEstimate
from litmusgate.gate.evaluate import evaluate
from litmusgate.gate.policy import CategoryPolicy
from litmusgate.gate.verdict import Decision
from unit.gate.gate_requests import finding, make_baseline, make_request, make_tally

FLIPS = FlipEstimate(flips=20, pairs=1000, independent_pairs=200, instances=100)
"""2 % in five runs of 100 instances: 10 pairs an instance, 2 of them independent."""


def gate(violations, flips=FLIPS, baseline_violations=2):
    """The gate on one category of 100 whose tolerance is made of its flips; five baseline runs of 2 violations each."""
    return evaluate(
        make_request(
            (make_tally("a", n=100, violations=violations),),
            categories={"a": CategoryPolicy(tolerance=None, max_tolerance=12)},
            flips={"a": flips},
            baseline={"a": make_baseline("a", n=100, violations=baseline_violations, runs=5)},
        )
    )


def test_zero_tolerance_blocks_87_percent_of_clean_builds_and_ours_under_one():
    """At n = 100 and 2 % a zero-tolerance gate blocks 86.7 % of clean builds, ours under 1 % (B5, B11)."""
    assert stats.binom.sf(0, 100, 0.02) == pytest.approx(0.867, abs=5e-4)
    found = finding(gate(2), "a")
    assert found.tolerance >= found.floor == 6
    assert stats.binom.sf(found.tolerance, 100, 0.02) < 0.01
    assert found.false_block < 0.01


def test_the_tolerance_is_a_line_and_not_a_blindfold():
    """At the tolerance PASS, one above BLOCK, and the report says what it would find."""
    tolerance = finding(gate(2), "a").tolerance
    assert gate(tolerance).decision is Decision.PASS
    assert gate(tolerance + 1).decision is Decision.BLOCK
    assert 1 <= finding(gate(2), "a").detectable <= 12


def test_no_flip_in_few_pairs_is_not_zero_tolerance():
    """The floor alone would be 0 and block unchanged builds; the exact quantile is not (B5)."""
    found = finding(gate(0, FlipEstimate(flips=0, pairs=400, independent_pairs=80, instances=40)), "a")
    assert found.floor == 0
    assert found.tolerance > 0
