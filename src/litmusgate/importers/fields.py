"""The fields of a trial that a table may fill, and the coded columns of a table as trial columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from litmusgate.errors import ImportFormatError
from litmusgate.evidence.coded import Coded, code_anew
from litmusgate.evidence.codes import NOT_RECORDED, OUTCOME_CODE, REASON_CODE, REFUSAL_CODE
from litmusgate.evidence.columns import TrialColumns
from litmusgate.importers import cells
from litmusgate.importers.coding import CodedColumn
from litmusgate.importers.mapping import UNSCORED, Judged, judge_values

FIELDS: dict[str, Callable[[object], Hashable]] = {
    "id": cells.name,
    "outcome": cells.spell,
    "attempt": cells.whole,
    "refill": cells.whole,
    "category": cells.category,
    "exposed": cells.truth,
    "cached": cells.truth,
    "started_at": cells.moment,
    "said": cells.truth,
    "did": cells.truth,
    "refusal": cells.refusal,
    "graded_score": cells.share,
    "detail": cells.text,
    "flags": cells.flags,
}
"""Field of a trial → how a cell becomes its value."""

JOINED_EXPOSURE = "the exposure table"
"""Where exposure comes from when no column of the log holds it; only errors show this."""

_TRUTHS = ("said", "did", "exposed", "cached")
_TEXTS = ("detail", "started_at", "category", "flags")


def to_columns(
    coded: Mapping[str, CodedColumn],
    values: Mapping[str, Judged],
    *,
    cached: bool | None,
    first_attempt: int,
    attempts_by_order: bool,
) -> tuple[TrialColumns, dict[str, int]]:
    """Trial columns of the coded columns, and the counts worth telling: rows `unscored`, rows of `exposure unknown`.

    Raises `UsageError` for an unmapped outcome (E1) and `ImportFormatError` for an attempt below the first and for
    fields that contradict each other.
    """
    ids = coded["id"]
    id_code = _codes(ids)
    outcome, reason = _outcomes(coded["outcome"], values)
    parts: dict[str, Any] = {"outcome": outcome, "reason": reason}
    parts["attempt"] = _attempts(coded.get("attempt"), id_code, first_attempt, attempts_by_order)
    if "refill" in coded:
        parts["refill"] = _lookup(coded["refill"], int)
    for name in _TRUTHS:
        if name in coded:
            parts[name] = _lookup(coded[name], _truth_code)
    if cached is not None:
        parts["cached"] = np.full(len(id_code), int(cached))
    if "refusal" in coded:
        parts["refusal"] = _lookup(coded["refusal"], lambda value: REFUSAL_CODE.get(value, NOT_RECORDED))
    if "graded_score" in coded:
        parts["graded_score"] = _lookup(coded["graded_score"], lambda value: np.nan if value is None else value)
    for name in _TEXTS:
        if name in coded:
            parts[name] = _texts(coded[name])
    try:
        columns = TrialColumns.build(ids=ids.distinct, id_code=id_code, **parts)
    except ValueError as problem:
        raise ImportFormatError(f"the rows contradict each other: {problem}") from problem
    return columns, _notes(coded, columns)


def _notes(coded: Mapping[str, CodedColumn], columns: TrialColumns) -> dict[str, int]:
    notes = {"unscored": _counts(coded["outcome"])[None]}
    if "exposed" in coded:
        notes["exposure-unknown"] = int((columns.exposed == NOT_RECORDED).sum())
    return {name: count for name, count in notes.items() if count}


def _outcomes(column: CodedColumn, values: Mapping[str, Judged]) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    counts = _counts(column)
    counts.pop(None, None)
    judged: dict[str | None, Judged] = {None: UNSCORED}
    judged.update(judge_values(counts, values, column=column.column).items())
    outcome = _lookup(column, lambda value: OUTCOME_CODE[judged[value][0]])
    reason = _lookup(column, lambda value: _reason_code(judged[value]))
    return outcome, reason


def _reason_code(judged: Judged) -> int:
    reason = judged[1]
    return 0 if reason is None else REASON_CODE[reason]


def _attempts(
    column: CodedColumn | None, id_code: npt.NDArray[Any], first: int, by_order: bool
) -> npt.NDArray[np.int64]:
    if by_order:
        seen: Counter[int] = Counter()
        numbers = []
        for code in id_code.tolist():
            numbers.append(seen[code])
            seen[code] += 1
        return np.array(numbers, dtype=np.int64)
    if column is None:
        return np.zeros(len(id_code), dtype=np.int64)
    attempts = _lookup(column, int) - first
    if int(attempts.min()) < 0:
        raise ImportFormatError(
            f"column {column.column!r} holds an attempt below the first",
            got=repr(int(attempts.min()) + first),
            wanted=f"attempts counted from {first} (--first-attempt)",
        )
    return attempts


def _counts(column: CodedColumn) -> Counter[Any]:
    """How often each distinct value occurs."""
    return Counter(dict(zip(column.distinct, np.bincount(_codes(column)).tolist(), strict=True)))


def _codes(column: CodedColumn) -> npt.NDArray[np.int32]:
    return np.frombuffer(column.codes, dtype=np.intc).astype(np.int32)


def _lookup(column: CodedColumn, number: Callable[[Any], float]) -> npt.NDArray[Any]:
    """The number of every row's value; each distinct value is looked up once."""
    return np.array([number(value) for value in column.distinct])[_codes(column)]


def _truth_code(value: bool | None) -> int:
    return NOT_RECORDED if value is None else int(value)


def _texts(column: CodedColumn) -> Coded[Any]:
    """The column as a dictionary of its texts; null, empty text and no flags are no value."""
    position = {value: number for number, value in enumerate(value for value in column.distinct if value)}
    codes = _lookup(column, lambda value: position.get(value, -1))
    return code_anew(tuple(position), codes.astype(np.int32))
