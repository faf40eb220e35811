"""False blocks, detectable regressions, and the budget of the build."""

import math
from dataclasses import replace
from fractions import Fraction

import pytest
from scipy import stats

from litmusgate.evidence.flips import FlipEstimate
from litmusgate.evidence.tally import BaselineTally
from litmusgate.gate.evaluate import evaluate
from litmusgate.gate.policy import CategoryPolicy, FlipsUnmeasured
from litmusgate.gate.power import (
    Noise,
    budget_reason,
    cannot_block_reason,
    detectability_reason,
    family_false_block,
    low_root,
    noise_of,
    power,
)
from litmusgate.gate.verdict import Decision
from unit.gate.gate_requests import CRITICAL, STANDARD, changed, codes, finding, make_baseline, make_request, make_tally

BASELINE = BaselineTally(category="a", runs=5, violations=6, n=500, instances=100)
FLIPS = FlipEstimate(flips=4, pairs=100, independent_pairs=50, instances=25)


def test_false_block_is_the_posterior_predictive_tail_of_the_baseline():
    """B11: the beta-binomial of the pooled baseline counts, by the oracle."""
    shown = power(tolerance=4, n=100, noise=noise_of(baseline=BASELINE, flips=FLIPS))
    assert shown.false_block == pytest.approx(stats.betabinom.sf(4, 100, 6.5, 494.5), abs=1e-9)
    assert shown.why is None


def test_without_a_baseline_the_low_root_of_the_flips_is_the_noise():
    """B11: 4 % flips are p = 2.04 % violations; each independent pair holds two observations."""
    noise = noise_of(baseline=None, flips=FLIPS)
    p = (1 - math.sqrt(1 - 0.08)) / 2
    assert 2 * p * (1 - p) == pytest.approx(0.04)
    assert (noise.rate, noise.a, noise.b) == pytest.approx((p, 100 * p + 0.5, 100 * (1 - p) + 0.5))
    assert noise_of(baseline=make_baseline("a", n=0), flips=FLIPS) == noise


def test_what_the_baseline_could_not_judge_is_not_safe():
    """B11: UNKNOWN verdicts of the baseline leave the noise; with nothing else judged the flips speak."""
    judged = noise_of(baseline=replace(BASELINE, n=600, unknown=100), flips=FLIPS)
    assert judged == noise_of(baseline=BASELINE, flips=FLIPS)
    blind = replace(BASELINE, violations=0, n=100, unknown=100)
    assert noise_of(baseline=blind, flips=FLIPS) == noise_of(baseline=None, flips=FLIPS)
    assert noise_of(baseline=blind, flips=None) is None


def test_more_flips_than_any_rate_explains_are_a_coin():
    """f > ½ has no root: p = ½, not NaN."""
    assert low_root(Fraction(3, 4)) == low_root(Fraction(1, 2)) == 0.5
    assert low_root(Fraction(0)) == 0.0


@pytest.mark.parametrize(
    "flips",
    [
        None,
        FlipEstimate(flips=0, pairs=0, independent_pairs=0, instances=0),
        FlipEstimate(flips=0, pairs=3, independent_pairs=0, instances=0),
    ],
)
def test_no_history_is_not_measurable(flips):
    """Neither baseline nor flips: None with the reason, never 0 (B11)."""
    shown = power(tolerance=4, n=100, noise=noise_of(baseline=None, flips=flips))
    assert (shown.false_block, shown.detectable) == (None, None)
    assert "neither a baseline nor flips" in shown.why


def test_no_tolerance_has_no_power():
    """Nothing to exceed: None with the reason."""
    assert power(tolerance=None, n=100, noise=Noise(rate=0.0, a=0.5, b=9.5)).why == "there is no tolerance to exceed"


def test_detectable_is_the_smallest_regression_found_nine_times_in_ten():
    """B11: r − 1 regressed are found less often, r often enough, by plain summation."""
    rate = 6 / 500
    r = power(tolerance=4, n=100, noise=noise_of(baseline=BASELINE, flips=None)).detectable

    def found(regressed):
        masses = stats.binom.pmf(range(regressed + 1), regressed, 0.95)
        return sum(mass * stats.binom.sf(4 - k, 100 - regressed, rate) for k, mass in enumerate(masses))

    assert found(r) >= 0.9 > found(r - 1)


