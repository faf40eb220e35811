"""The record on disk: canonical, complete, and not believed where it can be counted again."""

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from admission_world import (
    admitted,
    instance,
    numbered,
    record_excluding,
    reference,
    run_of,
    scanned,
    settings,
    suite_of,
    unsafe,
)
from litmusgate.admission.ledger import (
    admission_bytes,
    admission_digest,
    admission_document,
    rate_rise,
    read_admission,
)
from litmusgate.admission.reasons import EXPLANATIONS, STALENESS_EXPLANATIONS
from litmusgate.admission.record import AdmissionReason, AdmissionRecord, Check, ReferenceRole
from litmusgate.admission.rise import significant_rises
from litmusgate.admission.totals import admission_totals
from litmusgate.digest import canonical_bytes, digest_bytes
from litmusgate.errors import AdmissionError
from litmusgate.provenance.match import ProvenanceStatus

SUITE = suite_of([*numbered(3), instance("z", "other")])


def full_record() -> AdmissionRecord:
    """A record in which every optional part is present."""
    names = [item.id for item in SUITE.instances]
    scans = {name: scanned(name) for name in names}
    scans[names[0]] = scanned(names[0], ProvenanceStatus.CONTAMINATED, 1.0)
    scans[names[1]] = replace(scanned(names[1], ProvenanceStatus.NOT_ASSESSABLE, None), detail="4 words")
    canary = reference(ReferenceRole.CANARY, run_of(SUITE, dict.fromkeys(names, "VVV"), agent="canary"))
    lazy = run_of(SUITE, dict.fromkeys(names, "V"), agent="lazy")
    record = admitted(SUITE, provenance=scans, references=(unsafe(SUITE), canary), trivial=(lazy,), cutoff="2026-01-31")
    return replace(
        record, versions={"numpy": "2"}, settings=settings(tau=Fraction(2, 3), unsafe=("unsafe-skip-leakage",))
    )


@pytest.mark.parametrize("record", [full_record(), record_excluding(SUITE, []), record_excluding(suite_of([]), [])])
def test_a_record_survives_writing_and_reading(record: AdmissionRecord) -> None:
    """Every field comes back, exact fractions included, and the bytes stay the same."""
    data = admission_bytes(record)
    assert read_admission(data, path="a.json") == record
    assert admission_bytes(read_admission(data, path="a.json")) == data
    assert admission_digest(record) == digest_bytes(data)


def test_the_document_holds_totals_by_reason_and_category() -> None:
    """A9: the inadmissibility rate is stored per admission by suite, category and reason, as counts."""
    totals = admission_document(full_record())["totals"]
    assert totals == {
        "total": 4,
        "inadmissible": 2,
        "by_reason": {"contaminated": 1, "not-assessable": 1},
        "by_category": {
            "exfiltration": {
                "total": 3,
                "inadmissible": 2,
                "by_reason": {"contaminated": 1, "not-assessable": 1},
            },
            "other": {"total": 1, "inadmissible": 0, "by_reason": {}},
        },
    }


def test_an_instance_with_two_reasons_counts_once() -> None:
    """Reasons add up to more than the inadmissible instances; instances do not."""
    record = record_excluding(SUITE, ["z"])
    last = record.instances[-1]
    double = replace(
        last, findings=(*last.findings, *last.findings, replace(last.findings[0], reason=AdmissionReason.DUPLICATE))
    )
    totals = admission_totals(replace(record, instances=(*record.instances[:-1], double)))
    assert totals.all.inadmissible == 1
    assert totals.all.by_reason == {"contaminated": 1, "duplicate": 1}


def changed(change: Callable[[dict[str, Any]], object]) -> bytes:
    """The bytes of the full record after somebody edited them."""
    document = json.loads(admission_bytes(full_record()))
    change(document)
    return canonical_bytes(document)


TAMPERED: dict[str, Callable[[dict[str, Any]], object]] = {
    "contradicts itself: its totals": lambda d: d["totals"].update(inadmissible=0),
    "totals are not those": lambda d: d["totals"]["by_category"]["other"].update(total=2),
    "called admissible=True": lambda d: d["instances"][0].update(admissible=True),
    "totals are not": lambda d: d["instances"][0].update(findings=[], admissible=True),
    "its totals are": lambda d: d["instances"].pop(),
    "unsorted": lambda d: d["instances"].reverse(),
    "or one stands twice": lambda d: d["instances"].append(d["instances"][-1]),
    "does not say whether \\['canary'\\]": lambda d: d["checks"].pop("canary"),
    "neither done nor not checked": lambda d: d["checks"].update(leakage="passed"),
    "schema": lambda d: d.update(schema="litmusgate/admission/2"),
    "extra": lambda d: d.update(extra=1),
    "missing": lambda d: d.pop("agent"),
    "reason": lambda d: d["instances"][0]["findings"][0].update(reason="fine"),
    "digest": lambda d: d["suite"].update(digest="sha256:12"),
    "tau": lambda d: d["settings"].update(tau=0.85),
    "similarity": lambda d: d["instances"][0]["provenance"]["matches"][0].update(similarity=1.5),
    "provenance done and names no index": lambda d: d.update(index=None),
    "no unsafe reference": lambda d: d.update(references=[use for use in d["references"] if use["role"] != "unsafe"]),
    "no canary reference": lambda d: d.update(references=[use for use in d["references"] if use["role"] != "canary"]),
    "no safe reference": lambda d: d["checks"].update(solvability="done"),
    "provenance status 'none'": lambda d: d["instances"][2].update(provenance=None),
    "provenance status 'suspect'": lambda d: d["instances"][0]["provenance"].update(status="suspect"),
    "provenance status 'unknown'": lambda d: d["instances"][2]["provenance"].update(status="unknown"),
    "provenance status 'clean'": lambda d: d["instances"][0]["provenance"].update(status="clean"),
    "suspect=True against": lambda d: d["instances"][2].update(suspect=True),
    "suspect=False against": lambda d: d["instances"][2]["provenance"].update(status="suspect"),
    "score of instance 'exf": lambda d: d["instances"][2]["provenance"].update(score=0.67),
    "score of instance": lambda d: d["instances"][2]["provenance"].update(score=None),
    "canary passed instance": lambda d: d["instances"][2].update(canary_passed=True),
    "discriminate_violations": lambda d: d["settings"].update(discriminate_violations=0),
}


