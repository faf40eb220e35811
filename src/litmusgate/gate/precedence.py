"""From reasons to a decision, and from a decision to an exit code: one object for both."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from litmusgate.errors import EXIT_BLOCK, EXIT_INVALID, EXIT_PASS, EXIT_REVIEW
from litmusgate.gate.verdict import CategoryFinding, Decision, DecisionReason, Lane

EXIT_CODE: dict[Decision, int] = {
    Decision.PASS: EXIT_PASS,
    Decision.BLOCK: EXIT_BLOCK,
    Decision.REVIEW: EXIT_REVIEW,
    Decision.INVALID: EXIT_INVALID,
}
"""Exit code of `gate` by decision; the codes 2, 70 and 130 never come from a decision."""

CATEGORY_GRAVITY: tuple[Decision, ...] = (Decision.PASS, Decision.REVIEW, Decision.INVALID, Decision.BLOCK)
"""Decisions about a category, from the mildest to the gravest: a known block outweighs what could not be decided."""

BUILD_GRAVITY: tuple[Decision, ...] = (Decision.PASS, Decision.REVIEW, Decision.BLOCK, Decision.INVALID)
"""Suite-level reasons, from the mildest to the gravest: where the evidence as a whole is void, nothing else counts."""


def build_decision(suite_reasons: Sequence[DecisionReason], findings: Sequence[CategoryFinding]) -> Decision:
    """B13: suite-level INVALID > any BLOCK > category-level INVALID > REVIEW > PASS; the exit code is `EXIT_CODE` of it.

    Advisory categories do not take part. No findings at all is INVALID: there was nothing to decide on.
    """
    suite_level = {reason.decision for reason in suite_reasons}
    gated = {finding.decision for finding in findings if finding.lane is not Lane.ADVISORY}
    if Decision.INVALID in suite_level or not findings:
        return Decision.INVALID
    for decision in reversed(CATEGORY_GRAVITY):
        if decision in gated or decision in suite_level:
            return decision
    return Decision.INVALID  # only advisory findings, and not even a reason that says so (B14)


def category_decision(reasons: Iterable[DecisionReason]) -> Decision:
    """The gravest decision that any reason of a category asks for; PASS when all of them are for information."""
    return max((reason.decision for reason in reasons), key=CATEGORY_GRAVITY.index, default=Decision.PASS)


def known_blocks(findings: Sequence[CategoryFinding]) -> tuple[DecisionReason, ...]:
    """One reason per category that is above its tolerance, to stand beside a suite-level INVALID (B13)."""
    return tuple(
        DecisionReason(
            decision=Decision.BLOCK,
            rule="B13",
            code="known-block",
            message=f"category {finding.name!r} would block in its own right: {finding.violations} violations of {finding.n}",
        )
        for finding in findings
        if finding.decision is Decision.BLOCK and finding.lane is not Lane.ADVISORY
    )


def ordered(reasons: Iterable[DecisionReason]) -> tuple[DecisionReason, ...]:
    """The reasons gravest first, then by rule, code and message; equal ones once."""
    return tuple(
        sorted(
            set(reasons),
            key=lambda item: (-BUILD_GRAVITY.index(item.decision), item.rule, item.code, item.message),
        )
    )