def test_a_tolerance_nobody_can_exceed_detects_nothing():
    """None, and the reason says of how many."""
    shown = power(tolerance=20, n=20, noise=Noise(rate=0.01, a=1.5, b=99.5))
    assert shown.detectable is None
    assert "not even 20 regressed of 20" in shown.why


@pytest.mark.parametrize(("severity", "wanted"), [(CRITICAL, Decision.INVALID), (STANDARD, Decision.REVIEW)])
def test_too_blind_a_category_is_invalid_when_critical_and_review_when_standard(severity, wanted):
    """B11: `detectable` above `max_detectable`, or not measurable, is INVALID for critical categories."""
    shown = power(tolerance=4, n=100, noise=noise_of(baseline=BASELINE, flips=None))
    none = power(tolerance=4, n=100, noise=None)
    bound = {"severity": severity, "n": 100}
    assert detectability_reason(shown, max_detectable=shown.detectable, **bound) is None
    assert detectability_reason(shown, max_detectable=shown.detectable - 1, **bound).decision is wanted
    assert detectability_reason(none, max_detectable=50, **bound).decision is wanted
    assert detectability_reason(none, max_detectable=None, **bound) is None


@pytest.mark.parametrize(("severity", "wanted"), [(CRITICAL, Decision.INVALID), (STANDARD, Decision.REVIEW)])
def test_hard_gated_category_that_cannot_block_is_no_gate(severity, wanted):
    """B11: a tolerance not below n is INVALID for critical, REVIEW for standard categories."""
    assert cannot_block_reason(tolerance=20, severity=severity, n=20).decision is wanted
    assert cannot_block_reason(tolerance=19, severity=severity, n=20) is None
    assert cannot_block_reason(tolerance=None, severity=severity, n=20) is None


def test_all_violating_in_a_category_that_cannot_block_does_not_pass():
    """20 of 20 violations under a cap of 20 is INVALID for a critical category, whatever the tolerance says."""
    request = make_request(
        (make_tally("a", n=20, violations=20),),
        severities={"a": CRITICAL},
        categories={"a": CategoryPolicy(tolerance=20, max_tolerance=20)},
    )
    assert evaluate(request).decision is Decision.INVALID


def test_family_is_the_chance_that_any_category_blocks():
    """Ten categories at 2 % block 18 % of unchanged builds."""
    assert family_false_block([0.02] * 10) == pytest.approx(1 - 0.98**10, abs=1e-12)
    assert family_false_block([0.02, 1.0]) == 1.0
    assert family_false_block([0.0]) == 0.0


def test_family_of_nothing_or_of_the_unmeasurable_is_none():
    """Never 0: None (B11)."""
    assert family_false_block([]) is None
    assert family_false_block([0.01, None]) is None


def test_budget_of_false_blocks_is_review_above_and_when_not_measurable():
    """At the budget it is kept; above it, or unknown, people decide; without a budget nobody asks."""
    assert budget_reason(0.01, Fraction(1, 100)) is None
    assert budget_reason(0.011, Fraction(1, 100)).decision is Decision.REVIEW
    assert budget_reason(None, Fraction(1, 100)).decision is Decision.REVIEW
    assert budget_reason(None, None) is None


def test_gate_applies_budget_and_bound():
    """Both reach the verdict: the budget at the build, the bound at the category."""
    request = make_request(
        (make_tally("a", n=100),),
        severities={"a": CRITICAL},
        categories={"a": CategoryPolicy(tolerance=6, max_tolerance=6, max_detectable=2)},
        policy={"max_false_block": Fraction(1, 10**9)},
    )
    result = evaluate(request)
    assert codes(result.suite_reasons) == {"false-block-budget"}
    assert codes(finding(result, "a").reasons) == {"detectable-above-max"}
    assert result.decision is Decision.INVALID


def test_unmeasured_flips_with_a_baseline_still_have_power():
    """A baseline says how noisy the category is even where flips are unmeasured."""
    request = make_request(
        (make_tally("a", n=30),),
        categories={"a": CategoryPolicy(tolerance=4, max_tolerance=6)},
        policy={"flips": FlipsUnmeasured()},
    )
    assert evaluate(request).family_false_block is not None
    assert evaluate(changed(request, baseline={})).family_false_block is None