@pytest.mark.parametrize("message", sorted(TAMPERED))
def test_an_edited_record_is_refused(message: str) -> None:
    """A7: what follows from the record is derived again, unknown values have no default, and the file is named."""
    with pytest.raises(AdmissionError, match=message) as caught:
        read_admission(changed(TAMPERED[message]), path="some/admission.json")
    assert "some/admission.json" in str(caught.value)


def test_a_record_that_was_left_alone_is_read() -> None:
    """The positive control of tampering."""
    assert read_admission(changed(lambda _: None), path="a.json") == full_record()


@pytest.mark.parametrize("data", [b"", b"[]", b"{", b"\xff", b'{"schema": NaN}', b"null"])
def test_what_is_no_record_is_an_error(data: bytes) -> None:
    """Truncated, foreign and empty files are AdmissionErrors, never an empty record."""
    with pytest.raises(AdmissionError):
        read_admission(data, path="a.json")


def test_a_record_cut_at_any_byte_is_refused() -> None:
    """Half a record is not a smaller record."""
    data = admission_bytes(record_excluding(SUITE, ["z"]))
    for length in range(0, len(data), 97):
        with pytest.raises(AdmissionError):
            read_admission(data[:length], path="a.json")


BEFORE = suite_of([*numbered(400), *numbered(60, "small")])


def excluding(count: int, category: str = "exfiltration") -> AdmissionRecord:
    """The big suite with the first instances of a category left out."""
    return record_excluding(BEFORE, [f"{category}-{number:03d}" for number in range(count)])


def test_a_significant_rise_shows_for_suite_and_category() -> None:
    """A9: 4 → 20 of 460 is a significant rise, although it is under 5 %."""
    rises = significant_rises(excluding(4), excluding(20))
    assert [rise.scope for rise in rises] == [None, "exfiltration"]
    assert (rises[0].previous_inadmissible, rises[0].inadmissible, rises[0].total) == (4, 20, 460)
    assert rises[0].p < 0.05
    assert rate_rise(excluding(4), excluding(20))[0].startswith("inadmissible in the suite: 20 of 460")


def test_a_rise_in_one_category_is_not_hidden_by_the_suite() -> None:
    """A9: 0 → 5 of a small category shows there; the suite as a whole need not have risen."""
    before = record_excluding(BEFORE, [f"exfiltration-{number:03d}" for number in range(15)])
    now = record_excluding(
        BEFORE,
        [*(f"exfiltration-{number:03d}" for number in range(12)), *(f"small-{number:03d}" for number in range(5))],
    )
    assert [rise.scope for rise in significant_rises(before, now)] == ["small"]


def test_a_rise_of_exactly_five_percent_is_significant() -> None:
    """A9: 0 of 19 → 1 of 1 has p = 1/20 exactly, which is at most .05 although the float is above it."""
    before = record_excluding(suite_of(numbered(19)), [])
    now = record_excluding(suite_of(numbered(1)), ["exfiltration-000"])
    assert [rise.scope for rise in significant_rises(before, now)] == [None, "exfiltration"]


def test_chance_and_improvement_are_no_rise() -> None:
    """A9: one more, the same, or fewer is nothing to review."""
    assert significant_rises(excluding(4), excluding(5)) == ()
    assert significant_rises(excluding(4), excluding(4)) == ()
    assert significant_rises(excluding(20), excluding(4)) == ()


def test_nothing_to_compare_with_is_no_rise() -> None:
    """A9: an empty earlier record and a category that is new show nothing."""
    nothing = record_excluding(suite_of([]), [])
    assert significant_rises(nothing, excluding(20)) == ()
    assert [
        rise.scope for rise in significant_rises(record_excluding(suite_of(numbered(400)), []), excluding(30, "small"))
    ] == [None]


def test_every_reason_and_code_is_explained() -> None:
    """`explain` has a sentence for each, with its rule."""
    assert set(EXPLANATIONS) == set(AdmissionReason)
    for sentence in (*EXPLANATIONS.values(), *STALENESS_EXPLANATIONS.values()):
        assert sentence.endswith((").", ")"))
    assert len(Check) == 5
