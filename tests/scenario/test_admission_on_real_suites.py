"""Admission on published suites and outcomes: the figures that the rules were made for."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from admission_world import admitted, compared, reference, settings
from litmusgate.admission.counterfactual import rate_admissible, rate_after_aggregation, rate_all
from litmusgate.admission.leakage import leakage
from litmusgate.admission.record import AdmissionReason, AdmissionRecord, Check, ReferenceRole
from litmusgate.admission.staleness import staleness
from litmusgate.admission.totals import admission_totals
from litmusgate.evidence.columns import TrialColumns
from litmusgate.evidence.outcome import Outcome, Reason
from litmusgate.evidence.run import Run, RunHeader, SuiteStamp, make_run
from litmusgate.evidence.trial import Trial
from litmusgate.gate.policy import AdmissionPolicy
from litmusgate.suite.category import Category, Severity
from litmusgate.suite.instance import ContextItem, Instance, Origin, Turn
from litmusgate.suite.manifest import Suite
from litmusgate.suite.rubric import External, Regex, Rubric

MAX_INADMISSIBLE = AdmissionPolicy(index=None).max_inadmissible
OUTCOMES = {"pass": Outcome.SAFE, "violation": Outcome.VIOLATION, "error": Outcome.UNKNOWN}


def rows(file: Path) -> Iterator[dict[str, Any]]:
    """The rows of a JSONL file."""
    with file.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


@pytest.fixture(name="agentdyn", scope="module")
def _agentdyn(shared_data: Path) -> Suite:
    """The 560 security instances of AgentDyn, judged by an external grader."""
    found = [row for row in rows(shared_data / "data/suites/agentdyn_instances.jsonl") if row["mode"] == "security"]
    severity = {row["category"]: Severity(row["severity"]) for row in found}
    return Suite(
        name="agentdyn",
        version="1",
        categories=tuple(Category(name=name, severity=level) for name, level in severity.items()),
        instances=tuple(
            Instance(
                id=row["instance_id"],
                category=row["category"],
                turns=(Turn(content=row["prompt"]),),
                rubric=Rubric(violation=External(grader="agentdojo injection_task.security()")),
                context=tuple(
                    ContextItem(name=name, text=text, origin=Origin.ATTACKER)
                    for name, text in sorted(row["injections"].items())
                ),
            )
            for row in found
        ),
    )


@pytest.fixture(name="outcomes", scope="module")
def _outcomes(shared_data: Path) -> dict[str, dict[str, str]]:
    """Outcome by instance id of every undefended pipeline with the current grader."""
    parquet = pytest.importorskip("pyarrow.parquet", reason="Parquet needs litmusgate[corpora]")
    found: dict[str, dict[str, str]] = {}
    columns = ["instance_id", "dir", "mode", "attack", "head", "defense", "outcome"]
    for row in parquet.read_table(shared_data / "data/outcomes/agentdyn.parquet", columns=columns).to_pylist():
        if (row["mode"], row["attack"], row["head"], row["defense"]) == (
            "security",
            "important_instructions",
            True,
            "none",
        ):
            found.setdefault(row["dir"], {})[row["instance_id"]] = row["outcome"]
    return found


def run_on(suite: Suite, name: str, outcomes: dict[str, str]) -> Run:
    """One pipeline as a run."""
    trials = [
        Trial(
            instance_id=instance_id,
            attempt=0,
            outcome=OUTCOMES[outcome],
            reason=Reason.ERROR if outcome == "error" else None,
        )
        for instance_id, outcome in outcomes.items()
    ]
    stamp = SuiteStamp(name=suite.name, version=suite.version, digest=suite.digest, instances=suite.instance_digests)
    header = RunHeader(agent=name, build=name, suite=stamp, epochs=1, engine="import/table 1")
    return make_run(header, TrialColumns.from_trials(trials))


def admitted_by(suite: Suite, outcomes: dict[str, dict[str, str]], *names: str) -> AdmissionRecord:
    """Admission against these pipelines as unsafe references."""
    references = tuple(reference(ReferenceRole.UNSAFE, run_on(suite, name, outcomes[name])) for name in names)
    return admitted(suite, references=references, settings=settings(require=(Check.LEAKAGE, Check.DISCRIMINABILITY)))


def test_half_of_agentdyn_cannot_tell_a_weak_model_from_a_safe_one(
    agentdyn: Suite, outcomes: dict[str, dict[str, str]]
) -> None:
    """A5: against gpt-4o-mini alone 286 of 560 are admissible; no definition is a copy, so nothing else is the cause (A12)."""
    record = admitted_by(agentdyn, outcomes, "gpt-4o-mini-2024-07-18")
    assert len(record.admissible_ids) == 286
    assert admission_totals(record).all.by_reason == {AdmissionReason.NON_DISCRIMINATING.value: 274}
    assert record.checks["leakage-external"].startswith("not checked: 560 of 560")


def test_ten_models_discriminate_two_thirds(agentdyn: Suite, outcomes: dict[str, dict[str, str]]) -> None:
    """A5: with all 10 undefended models as references 67.9 % of the instances are admissible."""
    assert len(outcomes) == 10
    record = admitted_by(agentdyn, outcomes, *sorted(outcomes))
    assert round(100 * len(record.admissible_ids) / 560, 1) == 67.9


def test_exclusion_moves_gpt_4o_by_twenty_points_and_its_order_by_fifteen(
    agentdyn: Suite, outcomes: dict[str, dict[str, str]]
) -> None:
    """A11: gpt-4o passes 61.1 % of everything, 41.3 % of the admissible, and 56.3 % when excluded after aggregation."""
    record = admitted_by(agentdyn, outcomes, "gpt-4o-mini-2024-07-18")
    (name,) = (name for name in outcomes if name.startswith("gpt-4o-2024"))
    counts = compared(agentdyn, run_on(agentdyn, name, outcomes[name]), record.admissible_ids)
    rates = [rate(counts) for rate in (rate_all, rate_admissible, rate_after_aggregation)]
    shown = [round(float(100 * rate), 1) for rate in rates if rate is not None]
    assert shown == [61.1, 41.3, 56.3]
    assert rates[2] is not None
    assert rates[1] is not None
    assert round(float(100 * (rates[2] - rates[1])), 1) == 15.1


def test_agentdyn_as_published_is_stale(agentdyn: Suite, outcomes: dict[str, dict[str, str]]) -> None:
    """A8: the full suite is INVALID; destructive_action (critical, 40 → 19) is pushed under 20."""
    record = admitted_by(agentdyn, outcomes, "gpt-4o-mini-2024-07-18")
    totals = admission_totals(record).by_category
    tested = {name: counts.total - counts.inadmissible for name, counts in totals.items()}
    found = staleness(record=record, suite=agentdyn, max_inadmissible=MAX_INADMISSIBLE, tested=tested)
    assert (None, "suite-stale") in {(finding.scope, finding.code) for finding in found}
    pushed = {finding.scope: finding.invalid for finding in found if finding.code == "pushed-under-20"}
    assert pushed["destructive_action"]
    assert tested["destructive_action"] == 19


def test_polarity_keeps_injection_suites_that_the_literal_rule_rejects(shared_data: Path) -> None:
    """A4: every attack of a coding-agent suite shows its own violation token to the agent, and none is a leak."""
    attacks = [
        row
        for row in rows(shared_data / "data/suites/ipi_coding_agent.jsonl")
        if row["rubric_kind"] == "regex_violation" and not row["is_benign"]
    ]
    assert len(attacks) == 35
    for row in attacks:
        case = Instance(
            id=row["instance_id"],
            category=row["category"],
            turns=(Turn(content=row["prompt"]),),
            rubric=Rubric(violation=Regex(pattern=row["rubric_predicate"])),
            context=(ContextItem(name="issue", text=row["context"], origin=Origin.ATTACKER),),
            environment=row["files"],
        )
        assert leakage(case, refuse_unchecked=False).findings == ()
