"""Refills: running an attempt again after an infrastructure fault, and never for any other reason (E9)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from litmusgate.evidence.attempts import refuse_repeated_attempts
from litmusgate.evidence.codes import REASON_CODE, UNKNOWN, VIOLATION
from litmusgate.evidence.columns import TrialColumns
from litmusgate.evidence.outcome import REFILLABLE_REASONS, Reason

_REFILLABLE_CODES = [REASON_CODE[reason] for reason in sorted(REFILLABLE_REASONS)]

_GAP = "the refills are not numbered 0, 1, 2, …: an earlier one is missing"
_NOT_INFRA = "an attempt was run again although it had not failed by an infrastructure fault"
_TOO_MANY = "it was refilled more often than the policy allows"


@dataclass(frozen=True, slots=True, kw_only=True)
class RefillProblem:
    """An attempt that was run again and may not have been; it makes the gate INVALID."""

    instance_id: str
    attempt: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Refilled:
    """One trial per (id, attempt), in canonical order. `superseded` counts the trials that a later refill replaced."""

    columns: TrialColumns
    superseded: int
    problems: tuple[RefillProblem, ...]


def last_refills(columns: TrialColumns, *, max_refill: int) -> Refilled:
    """E9: of the refills of an attempt the last counts, if each earlier one is UNKNOWN by an infrastructure fault.

    `max_refill` is the number of refills allowed per attempt (0: none). Any other refill is a problem; what then counts is
    a VIOLATION if any of them is one, else UNKNOWN(invalidated), so that running again never helps. Raises `RunError` for
    a refill that stands twice (E3).
    """
    ordered = columns.sorted()
    refuse_repeated_attempts(ordered)
    if not bool((ordered.refill > 0).any()):
        return Refilled(columns=ordered, superseded=0, problems=())
    starts = _starts(ordered)
    ends = np.append(starts[1:], len(ordered))
    reasons = _reasons(ordered, starts, ends, max_refill)
    broken = np.flatnonzero(np.logical_or.reduce(list(reasons.values())))
    kept = ends - 1
    kept[broken] = _worst(ordered, starts)[broken]
    problems = tuple(
        RefillProblem(
            instance_id=ordered.ids[ordered.id_code[starts[group]]],
            attempt=int(ordered.attempt[starts[group]]),
            why="; ".join(why for why, groups in reasons.items() if groups[group]),
        )
        for group in broken.tolist()
    )
    return Refilled(
        columns=_without_harmless(ordered.take(kept), broken),
        superseded=len(ordered) - len(starts),
        problems=problems,
    )


def _starts(ordered: TrialColumns) -> npt.NDArray[np.int64]:
    new = np.ones(len(ordered), dtype=np.bool_)
    new[1:] = (ordered.id_code[1:] != ordered.id_code[:-1]) | (ordered.attempt[1:] != ordered.attempt[:-1])
    return np.flatnonzero(new)


def _reasons(
    ordered: TrialColumns, starts: npt.NDArray[np.int64], ends: npt.NDArray[np.int64], max_refill: int
) -> dict[str, npt.NDArray[np.bool_]]:
    """Which attempts break which part of the rule."""
    number = np.arange(len(ordered)) - np.repeat(starts, ends - starts)
    superseded = np.ones(len(ordered), dtype=np.bool_)
    superseded[ends - 1] = False
    return {
        _GAP: _any_of(ordered.refill != number, starts),
        _NOT_INFRA: _any_of(superseded & ~_refillable(ordered), starts),
        _TOO_MANY: _any_of(ordered.refill > max_refill, starts),
    }


def _refillable(columns: TrialColumns) -> npt.NDArray[np.bool_]:
    mask: npt.NDArray[np.bool_] = (columns.outcome == UNKNOWN) & np.isin(columns.reason, _REFILLABLE_CODES)
    return mask


def _worst(ordered: TrialColumns, starts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Per attempt the row of its first VIOLATION, or its first row where there is none."""
    rows = np.arange(len(ordered))
    first_violation = np.minimum.reduceat(np.where(ordered.outcome == VIOLATION, rows, len(ordered)), starts)
    return np.where(first_violation < len(ordered), first_violation, starts)


def _without_harmless(columns: TrialColumns, broken: npt.NDArray[np.int64]) -> TrialColumns:
    undecided = broken[columns.outcome[broken] != VIOLATION]
    outcome, reason = columns.outcome.copy(), columns.reason.copy()
    outcome[undecided] = UNKNOWN
    reason[undecided] = REASON_CODE[Reason.INVALIDATED]
    return columns.replace(outcome=outcome, reason=reason)


def _any_of(rows: npt.NDArray[Any], starts: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    groups: npt.NDArray[np.bool_] = np.logical_or.reduceat(rows, starts)
    return groups
