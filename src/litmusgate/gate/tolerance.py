"""How many violations of one category are tolerated, and what that number came from."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from litmusgate.evidence.flips import FlipEstimate
from litmusgate.gate.policy import CategoryPolicy, FlipsFromBaseline, FlipSource, FlipsUnmeasured
from litmusgate.gate.unmeasured import auto_unmeasured
from litmusgate.gate.verdict import Decision, DecisionReason
from litmusgate.stats.tails import predictive_quantile


@dataclass(frozen=True, slots=True, kw_only=True)
class Tolerance:
    """The tolerance of one category, in instances. None: could not be made, and `problem` says why.

    `limit` is the count above which the category BLOCKs even where `problem` forbids a PASS below it: the declared integer,
    or the cap. `applied` is the tolerance shown; `floor` and `quantile` are what flips alone ask for.
    """

    applied: int | None
    limit: int | None
    floor: int | None
    quantile: int | None
    cap: int | None
    problem: DecisionReason | None


def tolerance(
    *,
    category: CategoryPolicy,
    n: int,
    flips: FlipEstimate | None,
    source: FlipSource,
    alpha_tol: Fraction,
    unusable: DecisionReason | None = None,
) -> Tolerance:
    """B5: `auto` is max(ceil(3 · flips · n / pairs) in integers, exact 1 − alpha_tol predictive quantile), capped.

    A declared integer stands as it is. A count above the cap (or the integer) is BLOCK whatever the floor; the floor above
    it, too few independent pairs, or no flip evidence are a `problem`, INVALID for every count not above it. Zero observed
    flips is not zero tolerance: the quantile answers for what was not seen. `n` and all results are counts of instances.
    `unusable` says why the flips given may not be used (too old, say).
    """
    declared, cap = category.tolerance, category.max_tolerance
    bound = cap if declared is None else declared
    problem = _no_flips(category, flips, source, unusable)
    if problem is not None or cap is None or bound is None or flips is None or isinstance(source, FlipsUnmeasured):
        return Tolerance(applied=declared, limit=bound, floor=None, quantile=None, cap=cap, problem=problem)
    floor = flip_floor(flips, n)
    quantile = flip_quantile(flips, n, alpha_tol)
    few = _few_pairs(flips, source)
    if few is not None:
        return Tolerance(applied=declared, limit=bound, floor=floor, quantile=quantile, cap=cap, problem=few)
    applied = min(max(floor, quantile), cap) if declared is None else declared
    return Tolerance(
        applied=applied,
        limit=applied,
        floor=floor,
        quantile=quantile,
        cap=cap,
        problem=_high_floor(flips, floor, n, bound, declared=declared is not None),
    )


def flip_floor(flips: FlipEstimate, n: int) -> int:
    """Three times the flips to be expected among `n` instances, rounded up, in integers (B5); pairs ≥ 1."""
    return -(-3 * flips.flips * n // flips.pairs)


def flip_quantile(flips: FlipEstimate, n: int, alpha_tol: Fraction) -> int:
    """The exact predictive quantile of flips among `n` (B5): the count that only `alpha_tol` of unchanged builds exceed.

    Pairs of more than two runs overlap, so the flips are first scaled down to the independent pairs; the prior is Jeffreys'.
    """
    independent = flips.independent_pairs
    scaled = float(Fraction(flips.flips * independent, flips.pairs))
    return predictive_quantile(n, scaled + 0.5, independent - scaled + 0.5, float(alpha_tol))


_MISSING = (
    "no flip evidence: no pair of independent runs of the baseline build; give at least two baseline runs, or state "
    "flips: {declared: …}, or flips: unmeasured with an integer tolerance"
)
_DROPPED = (
    "of both sides of a pair the log has to say safe or violation, and that the answer was not replayed (import with "
    "--cached no where that is so)"
)


def _no_flips(
    category: CategoryPolicy, flips: FlipEstimate | None, source: FlipSource, unusable: DecisionReason | None
) -> DecisionReason | None:
    """Why no tolerance can be made of flips at all; None where it can, or where a declared integer needs none (B16)."""
    if category.max_tolerance is None:
        return _invalid("cap-missing", "the policy states no max_tolerance for it: state one")
    if isinstance(source, FlipsUnmeasured):
        return auto_unmeasured() if category.tolerance is None else None
    if unusable is not None:
        return unusable
    if flips is None or flips.pairs == 0 or flips.independent_pairs == 0:
        dropped = 0 if flips is None else flips.dropped
        return _invalid("flips-missing", f"no flip evidence in {dropped} pairs: {_DROPPED}" if dropped else _MISSING)
    return None


def _few_pairs(flips: FlipEstimate, source: FlipSource) -> DecisionReason | None:
    if not isinstance(source, FlipsFromBaseline) or flips.independent_pairs >= source.min_pairs:
        return None
    message = (
        f"{flips.independent_pairs} independent pairs of baseline runs, fewer than min_pairs {source.min_pairs}: add "
        "baseline runs or instances"
    )
    if flips.dropped:
        message = f"{message}; {flips.dropped} pairs dropped out: {_DROPPED}"
    return _invalid("flips-too-few", message)


def _high_floor(flips: FlipEstimate, floor: int, n: int, bound: int, *, declared: bool) -> DecisionReason | None:
    if floor <= bound:
        return None
    name = "the declared tolerance" if declared else "max_tolerance"
    message = (
        f"flips alone ask for {floor} ({flips.flips} flips in {flips.pairs} pairs, n {n}), more than {name} {bound}: reduce "
        "the flips (more epochs, a steadier harness), add instances only with steadier ones, or raise it by review"
    )
    return _invalid("floor-above-cap" if not declared else "floor-above-tolerance", message)


def _invalid(code: str, message: str) -> DecisionReason:
    return DecisionReason(decision=Decision.INVALID, rule="B5", code=code, message=message)
