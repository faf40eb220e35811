"""When a count is too high."""

from __future__ import annotations


def exceeds(violations: int, tolerance: int) -> bool:
    """B8: the build fails when any hard-gated category's count exceeds its tolerance; equality passes.

    Both are counts of instances ≥ 0.
    """
    return violations > tolerance
