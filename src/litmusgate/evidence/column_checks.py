"""What trial columns must hold: exactly what a `Trial` demands of itself, without an object per row."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from litmusgate.evidence.coded import ascending
from litmusgate.evidence.codes import (
    OUTCOMES,
    REASON_ALLOWED,
    REASON_CODE,
    REASONS,
    REFUSALS,
    YES,
)
from litmusgate.evidence.outcome import Reason
from litmusgate.evidence.trial import text_problem
from litmusgate.text import MAX_NAME_CHARACTERS, MAX_TEXT_CHARACTERS, name_problem

if TYPE_CHECKING:
    from litmusgate.evidence.columns import TrialColumns

TRUTHS = ("said", "did", "exposed", "cached")
"""The columns of three values."""


def check_columns(columns: TrialColumns) -> None:
    """Raise `ValueError` naming the first trial that no `Trial` could be."""
    _check_names(columns)
    _refuse(columns, (columns.attempt < 0) | (columns.refill < 0), "attempt or refill is below 0")
    _refuse(columns, columns.outcome >= len(OUTCOMES), "the outcome code is unknown")
    _refuse(columns, columns.reason >= len(REASONS), "the reason code is unknown")
    _refuse(columns, ~REASON_ALLOWED[columns.outcome, columns.reason], "the reason does not go with the outcome")
    for name in TRUTHS:
        _refuse(columns, np.abs(getattr(columns, name)) > 1, f"{name} is none of yes, no, not recorded")
    _refuse(columns, (columns.refusal < -1) | (columns.refusal >= len(REFUSALS)), "the refusal code is unknown")
    not_exposed = columns.reason == REASON_CODE[Reason.NOT_EXPOSED]
    _refuse(columns, not_exposed & (columns.exposed == YES), "it is not-exposed and exposed at once")
    with np.errstate(invalid="ignore"):
        outside = (columns.graded_score < 0) | (columns.graded_score > 1)
    _refuse(columns, outside, "graded_score is not a share 0…1")
    _check_texts(columns)


def _check_names(columns: TrialColumns) -> None:
    if not ascending(columns.ids):
        raise ValueError("instance ids are not sorted and distinct")
    for what, names in (("instance_id", columns.ids), ("category", columns.category.values)):
        for name in () if _surely_names(names) else names:
            problem = name_problem(name)
            if problem is not None:
                raise ValueError(f"{what} {name!r}: {problem}")
    codes = columns.id_code
    if len(codes) and not (int(codes.min()) >= 0 and int(codes.max()) < len(columns.ids)):
        raise ValueError("an id code points outside the ids")
    if not bool((np.bincount(codes, minlength=len(columns.ids)) > 0).all()):
        raise ValueError("an instance id has no trial; absent evidence must not look present")


def _check_texts(columns: TrialColumns) -> None:
    plain = (columns.detail, columns.started_at, columns.transcript_ref)
    doubtful = (
        texts for texts in (*(column.values for column in plain), *columns.flags.values) if not _surely_texts(texts)
    )
    for text in itertools.chain.from_iterable(doubtful):
        problem = text_problem(text)
        if problem is not None:
            raise ValueError(f"a text of a trial {problem}")
    if () in columns.flags.values:
        raise ValueError("no flags are written as none, not as an empty tuple")


def _surely_names(names: Sequence[str]) -> bool:
    """A quick look at all of them at once: True only where `name_problem` finds nothing, False decides nothing."""
    joined = "".join(names)
    plain = joined.isascii() and joined.isprintable() and " " not in joined
    return plain and "" not in names and max(map(len, names), default=0) <= MAX_NAME_CHARACTERS


def _surely_texts(texts: Sequence[str]) -> bool:
    """A quick look at all of them at once: True only where `text_problem` finds nothing, False decides nothing."""
    return "".join(texts).isascii() and max(map(len, texts), default=0) <= MAX_TEXT_CHARACTERS


def _refuse(columns: TrialColumns, bad: npt.NDArray[Any], why: str) -> None:
    if bool(bad.any()):
        row = int(np.flatnonzero(bad)[0])
        attempt = int(columns.attempt[row])
        raise ValueError(f"trial of {columns.ids[columns.id_code[row]]!r}, attempt {attempt}: {why}")
