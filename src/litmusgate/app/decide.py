"""From parsed inputs to the verdict document: no file, no clock, no store. `gate` and `verify` both end here (T2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from litmusgate.admission.record import AdmissionRecord
from litmusgate.admission.rise import rate_rise
from litmusgate.app.comparing import compare
from litmusgate.app.counting import Counted, count, nothing_counted, voters_of
from litmusgate.app.inputs import GateInputs
from litmusgate.evidence.run import Run
from litmusgate.gate.evaluate import evaluate, refused
from litmusgate.gate.policy_change import policy_change_reasons
from litmusgate.gate.request import GateRequest, RunFacts
from litmusgate.gate.verdict import Decision, DecisionReason, GateResult
from litmusgate.report.compose import compose_verdict
from litmusgate.report.document import VerdictDocument

UNREADABLE = "(unreadable)"
"""Stands for agent and build where no run could be read; parentheses keep it apart from the names people give."""


def decide(inputs: GateInputs) -> VerdictDocument:
    """The verdict on `inputs`; evidence that cannot be believed is a reason in it, never an exception.

    Where the admission record itself is missing nothing says who may vote, so no category has a finding.
    """
    record = inputs.admission
    if record is None:
        empty = nothing_counted(inputs.runs, ())
        return _composed(inputs, refused(_without_admission(inputs)), empty)
    voters = voters_of(inputs, record)
    counted = count(inputs, voters)
    compared = compare(inputs, voters)
    result = evaluate(
        GateRequest(
            policy=inputs.policy,
            suite=inputs.suite,
            record=record,
            runs=_facts(inputs.runs),
            tallies=counted.by_run[0].tallies,
            excluded=counted.by_run[0].excluded,
            other_runs=counted.by_run[1:],
            now=inputs.now,
            baseline_runs=_facts(inputs.baseline),
            baseline=compared.baseline,
            anchor_runs=_facts(inputs.anchor),
            anchor=compared.anchor,
            flips=compared.flips,
            problems=(*inputs.problems, *counted.problems, *compared.problems, *_since_accepted(inputs, record)),
            first=inputs.first,
            earlier_verdicts=len(inputs.earlier),
            earlier_runs=inputs.earlier_runs,
            store_present=inputs.store_present,
        )
    )
    return _composed(inputs, result, counted)


def _without_admission(inputs: GateInputs) -> tuple[DecisionReason, ...]:
    if inputs.problems:
        return inputs.problems
    message = "no admission record was given, so nothing says which instances may vote"
    return (DecisionReason(decision=Decision.INVALID, rule="A7", code="admission-missing", message=message),)


def _since_accepted(inputs: GateInputs, record: AdmissionRecord) -> Iterator[DecisionReason]:
    """What changed since the last PASS: more is inadmissible (A9), a pin or a bound is another one (B2)."""
    accepted = inputs.accepted
    if accepted is None:
        return
    for message in rate_rise(accepted.admission, record):
        yield DecisionReason(decision=Decision.REVIEW, rule="A9", code="inadmissibility-rise", message=message)
    yield from policy_change_reasons(
        accepted=accepted.policy, accepted_suite=accepted.suite, policy=inputs.policy, suite=inputs.suite
    )


def _facts(runs: Sequence[Run]) -> tuple[RunFacts, ...]:
    found = (RunFacts(header=run.header, digest=run.digest, trials_digest=run.fingerprint) for run in runs)
    return tuple(sorted(found, key=lambda run: run.digest))


def _composed(inputs: GateInputs, result: GateResult, counted: Counted) -> VerdictDocument:
    runs = sorted(inputs.runs, key=lambda run: run.digest)
    agents = sorted({run.header.agent for run in runs})
    builds = sorted({run.header.build for run in runs})
    return compose_verdict(
        result=result,
        agent=agents[0] if len(agents) == 1 else UNREADABLE,
        build=builds[0] if len(builds) == 1 else UNREADABLE,
        evaluated_at=inputs.now,
        suite=inputs.suite,
        policy_digest=inputs.policy.digest,
        run_digests=tuple(run.digest for run in runs),
        admission=inputs.admission,
        admission_digest=inputs.admission_digest,
        baseline_digests=tuple(run.digest for run in inputs.baseline),
        anchor_digests=tuple(run.digest for run in inputs.anchor),
        earlier=inputs.earlier,
        accepted_verdict=None if inputs.accepted is None else inputs.accepted.digest,
        counterfactual=counted.counterfactual,
        trend=counted.trend,
        evidence=counted.evidence,
        versions=inputs.versions,
        synthetic=any(run.header.synthetic for run in (*inputs.runs, *inputs.baseline, *inputs.anchor)),
    )
