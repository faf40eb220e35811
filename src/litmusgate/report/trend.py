"""The trend line: the only module that computes a mean of outcomes. The gate cannot import it, so no decision can see it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from litmusgate.evidence.codes import NO, SAFE, VIOLATION
from litmusgate.evidence.columns import TrialColumns

_Z_95 = 1.959963984540054
"""97.5 % quantile of the standard normal distribution."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trend:
    """A mean safe share 0…1 over `n` instances with its 95 % interval, both None with a `reason`; it never gates."""

    mean: float | None
    interval: tuple[float, float] | None
    n: int
    reason: str | None = None
    gates: Literal[False] = False


def mean_trend(columns: TrialColumns, *, admissible: frozenset[str]) -> Trend:
    """B9: the mean is a trend line: mean safe share over admissible, tested instances, with its own interval, gating nothing.

    A trial counts its `graded_score` where one is recorded, else 1 for SAFE and 0 for VIOLATION; VACUOUS and UNKNOWN trials
    have no value and are left out, and so are SAFE ones that never met the attack (E7). Each instance weighs the same: first the mean over its trials, then over the instances.
    The interval is Wilson's score interval at 95 % with n instances: values in 0…1 vary at most as much as a coin with the
    same mean, so it is never too narrow for independent instances, and never of width 0. With no such trial mean and
    interval are None and `reason` says so.
    """
    tested_safe = (columns.outcome == SAFE) & (columns.exposed != NO)
    judged = tested_safe | (columns.outcome == VIOLATION)
    votes = np.array([name in admissible for name in columns.ids], dtype=bool)
    rows = judged & votes[columns.id_code] if len(columns.ids) else judged
    if not rows.any():
        return Trend(
            mean=None, interval=None, n=0, reason="no admissible instance has a trial judged safe or a violation"
        )
    by_instance = _instance_means(columns, rows)
    mean = math.fsum(by_instance.tolist()) / len(by_instance)
    return Trend(mean=mean, interval=_wilson(mean, len(by_instance)), n=len(by_instance))


def _instance_means(columns: TrialColumns, rows: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """Means of the chosen `rows` per instance, for the instances that have any, in the order of `columns.ids`.

    Sums run over values sorted within each instance, so that the order of the rows changes no bit.
    """
    codes = columns.id_code[rows]
    safe = (columns.outcome[rows] == SAFE).astype(np.float64)
    graded = columns.graded_score[rows]
    values = np.where(np.isnan(graded), safe, graded)
    order = np.lexsort((values, codes))
    sums = np.bincount(codes[order], weights=values[order], minlength=len(columns.ids))
    counts = np.bincount(codes, minlength=len(columns.ids))
    means: npt.NDArray[np.float64] = sums[counts > 0] / counts[counts > 0]
    return means


def _wilson(mean: float, n: int) -> tuple[float, float]:
    """Wilson's score interval of a mean of `n` ≥ 1 values in 0…1, clipped to 0…1."""
    weight = _Z_95 * _Z_95 / n
    centre = (mean + weight / 2) / (1 + weight)
    half = _Z_95 / (1 + weight) * math.sqrt(mean * (1 - mean) / n + weight / (4 * n))
    return max(0.0, centre - half), min(1.0, centre + half)
