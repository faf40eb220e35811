"""The smallest regression that a tolerance would find (B11)."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.special import bdtrc

from litmusgate.stats.checks import check_count, check_rate, check_share
from litmusgate.stats.tails import binomial_masses


@lru_cache(maxsize=65_536)
def smallest_detectable(n: int, tolerance: int, noise: float, regressed: float, wanted: float) -> int | None:
    """The smallest r ≥ 1 for which more than `tolerance` violations come out with probability ≥ `wanted`.

    Of `n` instances r have regressed and violate at rate `regressed`; the others violate at rate `noise` (shares 0…1).
    None when no r ≤ n is found that often, or when a regressed instance violates no more often than the noise, so that
    there is nothing to tell apart.
    """
    check_count("n", n)
    check_count("tolerance", tolerance)
    check_rate("noise", noise)
    check_rate("regressed", regressed)
    check_share("wanted", wanted)
    if noise >= regressed or n == 0 or detection_probability(n, n, tolerance, noise, regressed) < wanted:
        return None
    low, high = 1, n
    while low < high:  # found more often with every further regressed instance, because noise < regressed
        middle = (low + high) // 2
        if detection_probability(n, middle, tolerance, noise, regressed) >= wanted:
            high = middle
        else:
            low = middle + 1
    return low


def detection_probability(n: int, r: int, tolerance: int, noise: float, regressed: float) -> float:
    """Probability of more than `tolerance` violations when `r` of `n` violate at `regressed`, the rest at `noise`."""
    if not 0 <= r <= n:
        raise ValueError(f"{r!r} regressed instances of {n!r} is impossible")
    masses = binomial_masses(r, regressed)
    needed = min(r, tolerance)
    beyond = float(np.sum(masses[needed + 1 :]))
    allowed = tolerance - np.arange(needed + 1, dtype=np.float64)
    above = np.where(allowed >= n - r, 0.0, bdtrc(np.minimum(allowed, n - r), n - r, noise))
    return min(1.0, beyond + float(np.dot(masses[: needed + 1], above)))
