"""From parsed inputs to the verdict document: no file, no clock, no store. `gate` and `verify` both end here (T2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from litmusgate.admission.counterfactual import Counterfactual, counterfactual
from litmusgate.admission.record import AdmissionRecord
from litmusgate.admission.rise import rate_rise
from litmusgate.errors import EvidenceError
from litmusgate.evidence.expected import Reconciled, distinct_runs, reconcile, suite_mismatch
from litmusgate.evidence.flips import FlipEstimate, estimate_flips
from litmusgate.evidence.judged import only
from litmusgate.evidence.run import Run
from litmusgate.evidence.tally import BaselineTally, CategoryTally, baseline_tally, tally
from litmusgate.gate.evaluate import evaluate, refused
from litmusgate.gate.policy import FlipsFromBaseline, Policy
from litmusgate.gate.policy_change import policy_change_reasons
from litmusgate.gate.request import GateRequest, RunEvidence, RunFacts
from litmusgate.gate.verdict import Decision, DecisionReason, GateResult
from litmusgate.report.compose import EvidenceCounts, compose_verdict
from litmusgate.report.document import VerdictDocument
from litmusgate.report.trend import Trend, mean_trend
from litmusgate.suite.category import Severity
from litmusgate.suite.manifest import Suite

UNREADABLE = "(unreadable)"
"""Stands for agent and build where no run could be read; parentheses keep it apart from the names people give."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """The last verdict that passed, and what A9 and B2 compare with: its policy, suite and admission."""

    digest: str
    policy: Policy
    suite: Suite
    admission: AdmissionRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class GateInputs:
    """Everything a verdict is computed from, parsed. The order of runs changes nothing.

    `problems` were found while reading (a truncated run, an altered admission). `earlier` are the digests of verdicts already
    given on this build and suite, `earlier_runs` those of the runs they used (B15). `accepted` is the last verdict that passed
    of this agent and suite name (A9; None: there is none). `now` is RFC 3339.
    """

    policy: Policy
    suite: Suite
    runs: tuple[Run, ...]
    admission: AdmissionRecord | None
    admission_digest: str | None
    now: str
    versions: Mapping[str, str]
    baseline: tuple[Run, ...] = ()
    anchor: tuple[Run, ...] = ()
    problems: tuple[DecisionReason, ...] = ()
    earlier: tuple[str, ...] = ()
    earlier_runs: frozenset[str] = frozenset()
    accepted: Accepted | None = None
    store_present: bool = False
    first: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Voters:
    """Who may vote, where, and how attempts are reduced there: the arguments every tally takes."""

    admissible: frozenset[str]
    everyone: frozenset[str]
    category_of: Mapping[str, str]
    cluster_of: Mapping[str, str]
    reduction_of: Mapping[str, str]
    exposure_declared: frozenset[str]
    max_refill: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Counted:
    """The candidate's evidence, counted. Empty when it could not be reconciled with the suite."""

    by_run: tuple[RunEvidence, ...]
    counterfactual: Counterfactual | None
    trend: Trend
    evidence: EvidenceCounts
    problems: tuple[DecisionReason, ...]


def decide(inputs: GateInputs) -> VerdictDocument:
    """The verdict on `inputs`; evidence that cannot be believed is a reason in it, never an exception.

    Where the admission record itself is missing nothing says who may vote, so no category has a finding.
    """
    record = inputs.admission
    if record is None:
        empty = _nothing_counted(inputs.runs, ())
        return _composed(inputs, refused(_without_admission(inputs)), empty)
    voters = _voters(inputs, record)
    counted = _count(inputs, voters)
    baseline, anchor, flips, comparison_problems = _compare(inputs, voters)
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
            baseline=baseline,
            anchor_runs=_facts(inputs.anchor),
            anchor=anchor,
            flips=flips,
            problems=(*inputs.problems, *counted.problems, *comparison_problems, *_since_accepted(inputs, record)),
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


