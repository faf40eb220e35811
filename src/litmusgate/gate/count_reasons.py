"""What one category's counts ask for: lane, tolerance, power, and the reasons that follow from them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from litmusgate.evidence.flips import FlipEstimate
from litmusgate.gate.count_decision import count_decision
from litmusgate.gate.exclusion import exclusion_reason
from litmusgate.gate.interval import violation_interval
from litmusgate.gate.lanes import lane, small_category_reasons
from litmusgate.gate.policy import CategoryPolicy, Policy
from litmusgate.gate.power import Noise, Power, cannot_block_reason, detectability_reason, power
from litmusgate.gate.precedence import category_decision
from litmusgate.gate.tolerance import Tolerance, tolerance
from litmusgate.gate.unmeasured import unmeasured_reason
from litmusgate.gate.verdict import Decision, DecisionReason, Lane
from litmusgate.suite.category import Severity


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryFacts:
    """What does not change while counts are varied: declarations, flips, noise, excluded violations (ids).

    `n` and `effective_n` are the real ones, `admissible` the instances that may vote, tested or vacuous; `flips_problem` says why the flips given may not be used.
    """

    severity: Severity
    category: CategoryPolicy
    policy: Policy
    flips: FlipEstimate | None
    flips_problem: DecisionReason | None
    noise: Noise | None
    excluded: tuple[str, ...]
    n: int
    effective_n: int
    admissible: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CountFinding:
    """What follows from counts; `tolerance` and `power` are of hard-gated categories only."""

    lane: Lane
    tolerance: Tolerance
    power: Power
    reasons: tuple[DecisionReason, ...]


def count_finding(facts: CategoryFacts, *, violations: int, n: int, effective_n: int) -> CountFinding:
    """The finding on these counts of instances; 1 ≤ effective_n ≤ n. Only counts decide (B3).

    At equal n it never gets milder with more violations.
    """
    taken = lane(severity=facts.severity, n=n, effective_n=effective_n, lane_on=facts.policy.lane_on)
    tolerated = tolerance(
        category=facts.category,
        n=n,
        flips=facts.flips,
        source=facts.policy.flips,
        alpha_tol=facts.policy.alpha_tol,
        unusable=facts.flips_problem,
    )
    if taken is not Lane.HARD_GATED:
        shown = Power(false_block=None, detectable=None, why="the category is not hard-gated")
        reasons = tuple(_not_hard_gated(facts, taken, violations=violations, n=n, effective_n=effective_n))
    else:
        shown = power(tolerance=tolerated.applied, n=facts.admissible, noise=facts.noise)
        reasons = tuple(_hard_gated(facts, tolerated, shown, violations=violations, n=n))
    return CountFinding(lane=taken, tolerance=tolerated, power=shown, reasons=reasons)


def decision_on(facts: CategoryFacts, violations: int, n: int) -> Decision:
    """The decision if `n` instances had been tested and `violations` of them violated: what E8 varies.

    Instances that leave n may each take a cluster with them; that is assumed. Leaving the hard-gated lane this way is
    what A8 calls pushed under 20: INVALID for critical categories, REVIEW for standard ones.
    """
    if n == 0:
        return Decision.INVALID
    effective_n = min(n, max(1, facts.effective_n - (facts.n - n)))
    found = count_finding(facts, violations=violations, n=n, effective_n=effective_n)
    decisions = list(found.reasons)
    real = lane(severity=facts.severity, n=facts.n, effective_n=facts.effective_n, lane_on=facts.policy.lane_on)
    if real is Lane.HARD_GATED and found.lane is Lane.REVIEW:
        decision = Decision.INVALID if facts.severity is Severity.CRITICAL else Decision.REVIEW
        decisions.append(DecisionReason(decision=decision, rule="A8", code="pushed-under-20", message=""))
    return category_decision(decisions)


def _hard_gated(
    facts: CategoryFacts, tolerated: Tolerance, shown: Power, *, violations: int, n: int
) -> Iterator[DecisionReason]:
    if tolerated.limit is not None and count_decision(violations, tolerated.limit) is Decision.BLOCK:
        message = f"{violations} violations of {n} instances exceed the tolerance {tolerated.limit}"
        yield DecisionReason(decision=Decision.BLOCK, rule="B8", code="count-above-tolerance", message=message)
    found = (
        tolerated.problem,
        unmeasured_reason(facts.policy.flips),
        exclusion_reason(violations=violations, excluded=facts.excluded, tolerance=tolerated.limit),
        cannot_block_reason(tolerance=tolerated.limit, severity=facts.severity, n=n),
        detectability_reason(shown, max_detectable=facts.category.max_detectable, severity=facts.severity, n=n),
    )
    yield from (reason for reason in found if reason is not None)


def _not_hard_gated(
    facts: CategoryFacts, taken: Lane, *, violations: int, n: int, effective_n: int
) -> Iterator[DecisionReason]:
    cap = facts.category.max_tolerance
    if taken is Lane.ADVISORY:
        limit = cap if facts.category.tolerance is None else facts.category.tolerance
        if limit is not None and count_decision(violations, limit) is Decision.BLOCK:
            message = f"{violations} violations of {n} are more than {limit}; advisory, so it moves nothing"
            yield DecisionReason(decision=Decision.REVIEW, rule="B4", code="advisory-above-tolerance", message=message)
        return
    interval = violation_interval(violations=violations, unknown=0, n=n, effective_n=effective_n)
    yield from small_category_reasons(
        severity=facts.severity,
        review_standard=facts.policy.review_standard,
        violations=violations,
        n=n,
        cap=cap,
        lower=0.0 if interval is None else interval[0],
    )
    found = (
        unmeasured_reason(facts.policy.flips),
        exclusion_reason(violations=violations, excluded=facts.excluded, tolerance=cap),
    )
    yield from (reason for reason in found if reason is not None)
