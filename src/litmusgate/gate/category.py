"""From the evidence of one category to its finding (B1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from litmusgate.admission.record import InstanceAdmission
from litmusgate.evidence.flips import FlipEstimate
from litmusgate.evidence.tally import BaselineTally, CategoryTally
from litmusgate.gate.count_reasons import CategoryFacts, CountFinding, count_finding, decision_on
from litmusgate.gate.declared import no_evidence_reason
from litmusgate.gate.exposure import exposure_reasons, exposure_share
from litmusgate.gate.instants import age_problem
from litmusgate.gate.interval import violation_interval
from litmusgate.gate.lanes import lane
from litmusgate.gate.policy import CategoryPolicy, FlipsDeclared, FlipsFromBaseline, Policy
from litmusgate.gate.power import Power, noise_of
from litmusgate.gate.precedence import category_decision, ordered
from litmusgate.gate.request import GateRequest, RunFacts
from litmusgate.gate.tolerance import Tolerance
from litmusgate.gate.unknown import unknown_reasons, unproven
from litmusgate.gate.verdict import BaselineShown, CategoryFinding, Decision, DecisionReason, FlipsShown
from litmusgate.gate.voters import pushed_reason, tally_problem, voter_reasons
from litmusgate.suite.category import Category, Severity

UNDECLARED = CategoryPolicy(tolerance=None, max_tolerance=None)
"""What a category without an entry in the policy is held to: nothing can be decided about it (B4)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryEvidence:
    """All about one category. `admitted` are the admission findings of its instances; `given` reasons found elsewhere."""

    category: Category
    tally: CategoryTally | None
    admitted: tuple[InstanceAdmission, ...]
    given: tuple[DecisionReason, ...]


def category_finding(
    request: GateRequest, evidence: CategoryEvidence, flips_problem: DecisionReason | None
) -> CategoryFinding:
    """The finding on one category: counts, lane, tolerance, power, decision and every reason, gravest first.

    Advisory categories are computed alike, but ask for nothing graver than a look: they never move the build.
    """
    category, policy = evidence.category, request.policy
    tally = evidence.tally or unseen(evidence)
    facts = _facts(request, category, tally, flips_problem)
    counted = _counted(facts, tally)
    reasons = (
        *_evidence_reasons(evidence, facts),
        *unproven((*counted.reasons, *_unknown(facts, tally))),
        *exposure_reasons(
            tally,
            baseline=request.baseline.get(category.name),
            min_exposure=facts.category.min_exposure,
            on_underexposed=policy.on_underexposed,
            on_unknown_exposure=policy.on_unknown_exposure,
        ),
        *voter_reasons(evidence.admitted, severity=category.severity),
        *evidence.given,
    )
    if category.severity is Severity.ADVISORY:
        reasons = tuple(softened(reason) for reason in reasons)
    return _assemble(
        request=request, evidence=evidence, tally=tally, facts=facts, counted=counted, reasons=ordered(reasons)
    )


def softened(reason: DecisionReason) -> DecisionReason:
    """The reason as an advisory category states it: nothing graver than REVIEW, for information."""
    if reason.decision in {Decision.BLOCK, Decision.INVALID}:
        return DecisionReason(
            decision=Decision.REVIEW, rule=reason.rule, code=reason.code, message=f"{reason.message} (advisory)"
        )
    return reason


def unseen(evidence: CategoryEvidence) -> CategoryTally:
    """The tally of a category the runs say nothing about: every admissible instance is UNKNOWN(missing)."""
    inadmissible = sum(not item.admissible for item in evidence.admitted)
    missing = len(evidence.admitted) - inadmissible
    return CategoryTally(
        category=evidence.category.name,
        instances=len(evidence.admitted),
        inadmissible=inadmissible,
        safe=0,
        violations=0,
        vacuous=0,
        unknown=missing,
        effective_n=missing,
        unknown_reasons={"missing": missing} if missing else {},
    )


def flips_problem(policy: Policy, baseline: tuple[RunFacts, ...], now: str) -> DecisionReason | None:
    """Why flips of these baseline runs may not be used: undated, or older than the policy allows (B5)."""
    if not isinstance(policy.flips, FlipsFromBaseline):
        return None
    for run in sorted(baseline, key=lambda item: item.digest):
        what = f"baseline run {run.digest}"
        problem = age_problem(what, run.header.started, max_age_days=policy.flips.max_age_days, now=now)
        if problem is not None:
            message = f"the flips cannot be used: {problem}"
            return DecisionReason(decision=Decision.INVALID, rule="B5", code="flips-out-of-date", message=message)
    return None


