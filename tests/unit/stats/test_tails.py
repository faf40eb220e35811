"""Exact tails, held against scipy.stats."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from litmusgate.stats.tails import (
    beta_binomial_above,
    beta_binomial_masses,
    binomial_masses,
    fisher_below,
    is_below,
    predictive_quantile,
)

SHAPES = st.floats(0.05, 500)
RATES = st.one_of(st.sampled_from([0.0, 1.0]), st.floats(1e-12, 1 - 1e-12))
"""Shares 0…1; the oracle overflows between 0 and 1e-300."""


@given(st.integers(0, 400), SHAPES, SHAPES)
def test_beta_binomial_masses_are_those_of_the_oracle(n, a, b):
    """Every probability to 1e-9."""
    wanted = stats.betabinom.pmf(np.arange(n + 1), n, a, b)
    assert beta_binomial_masses(n, a, b) == pytest.approx(wanted, abs=1e-9)


@given(st.integers(0, 2_000), RATES)
def test_binomial_masses_are_those_of_the_oracle(n, rate):
    """Every probability to 1e-9, rates 0 and 1 included."""
    assert binomial_masses(n, rate) == pytest.approx(stats.binom.pmf(np.arange(n + 1), n, rate), abs=1e-9)


@given(st.integers(0, 450), st.integers(0, 400), SHAPES, SHAPES)
def test_beta_binomial_tail_is_that_of_the_oracle(count, n, a, b):
    """P(more than count) to 1e-9, counts at and beyond n included."""
    wanted = stats.betabinom.sf(count, n, a, b)
    assert beta_binomial_above(count, n, a, b) == pytest.approx(wanted, abs=1e-9)


@given(st.integers(0, 400), SHAPES, SHAPES, st.floats(0.0005, 0.5))
def test_predictive_quantile_is_the_smallest_count_rare_enough_to_exceed(n, a, b, alpha):
    """P(more than q) ≤ alpha and P(more than q − 1) > alpha, by the oracle; never above n."""
    q = predictive_quantile(n, a, b, alpha)
    assert 0 <= q <= n
    assert stats.betabinom.sf(q, n, a, b) <= alpha + 1e-9
    assert q == 0 or stats.betabinom.sf(q - 1, n, a, b) > alpha - 1e-9


def test_a_million_instances_lose_no_digits():
    """The tail at n = 10^6 agrees with the binomial it must approach for a sharp prior."""
    sharp = beta_binomial_above(1_050, 1_000_000, 1e9, 1e12 - 1e9)
    assert sharp == pytest.approx(stats.binom.sf(1_050, 1_000_000, 0.001), rel=2e-3)
    assert float(beta_binomial_masses(1_000_000, 2.5, 1998.5).sum()) == pytest.approx(1, abs=1e-12)


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 60), st.integers(0, 60))
def test_fisher_is_that_of_the_oracle(count, safe, other_count, other_safe):
    """The one-sided p-value of the exact test to 1e-9, empty groups included."""
    n, other_n = count + safe, other_count + other_safe
    wanted = stats.fisher_exact([[count, safe], [other_count, other_safe]], alternative="less")[1]
    assert fisher_below(count, n, other_count, other_n) == pytest.approx(wanted, abs=1e-9)


def test_an_empty_group_shows_nothing():
    """Against or with no instance the p-value is 1: nothing can be shown."""
    assert fisher_below(0, 0, 5, 10) == 1.0
    assert fisher_below(5, 10, 0, 0) == 1.0


@pytest.mark.parametrize("counts", [(2, 59, 1, 1), (0, 3, 3, 3), (0, 1, 19, 19), (1, 39, 1, 1)])
def test_a_p_value_of_exactly_the_limit_is_at_most_the_limit(counts):
    """These tests have p = 1/20 or so exactly, which floats put on either side of 0.05: integers decide."""
    count, n, other_count, other_n = counts
    total = count + other_count
    ways = sum(math.comb(n, k) * math.comb(other_n, total - k) for k in range(max(0, total - other_n), count + 1))
    p = Fraction(ways, math.comb(n + other_n, total))
    assert p == Fraction(1, 20)
    assert is_below(*counts, limit=p)
    assert not is_below(*counts, limit=p - Fraction(1, 10**12))
    assert is_below(*counts, limit=p + Fraction(1, 10**12))


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 30), st.integers(0, 30))
def test_far_from_the_limit_the_float_decides_alike(count, safe, other_count, other_safe):
    """The decision is that of the p-value, wherever rounding cannot matter."""
    counts = (count, count + safe, other_count, other_count + other_safe)
    p = fisher_below(*counts)
    if abs(p - 0.05) > 1e-6:
        assert is_below(*counts, limit=Fraction(1, 20)) == (p < 0.05)


def test_remembered_masses_cannot_be_changed_by_a_caller():
    """A shared answer is read-only."""
    for masses in (beta_binomial_masses(3, 1.0, 1.0), binomial_masses(3, 0.5), binomial_masses(3, 0.0)):
        with pytest.raises(ValueError, match="read-only"):
            masses[0] = 1.0


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: beta_binomial_masses(-1, 1.0, 1.0), "n"),
        (lambda: beta_binomial_masses(3, 0.0, 1.0), "a"),
        (lambda: beta_binomial_masses(3, 1.0, math.nan), "b"),
        (lambda: beta_binomial_masses(3, 1.0, math.inf), "b"),
        (lambda: beta_binomial_above(-1, 3, 1.0, 1.0), "count"),
        (lambda: beta_binomial_above(1, 3.5, 1.0, 1.0), "n"),
        (lambda: binomial_masses(3, 1.5), "rate"),
        (lambda: predictive_quantile(3, 1.0, 1.0, 0.0), "alpha"),
        (lambda: predictive_quantile(3, 1.0, 1.0, 1.0), "alpha"),
        (lambda: fisher_below(True, 3, 1, 3), "count"),
        (lambda: fisher_below(1, 3, 1, -3), "other_n"),
    ],
)
def test_undefined_questions_are_refused(call, named):
    """Negative counts, NaN, empty shapes and rates outside 0…1 raise, naming the argument."""
    with pytest.raises(ValueError, match=f"^{named} is"):
        call()


def test_more_successes_than_trials_are_refused():
    """4 of 3 is no count."""
    with pytest.raises(ValueError, match="no count among n"):
        fisher_below(4, 3, 1, 3)
    with pytest.raises(ValueError, match="no count among n"):
        fisher_below(1, 3, 4, 3)
