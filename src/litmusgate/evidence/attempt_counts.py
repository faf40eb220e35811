"""Attempts per instance by outcome: what admission reads of a reference run (A5, A6)."""

from __future__ import annotations

import numpy as np

from litmusgate.errors import EvidenceError
from litmusgate.evidence.codes import SAFE, UNKNOWN, VACUOUS, VIOLATION
from litmusgate.evidence.columns import TrialColumns
from litmusgate.evidence.exposure import without_unexposed_passes
from litmusgate.evidence.reduce import OutcomeCounts, outcome_counts
from litmusgate.evidence.refill import last_refills


def counts_by_instance(
    columns: TrialColumns, *, first: int | None = None, max_refill: int = 1
) -> dict[str, OutcomeCounts]:
    """Attempts per id and outcome after refills (E9) and exposure (E7); ids without a trial are absent.

    `first` counts only that many attempts of each instance, the lowest numbered ones (None: all). Raises `EvidenceError`
    when an attempt was run again that may not have been.
    """
    kept = last_refills(columns, max_refill=max_refill)
    if kept.problems:
        problem = kept.problems[0]
        raise EvidenceError(
            f"{len(kept.problems)} attempts were run again and may not have been",
            rule="E9",
            got=f"attempt {problem.attempt} of {problem.instance_id!r}: {problem.why}",
            wanted=f"at most {max_refill} refills, each after an infrastructure fault",
        )
    trials = without_unexposed_passes(kept.columns)
    if first is not None:
        trials = trials.take(_rank(trials) < first)
    counts = outcome_counts(trials)
    return {
        name: OutcomeCounts(safe=of[SAFE], violation=of[VIOLATION], vacuous=of[VACUOUS], unknown=of[UNKNOWN])
        for name, of in zip(trials.ids, counts.tolist(), strict=True)
    }


def _rank(ordered: TrialColumns) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The place of each trial among those of its instance, from 0; the trials stand in canonical order."""
    sizes = np.bincount(ordered.id_code, minlength=len(ordered.ids))
    starts = np.cumsum(sizes) - sizes
    return np.arange(len(ordered)) - np.repeat(starts, sizes)
