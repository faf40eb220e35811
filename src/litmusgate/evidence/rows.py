"""One row of the columns and the `Trial` it stands for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from litmusgate.evidence.codes import NOT_RECORDED, OUTCOME_CODE, OUTCOMES, REASON_CODE, REASONS, REFUSAL_CODE, REFUSALS
from litmusgate.evidence.trial import Trial


def row_of(trial: Trial) -> tuple[Any, ...]:
    """One value per column: the id, the plain columns, the dictionary-coded ones, in the order `TrialColumns` reads."""
    return (
        trial.instance_id,
        trial.attempt,
        trial.refill,
        OUTCOME_CODE[trial.outcome],
        0 if trial.reason is None else REASON_CODE[trial.reason],
        NOT_RECORDED if trial.said is None else int(trial.said),
        NOT_RECORDED if trial.did is None else int(trial.did),
        NOT_RECORDED if trial.exposed is None else int(trial.exposed),
        NOT_RECORDED if trial.cached is None else int(trial.cached),
        NOT_RECORDED if trial.refusal is None else REFUSAL_CODE[trial.refusal],
        np.nan if trial.graded_score is None else trial.graded_score,
        trial.detail,
        trial.started_at,
        trial.transcript_ref,
        trial.category,
        trial.flags or None,
    )


def trial_of(instance_id: str, arrays: Sequence[Any], texts: Sequence[Any]) -> Trial:
    """The trial of one row: its id, its plain columns and its texts, in the order that `row_of` writes."""
    attempt, refill, outcome, reason, said, did, exposed, cached, refusal, graded_score = arrays
    detail, started_at, transcript_ref, category, flags = texts
    return Trial(
        instance_id=instance_id,
        attempt=attempt,
        refill=refill,
        outcome=OUTCOMES[outcome],
        reason=REASONS[reason],
        said=_truth(said),
        did=_truth(did),
        exposed=_truth(exposed),
        cached=_truth(cached),
        refusal=None if refusal == NOT_RECORDED else REFUSALS[refusal],
        graded_score=None if graded_score != graded_score else graded_score,  # noqa: PLR0124 NaN alone differs from itself
        detail=detail,
        started_at=started_at,
        transcript_ref=transcript_ref,
        category=category,
        flags=flags or (),
    )


def _truth(value: int) -> bool | None:
    return None if value == NOT_RECORDED else bool(value)
