"""Exact distributions of counts: binomial, beta-binomial, hypergeometric.

Each probability mass function is built from the ratios of neighbouring terms, added up in log space and normalised to
one. Ratios need no factorial, so nothing cancels at n = 10^6 where differences of `gammaln` have lost seven digits.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from litmusgate.stats.checks import check_count, check_rate, check_shape, check_share

Masses: TypeAlias = NDArray[np.float64]
"""Probabilities of 0, 1, … events (or of the support named by the function); they add up to 1 and are read-only."""

_REMEMBERED = 65_536
_REMEMBERED_MASSES = 16
_CLOSE = 1e-9
"""Tails this near a limit are added up again in integers: at the limit itself rounding decides nothing."""


@lru_cache(maxsize=_REMEMBERED_MASSES)
def beta_binomial_masses(n: int, a: float, b: float) -> Masses:
    """Probability of 0…n events among `n` when the rate is Beta(a, b)."""
    check_count("n", n)
    check_shape("a", a)
    check_shape("b", b)
    k = np.arange(n, dtype=np.float64)
    return _from_ratios(np.log((n - k) / (k + 1)) + np.log((k + a) / (n - k - 1 + b)))


@lru_cache(maxsize=_REMEMBERED_MASSES)
def binomial_masses(n: int, rate: float) -> Masses:
    """Probability of 0…n events among `n` at `rate` (share 0…1)."""
    check_count("n", n)
    check_rate("rate", rate)
    if rate in {0.0, 1.0}:
        masses = np.zeros(n + 1)
        masses[0 if rate == 0.0 else n] = 1.0
        masses.flags.writeable = False
        return masses
    k = np.arange(n, dtype=np.float64)
    return _from_ratios(np.log((n - k) / (k + 1)) + (np.log(rate) - np.log1p(-rate)))


@lru_cache(maxsize=_REMEMBERED)
def beta_binomial_above(count: int, n: int, a: float, b: float) -> float:
    """Probability of more than `count` events among `n` when the rate is Beta(a, b)."""
    check_count("count", count)
    return _upper(beta_binomial_masses(n, a, b), count)


@lru_cache(maxsize=_REMEMBERED)
def predictive_quantile(n: int, a: float, b: float, alpha: float) -> int:
    """The smallest count q with P(more than q among n) ≤ `alpha` when the rate is Beta(a, b): the exact 1 − alpha quantile.

    `alpha` is a share strictly between 0 and 1. The answer is at most n.
    """
    check_share("alpha", alpha)
    masses = beta_binomial_masses(n, a, b)
    above = np.concatenate((np.cumsum(masses[:0:-1])[::-1], [0.0]))
    return int(np.argmax(above <= alpha))


@lru_cache(maxsize=_REMEMBERED)
def fisher_below(count: int, n: int, other_count: int, other_n: int) -> float:
    """One-sided exact (Fisher) test that `count` of `n` is below `other_count` of `other_n`: the p-value.

    The probability of `count` or fewer among the n, given all margins, when both groups have one rate. 1.0 when either
    group is empty: nothing can be shown with it.
    """
    for what, value in (("count", count), ("n", n), ("other_count", other_count), ("other_n", other_n)):
        check_count(what, value)
    if count > n or other_count > other_n:
        raise ValueError(f"{count} of {n} or {other_count} of {other_n} is no count among n")
    total = count + other_count
    least, most = max(0, total - other_n), min(n, total)
    if least == most:
        return 1.0
    k = np.arange(least, most, dtype=np.float64)
    masses = _from_ratios(np.log((n - k) / (k + 1)) + np.log((total - k) / (other_n - total + k + 1)))
    return min(1.0, float(np.sum(masses[: count - least + 1])))


def is_below(count: int, n: int, other_count: int, other_n: int, *, limit: Fraction) -> bool:
    """Whether `fisher_below` of these counts is at most `limit` (share 0…1), exactly: equality is enough."""
    p = fisher_below(count, n, other_count, other_n)
    if abs(p - float(limit)) > _CLOSE:
        return p < limit
    total = count + other_count
    least = max(0, total - other_n)
    ways = sum(math.comb(n, k) * math.comb(other_n, total - k) for k in range(least, count + 1))
    return ways * limit.denominator <= math.comb(n + other_n, total) * limit.numerator


def _from_ratios(log_ratios: NDArray[np.float64]) -> Masses:
    """Masses whose neighbours have these ratios (log of next over this)."""
    logs = np.concatenate(([0.0], np.cumsum(log_ratios)))
    masses: Masses = np.exp(logs - logs.max())
    masses /= masses.sum()
    masses.flags.writeable = False  # remembered and shared: a caller's change would change later answers
    return masses


def _upper(masses: Masses, count: int) -> float:
    """Sum of the masses above `count`."""
    return min(1.0, float(np.sum(masses[count + 1 :])))
