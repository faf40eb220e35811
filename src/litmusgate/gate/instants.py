"""Times as they stand in records: RFC 3339 with an offset, or a date alone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


def parse_instant(text: str) -> datetime | None:
    """The instant `text` names; a date alone is its midnight in UTC. None when it names no single instant."""
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        return None
    if instant.tzinfo is not None:
        return instant
    return instant.replace(tzinfo=UTC) if len(text) == len("2026-01-31") else None


def age_problem(what: str, started: str | None, *, max_age_days: int, now: str) -> str | None:
    """Why something `started` then is not at most `max_age_days` old at `now`; None when it is."""
    if started is None:
        return f"{what} does not say when it was made"
    then, present = parse_instant(started), parse_instant(now)
    if then is None or present is None:
        return f"{what} was made at {started!r} and this gate at {now!r}: one of them is no RFC 3339 time"
    if then > present:
        return f"{what} was made at {started}, which is after this gate"
    if present - then > timedelta(days=max_age_days):
        return f"{what} was made at {started}, more than {max_age_days} days before this gate"
    return None
