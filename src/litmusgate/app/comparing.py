"""What the candidate is compared with: baseline and anchor runs, and the flips between the baseline's (B5)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from litmusgate.app.counting import Voters, removed_digests
from litmusgate.app.inputs import GateInputs, problem_of
from litmusgate.errors import EvidenceError
from litmusgate.evidence.expected import suite_mismatch
from litmusgate.evidence.flips import FlipEstimate, estimate_flips
from litmusgate.evidence.run import Run
from litmusgate.evidence.tally import BaselineTally, baseline_tally
from litmusgate.gate.policy import FlipsFromBaseline
from litmusgate.gate.verdict import Decision, DecisionReason
from litmusgate.suite.manifest import Suite


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Baseline and anchor counts and flips, by category, empty where they could not be had: `problems` say why."""

    baseline: Mapping[str, BaselineTally]
    anchor: Mapping[str, BaselineTally]
    flips: Mapping[str, FlipEstimate]
    problems: tuple[DecisionReason, ...]


def compare(inputs: GateInputs, voters: Voters) -> Comparison:
    """Count the baseline and anchor runs over the candidate's voters, and the flips of the baseline where the policy asks."""
    problems: list[DecisionReason] = []
    baseline, found = _tallied("baseline", inputs.baseline, inputs, voters)
    problems += found
    anchor, found = _tallied("anchor", inputs.anchor, inputs, voters)
    problems += found
    flips: Mapping[str, FlipEstimate] = {}
    if inputs.baseline and baseline and isinstance(inputs.policy.flips, FlipsFromBaseline):
        try:
            flips = estimate_flips(
                inputs.baseline,
                admissible=voters.admissible,
                category_of=voters.category_of,
                reduction_of=voters.reduction_of,
                max_refill=voters.max_refill,
            )
        except EvidenceError as error:
            problems.append(problem_of(error, "flips-unusable"))
    return Comparison(baseline=baseline, anchor=anchor, flips=flips, problems=tuple(problems))


def _tallied(
    role: str, runs: Sequence[Run], inputs: GateInputs, voters: Voters
) -> tuple[Mapping[str, BaselineTally], list[DecisionReason]]:
    problems = list(_mismatches(role, runs, inputs.suite, inputs.same_suites))
    if problems or not runs:
        return {}, problems
    try:
        found = baseline_tally(
            runs,
            admissible=voters.admissible,
            category_of=voters.category_of,
            reduction_of=voters.reduction_of,
            max_refill=voters.max_refill,
        )
    except EvidenceError as error:
        return {}, [problem_of(error, f"{role}-unusable")]
    return found, []


def _mismatches(role: str, runs: Sequence[Run], suite: Suite, same: Collection[str]) -> Iterator[DecisionReason]:
    for run in runs:
        problem = suite_mismatch(
            run.header, suite.digest, suite.instance_digests, removed_digests(suite), same_suites=same
        )
        if problem is not None:
            message = f"{role} run {run.digest}: {problem}"
            yield DecisionReason(decision=Decision.INVALID, rule="B2", code=f"{role}-suite", message=message)
