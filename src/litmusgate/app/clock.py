"""The only clock: every command that stamps a time takes it from here, so that `--now` and SOURCE_DATE_EPOCH rule it."""

from __future__ import annotations

import os
from datetime import UTC, datetime

from litmusgate.errors import UsageError


def moment(now: str | None) -> str:
    """RFC 3339 UTC to the second: from `now` if given, else from SOURCE_DATE_EPOCH, else from the clock."""
    if now is not None:
        return _parsed(now)
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if epoch is None:
        return _written(datetime.now(UTC))
    try:
        return _written(datetime.fromtimestamp(int(epoch), UTC))
    except (ValueError, OverflowError, OSError) as error:
        raise UsageError(
            "SOURCE_DATE_EPOCH is not a time", got=repr(epoch), wanted="whole seconds since 1970-01-01"
        ) from error


def _parsed(text: str) -> str:
    try:
        stamp = datetime.fromisoformat(text)
        return _written(stamp if stamp.tzinfo is not None else stamp.replace(tzinfo=UTC))
    except (ValueError, OverflowError) as error:
        raise UsageError("--now is not a time", got=repr(text), wanted="RFC 3339, like 2026-11-30T12:00:00Z") from error


def _written(stamp: datetime) -> str:
    # not strftime, which writes the year 999 with three digits on some systems
    return stamp.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"
