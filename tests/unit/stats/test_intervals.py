"""Exact intervals, held against scipy.stats and against the definition of the interval itself."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.special import bdtr, bdtrc

from litmusgate.stats.intervals import clopper_pearson


@st.composite
def counts(draw):
    """Violations, n and confidence of an interval that exists."""
    n = draw(st.integers(1, 100_000))
    return draw(st.integers(0, n)), n, draw(st.floats(0.5, 0.999))


@given(counts())
def test_interval_is_that_of_the_oracle(case):
    """To 1e-9, the exact interval of scipy's binomial test."""
    violations, n, confidence = case
    wanted = stats.binomtest(violations, n).proportion_ci(confidence, method="exact")
    low, high = clopper_pearson(violations, n, confidence)
    assert low == pytest.approx(wanted.low, abs=1e-9, rel=1e-9)
    assert high == pytest.approx(wanted.high, abs=1e-9, rel=1e-9)


@given(counts())
def test_each_end_leaves_half_of_the_error_outside(case):
    """At the lower end so many or more, at the upper end so few or fewer, are exactly half the error probability away."""
    violations, n, confidence = case
    low, high = clopper_pearson(violations, n, confidence)
    tail = (1 - confidence) / 2
    if violations > 0:
        assert bdtrc(float(violations - 1), n, low) == pytest.approx(tail, rel=1e-6)
    if violations < n:
        assert bdtr(float(violations), n, high) == pytest.approx(tail, rel=1e-6)


@given(st.floats(0.001, 1e7), st.one_of(st.just(0.0), st.floats(1e-9, 1)), st.floats(0.5, 0.999))
def test_fractional_counts_have_an_interval_of_positive_width_around_the_share(n, share, confidence):
    """Clusters make counts fractional; the interval holds the share, stays in 0…1 and never has width 0 (B7)."""
    violations = min(n, n * share)
    low, high = clopper_pearson(violations, n, confidence)
    assert 0 <= low < high <= 1
    assert low <= violations / n + 1e-12
    assert high >= violations / n - 1e-12


@pytest.mark.parametrize("violations", [0, 1, 5_000_000, 9_999_999, 10_000_000])
def test_ten_million_instances_still_have_an_interval(violations):
    """At n = 10^7 both ends are finite, in order, and hold the share."""
    low, high = clopper_pearson(violations, 10_000_000, 0.95)
    assert 0 <= low < high <= 1
    assert low <= violations / 10_000_000 <= high


def test_one_instance_says_little():
    """One violation of one: from 2.5 % to all."""
    low, high = clopper_pearson(1, 1, 0.95)
    assert low == pytest.approx(0.025)
    assert high == 1.0


def test_no_instance_has_no_interval():
    """n = 0 is not measured: None, not 0…1."""
    assert clopper_pearson(0, 0, 0.95) is None


@pytest.mark.parametrize(
    ("violations", "n"), [(-1, 5), (6, 5), (math.nan, 5), (1, math.nan), (1, math.inf), (math.inf, math.inf), (0, -1)]
)
def test_impossible_counts_are_refused(violations, n):
    """NaN, infinities, negative counts and more violations than n have no interval."""
    with pytest.raises(ValueError, match="is no count of violations among n"):
        clopper_pearson(violations, n, 0.95)


@pytest.mark.parametrize("confidence", [0.0, 1.0, -0.5, 95, math.nan])
def test_confidence_must_be_an_open_share(confidence):
    """0, 1 and percentages are not confidences."""
    with pytest.raises(ValueError, match="confidence"):
        clopper_pearson(1, 10, confidence)
