"""The smallest detectable regression, held against plain summation over scipy.stats."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from litmusgate.stats.detection import detection_probability, smallest_detectable

RATES = st.one_of(st.sampled_from([0.0, 1.0]), st.floats(1e-12, 1 - 1e-12))
"""Shares 0…1; the oracle overflows between 0 and 1e-300."""


def summed(n, r, tolerance, noise, regressed):
    """P(sum > tolerance) by convolving the two binomials."""
    both = np.convolve(
        stats.binom.pmf(np.arange(r + 1), r, regressed), stats.binom.pmf(np.arange(n - r + 1), n - r, noise)
    )
    return both[tolerance + 1 :].sum()


@given(st.integers(1, 80), st.data())
def test_detection_probability_is_that_of_the_convolution(n, data):
    """To 1e-9, for every r and tolerance, tolerances beyond n included."""
    r, tolerance = data.draw(st.integers(0, n)), data.draw(st.integers(0, n + 2))
    noise, regressed = data.draw(RATES), data.draw(RATES)
    got = detection_probability(n, r, tolerance, noise, regressed)
    assert got == pytest.approx(summed(n, r, tolerance, noise, regressed), abs=1e-9)


@given(st.integers(1, 60), st.integers(0, 60), st.floats(0, 0.9))
def test_smallest_detectable_is_the_first_that_is_found_often_enough(n, tolerance, noise):
    """Trying every r from 1 upwards gives the same answer."""
    tried = [r for r in range(1, n + 1) if detection_probability(n, r, tolerance, noise, 0.95) >= 0.9]
    assert smallest_detectable(n, tolerance, noise, 0.95, 0.9) == (tried[0] if tried else None)


def test_no_noise_and_no_tolerance_finds_one():
    """A regressed instance at .95 exceeds a tolerance of 0 in 95 % of runs."""
    assert smallest_detectable(100, 0, 0.0, 0.95, 0.9) == 1


@pytest.mark.parametrize(("n", "tolerance", "noise"), [(0, 0, 0.0), (20, 20, 0.0), (20, 19, 0.01), (20, 2, 0.95)])
def test_what_cannot_be_found_is_none_and_not_a_number(n, tolerance, noise):
    """Nothing tested, a tolerance nobody can exceed often enough, or noise as strong as the regression: None."""
    assert smallest_detectable(n, tolerance, noise, 0.95, 0.9) is None


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((-1, 0, 0.0, 0.95, 0.9), "n"),
        ((10, -1, 0.0, 0.95, 0.9), "tolerance"),
        ((10, 0, -0.1, 0.95, 0.9), "noise"),
        ((10, 0, 0.0, 1.1, 0.9), "regressed"),
        ((10, 0, 0.0, 0.95, 1.0), "wanted"),
    ],
)
def test_undefined_questions_are_refused(arguments, named):
    """Each argument outside its range is named."""
    with pytest.raises(ValueError, match=f"^{named} is"):
        smallest_detectable(*arguments)


@pytest.mark.parametrize("r", [-1, 11])
def test_more_regressed_than_there_are_is_refused(r):
    """r outside 0…n raises."""
    with pytest.raises(ValueError, match="regressed instances"):
        detection_probability(10, r, 0, 0.0, 0.95)
