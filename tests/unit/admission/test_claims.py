"""What an admission record may claim of checks that it says were not run."""

from dataclasses import replace

from admission_world import admitted, numbered, settings, suite_of, unsafe
from litmusgate.admission.claims import claim_problem
from litmusgate.admission.record import Check

SUITE = suite_of(numbered(2))


def test_a_scan_that_was_not_made_claims_nothing():
    """Without a provenance check no finding is held against a scan; called done without an index it is a lie (A7)."""
    record = admitted(SUITE, settings=settings(require=()), provenance=None, index=None, references=(unsafe(SUITE),))
    assert record.checks[Check.PROVENANCE.value].startswith("not checked")
    assert claim_problem(record) is None
    lie = replace(record, checks={**record.checks, Check.PROVENANCE.value: "done"})
    assert claim_problem(lie) == "it calls provenance done and names no index"
