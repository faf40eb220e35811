"""The interval of one category's violation share."""

from __future__ import annotations

from fractions import Fraction

from litmusgate.stats.intervals import clopper_pearson

SMALL_N = 20
"""Below this many admissible, tested instances a category is small (B6, B7)."""


def violation_interval(*, violations: int, unknown: int, n: int, effective_n: int) -> tuple[float, float] | None:
    """B7: the exact interval of the violation share, at 95 %, and at 99 % under n = 20, on `effective_n`; none has width 0.

    Counts of instances in, shares 0…1 out. Clusters shrink the counts in proportion, which widens the interval. UNKNOWN
    instances count as SAFE for the lower end and as VIOLATION for the upper one (E8). None when n is 0. Raises
    `ValueError` where `effective_n` is not between 1 and n: every tested instance stands in some cluster.
    """
    if not min(1, n) <= effective_n <= n:
        raise ValueError(f"effective_n {effective_n!r} of n {n!r}: clusters of tested instances are 1…n")
    confidence = 0.99 if n < SMALL_N else 0.95
    low = clopper_pearson(_shrunk(violations, n, effective_n), effective_n, confidence)
    high = clopper_pearson(_shrunk(violations + unknown, n, effective_n), effective_n, confidence)
    if low is None or high is None:
        return None
    return low[0], high[1]


def _shrunk(count: int, n: int, effective_n: int) -> float:
    return float(Fraction(count * effective_n, max(n, 1)))
