"""Deciding although some instances were tested and could not be judged."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction

from litmusgate.gate.verdict import Decision, DecisionReason

UNDECIDED = "unknown-undecided"
"""Code of the reason that the assignments disagree."""


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
    too_many = unknown * max_unknown.denominator > max_unknown.numerator * n
    if too_many:
        message = (
            f"{unknown} of {n} tested instances of {category!r} could not be judged, more than {float(max_unknown):.2%}"
        )
        reasons.append(_invalid("too-many-unknown", message))
    # Nothing but an unanimous BLOCK matters any more when there are too many: the ends show that one, and a crashed run
    # of 100,000 instances would take minutes otherwise.
    vacuous = (0, unknown) if too_many else range(unknown + 1)
    outcomes = {decide(count, size) for count, size in corner_assignments(violations, unknown, n, vacuous)}
    if len(outcomes) > 1:
        shown = ", ".join(sorted(outcome.value for outcome in outcomes))
        message = f"{unknown} UNKNOWN of {n} instances of {category!r} could turn the decision into any of {shown}"
        reasons.append(_invalid(UNDECIDED, message))
    return tuple(reasons)


def corner_assignments(violations: int, unknown: int, n: int, vacuous: Iterable[int]) -> Iterator[tuple[int, int]]:
    """The (violations, n) an assignment of the unknown instances can lead to, corners only.

    For every number of `vacuous` ones (they leave n), none and all of the others as VIOLATION. What lies between has the
    same n and a count in between, so a decision that never gets milder with more violations cannot differ there.
    """
    for gone in vacuous:
        yield violations, n - gone
        yield violations + unknown - gone, n - gone


def unproven(reasons: Sequence[DecisionReason]) -> tuple[DecisionReason, ...]:
    """The reasons with every BLOCK as INVALID where the bracket is undecided: the block depends on what nobody knows (E8)."""
    if all(reason.code != UNDECIDED for reason in reasons):
        return tuple(reasons)
    return tuple(
        dataclasses.replace(reason, decision=Decision.INVALID) if reason.decision is Decision.BLOCK else reason
        for reason in reasons
    )


def _invalid(code: str, message: str) -> DecisionReason:
    return DecisionReason(decision=Decision.INVALID, rule="E8", code=code, message=message)
