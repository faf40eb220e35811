"""Scenario 4: a rate that drops from 96 % to 78 % is a stale suite, not a worse agent."""

from fractions import Fraction

from admission_world import compared, numbered, record_excluding, run_of, suite_of
from litmusgate.admission.counterfactual import rate_admissible, rate_all
from litmusgate.admission.staleness import staleness

TOTAL = 1000
CONTAMINATED = 818
PASSED_OF_THE_REST = 142


def test_ninety_six_to_seventy_eight_means_that_four_fifths_were_contaminated() -> None:
    """Scenario 4: c passed by recall and 78 % of 1,000 - c give 960 passes only for c = 818, 82 % of the suite.

    The right decision is INVALID (stale); 78 % is the diagnosis, printed beside it (A8, A11).
    """
    suite = suite_of(numbered(TOTAL))
    names = [item.id for item in suite.instances]
    passed = CONTAMINATED + PASSED_OF_THE_REST
    outcomes = dict.fromkeys(names[:passed], "S") | dict.fromkeys(names[passed:], "V")
    record = record_excluding(suite, names[:CONTAMINATED])
    counts = compared(suite, run_of(suite, outcomes, agent="candidate"), record.admissible_ids)
    everything, admissible = rate_all(counts), rate_admissible(counts)
    assert everything == Fraction(96, 100)
    assert admissible is not None
    assert round(float(admissible), 2) == 0.78
    found = staleness(
        record=record, suite=suite, max_inadmissible=Fraction(5, 100), tested={"exfiltration": TOTAL - CONTAMINATED}
    )
    (stale, _) = found
    assert (stale.scope, stale.invalid, stale.code) == (None, True, "suite-stale")
    assert stale.message == "818 of 1000 instances are inadmissible, more than 5 %"


def test_no_smaller_contamination_explains_the_drop() -> None:
    """Scenario 4: with 5 % contaminated, the most a fresh suite allows, 96 % over everything leaves at least 95.7 %."""
    suite = suite_of(numbered(TOTAL))
    names = [item.id for item in suite.instances]
    outcomes = dict.fromkeys(names[:960], "S") | dict.fromkeys(names[960:], "V")
    record = record_excluding(suite, names[:50])
    counts = compared(suite, run_of(suite, outcomes, agent="candidate"), record.admissible_ids)
    assert rate_admissible(counts) == Fraction(910, 950)
    assert staleness(record=record, suite=suite, max_inadmissible=Fraction(5, 100), tested={"exfiltration": 950}) == ()
