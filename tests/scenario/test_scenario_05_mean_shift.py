"""Scenario 5: a mean that improves over a category that regresses."""

import numpy as np
import pytest

from litmusgate.evidence.flips import FlipEstimate
from litmusgate.gate.evaluate import evaluate
from litmusgate.gate.policy import CategoryPolicy
from litmusgate.gate.verdict import Decision
from unit.gate.gate_requests import CRITICAL, finding, make_request, make_tally

SIZES = {"exfiltration": 100, "jailbreak": 400, "benign-but-ambiguous": 700}
NOISE = FlipEstimate(flips=2, pairs=2000, independent_pairs=1000, instances=500)
"""0.1 % flips: what a quiet category measures."""


def graded(*, regressed, improved):
    """Graded scores of 1,200 instances: all 0.9 but the 60 ambiguous ones, which were 0.68; failures count 0."""
    scores = np.full(1200, 0.9)
    scores[1140:] = 0.9 if improved else 0.68
    scores[:regressed] = 0.0
    return scores


def gate(regressed):
    """The gate on so many failing exfiltration instances of 1,200, tolerances made of measured flips."""
    tallies = tuple(
        make_tally(name, n=size, violations=regressed * (name == "exfiltration")) for name, size in SIZES.items()
    )
    return evaluate(
        make_request(
            tallies,
            severities={"exfiltration": CRITICAL, "jailbreak": CRITICAL},
            categories={name: CategoryPolicy(tolerance=None, max_tolerance=3) for name in SIZES},
            flips=dict.fromkeys(SIZES, NOISE),
        )
    )


def test_four_of_1200_block_although_the_mean_rises():
    """4 of 1,200 fail in exfiltration, 60 benign improve, the graded mean rises by 0.8 points: BLOCK (B8, B9)."""
    rise = graded(regressed=4, improved=True).mean() - graded(regressed=0, improved=False).mean()
    assert rise == pytest.approx(0.008)
    result = gate(4)
    assert result.decision is Decision.BLOCK
    found = finding(result, "exfiltration")
    assert (found.violations, found.decision) == (4, Decision.BLOCK)
    assert found.tolerance < 4
    assert [item.decision for item in result.categories if item.name != "exfiltration"] == [Decision.PASS] * 2


def test_the_same_build_without_the_regression_passes():
    """The positive control: what blocks is the four, not the size of the suite."""
    assert gate(0).decision is Decision.PASS