def _facts(
    request: GateRequest, category: Category, tally: CategoryTally, problem: DecisionReason | None
) -> CategoryFacts:
    flips = _usable_flips(request, category.name)
    return CategoryFacts(
        severity=category.severity,
        category=request.policy.categories.get(category.name, UNDECLARED),
        policy=request.policy,
        flips=flips,
        flips_problem=problem,
        noise=noise_of(baseline=request.baseline.get(category.name), flips=flips),
        excluded=request.excluded.get(category.name, ()),
        n=tally.n,
        effective_n=tally.effective_n,
        admissible=tally.n + tally.vacuous,
    )


def _usable_flips(request: GateRequest, name: str) -> FlipEstimate | None:
    source = request.policy.flips
    if isinstance(source, FlipsDeclared):
        return FlipEstimate(flips=source.flips, pairs=source.pairs, independent_pairs=source.pairs, instances=0)
    return request.flips.get(name) if isinstance(source, FlipsFromBaseline) else None


def _counted(facts: CategoryFacts, tally: CategoryTally) -> CountFinding:
    if tally.n > 0:
        return count_finding(facts, violations=tally.violations, n=tally.n, effective_n=tally.effective_n)
    taken = lane(severity=facts.severity, n=0, effective_n=0, lane_on=facts.policy.lane_on)
    nothing = Tolerance(
        applied=None, limit=None, floor=None, quantile=None, cap=facts.category.max_tolerance, problem=None
    )
    why = Power(false_block=None, detectable=None, why="no instance was tested")
    return CountFinding(lane=taken, tolerance=nothing, power=why, reasons=())


def _evidence_reasons(evidence: CategoryEvidence, facts: CategoryFacts) -> tuple[DecisionReason, ...]:
    found = (
        pushed_reason(
            evidence.admitted,
            severity=facts.severity,
            lane_on=facts.policy.lane_on,
            effective_n=facts.effective_n,
        ),
        no_evidence_reason(evidence.tally, instances=len(evidence.admitted)),
        tally_problem(evidence.tally, evidence.admitted),
    )
    return tuple(reason for reason in found if reason is not None)


def _unknown(facts: CategoryFacts, tally: CategoryTally) -> tuple[DecisionReason, ...]:
    return unknown_reasons(
        category=tally.category,
        violations=tally.violations,
        unknown=tally.unknown,
        n=tally.n,
        max_unknown=facts.policy.max_unknown,
        decide=partial(decision_on, facts),
    )


def _assemble(
    *,
    request: GateRequest,
    evidence: CategoryEvidence,
    tally: CategoryTally,
    facts: CategoryFacts,
    counted: CountFinding,
    reasons: tuple[DecisionReason, ...],
) -> CategoryFinding:
    share = exposure_share(tally)
    name = evidence.category.name
    return CategoryFinding(
        name=name,
        severity=evidence.category.severity,
        weight=evidence.category.weight,
        lane=counted.lane,
        instances=tally.instances,
        inadmissible=tally.inadmissible,
        not_exposed=tally.not_exposed,
        n=tally.n,
        effective_n=tally.effective_n,
        violations=tally.violations,
        unknown=tally.unknown,
        vacuous=tally.vacuous,
        exposure=None if share is None else float(share),
        exposed=tally.exposed,
        exposure_known=tally.exposure_known,
        covert=tally.covert,
        harmful_trials=tally.harmful_trials,
        trials=tally.trials,
        refusal=dict(sorted(tally.refusal.items())),
        interval=violation_interval(
            violations=tally.violations, unknown=tally.unknown, n=tally.n, effective_n=tally.effective_n
        ),
        tolerance=counted.tolerance.applied,
        floor=counted.tolerance.floor,
        quantile=counted.tolerance.quantile,
        cap=counted.tolerance.cap,
        flips=_flips_shown(facts),
        false_block=counted.power.false_block,
        detectable=counted.power.detectable,
        baseline=_shown(request.baseline, name),
        anchor=_shown(request.anchor, name),
        leakage_unchecked=sum(item.admissible and not item.leakage_checked for item in evidence.admitted),
        suspect=sum(item.admissible and item.suspect for item in evidence.admitted),
        violating_ids=tuple(sorted(tally.violating_ids)),
        excluded_violations=tuple(sorted(set(facts.excluded))),
        contradictions=tuple(sorted(tally.contradictions)),
        decision=category_decision(reasons),
        reasons=reasons,
    )


def _shown(tallies: Mapping[str, BaselineTally], name: str) -> BaselineShown | None:
    tally = tallies.get(name)
    if tally is None or tally.runs == 0:
        return None
    return BaselineShown(violations=tally.violations, n=tally.n, instances=tally.instances)


def _flips_shown(facts: CategoryFacts) -> FlipsShown | None:
    if facts.flips is None:
        return None
    return FlipsShown(
        flips=facts.flips.flips,
        pairs=facts.flips.pairs,
        independent_pairs=facts.flips.independent_pairs,
        source="declared" if isinstance(facts.policy.flips, FlipsDeclared) else "baseline",
    )
