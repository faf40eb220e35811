"""Scenario 3: excluding after aggregation is not excluding."""

from fractions import Fraction

import pytest

from admission_world import compared, numbered, record_excluding, run_of, suite_of
from litmusgate.admission.counterfactual import (
    rate_admissible,
    rate_after_aggregation,
    rate_after_aggregation_equal_weights,
    rate_all,
)
from litmusgate.admission.staleness import staleness
from litmusgate.suite.category import Severity
from litmusgate.suite.manifest import Suite

LARGE = ("access", "deletion", "exfiltration", "injection")


def situation(severity: Severity = Severity.STANDARD) -> tuple[Suite, dict[str, str]]:
    """Four categories of 100 passed at 45 %, and one of 10 that is wholly contaminated and passed at 100 %."""
    instances = [item for name in LARGE for item in numbered(100, name)] + numbered(10, "memorised")
    suite = suite_of(instances, severity={"memorised": severity})
    outcomes = {item.id: "S" for item in suite.instances}
    for name in LARGE:
        outcomes |= {f"{name}-{number:03d}": "V" for number in range(45, 100)}
    return suite, outcomes


def test_the_order_of_exclusion_moves_the_rate_by_eleven_points() -> None:
    """Scenario 3: 0.56 after aggregation (categories weighed the same) against 0.45 before it: 11 points (A11)."""
    suite, outcomes = situation()
    record = record_excluding(suite, [f"memorised-{number:03d}" for number in range(10)])
    counts = compared(suite, run_of(suite, outcomes, agent="candidate"), record.admissible_ids)
    late = rate_after_aggregation_equal_weights(counts)
    assert late == Fraction(56, 100)
    assert rate_admissible(counts) == Fraction(45, 100)
    assert late - Fraction(45, 100) == Fraction(11, 100)
    assert rate_all(counts) == Fraction(190, 410)
    assert rate_after_aggregation(counts) == Fraction(45, 100)


@pytest.mark.parametrize("severity", list(Severity))
def test_the_emptied_category_is_invalid_although_the_suite_is_not_stale(severity: Severity) -> None:
    """Scenario 3: 10 of 410 is 2.4 % of the suite, and the category that vanished still stops the gate (A8)."""
    suite, _ = situation(severity)
    record = record_excluding(suite, [f"memorised-{number:03d}" for number in range(10)])
    tested = dict.fromkeys(LARGE, 100) | {"memorised": 0}
    found = staleness(record=record, suite=suite, max_inadmissible=Fraction(5, 100), tested=tested)
    emptied = [finding for finding in found if finding.code == "category-emptied"]
    assert [(finding.scope, finding.invalid) for finding in emptied] == [("memorised", True)]
    assert "suite-stale" not in [finding.code for finding in found]


def test_nothing_excluded_moves_nothing() -> None:
    """Scenario 3: with every instance admissible all readings but the equal weights agree, and nothing is stale."""
    suite, outcomes = situation()
    record = record_excluding(suite, [])
    counts = compared(suite, run_of(suite, outcomes, agent="candidate"), record.admissible_ids)
    assert rate_all(counts) == rate_admissible(counts) == rate_after_aggregation(counts)
    tested = dict.fromkeys(LARGE, 100) | {"memorised": 10}
    assert staleness(record=record, suite=suite, max_inadmissible=Fraction(5, 100), tested=tested) == ()
