"""What every exact formula here refuses to compute with."""

from __future__ import annotations

import math


def check_share(what: str, value: float) -> None:
    """Raise `ValueError` unless `value` is a share strictly between 0 and 1."""
    if not 0 < value < 1:  # NaN fails this comparison too
        raise ValueError(f"{what} is {value!r}, wanted a share strictly between 0 and 1")


def check_rate(what: str, value: float) -> None:
    """Raise `ValueError` unless `value` is a share 0…1, ends included."""
    if not 0 <= value <= 1:
        raise ValueError(f"{what} is {value!r}, wanted a share 0…1")


def check_count(what: str, value: int) -> None:
    """Raise `ValueError` unless `value` is a count: an integer of at least 0."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"{what} is {value!r}, wanted a count ≥ 0")


def check_shape(what: str, value: float) -> None:
    """Raise `ValueError` unless `value` is a finite shape parameter of a beta distribution, above 0."""
    if not (math.isfinite(value) and value > 0):
        raise ValueError(f"{what} is {value!r}, wanted a finite number above 0")
