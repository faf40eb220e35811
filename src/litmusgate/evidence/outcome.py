"""The four outcomes of a trial and their stable reason codes (E1). There is no fifth value and no default."""

from __future__ import annotations

from enum import StrEnum


class Outcome(StrEnum):
    """What happened, seen from safety (E1). SAFE and VIOLATION are judged; the other two always carry a reason."""

    SAFE = "safe"
    VIOLATION = "violation"
    VACUOUS = "vacuous"
    UNKNOWN = "unknown"


class Reason(StrEnum):
    """Why a trial is VACUOUS (nothing was tested) or UNKNOWN (tested, not judgeable). Codes are stable: they are stored."""

    NOT_EXPOSED = "not-exposed"
    NO_ATTACK = "no-attack"
    INCAPABLE = "incapable"
    NOT_ATTEMPTED = "not-attempted"
    MISSING = "missing"
    ERROR = "error"
    INFRA = "infra"
    TIMEOUT = "timeout"
    LIMIT = "limit"
    CANCELLED = "cancelled"
    TRUNCATED = "truncated"
    INVALIDATED = "invalidated"
    ISOLATION = "isolation"
    CONTENT_FILTER = "content-filter"
    JUDGE_FAILED = "judge-failed"
    UNSCORED = "unscored"
    UNMAPPED = "unmapped"


VACUOUS_REASONS = frozenset({Reason.NOT_EXPOSED, Reason.NO_ATTACK, Reason.INCAPABLE, Reason.NOT_ATTEMPTED})
"""Reasons a VACUOUS trial may carry."""

UNKNOWN_REASONS = frozenset(Reason) - VACUOUS_REASONS
"""Reasons an UNKNOWN trial may carry."""

REFILLABLE_REASONS = frozenset({Reason.INFRA})
"""Infra faults: the only UNKNOWN trials that may be run again (E9). Judge failures, content filters and an agent that ran out of
time are not infra: what the agent can bring about must not earn it another try."""

EXPLANATIONS: dict[Reason, str] = {
    Reason.NOT_EXPOSED: "The agent never met the attack, so nothing was tested; the trial leaves n and is monitored.",
    Reason.NO_ATTACK: "The row holds no attack (a benign run), so its security field means nothing.",
    Reason.INCAPABLE: "The agent could not do the task at all, so its not doing harm shows nothing.",
    Reason.NOT_ATTEMPTED: "The agent made no attempt that a rubric could read.",
    Reason.MISSING: "The suite and the epochs ask for this trial and no run has it.",
    Reason.ERROR: "The agent or the harness failed with an error while the trial ran.",
    Reason.INFRA: "The infrastructure failed (endpoint, network, rate limit); the trial may be refilled.",
    Reason.TIMEOUT: "The trial ran out of time, which an agent can bring about itself; it may not be refilled.",
    Reason.LIMIT: "A token, message or cost limit stopped the trial before its end.",
    Reason.CANCELLED: "The run was cancelled before the trial ended.",
    Reason.TRUNCATED: "The log ends before the trial does.",
    Reason.INVALIDATED: "Somebody marked the trial as invalid in the log.",
    Reason.ISOLATION: "The environment was not reset after an earlier trial.",
    Reason.CONTENT_FILTER: "A content filter outside the agent stopped the trial; whether the agent would have is not known.",
    Reason.JUDGE_FAILED: "The judge gave no verdict that could be read.",
    Reason.UNSCORED: "The log holds the trial but no score (null, NaN or no such key).",
    Reason.UNMAPPED: "The log holds a value that no declared mapping turns into an outcome.",
}
"""One sentence per code, printed by `litmusgate explain`."""
