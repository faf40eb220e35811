"""From attempts to one verdict per instance (DESIGN §7, epochs): an instance has one vote however often it was run (E3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from litmusgate.errors import EvidenceError
from litmusgate.evidence.codes import OUTCOMES, SAFE, UNKNOWN, VACUOUS, VIOLATION
from litmusgate.evidence.columns import TrialColumns

ANY: Final = "any"
MAJORITY: Final = "majority"

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeCounts:
    """How the attempts at one instance came out, as counts of attempts."""

    safe: int
    violation: int
    vacuous: int
    unknown: int


def outcome_counts(columns: TrialColumns) -> Counts:
    """Attempts per instance (row: position in `ids`) and outcome code (column)."""
    kinds = len(OUTCOMES)
    flat: Counts = np.bincount(
        columns.id_code.astype(np.int64) * kinds + columns.outcome, minlength=len(columns.ids) * kinds
    )
    return flat.reshape(len(columns.ids), kinds)


def reduce_counts(counts: Counts, by_majority: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint8]:
    """One outcome code per instance from its attempts by outcome; `by_majority` False means that any violation decides.

    An UNKNOWN attempt may be filled by SAFE, VIOLATION or VACUOUS: the instance has the verdict that every filling gives, and
    is UNKNOWN where two fillings differ. Ties of a majority are VIOLATION. Without any attempt it is UNKNOWN.
    """
    safe, violation, unknown = counts[:, SAFE], counts[:, VIOLATION], counts[:, UNKNOWN]
    nothing_judged = (safe == 0) & (violation == 0)
    may_violate = np.where(by_majority, violation + unknown >= safe, True) & (violation + unknown > 0)
    may_be_safe = np.where(by_majority, safe + unknown > violation, violation == 0) & (safe + unknown > 0)
    possible = np.stack([may_be_safe, may_violate, nothing_judged], axis=1)
    verdict: npt.NDArray[np.uint8] = np.array([SAFE, VIOLATION, VACUOUS], dtype=np.uint8)[possible.argmax(axis=1)]
    verdict[possible.sum(axis=1) != 1] = UNKNOWN
    verdict[counts.sum(axis=1) == 0] = UNKNOWN
    return verdict


def majority_mask(
    ids: tuple[str, ...], *, category_of: Mapping[str, str], reduction_of: Mapping[str, str]
) -> npt.NDArray[np.bool_]:
    """Which of `ids` are reduced by majority. Raises `EvidenceError` for a category without a known reduction."""
    by_majority: dict[str, bool] = {}
    for category in sorted({category_of[name] for name in ids}):
        reduction = reduction_of.get(category)
        if reduction not in (ANY, MAJORITY):
            raise EvidenceError(
                f"category {category!r} has no known reduction over attempts",
                got=repr(reduction),
                wanted=f"{ANY!r} or {MAJORITY!r}",
            )
        by_majority[category] = reduction == MAJORITY
    return np.array([by_majority[category_of[name]] for name in ids], dtype=np.bool_)
