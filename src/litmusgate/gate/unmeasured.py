"""What may still be decided where nobody measured how often verdicts flip."""

from __future__ import annotations

from litmusgate.gate.policy import FlipsDeclared, FlipSource, FlipsUnmeasured
from litmusgate.gate.verdict import Decision, DecisionReason


def unmeasured_reason(source: FlipSource) -> DecisionReason | None:
    """B16: without flip evidence (`flips: unmeasured`) a run may BLOCK, and is otherwise REVIEW, never PASS.

    None where flips have a source.
    """
    if not isinstance(source, FlipsUnmeasured):
        return None
    return DecisionReason(
        decision=Decision.REVIEW,
        rule="B16",
        code="flips-unmeasured",
        message="the policy says flips: unmeasured, so staying within the tolerance shows nothing: people decide",
    )


def auto_unmeasured() -> DecisionReason:
    """The reason of a category whose tolerance should come from flips that the policy says nobody measured (B16)."""
    return DecisionReason(
        decision=Decision.INVALID,
        rule="B16",
        code="auto-without-flips",
        message="tolerance: auto is made of flips, and the policy says flips: unmeasured; state an integer or measure them",
    )


def declared_note(source: FlipSource) -> DecisionReason | None:
    """The stamp of flips that somebody declared instead of measuring them here: counts and why; it asks for nothing."""
    if not isinstance(source, FlipsDeclared):
        return None
    message = f"tolerances rest on declared flips, {source.flips} in {source.pairs} pairs: {source.why}"
    return DecisionReason(decision=Decision.PASS, rule="B5", code="flips-declared", message=message)
