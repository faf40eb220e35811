"""From findings to a status: which fields speak, and what is reported."""

from dataclasses import replace

import pytest

from litmusgate.provenance.engine import short_candidates
from litmusgate.provenance.match import Match, ProvenanceStatus
from litmusgate.provenance.scan import scan_suite
from litmusgate.provenance.status import FieldFinding, field_status, instance_status
from litmusgate.provenance.suite_texts import suite_texts
from unit.provenance.made_suite import TAU, document, instance, prose

MATCH = Match(
    corpus="c",
    document="d",
    field="turns[0]",
    similarity=0.5,
    run=6,
    instance_words=(0, 6),
    document_words=(0, 6),
)


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


def _status(own: int, **shared: int) -> str:
    return field_status(FieldFinding(where="turns[0]", own=own, asks=True, **shared), tau=TAU).value


@pytest.mark.parametrize(
    ("own", "run", "run_words", "status"),
    [
        (400, 50, 50, "contaminated"),
        (400, 34, 50, "contaminated"),
        (400, 33, 60, "suspect"),
        (400, 49, 49, "suspect"),
        (50, 25, 25, "contaminated"),
        (51, 25, 25, "suspect"),
        (48, 24, 24, "clean"),
        (400, 24, 49, "clean"),
    ],
)
def test_a_run_is_enough_when_it_is_long_or_half_of_the_text(own: int, run: int, run_words: int, status: str) -> None:
    """A2: 50 words with two thirds of them own, or half of a text and 25 words, contaminate; 25 own words are suspect."""
    assert _status(own, shared=run, run=run, run_words=run_words) == status


@pytest.mark.parametrize(
    ("own", "shared", "status"),
    [
        (200, 90, "suspect"),
        (200, 89, "clean"),
        (90, 41, "suspect"),
        (40, 23, "suspect"),
        (40, 22, "clean"),
        (20, 16, "suspect"),
        (20, 15, "clean"),
        (15, 13, "contaminated"),
        (15, 12, "clean"),
    ],
)
def test_a_stray_clause_and_stop_words_are_no_suspicion(own: int, shared: int, status: str) -> None:
    """A2: suspicion needs .45 of the words, and more than the nine and .35 that unrelated texts share by chance."""
    assert _status(own, shared=shared) == status
    assert _status(own, union=shared) == status


def test_a_copy_cut_in_half_contaminates_through_its_run() -> None:
    """A2: the first half of a text, or its second, quoted in one piece in other text."""
    words = prose(5, 60).split()
    for half in (words[:30], words[30:]):
        known = document("d", f"{prose(6, 80)} {' '.join(half)} {prose(7, 80)}")
        found = scan_suite([instance("i", " ".join(words))], [known], tau=TAU)[0]
        assert (found.status, found.run) == (ProvenanceStatus.CONTAMINATED, 30)
        assert 0.5 <= (found.score or 0) < 0.6


def test_boilerplate_inside_a_run_lengthens_it_but_does_not_make_it() -> None:
    """A2: 12 own words between two shared preambles are a run of 52 in place, and of too few own words to count."""
    before, after = prose(8, 20), prose(9, 20)
    suite = [instance(f"i{n}", f"{before} {prose(900 + n, 12)} {after} {prose(950 + n, 200)}") for n in range(8)]
    leaked = document("d", f"{before} {prose(900, 12)} {after}")
    found = scan_suite(suite, [leaked], tau=TAU)
    assert 25 <= found[0].run < 34
    assert {result.status for result in found[1:]} == {ProvenanceStatus.CLEAN}
    assert found[0].status is ProvenanceStatus.SUSPECT


def test_two_trigrams_of_a_short_text_must_stand_near_each_other() -> None:
    """A short text is compared with documents that hold two of its trigrams within its own length; ordinary clauses do not."""
    words = [f"w{letter}" for letter in "abcdefghij"]
    suite = suite_texts([instance("i", " ".join(words))])
    read = suite.vocabulary.read
    near = read([*words[:3], "x", *words[4:7]])
    far = read([*words[:3], *["x"] * 30, *words[4:7]])
    assert short_candidates(suite, near) == (0,)
    assert short_candidates(suite, far) == ()
    assert short_candidates(suite, read(words[:3])) == ()
    assert short_candidates(suite, []) == ()


def test_where_something_was_found_only_what_shows_it_is_evidence() -> None:
    """A document that shares a tenth of a copied text by chance is not named beside the copy."""
    copy = replace(MATCH, document="copy", similarity=1.0, run=60)
    chance = replace(MATCH, document="chance", similarity=0.15, run=6)
    finding = FieldFinding(where="turns[0]", own=60, asks=True, shared=60, run=60, matches=(copy, chance))
    found = instance_status("i", [finding], tau=TAU)
    assert [match.document for match in found.matches] == ["copy"]
    clean = instance_status("i", [replace(finding, shared=9, run=6, matches=(chance,))], tau=TAU)
    assert [match.document for match in clean.matches] == ["chance"]


def test_an_assembled_text_names_its_pieces() -> None:
    """Where no document shows it alone, all that were put together are the evidence."""
    pieces = tuple(replace(MATCH, document=name, similarity=0.3, run=18) for name in ("a", "b", "c"))
    finding = FieldFinding(where="turns[0]", own=60, asks=True, shared=18, union=54, run=18, matches=pieces)
    found = instance_status("i", [finding], tau=TAU)
    assert found.status is ProvenanceStatus.CONTAMINATED
    assert [match.document for match in found.matches] == ["a", "b", "c"]