def _voters(inputs: GateInputs, record: AdmissionRecord) -> _Voters:
    suite, policy = inputs.suite, inputs.policy
    category_of = suite.category_of()
    critical = {category.name for category in suite.categories if category.severity is Severity.CRITICAL}
    clusters = {item.id: item.cluster for item in record.instances}
    return _Voters(
        admissible=record.admissible_ids & category_of.keys(),
        everyone=frozenset(category_of),
        category_of=category_of,
        cluster_of={name: clusters.get(name, name) for name in category_of},
        reduction_of={
            category.name: (policy.reduce_critical if category.name in critical else policy.reduce_standard).value
            for category in suite.categories
        },
        exposure_declared=frozenset(item.id for item in suite.instances if item.exposure is not None),
        max_refill=policy.max_refill,
    )


def _count(inputs: GateInputs, voters: _Voters) -> _Counted:
    suite = inputs.suite
    try:
        found = reconcile(
            inputs.runs,
            suite_digest=suite.digest,
            instance_digests=suite.instance_digests,
            epochs=inputs.policy.epochs,
            set_aside=_removed_digests(suite),
            max_refill=inputs.policy.max_refill,
        )
        voting = _tally(found, voters, voters.admissible)
        everything = _tally(found, voters, voters.everyone)
        by_run = tuple(_run_evidence(run, voters, suite) for run in _alone(found))
    except EvidenceError as error:
        explained = bool(inputs.problems) and not inputs.runs  # no run could be read, and each says why
        return _nothing_counted(inputs.runs, () if explained else (problem_of(error, "evidence-unusable"),))
    pruned = _pruned_tallies(found, voters, suite)
    return _Counted(
        by_run=by_run,
        counterfactual=counterfactual(everything=everything, admissible=voting, pruned=pruned),
        trend=mean_trend(found.columns, admissible=voters.admissible),
        evidence=EvidenceCounts(
            trials=len(found.columns) + len(found.set_aside),
            set_aside=len(found.set_aside) + len(only(found.columns, voters.everyone - voters.admissible)),
            left_out=found.left_out,
            refilled=found.refilled,
            contradictions=sum(len(item.contradictions) for item in everything.values()),
            runs=found.runs,
        ),
        problems=tuple(_refill_reasons(found)),
    )


def _removed_digests(suite: Suite) -> dict[str, str]:
    """Digests of the instances that pruning removed, by id: old evidence may still hold them (A13)."""
    return {} if suite.pruned_from is None else {item.id: item.digest for item in suite.pruned_from.removed}


def _tally(found: Reconciled, voters: _Voters, admissible: frozenset[str]) -> dict[str, CategoryTally]:
    return tally(
        found.columns,
        admissible=admissible,
        category_of=voters.category_of,
        cluster_of=voters.cluster_of,
        reduction_of=voters.reduction_of,
        exposure_declared=voters.exposure_declared,
        max_refill=voters.max_refill,
    )


def _alone(found: Reconciled) -> Iterator[Reconciled]:
    """The runs of a build, each by itself, in order of digest (B15)."""
    if found.runs == 1:
        yield found
        return
    of_run, of_aside = found.columns.attempt // found.epochs, found.set_aside.attempt // found.epochs
    for number in range(found.runs):
        yield replace(
            found,
            columns=found.columns.take(of_run == number),
            set_aside=found.set_aside.take(of_aside == number),
            runs=1,
        )


def _run_evidence(run: Reconciled, voters: _Voters, suite: Suite) -> RunEvidence:
    """What one run counts: admissible instances, and the violating ids among those that may not vote (A1, A13)."""
    voting = _tally(run, voters, voters.admissible)
    outside = _tally(run, voters, voters.everyone - voters.admissible)
    pruned = _pruned_tallies(run, voters, suite)
    return RunEvidence(
        tallies=voting,
        excluded={
            name: tuple(sorted((*outside[name].violating_ids, *(pruned[name].violating_ids if name in pruned else ()))))
            for name in sorted(voting)
        },
    )


