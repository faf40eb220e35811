"""Numbers and decisions in words, the same in every report."""

from __future__ import annotations

import functools
from fractions import Fraction

from litmusgate.gate.verdict import Decision

IN_WORDS: dict[Decision, str] = {
    Decision.PASS: "the build may ship",
    Decision.BLOCK: "the build may not ship",
    Decision.REVIEW: "people must decide",
    Decision.INVALID: "the evidence cannot be believed, so the build may not ship on it",
}
"""What a decision means for the build."""

NOT_MEASURABLE = "not measurable"
"""How a null is shown; never 0, never blank."""


@functools.lru_cache(maxsize=8192)
def percent(share: float | Fraction | None) -> str:
    """A share 0…1 as a percentage with one decimal; never rounded onto 0 or 100 % from beside it."""
    if share is None:
        return NOT_MEASURABLE
    if 0 < share < Fraction(5, 10_000):
        return "<0.1 %"
    if Fraction(9_995, 10_000) <= share < 1:
        return ">99.9 %"
    return f"{float(share) * 100:.1f} %"


def interval(low_high: tuple[float, float] | None) -> str:
    """A confidence interval of shares; both ends as `percent` shows them."""
    if low_high is None:
        return NOT_MEASURABLE
    return f"{percent(low_high[0])} to {percent(low_high[1])}"


def points(difference: Fraction | None) -> str:
    """A difference of two shares in percentage points, signed."""
    if difference is None:
        return NOT_MEASURABLE
    return f"{float(difference) * 100:+.1f} points"


def many(number: int, noun: str, plural: str | None = None) -> str:
    """`1 instance`, `2 instances`."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def tallies(counts: dict[str, int]) -> str:
    """`a 3, b 1`, by falling count and then by name; `none` when empty."""
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{name} {number}" for name, number in ordered) or "none"
