"""Attempts: every one is kept, and each stands once (E3)."""

from __future__ import annotations

import numpy as np

from litmusgate.errors import RunError
from litmusgate.evidence.columns import TrialColumns

SHOWN = 10
"""How many ids an error names before it only counts."""


def refuse_repeated_attempts(columns: TrialColumns) -> None:
    """E3: every (id, attempt, refill) stands once; one that stands twice is an error, because last-wins would hide one.

    Raises `RunError` naming up to ten ids, with how many trials of how many instances repeat.
    """
    order = canonical_order(columns)
    same = np.ones(max(len(order) - 1, 0), dtype=np.bool_)
    for column in (columns.id_code, columns.attempt, columns.refill):
        ordered = column[order]
        same &= ordered[1:] == ordered[:-1]
    if not bool(same.any()):
        return
    repeated = order[1:][same]
    codes = np.unique(columns.id_code[repeated])
    first = int(repeated[0])
    raise RunError(
        f"{len(repeated)} trials of {len(codes)} instances repeat an attempt that the run already has",
        rule="E3",
        got=f"{name_ids([columns.ids[code] for code in codes.tolist()])}; first: attempt {int(columns.attempt[first])}, "
        f"refill {int(columns.refill[first])} of {columns.ids[columns.id_code[first]]!r}",
        wanted="each (id, attempt, refill) once: all attempts are kept, none overwrites another",
        fix="number the repeats as attempts 0, 1, 2, … and re-runs after infrastructure faults as refills",
    )


def canonical_order(columns: TrialColumns) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Row numbers in canonical order, also when the rows stand in it already."""
    order = columns.canonical_order()
    return np.arange(len(columns), dtype=np.int64) if order is None else order


def name_ids(ids: list[str]) -> str:
    """Up to ten ids in `repr`, sorted, and how many more there are."""
    shown = ", ".join(repr(name) for name in sorted(ids)[:SHOWN])
    return shown if len(ids) <= SHOWN else f"{shown} and {len(ids) - SHOWN} more"
