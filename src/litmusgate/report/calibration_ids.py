"""Ids in the reports of a calibration: the first of them, and how many there are."""

from __future__ import annotations

from collections.abc import Sequence

SHOWN_IDS = 40
"""Ids that a report for people lists of one kind."""


def named(ids: Sequence[str]) -> str:
    """The ids in brackets after a count; nothing for none."""
    return f" ({shown_ids(ids)})" if ids else ""


def shown_ids(ids: Sequence[str]) -> str:
    """The first ids; all of them stand in the calibration file."""
    more = len(ids) - SHOWN_IDS
    return ", ".join(ids[:SHOWN_IDS]) + (f", and {more} more in the file" if more > 0 else "")
