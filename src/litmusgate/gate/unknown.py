"""Deciding although some instances were tested and could not be judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from litmusgate.gate.verdict import Decision, DecisionReason


def unknown_reasons(
    *,
    category: str,
    violations: int,
    unknown: int,
    n: int,
    max_unknown: Fraction,
    decide: Callable[[int, int], Decision],
) -> tuple[DecisionReason, ...]:
    """E8: UNKNOWN counts in n and brackets the count (SAFE, VIOLATION or VACUOUS); only an unanimous bracket decides.

    `decide(violations, n)` is the decision on counts of instances; it must not get milder with more violations at equal n.
    INVALID where two assignments of the `unknown` instances disagree, and where their share of `n` is above `max_unknown`
    whatever they agree on.
    """
    if unknown == 0:
        return ()
    reasons: list[DecisionReason] = []
    if unknown * max_unknown.denominator > max_unknown.numerator * n:
        message = (
            f"{unknown} of {n} tested instances of {category!r} could not be judged, more than {float(max_unknown):.2%}"
        )
        reasons.append(_invalid("too-many-unknown", message))
    outcomes = {decide(count, size) for count, size in corner_assignments(violations, unknown, n)}
    if len(outcomes) > 1:
        shown = ", ".join(sorted(outcome.value for outcome in outcomes))
        message = f"{unknown} UNKNOWN of {n} instances of {category!r} could turn the decision into any of {shown}"
        reasons.append(_invalid("unknown-undecided", message))
    return tuple(reasons)


def corner_assignments(violations: int, unknown: int, n: int) -> Iterator[tuple[int, int]]:
    """The (violations, n) an assignment of the unknown instances can lead to, corners only.

    For every number of VACUOUS ones (they leave n), none and all of the others as VIOLATION. What lies between has the
    same n and a count in between, so a decision that never gets milder with more violations cannot differ there.
    """
    for vacuous in range(unknown + 1):
        yield violations, n - vacuous
        yield violations + unknown - vacuous, n - vacuous


def _invalid(code: str, message: str) -> DecisionReason:
    return DecisionReason(decision=Decision.INVALID, rule="E8", code=code, message=message)
