"""The decision on one category's count of violations."""

from __future__ import annotations

from litmusgate.gate.exceeds import exceeds
from litmusgate.gate.verdict import Decision


def count_decision(violations: int, tolerance: int | None) -> Decision:
    """B3: per-category violation counts decide: BLOCK above the tolerance (B8), PASS at or below it.

    Both are counts of instances. Without a tolerance a count means nothing: INVALID, never PASS.
    """
    if tolerance is None:
        return Decision.INVALID
    return Decision.BLOCK if exceeds(violations, tolerance) else Decision.PASS
