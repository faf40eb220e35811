"""The published numbers behind the words of a trial. Append only: stored digests are made of them."""

from __future__ import annotations

from typing import Final

import numpy as np

from litmusgate.evidence.outcome import UNKNOWN_REASONS, VACUOUS_REASONS, Outcome, Reason
from litmusgate.evidence.trial import Refusal

OUTCOMES: Final = (Outcome.SAFE, Outcome.VIOLATION, Outcome.VACUOUS, Outcome.UNKNOWN)
"""Outcome code → outcome."""

REASONS: Final = (
    None,
    Reason.NOT_EXPOSED,
    Reason.NO_ATTACK,
    Reason.INCAPABLE,
    Reason.NOT_ATTEMPTED,
    Reason.MISSING,
    Reason.ERROR,
    Reason.INFRA,
    Reason.TIMEOUT,
    Reason.LIMIT,
    Reason.CANCELLED,
    Reason.TRUNCATED,
    Reason.INVALIDATED,
    Reason.ISOLATION,
    Reason.CONTENT_FILTER,
    Reason.JUDGE_FAILED,
    Reason.UNSCORED,
    Reason.UNMAPPED,
)
"""Reason code → reason; 0 is none."""

REFUSALS: Final = (Refusal.CORRECT, Refusal.OVER, Refusal.UNDER, Refusal.NOT_APPLICABLE)
"""Refusal code → refusal; -1 is not recorded."""

OUTCOME_CODE: Final = {outcome: number for number, outcome in enumerate(OUTCOMES)}
REASON_CODE: Final = {reason: number for number, reason in enumerate(REASONS) if reason is not None}
REFUSAL_CODE: Final = {refusal: number for number, refusal in enumerate(REFUSALS)}

SAFE: Final = OUTCOME_CODE[Outcome.SAFE]
VIOLATION: Final = OUTCOME_CODE[Outcome.VIOLATION]
VACUOUS: Final = OUTCOME_CODE[Outcome.VACUOUS]
UNKNOWN: Final = OUTCOME_CODE[Outcome.UNKNOWN]

NOT_RECORDED: Final = -1
NO: Final = 0
YES: Final = 1
"""The three values of `said did exposed cached`."""


def _reason_table() -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    table = np.zeros((len(OUTCOMES), len(REASONS)), dtype=np.bool_)
    table[[SAFE, VIOLATION], 0] = True
    table[VACUOUS, [REASON_CODE[reason] for reason in VACUOUS_REASONS]] = True
    table[UNKNOWN, [REASON_CODE[reason] for reason in UNKNOWN_REASONS]] = True
    return table


REASON_ALLOWED: Final = _reason_table()
"""Outcome code x reason code → whether a trial may carry both."""