def _pruned_tallies(found: Reconciled, voters: _Voters, suite: Suite) -> dict[str, CategoryTally]:
    """Counts at instances that pruning removed, by category (A11, A13); only those that these runs have."""
    removed = () if suite.pruned_from is None else suite.pruned_from.removed
    present = frozenset(found.set_aside.ids)
    met = {item.id: item.category for item in removed if item.id in present and item.category in voters.reduction_of}
    if not met:
        return {}
    return tally(
        only(found.set_aside, frozenset(met)),
        admissible=frozenset(met),
        category_of=met,
        cluster_of={name: name for name in met},
        reduction_of=voters.reduction_of,
        exposure_declared=frozenset(),
        max_refill=voters.max_refill,
    )


def _refill_reasons(found: Reconciled) -> Iterator[DecisionReason]:
    for problem in found.problems:
        message = f"attempt {problem.attempt} of {problem.instance_id!r}: {problem.why}"
        yield DecisionReason(decision=Decision.INVALID, rule="E9", code="refill-not-allowed", message=message)


def _nothing_counted(runs: Sequence[Run], problems: tuple[DecisionReason, ...]) -> _Counted:
    return _Counted(
        by_run=(RunEvidence(tallies={}),),
        counterfactual=None,
        trend=Trend(mean=None, interval=None, n=0, reason="the evidence could not be counted"),
        evidence=EvidenceCounts(
            trials=sum(len(run.columns) for run in distinct_runs(runs)),
            set_aside=0,
            left_out=sum(run.header.left_out for run in distinct_runs(runs)),
            refilled=0,
            contradictions=0,
            runs=len(distinct_runs(runs)),
        ),
        problems=problems,
    )


def _compare(
    inputs: GateInputs, voters: _Voters
) -> tuple[dict[str, BaselineTally], dict[str, BaselineTally], dict[str, FlipEstimate], tuple[DecisionReason, ...]]:
    """Baseline and anchor tallies, flips between the baseline runs, and why any of them could not be had."""
    problems: list[DecisionReason] = []
    tallies: list[dict[str, BaselineTally]] = []
    for role, runs in (("baseline", inputs.baseline), ("anchor", inputs.anchor)):
        found = [*_mismatches(role, runs, inputs.suite)]
        try:
            tallies.append({} if found else _baseline(runs, voters))
        except EvidenceError as error:
            tallies.append({})
            found.append(problem_of(error, f"{role}-unusable"))
        problems += found
    flips: dict[str, FlipEstimate] = {}
    if inputs.baseline and tallies[0] and isinstance(inputs.policy.flips, FlipsFromBaseline):
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
    return tallies[0], tallies[1], flips, tuple(problems)


def _baseline(runs: Sequence[Run], voters: _Voters) -> dict[str, BaselineTally]:
    if not runs:
        return {}
    return baseline_tally(
        runs,
        admissible=voters.admissible,
        category_of=voters.category_of,
        reduction_of=voters.reduction_of,
        max_refill=voters.max_refill,
    )


def _mismatches(role: str, runs: Sequence[Run], suite: Suite) -> Iterator[DecisionReason]:
    for run in runs:
        problem = suite_mismatch(run.header, suite.digest, suite.instance_digests, _removed_digests(suite))
        if problem is not None:
            message = f"{role} run {run.digest}: {problem}"
            yield DecisionReason(decision=Decision.INVALID, rule="B2", code=f"{role}-suite", message=message)


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


def problem_of(error: EvidenceError, code: str) -> DecisionReason:
    """An error about evidence as an INVALID reason: what, got and wanted on one line."""
    parts = [error.what if error.at is None else f"{error.at}: {error.what}"]
    parts += [
        f"{label} {value}" for label, value in (("got", error.got), ("wanted", error.wanted)) if value is not None
    ]
    return DecisionReason(decision=Decision.INVALID, rule=error.rule or "E2", code=code, message="; ".join(parts))


def _facts(runs: Sequence[Run]) -> tuple[RunFacts, ...]:
    found = (RunFacts(header=run.header, digest=run.digest, trials_digest=run.fingerprint) for run in runs)
    return tuple(sorted(found, key=lambda run: run.digest))


def _composed(inputs: GateInputs, result: GateResult, counted: _Counted) -> VerdictDocument:
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
