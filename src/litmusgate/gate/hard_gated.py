"""A build that nothing gates."""

from __future__ import annotations

from collections.abc import Sequence

from litmusgate.gate.verdict import CategoryFinding, Decision, DecisionReason, Lane


def nothing_hard_gated(findings: Sequence[CategoryFinding]) -> DecisionReason | None:
    """B14: a build with no hard-gated category is never PASS: INVALID. None where there is one."""
    if any(finding.lane is Lane.HARD_GATED for finding in findings):
        return None
    review = sum(finding.lane is Lane.REVIEW for finding in findings)
    advisory = sum(finding.lane is Lane.ADVISORY for finding in findings)
    return DecisionReason(
        decision=Decision.INVALID,
        rule="B14",
        code="nothing-hard-gated",
        message=f"no category is hard-gated ({review} too small, {advisory} advisory), so nothing could have blocked the build",
    )
