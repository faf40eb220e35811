"""From findings to a status: which fields speak, and what is reported."""

from litmusgate.provenance.match import ProvenanceStatus
from litmusgate.provenance.scan import scan_suite
from litmusgate.provenance.status import FieldFinding, field_status, instance_status
from unit.provenance.made_suite import TAU, document, instance, prose


def test_a_field_without_own_words_is_not_assessable() -> None:
    """A2: nothing distinctive is never clean, of whatever kind the field is."""
    for asks in (True, False):
        finding = FieldFinding(where="turns[0]", own=0, asks=asks)
        assert field_status(finding, tau=TAU) is ProvenanceStatus.NOT_ASSESSABLE
        assert instance_status("i", [finding], tau=TAU).status is ProvenanceStatus.NOT_ASSESSABLE
    assert instance_status("i", [], tau=TAU).status is ProvenanceStatus.NOT_ASSESSABLE


def test_short_material_alone_is_no_measurement() -> None:
    """A2: a scrap of retrieved text that nobody asks about does not make an instance assessable."""
    scrap = FieldFinding(where="environment.note", own=10, asks=False)
    assert instance_status("i", [scrap], tau=TAU).status is ProvenanceStatus.NOT_ASSESSABLE


def test_the_worst_field_decides_and_the_score_is_the_maximum() -> None:
    """A2: one suspect field among clean ones makes the instance suspect, with that field's share."""
    findings = [
        FieldFinding(where="turns[0]", own=100, asks=True, shared=10),
        FieldFinding(where="context[a]", own=100, asks=True, shared=45),
    ]
    found = instance_status("i", findings, tau=TAU)
    assert (found.status, found.score) == (ProvenanceStatus.SUSPECT, 0.45)


def test_the_longest_run_is_among_the_evidence() -> None:
    """The document with the longest run is named even when three others share more words."""
    words = prose(1, 200).split()
    scattered = [" ".join(word if n % 8 else f"z{k}" for n, word in enumerate(words[:150])) for k in range(3)]
    documents = [document(f"scattered-{k}", text) for k, text in enumerate(scattered)]
    documents.append(document("run", " ".join(words[100:155])))
    found = scan_suite([instance("i", " ".join(words))], documents, tau=TAU)[0]
    assert (found.status, found.run) == (ProvenanceStatus.CONTAMINATED, 55)
    assert "run" in {match.document for match in found.matches}
    assert "a run of 55" in (found.detail or "")


def test_a_short_text_that_is_common_property_is_not_assessable() -> None:
    """A2: a stock question of 60 documents of 3 sources measures nothing."""
    phrase = prose(2, 8)
    documents = [document(f"d{n}", f"{phrase} {prose(100 + n, 9)}", source=f"s{n % 3}") for n in range(60)]
    found = scan_suite([instance("i", phrase)], documents, tau=TAU)[0]
    assert found.status is ProvenanceStatus.NOT_ASSESSABLE
