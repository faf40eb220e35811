"""Evidence of a build accumulates."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from litmusgate.gate.verdict import Decision, DecisionReason

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


def red_run_reason(*, violations: int, worst_run: int, tolerance: int | None) -> DecisionReason | None:
    """REVIEW where the runs together are within the tolerance and one of them alone is above it (B15).

    Pooling by majority dilutes: enough green reruns would outvote a red one. `violations` count over all runs, `worst_run` in
    the run that has most; without a tolerance there is nothing to be above.
    """
    if tolerance is None or not violations <= tolerance < worst_run:
        return None
    message = (
        f"one run of this build alone has {worst_run} violations, above the tolerance {tolerance}; over all its runs "
        f"together they are {violations}: people decide"
    )
    return DecisionReason(decision=Decision.REVIEW, rule="B15", code="red-run", message=message)


def _invalid(code: str, message: str) -> DecisionReason:
    return DecisionReason(decision=Decision.INVALID, rule="B15", code=code, message=message)
