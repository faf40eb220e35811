"""Composing the verdict file: the gate's result, with the trend, the counterfactual and the digests beside it."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass

from litmusgate.admission.counterfactual import Counterfactual
from litmusgate.admission.record import AdmissionRecord
from litmusgate.gate.precedence import ordered
from litmusgate.gate.verdict import BaselineShown, CategoryFinding, DecisionReason, FlipsShown, GateResult
from litmusgate.report import shown
from litmusgate.report.absent import why_absent
from litmusgate.report.document import VerdictDocument
from litmusgate.report.trend import Trend
from litmusgate.suite.instance import Instance
from litmusgate.suite.manifest import Lineage, Suite
from litmusgate.text import visible


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceCounts:
    """What the candidate's runs held, in trials: all, those of inadmissible ids set aside, rows outside the suite left out
    by `--subset`, refills, violations on rows marked not exposed; and the number of runs.
    """

    trials: int
    set_aside: int
    left_out: int
    refilled: int
    contradictions: int
    runs: int


def compose_verdict(
    *,
    result: GateResult,
    agent: str,
    build: str,
    evaluated_at: str,
    suite: Suite | None,
    policy_digest: str,
    run_digests: tuple[str, ...],
    admission: AdmissionRecord | None,
    admission_digest: str | None,
    baseline_digests: tuple[str, ...],
    anchor_digests: tuple[str, ...],
    earlier: tuple[str, ...],
    accepted_verdict: str | None,
    counterfactual: Counterfactual | None,
    trend: Trend,
    evidence: EvidenceCounts,
    versions: Mapping[str, str],
    synthetic: bool,
) -> VerdictDocument:
    """The verdict file of `result`. The order of any input changes no byte: digests, categories and reasons are sorted.

    Nothing is decided here: the decision and every count are the gate's. Raises pydantic's `ValidationError` when the parts
    contradict each other, which is a bug of the caller and never a verdict.
    """
    inputs = shown.Inputs(
        policy=policy_digest,
        run=_sorted_set(run_digests),
        admission=admission_digest,
        index=admission.index.digest if admission is not None and admission.index is not None else None,
        baseline=_sorted_set(baseline_digests),
        anchor=_sorted_set(anchor_digests),
        earlier=_sorted_set(earlier),
        accepted_verdict=accepted_verdict,
    )
    return VerdictDocument(
        decision=result.decision,
        reasons=_reasons(result.suite_reasons),
        agent=_writable(agent),
        build=_writable(build),
        evaluated_at=evaluated_at,
        synthetic=synthetic,
        suite=_suite(suite),
        inputs=inputs,
        earlier_verdicts=len(set(earlier)),
        categories=tuple(_category(item) for item in sorted(result.categories, key=lambda item: item.name)),
        checks={name: _writable(state) for name, state in sorted(result.checks.items())},
        admission=_admission(admission),
        counterfactual=_counterfactual(counterfactual),
        trend=_trend(trend),
        evidence=_evidence(evidence),
        family_false_block=_share(result.family_false_block),
        unsafe=_sorted_set(result.unsafe),
        notes={name: int(count) for name, count in sorted(result.notes.items())},
        override=None,
        versions=dict(sorted(versions.items())),
    )


def is_multi_turn(instance: Instance) -> bool:
    """Whether the instance holds state over several turns or steps: more turns than one, tools, retrievable context, or an
    environment. What is none of these is a single-turn classification item, outside the admission document's scope (E11).
    """
    return len(instance.turns) > 1 or bool(instance.tools) or bool(instance.context) or bool(instance.environment)


def _sorted_set(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(set(texts)))


def _writable(text: str) -> str:
    """`text`, with visible escapes where it holds control characters or lone surrogates, so that the file is safe to print."""
    unprintable = any(unicodedata.category(character) in ("Cc", "Cs") for character in text)
    return visible(text) if unprintable else text


def _reasons(reasons: tuple[DecisionReason, ...]) -> tuple[shown.Reason, ...]:
    return tuple(
        shown.Reason(decision=item.decision, rule=item.rule, code=item.code, message=_writable(item.message))
        for item in ordered(reasons)
    )


def _suite(suite: Suite | None) -> shown.SuiteShown | None:
    if suite is None:
        return None
    return shown.SuiteShown(
        name=_writable(suite.name),
        version=_writable(suite.version),
        digest=suite.digest,
        instances=len(suite.instances),
        multi_turn=sum(is_multi_turn(instance) for instance in suite.instances),
        pruned_from=None if suite.pruned_from is None else _pruned(suite.pruned_from),
    )


def _pruned(lineage: Lineage) -> shown.PrunedFrom:
    return shown.PrunedFrom(
        digest=lineage.parent,
        removed=lineage.removed_by_reason(),
        share=shown.PrunedShare(removed=len(lineage.removed), of=lineage.root_instances),
        accepted_loss=_sorted_set(lineage.accepted_loss),
    )


def _category(finding: CategoryFinding) -> shown.CategoryShown:
    low_high = finding.interval
    return shown.CategoryShown(
        name=finding.name,
        severity=finding.severity,
        weight=finding.weight,
        lane=finding.lane,
        instances=finding.instances,
        inadmissible=finding.inadmissible,
        not_exposed=finding.not_exposed,
        n=finding.n,
        effective_n=finding.effective_n,
        violations=finding.violations,
        unknown=finding.unknown,
        vacuous=finding.vacuous,
        exposure=_share(finding.exposure),
        exposed=finding.exposed,
        exposure_known=finding.exposure_known,
        covert=finding.covert,
        harmful=shown.Harmful(x=finding.harmful_trials, k=finding.trials),
        refusal=dict(sorted(finding.refusal.items())),
        interval=None if low_high is None else (float(low_high[0]), float(low_high[1])),
        tolerance=finding.tolerance,
        floor=finding.floor,
        quantile=finding.quantile,
        cap=finding.cap,
        flips=_flips(finding.flips),
        false_block=_share(finding.false_block),
        detectable=finding.detectable,
        baseline=_baseline(finding.baseline),
        anchor=_baseline(finding.anchor),
        leakage_unchecked=finding.leakage_unchecked,
        suspect=finding.suspect,
        violating_ids=_sorted_set(finding.violating_ids),
        excluded_violations=_sorted_set(finding.excluded_violations),
        contradictions=_sorted_set(finding.contradictions),
        decision=finding.decision,
        reasons=_reasons(finding.reasons),
        absent=why_absent(finding),
    )


def _trend(trend: Trend) -> shown.TrendShown:
    return shown.TrendShown(mean=trend.mean, interval=trend.interval, gates=trend.gates, n=trend.n, reason=trend.reason)


def _evidence(counts: EvidenceCounts) -> shown.EvidenceShown:
    return shown.EvidenceShown(
        trials=counts.trials,
        set_aside=counts.set_aside,
        left_out=counts.left_out,
        refilled=counts.refilled,
        contradictions=counts.contradictions,
        runs=counts.runs,
    )


def _share(value: float | None) -> float | None:
    return None if value is None else float(value)


def _flips(flips: FlipsShown | None) -> shown.Flips | None:
    if flips is None:
        return None
    return shown.Flips(
        flips=flips.flips, pairs=flips.pairs, independent_pairs=flips.independent_pairs, source=flips.source
    )


def _baseline(baseline: BaselineShown | None) -> shown.Baseline | None:
    if baseline is None:
        return None
    return shown.Baseline(violations=baseline.violations, n=baseline.n, instances=baseline.instances)


def _admission(record: AdmissionRecord | None) -> shown.AdmissionShown | None:
    if record is None:
        return None
    total = len(record.instances)
    by_reason: dict[str, int] = {}
    for instance in record.instances:
        for code in {finding.reason.value for finding in instance.findings}:
            by_reason[code] = by_reason.get(code, 0) + 1
    inadmissible = total - len(record.admissible_ids)
    return shown.AdmissionShown(
        total=total,
        inadmissible=inadmissible,
        fraction=inadmissible / total if total else None,
        by_reason=dict(sorted(by_reason.items())),
    )


def _counterfactual(counterfactual: Counterfactual | None) -> shown.CounterfactualShown | None:
    if counterfactual is None:
        return None
    parts = tuple(
        shown.CounterfactualCategoryShown(
            name=item.name,
            all_passes=item.all_passes,
            all_n=item.all_n,
            admissible_passes=item.admissible_passes,
            admissible_n=item.admissible_n,
        )
        for item in sorted(counterfactual.categories, key=lambda item: item.name)
    )
    return shown.CounterfactualShown(
        all=shown.Rate(passes=sum(item.all_passes for item in parts), n=sum(item.all_n for item in parts)),
        admissible=shown.Rate(
            passes=sum(item.admissible_passes for item in parts), n=sum(item.admissible_n for item in parts)
        ),
        after_aggregation=shown.AfterAggregation(categories=parts),
    )
