"""What a category's tolerance can see, and how often it would block a build that did not change."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from litmusgate.evidence.flips import FlipEstimate
from litmusgate.evidence.tally import BaselineTally
from litmusgate.gate.verdict import Decision, DecisionReason
from litmusgate.stats.detection import smallest_detectable
from litmusgate.stats.tails import beta_binomial_above
from litmusgate.suite.category import Severity

REGRESSED_RATE = 0.95
"""How often a regressed instance violates, as a share: what a regression is, for `detectable`."""

FOUND = 0.9
"""How often a detectable regression must be found, as a share of runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """How often an unchanged build violates: the point `rate` (share 0…1) and its Beta(a, b) posterior."""

    rate: float
    a: float
    b: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """`false_block` is a probability, `detectable` a count of regressed instances; None: not measurable, `why` says why."""

    false_block: float | None
    detectable: int | None
    why: str | None = None


def power(*, tolerance: int | None, n: int, noise: Noise | None) -> Power:
    """B11: the false-block probability, and the smallest regression that is found 90 % of the time.

    `false_block`: probability that an unchanged build exceeds `tolerance` among `n`, its rate drawn from the posterior. `n` are
    the admissible instances, tested or vacuous: a build that did not change meets the attack as often as before.
    `detectable`: the smallest number of instances that, violating at rate .95 beside the noise at its point rate, exceed
    `tolerance` with probability ≥ .9. `tolerance` and `n` are counts of instances.
    """
    if tolerance is None:
        return Power(false_block=None, detectable=None, why="there is no tolerance to exceed")
    if noise is None:
        return Power(
            false_block=None, detectable=None, why="neither a baseline nor flips say how noisy the category is"
        )
    false_block = beta_binomial_above(tolerance, n, noise.a, noise.b)
    detectable = smallest_detectable(n, tolerance, noise.rate, REGRESSED_RATE, FOUND)
    why = None if detectable is not None else f"not even {n} regressed of {n} would exceed {tolerance} in 9 of 10 runs"
    return Power(false_block=false_block, detectable=detectable, why=why)


def noise_of(*, baseline: BaselineTally | None, flips: FlipEstimate | None) -> Noise | None:
    """The noise of a category: from what the baseline judged where it judged any, else from flips; None where neither exists.

    The rate is over all admissible instances, vacuous ones included, so that a candidate whose exposure is not recorded is set
    against the same instances. An UNKNOWN verdict of the baseline is none, not a safe one. Jeffreys' prior in both. Flips f = 2p(1 − p) have two roots; the low one is taken, because a category that mostly
    violates in the baseline is no category to gate on. Each independent pair holds two observations. With f > ½, which no
    p explains, p is ½.
    """
    if baseline is not None and baseline.n > baseline.unknown:
        violations, total = float(baseline.violations), float(baseline.n - baseline.unknown + baseline.vacuous)
        return Noise(rate=violations / total, a=violations + 0.5, b=total - violations + 0.5)
    if flips is None or flips.pairs == 0 or flips.independent_pairs == 0:
        return None
    rate = low_root(Fraction(flips.flips, flips.pairs))
    observations = 2.0 * flips.independent_pairs
    return Noise(rate=rate, a=rate * observations + 0.5, b=(1 - rate) * observations + 0.5)


def low_root(flip_rate: Fraction) -> float:
    """The smaller p (share 0…½) with 2p(1 − p) = `flip_rate` (share 0…1); ½ where there is none."""
    return (1 - math.sqrt(max(0.0, float(1 - 2 * flip_rate)))) / 2


def detectability_reason(
    shown: Power, *, max_detectable: int | None, severity: Severity, n: int
) -> DecisionReason | None:
    """The reason where the category cannot find what the policy demands of it (B11), or cannot block at all.

    INVALID for critical categories, REVIEW for standard ones. `max_detectable` and `n` are counts of instances.
    """
    if max_detectable is None or (shown.detectable is not None and shown.detectable <= max_detectable):
        return None
    decision = Decision.INVALID if severity is Severity.CRITICAL else Decision.REVIEW
    found = f"not measurable: {shown.why}" if shown.detectable is None else f"{shown.detectable} of {n} instances"
    message = (
        f"the smallest regression found 90 % of the time is {found}; the policy wants max_detectable {max_detectable}"
    )
    return DecisionReason(decision=decision, rule="B11", code="detectable-above-max", message=message)


def cannot_block_reason(*, tolerance: int | None, severity: Severity, n: int) -> DecisionReason | None:
    """The reason of a hard-gated category whose tolerance is not below n, so that no outcome could block it (B11)."""
    if tolerance is None or tolerance < n:
        return None
    decision = Decision.INVALID if severity is Severity.CRITICAL else Decision.REVIEW
    message = f"the tolerance {tolerance} is not below the {n} tested instances, so no outcome could exceed it"
    return DecisionReason(decision=decision, rule="B11", code="cannot-block", message=message)


def family_false_block(false_blocks: Iterable[float | None]) -> float | None:
    """Probability that an unchanged build is blocked by any of these categories, taken as independent (STATS).

    None for no category, or where one of them is not measurable.
    """
    values = list(false_blocks)
    if not values or any(value is None for value in values):
        return None
    kept = [value for value in values if value is not None]
    if any(value >= 1 for value in kept):
        return 1.0
    return -math.expm1(math.fsum(math.log1p(-value) for value in kept))


def budget_reason(family: float | None, budget: Fraction | None) -> DecisionReason | None:
    """REVIEW where an unchanged build would be blocked more often than the policy's `max_false_block` (share 0…1)."""
    if budget is None or (family is not None and family <= float(budget)):
        return None
    shown = "not measurable" if family is None else f"{family:.4f}"
    message = f"the chance that an unchanged build is blocked is {shown}; the policy wants at most {float(budget):g}"
    return DecisionReason(decision=Decision.REVIEW, rule="B11", code="false-block-budget", message=message)
