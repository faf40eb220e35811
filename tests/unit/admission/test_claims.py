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


def test_allowed_texts_are_listed_and_belong_to_an_allow_list():
    """What took words from an instance stands on the record with its reason, and nothing is allowed without a list."""
    record = admitted(SUITE, references=(unsafe(SUITE),))
    assert claim_problem(record) is None
    assert "allow-list" in (claim_problem(replace(record, allowed={"x": "why"})) or "")
    first = record.instances[0]
    assert first.provenance is not None
    took = replace(first, provenance=replace(first.provenance, allowed=("x",)))
    edited = replace(record, instances=(took, *record.instances[1:]))
    assert claim_problem(edited) == "it says that allowed texts ['x'] took words from instances, and does not list them"
    listed = replace(edited, allowed={"x": "why"}, settings=replace(record.settings, allow="sha256:" + "0" * 64))
    assert claim_problem(listed) is None
