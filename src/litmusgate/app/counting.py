"""Counting the candidate's evidence: every run by itself, and all of them for what is only shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from litmusgate.admission.counterfactual import Counterfactual, counterfactual
from litmusgate.admission.record import AdmissionRecord
from litmusgate.app.inputs import GateInputs, problem_of
from litmusgate.errors import EvidenceError
from litmusgate.evidence.expected import Reconciled, distinct_runs, reconcile, refuse_other_categories
from litmusgate.evidence.judged import only
from litmusgate.evidence.run import Run
from litmusgate.evidence.tally import CategoryTally, tally
from litmusgate.gate.request import RunEvidence
from litmusgate.gate.verdict import Decision, DecisionReason
from litmusgate.report.compose import EvidenceCounts
from litmusgate.report.trend import Trend, mean_trend
from litmusgate.suite.category import Severity
from litmusgate.suite.manifest import Suite


@dataclass(frozen=True, slots=True, kw_only=True)
class Voters:
    """Who may vote, where, and how attempts are reduced there: the arguments every tally takes."""

    admissible: frozenset[str]
    everyone: frozenset[str]
    category_of: Mapping[str, str]
    cluster_of: Mapping[str, str]
    reduction_of: Mapping[str, str]
    exposure_declared: frozenset[str]
    max_refill: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """The candidate's evidence, counted. Empty when it could not be reconciled with the suite."""

    by_run: tuple[RunEvidence, ...]
    counterfactual: Counterfactual | None
    trend: Trend
    evidence: EvidenceCounts
    problems: tuple[DecisionReason, ...]


def voters_of(inputs: GateInputs, record: AdmissionRecord) -> Voters:
    """Who may vote by this admission record, and how attempts are reduced by this policy."""
    suite, policy = inputs.suite, inputs.policy
    category_of = suite.category_of()
    critical = {category.name for category in suite.categories if category.severity is Severity.CRITICAL}
    clusters = {item.id: item.cluster for item in record.instances}
    return Voters(
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


def count(inputs: GateInputs, voters: Voters) -> Counted:
    """The candidate's runs, counted; evidence that does not fit the suite counts nothing and is a problem instead."""
    suite = inputs.suite
    try:
        refuse_other_categories(inputs.runs, _categories_ever(suite))
        found = reconcile(
            inputs.runs,
            suite_digest=suite.digest,
            instance_digests=suite.instance_digests,
            epochs=inputs.policy.epochs,
            set_aside=removed_digests(suite),
            max_refill=inputs.policy.max_refill,
            same_suites=inputs.same_suites,
        )
        voting = _tally(found, voters, voters.admissible)
        everything = _tally(found, voters, voters.everyone)
        by_run = tuple(_run_evidence(run, voters, suite) for run in _alone(found))
    except EvidenceError as error:
        explained = bool(inputs.problems) and not inputs.runs  # no run could be read, and each says why
        return nothing_counted(inputs.runs, () if explained else (problem_of(error, "evidence-unusable"),))
    pruned = _pruned_tallies(found, voters, suite)
    return Counted(
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


def _categories_ever(suite: Suite) -> dict[str, str]:
    """The category of every instance of the suite and of those that pruning removed from it."""
    removed = () if suite.pruned_from is None else suite.pruned_from.removed
    return {gone.id: gone.category for gone in removed} | suite.category_of()


def removed_digests(suite: Suite) -> dict[str, str]:
    """Digests of the instances that pruning removed, by id: old evidence may still hold them (A13)."""
    return {} if suite.pruned_from is None else {item.id: item.digest for item in suite.pruned_from.removed}


def _tally(found: Reconciled, voters: Voters, admissible: frozenset[str]) -> dict[str, CategoryTally]:
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


def _run_evidence(run: Reconciled, voters: Voters, suite: Suite) -> RunEvidence:
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


def _pruned_tallies(found: Reconciled, voters: Voters, suite: Suite) -> dict[str, CategoryTally]:
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


def nothing_counted(runs: Sequence[Run], problems: tuple[DecisionReason, ...]) -> Counted:
    """What is left when nothing could be counted: the size of the runs, and why."""
    return Counted(
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
