"""Evidence of a build accumulates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal

from litmusgate.gate.precedence import CATEGORY_GRAVITY, ordered
from litmusgate.gate.verdict import CategoryFinding, Decision, DecisionReason

_LISTED = 5


def history_problems(
    *,
    history: Literal["if-present", "required"],
    store_present: bool,
    earlier_runs: Iterable[str],
    given_runs: Iterable[str],
) -> tuple[DecisionReason, ...]:
    """B15: a gate on a build that has earlier runs on this suite includes them all; `history: required` needs a store.

    `earlier_runs` are digests of the runs that earlier gates of this build used and that no signed void took out;
    `given_runs` those given now. INVALID for one left out: a gate re-run until green must show what it was red with.
    """
    problems: list[DecisionReason] = []
    if history == "required" and not store_present:
        problems.append(
            _invalid(
                "history-missing",
                "the policy says history: required, and the store is missing or holds no verdict to go by",
            )
        )
    left_out = sorted(set(earlier_runs) - set(given_runs))
    if left_out:
        shown = ", ".join(left_out[:_LISTED])
        more = f" and {len(left_out) - _LISTED} more" if len(left_out) > _LISTED else ""
        message = f"{len(left_out)} earlier runs of this build on this suite are not among those given: {shown}{more}"
        problems.append(_invalid("earlier-runs-left-out", message))
    return tuple(problems)


def gravest_run(findings: Sequence[CategoryFinding]) -> CategoryFinding:
    """The finding of one category that stands for several runs of a build (B15): the gravest, then that with most violations.

    Each run is reduced and held to the tolerance by itself, because flips and tolerance are those of one run: pooled, green
    reruns would outvote a red one, and `any` would block what never changed. `findings` are in the order of the runs'
    digests, at least one.
    """
    worst = max(
        findings, key=lambda item: (CATEGORY_GRAVITY.index(item.decision), item.violations, item.unknown, -item.n)
    )
    if len(findings) == 1:
        return worst
    note = DecisionReason(
        decision=Decision.PASS,
        rule="B15",
        code="gravest-run",
        message=f"{len(findings)} runs of this build count, each by itself; this is the gravest",
    )
    return replace(worst, reasons=ordered((*worst.reasons, note)))


def _invalid(code: str, message: str) -> DecisionReason:
    return DecisionReason(decision=Decision.INVALID, rule="B15", code=code, message=message)
