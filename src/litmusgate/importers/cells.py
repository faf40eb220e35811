"""Cells of foreign tables: each function turns one value into one field of a trial, or raises `ValueError` saying why.

None (null, an absent key, NaN where a number is wanted) stays None: not recorded is never False.
"""

from __future__ import annotations

import json
import math
from datetime import UTC, date, datetime

from litmusgate.evidence.trial import Refusal, text_problem
from litmusgate.text import has_lone_surrogate, name_problem

_TRUTH = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False, "unknown": None}


def spell(value: object) -> str | None:
    """The one spelling under which a value is declared and compared; None for null and NaN.

    Booleans are `true` and `false`, whole numbers have no point, other numbers are the shortest that reads back, dates
    are ISO 8601, lists and objects are JSON.
    """
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return None if math.isnan(value) else repr(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, datetime | date):
        return value.isoformat()
    try:
        return json.dumps(value, sort_keys=True, default=repr)
    except (RecursionError, TypeError) as problem:
        raise ValueError(f"it has no spelling: {problem}") from problem


def name(value: object) -> str:
    """An id or a category: never null, never with control characters (T5)."""
    spelled = spell(value)
    if spelled is None:
        raise ValueError("it is null")
    if isinstance(value, float) and not abs(value) < 2**53:
        raise ValueError("it is a number that doubles cannot tell from its neighbours")
    problem = name_problem(spelled)
    if problem is not None:
        raise ValueError(problem)
    return spelled


def text(value: object) -> str | None:
    """Any text that a trial may hold: no lone surrogates, which no file can hold, and not beyond the limit."""
    spelled = spell(value)
    problem = None if spelled is None else text_problem(spelled)
    if problem is not None:
        raise ValueError(f"it {problem}")
    return spelled


def truth(value: object) -> bool | None:
    """true/false, yes/no, 1/0 in any case; `unknown` and null are None; everything else is refused."""
    spelled = spell(value)
    if spelled is None:
        return None
    if spelled.lower() not in _TRUTH:
        raise ValueError("wanted true, false or null")
    return _TRUTH[spelled.lower()]


def whole(value: object) -> int:
    """A count ≥ 0, at most 2**31 - 1; 3.0 is 3, as columns with nulls are often stored as floats."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    spelled = spell(value)
    if spelled is None or isinstance(value, bool) or not (spelled.isascii() and spelled.isdigit()):
        raise ValueError("wanted a whole number ≥ 0")
    if len(spelled) > 10 or int(spelled) >= 2**31:
        raise ValueError("it is too large")
    return int(spelled)


def share(value: object) -> float | None:
    """A share 0…1; null and NaN are None."""
    spelled = spell(value)
    if spelled is None:
        return None
    number = math.nan if isinstance(value, bool) else _float(spelled)
    if not 0 <= number <= 1:
        raise ValueError("wanted a share 0…1 or null")
    return number


def moment(value: object) -> str | None:
    """A time as RFC 3339 in UTC. A time without a zone is read as UTC: the log does not say better."""
    if value is None:
        return None
    spelled = value.isoformat() if isinstance(value, datetime) else spell(value)
    try:
        read = datetime.fromisoformat(spelled or "")
        aware = read.replace(tzinfo=UTC) if read.tzinfo is None else read.astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValueError("wanted a date and time as in 2026-01-31T12:00:00Z") from None
    return aware.isoformat().replace("+00:00", "Z")


def refusal(value: object) -> Refusal | None:
    """The codes correct, over, under, n/a."""
    spelled = spell(value)
    if spelled is None:
        return None
    try:
        return Refusal(spelled)
    except ValueError:
        raise ValueError(f"wanted one of {', '.join(code.value for code in Refusal)}") from None


def flags(value: object) -> tuple[str, ...]:
    """Names of the violation predicates that fired: a list of texts, or one text with commas; sorted, each once."""
    if value is None:
        return ()
    parts = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
        raise ValueError("wanted a list of texts")
    named = {part.strip() for part in parts} - {""}
    if any(has_lone_surrogate(part) for part in named):
        raise ValueError("it holds a lone surrogate")
    return tuple(sorted(named))


def _float(spelled: str) -> float:
    try:
        return float(spelled)
    except ValueError:
        return math.nan


def category(value: object) -> str | None:
    """A category as `name`; null is none: the suite, where there is one, says it."""
    return None if spell(value) is None else name(value)
