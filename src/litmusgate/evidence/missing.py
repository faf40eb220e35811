"""Trials that should be there and are not: UNKNOWN(missing), never left out (E2)."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from litmusgate.errors import EvidenceError
from litmusgate.evidence.attempts import name_ids
from litmusgate.evidence.codes import REASON_CODE, UNKNOWN
from litmusgate.evidence.columns import TrialColumns
from litmusgate.evidence.outcome import Reason

MAX_EXPECTED_TRIALS = 50_000_000
"""Most trials one run may be asked to have; a header that asks for more is refused before any memory is taken."""


def missing_trials(columns: TrialColumns, *, ids: Iterable[str], epochs: int) -> TrialColumns:
    """One UNKNOWN(missing) trial for every attempt 0 … epochs - 1 at `ids` that `columns` does not have.

    Trials at other ids are ignored. Raises `EvidenceError` for more than `MAX_EXPECTED_TRIALS` expected trials and for a
    trial of `ids` outside the epochs.
    """
    wanted = sorted(set(ids))
    if len(wanted) * epochs > MAX_EXPECTED_TRIALS:
        raise EvidenceError(
            f"{len(wanted)} instances x {epochs} epochs are too many trials",
            rule="E2",
            wanted=f"at most {MAX_EXPECTED_TRIALS}",
            fix="check `epochs` in the policy and in the run's header",
        )
    refuse_outside_epochs(columns, ids=frozenset(wanted), epochs=epochs)
    position = {name: number for number, name in enumerate(wanted)}
    moved = np.array([position.get(name, -1) for name in columns.ids], dtype=np.int64)
    rows = moved[columns.id_code]
    slots = (rows * epochs + columns.attempt)[rows >= 0]
    present = np.zeros(len(wanted) * epochs, dtype=np.bool_)
    present[slots] = True
    absent = np.flatnonzero(~present)
    return TrialColumns.build(
        ids=wanted,
        id_code=absent // epochs,
        attempt=absent % epochs,
        outcome=np.full(len(absent), UNKNOWN),
        reason=np.full(len(absent), REASON_CODE[Reason.MISSING]),
    )


def with_missing(columns: TrialColumns, *, ids: Iterable[str], epochs: int) -> TrialColumns:
    """`columns` and below them the `missing_trials`."""
    missing = missing_trials(columns, ids=ids, epochs=epochs)
    return TrialColumns.concatenate([columns, missing]) if len(missing) else columns


def refuse_outside_epochs(columns: TrialColumns, *, ids: frozenset[str], epochs: int) -> None:
    """Raise `EvidenceError` when a trial at `ids` has an attempt ≥ `epochs`: nobody asked for it (E2)."""
    if not bool((columns.attempt >= epochs).any()):
        return
    codes = np.unique(columns.id_code[columns.attempt >= epochs]).tolist()
    outside = [columns.ids[code] for code in codes if columns.ids[code] in ids]
    if outside:
        raise EvidenceError(
            f"{len(outside)} instances have attempts beyond the epochs",
            rule="E2",
            got=f"attempt {int(columns.attempt.max())}; {name_ids(outside)}",
            wanted=f"attempts 0…{epochs - 1}",
            fix="let the policy's epochs and the run's agree; re-runs after infrastructure faults are refills",
        )
