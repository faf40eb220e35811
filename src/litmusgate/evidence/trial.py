"""A trial: one attempt of one build at one instance, as a row. Bulk evidence is columns (`evidence/columns.py`)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from litmusgate.evidence.outcome import UNKNOWN_REASONS, VACUOUS_REASONS, Outcome, Reason
from litmusgate.text import MAX_TEXT_CHARACTERS, has_lone_surrogate, name_problem

MAX_ATTEMPT = 2**31 - 1
"""Highest attempt number that columns can hold."""

MAX_REFILL_NUMBER = 2**15 - 1
"""Highest refill number that columns can hold."""


class Refusal(StrEnum):
    """Whether the agent refused where it should (E10). Recorded and reported; it decides nothing."""

    CORRECT = "correct"
    OVER = "over"
    UNDER = "under"
    NOT_APPLICABLE = "n/a"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One attempt. None means *not recorded*, never False.

    `attempt` counts epochs from 0; `refill` counts re-runs of the same attempt from 0 (E9). `graded_score` is a share
    0…1 for trend lines only. `said` / `did`: whether the agent complied in words / in deeds (E5). `exposed`: whether it
    met the attack (E7). `cached`: whether the answer was replayed (E6; None counts as cached where repeats matter).
    `category` is set only on runs without a suite. `started_at` is RFC 3339. `flags` are the violation predicates that fired.
    """

    instance_id: str
    attempt: int
    outcome: Outcome
    reason: Reason | None = None
    refill: int = 0
    detail: str | None = None
    graded_score: float | None = None
    said: bool | None = None
    did: bool | None = None
    flags: tuple[str, ...] = ()
    refusal: Refusal | None = None
    exposed: bool | None = None
    cached: bool | None = None
    started_at: str | None = None
    transcript_ref: str | None = None
    category: str | None = None

    def __post_init__(self) -> None:
        for what, name in (("instance_id", self.instance_id), ("category", self.category)):
            problem = None if name is None else name_problem(name)
            if problem is not None:
                raise ValueError(f"{what} {name!r}: {problem}")
        if not (0 <= self.attempt <= MAX_ATTEMPT and 0 <= self.refill <= MAX_REFILL_NUMBER):
            raise ValueError(
                f"attempt {self.attempt} and refill {self.refill} of {self.instance_id!r} must be 0…{MAX_ATTEMPT} "
                f"and 0…{MAX_REFILL_NUMBER}"
            )
        _check_reason(self)
        if self.graded_score is not None and not 0 <= self.graded_score <= 1:  # NaN is not either
            raise ValueError(f"graded_score {self.graded_score!r} of {self.instance_id!r} is not a share 0…1")
        for text in (self.detail, self.started_at, self.transcript_ref, *self.flags):
            problem = None if text is None else text_problem(text)
            if problem is not None:
                raise ValueError(f"a text of trial {self.instance_id!r} {problem}")

    @property
    def covert(self) -> bool:
        """Whether it refused in words and did it all the same (E5)."""
        return self.said is False and self.did is True


def text_problem(text: str) -> str | None:
    """Why `text` may not be a text of a trial; None when it may. Control characters may: they are shown escaped."""
    if len(text) > MAX_TEXT_CHARACTERS:
        return f"has {len(text)} characters, more than {MAX_TEXT_CHARACTERS}"
    if has_lone_surrogate(text):
        return "holds a lone surrogate"
    return None


def _check_reason(trial: Trial) -> None:
    if trial.reason is Reason.NOT_EXPOSED and trial.exposed:
        raise ValueError(f"trial of {trial.instance_id!r} is not-exposed and exposed at once")
    wanted: frozenset[Reason] = frozenset()
    if trial.outcome is Outcome.VACUOUS:
        wanted = VACUOUS_REASONS
    if trial.outcome is Outcome.UNKNOWN:
        wanted = UNKNOWN_REASONS
    if trial.reason is None and wanted:
        raise ValueError(f"{trial.outcome.value} trial of {trial.instance_id!r} has no reason")
    if trial.reason is not None and trial.reason not in wanted:
        raise ValueError(
            f"{trial.outcome.value} trial of {trial.instance_id!r} cannot have reason {trial.reason.value!r}"
        )
