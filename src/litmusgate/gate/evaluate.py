"""The decision on a build: every category's finding, then one verdict over all of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from litmusgate.admission.record import InstanceAdmission
from litmusgate.admission.staleness import staleness
from litmusgate.gate.backdated import backdated_reasons
from litmusgate.gate.category import CategoryEvidence, category_finding, flips_problem
from litmusgate.gate.declared import policy_problems, undeclared_categories
from litmusgate.gate.hard_gated import nothing_hard_gated
from litmusgate.gate.history import gravest_run, history_problems
from litmusgate.gate.index_age import index_problems
from litmusgate.gate.pins import pin_problems
from litmusgate.gate.policy import Unsafe
from litmusgate.gate.power import budget_reason, family_false_block
from litmusgate.gate.precedence import build_decision, known_blocks, ordered
from litmusgate.gate.request import GateRequest
from litmusgate.gate.unmeasured import declared_note
from litmusgate.gate.unsafe import stamps
from litmusgate.gate.verdict import CategoryFinding, Decision, DecisionReason, GateResult, Lane

STALE_BY_SHARE = frozenset({"suite-stale", "pruned-share", "critical-category-stale"})
"""Staleness findings about a share that was exceeded: what `unsafe-skip-staleness` switches off. What exclusion emptied
or made too small, and what admission does not cover, stays."""


def evaluate(request: GateRequest) -> GateResult:
    """B1: the instance is evidence, the category decides, the build is reported: tallies in, findings, one decision out.

    A build passes only if every gated category is within its tolerance and at least one is hard-gated (B14). Under a
    suite-level INVALID the findings are still computed, and known blocks are listed beside it (B13). The order of any
    input changes nothing.
    """
    views = [request, *(replace(request, tallies=run.tallies, excluded=run.excluded) for run in request.other_runs)]
    stale, by_run = [], []
    for view in views:
        of_suite, of_category = _staleness(view)
        stale += of_suite
        by_run.append(_findings(view, of_category))
    findings = tuple(gravest_run(of_category) for of_category in zip(*by_run, strict=True))
    family = family_false_block(item.false_block for item in findings if item.lane is Lane.HARD_GATED)
    reasons = [
        *request.problems,
        *_before_counting(request),
        *stale,
        *_over_findings(request, findings, family),
    ]
    if any(reason.decision is Decision.INVALID for reason in reasons):
        reasons.extend(known_blocks(findings))
    suite_reasons = ordered(reasons)
    return GateResult(
        decision=build_decision(suite_reasons, findings),
        suite_reasons=suite_reasons,
        categories=findings,
        checks=_checks(request),
        family_false_block=family,
        unsafe=stamps(request.policy, request.record.settings.unsafe),
        notes={"earlier_verdicts": request.earlier_verdicts},
    )


def refused(reasons: Sequence[DecisionReason], *, unsafe: tuple[str, ...] = ()) -> GateResult:
    """The INVALID result where the evidence could not even be read, so that no category has a finding.

    `reasons` say why, at least one. Raises `ValueError` without any: a refusal must be explained.
    """
    if not reasons:
        raise ValueError("a refusal wants at least one reason")
    return GateResult(
        decision=build_decision(reasons, ()),
        suite_reasons=ordered(reasons),
        categories=(),
        checks={},
        family_false_block=None,
        unsafe=tuple(sorted(set(unsafe))),
    )


def _staleness(request: GateRequest) -> tuple[list[DecisionReason], dict[str, list[DecisionReason]]]:
    """Staleness reasons (A8) of the suite, and by category."""
    of_suite: list[DecisionReason] = []
    of_category: defaultdict[str, list[DecisionReason]] = defaultdict(list)
    skipped = Unsafe.SKIP_STALENESS in request.policy.unsafe
    for found in staleness(
        record=request.record,
        suite=request.suite,
        max_inadmissible=request.policy.admission.max_inadmissible,
        tested={name: tally.n for name, tally in request.tallies.items()},
    ):
        if skipped and found.code in STALE_BY_SHARE:
            continue
        decision = Decision.INVALID if found.invalid else Decision.REVIEW
        reason = DecisionReason(decision=decision, rule="A8", code=found.code, message=found.message)
        (of_suite if found.scope is None else of_category[found.scope]).append(reason)
    return of_suite, of_category


def _before_counting(request: GateRequest) -> list[DecisionReason]:
    """Suite-level reasons that need no count: pins, index, declarations, history."""
    policy, suite, record = request.policy, request.suite, request.record
    found = [
        *pin_problems(
            policy=policy,
            suite=suite,
            record=record,
            runs=request.runs,
            baseline=request.baseline_runs,
            anchor=request.anchor_runs,
        ),
        *index_problems(policy=policy, suite=suite, record=record, now=request.now),
        *backdated_reasons(now=request.now, runs=request.runs, record=record),
        *(
            reason
            for tallies in (request.tallies, *(run.tallies for run in request.other_runs))
            for reason in undeclared_categories(suite, policy.categories, tallies)
        ),
        *history_problems(
            history=policy.history,
            store_present=request.store_present,
            earlier_runs=request.earlier_runs,
            given_runs=(run.digest for run in request.runs),
        ),
    ]
    found.extend(
        DecisionReason(decision=Decision.INVALID, rule="B5", code="policy-contradiction", message=problem)
        for problem in policy_problems(policy, suite)
    )
    if request.first:
        message = "--first: there is no accepted baseline to compare with, so people decide on this build"
        found.append(DecisionReason(decision=Decision.REVIEW, rule="B2", code="first-build", message=message))
    return found


def _findings(request: GateRequest, stale: Mapping[str, Sequence[DecisionReason]]) -> tuple[CategoryFinding, ...]:
    admitted = _admitted_by_category(request)
    problem = flips_problem(request.policy, request.baseline_runs, request.now)
    return tuple(
        category_finding(
            request,
            CategoryEvidence(
                category=category,
                tally=request.tallies.get(category.name),
                admitted=tuple(admitted[category.name]),
                given=(*request.category_problems.get(category.name, ()), *stale.get(category.name, ())),
            ),
            problem,
        )
        for category in request.suite.categories
    )


def _admitted_by_category(request: GateRequest) -> defaultdict[str, list[InstanceAdmission]]:
    """The admission findings of the suite's own instances; what the record lists beyond them is staleness' matter (A8)."""
    ids = {instance.id for instance in request.suite.instances}
    found: defaultdict[str, list[InstanceAdmission]] = defaultdict(list)
    for item in request.record.instances:
        if item.id in ids:
            found[item.category].append(item)
    return found


def _over_findings(
    request: GateRequest, findings: tuple[CategoryFinding, ...], family: float | None
) -> list[DecisionReason]:
    policy = request.policy
    found = (nothing_hard_gated(findings), budget_reason(family, policy.max_false_block), declared_note(policy.flips))
    return [reason for reason in found if reason is not None]


def _checks(request: GateRequest) -> dict[str, str]:
    """Every check with `done` or `not checked: why`: those of admission, staleness, and adjudication where asked for."""
    checks = dict(request.record.checks)
    skipped = Unsafe.SKIP_STALENESS in request.policy.unsafe
    checks["staleness"] = f"not checked: {Unsafe.SKIP_STALENESS.value}" if skipped else "done"
    if request.policy.adjudication_alpha is not None:
        checks["adjudication"] = "not checked: confirming on concurrent pairs is not available"
    return dict(sorted(checks.items()))
