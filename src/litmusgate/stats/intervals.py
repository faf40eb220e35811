"""Exact binomial confidence intervals."""

from __future__ import annotations

import math
from functools import lru_cache

from scipy.special import betainccinv, betaincinv

from litmusgate.stats.checks import check_share

_REMEMBERED = 65_536


@lru_cache(maxsize=_REMEMBERED)
def clopper_pearson(violations: float, n: float, confidence: float) -> tuple[float, float] | None:
    """The exact (Clopper-Pearson) interval of a share: `violations` of `n`, both counts, at `confidence` (0…1, open).

    None when `n` is 0: nothing was measured. Counts may be fractions of instances, because clusters shrink them to an
    effective size; the beta form of the interval is defined there too. The interval never has width 0 and always holds
    violations / n. Raises `ValueError` for NaN, negative counts, more violations than n, or a confidence outside 0…1.
    """
    if not (math.isfinite(violations) and math.isfinite(n) and 0 <= violations <= n):
        raise ValueError(f"{violations!r} of {n!r} is no count of violations among n")
    check_share("confidence", confidence)
    if n == 0:
        return None
    tail = (1 - confidence) / 2
    low = 0.0 if violations == 0 else float(betaincinv(violations, n - violations + 1, tail))
    high = 1.0 if violations == n else float(betainccinv(violations + 1, n - violations, tail))
    return low, high
