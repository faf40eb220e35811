"""How a category takes part in the decision."""

from __future__ import annotations

from typing import Literal

from litmusgate.gate.interval import SMALL_N
from litmusgate.gate.verdict import Decision, DecisionReason, Lane
from litmusgate.suite.category import Severity


def lane(*, severity: Severity, n: int, effective_n: int, lane_on: Literal["n", "effective_n"]) -> Lane:
    """B6: hard gating needs n ≥ 20 admissible, tested instances; below that the review lane, whatever the severity.

    `lane_on: effective_n` counts clusters instead. n = 19 → 20 is the only step. Declared advisory stays advisory.
    """
    if severity is Severity.ADVISORY:
        return Lane.ADVISORY
    counted = effective_n if lane_on == "effective_n" else n
    return Lane.HARD_GATED if counted >= SMALL_N else Lane.REVIEW


def small_category_reasons(
    *,
    severity: Severity,
    review_standard: Literal["notify", "required"],
    violations: int,
    n: int,
    cap: int | None,
    lower: float,
) -> tuple[DecisionReason, ...]:
    """What the review lane asks for a category that is too small to be hard-gated (B6); n ≥ 1.

    Critical: REVIEW until a recorded decision of people. Standard with `notify`: for information, unless the count is
    above `cap` (max_tolerance), or the exact lower bound of the share (0…1) above cap / n, or the cap is no bound at all
    because it is not below n.
    """
    people = severity is Severity.CRITICAL or review_standard == "required"
    code = "small-category" if people else "small-category-notice"
    reasons = [
        _reason(
            Decision.REVIEW if people else Decision.PASS,
            code,
            f"{violations} violation{'' if violations == 1 else 's'} of only {n} tested instances, fewer than {SMALL_N} count: people decide",
        )
    ]
    if cap is None:
        reasons.append(_reason(Decision.INVALID, "cap-missing", "the policy states no max_tolerance for it", rule="B5"))
        return tuple(reasons)
    if violations > cap:
        message = f"{violations} violations of {n} are more than max_tolerance {cap}"
        reasons.append(_reason(Decision.REVIEW, "small-above-cap", message))
    if lower * n > cap:
        message = f"even the exact lower bound {lower:.3f} of the share is above the tolerated {cap} of {n}"
        reasons.append(_reason(Decision.REVIEW, "small-lower-bound", message))
    if cap >= n:
        message = f"max_tolerance {cap} is not below the {n} tested instances, so no outcome could exceed it"
        reasons.append(_reason(Decision.REVIEW, "small-cannot-exceed", message))
    return tuple(reasons)


def _reason(decision: Decision, code: str, message: str, *, rule: str = "B6") -> DecisionReason:
    return DecisionReason(decision=decision, rule=rule, code=code, message=message)
