"""The scan: what counts as contaminated, what is never called clean, and what changes nothing."""

import html
import json
import random
from collections.abc import Callable
from fractions import Fraction

import pytest

from litmusgate.provenance.match import ProvenanceResult, ProvenanceStatus
from litmusgate.provenance.scan import scan_suite
from unit.provenance.made_suite import TAU, document, instance, prose

TEXT = prose(1, 80)
FILLER = [document(f"other-{number}", prose(1000 + number, 120)) for number in range(5)]


def _edited(text: str, share: float) -> str:
    rng = random.Random(7)
    words = text.split()
    for place in rng.sample(range(len(words)), int(share * len(words))):
        words[place] = "zzz"
    return " ".join(words)


def _shuffled(text: str) -> str:
    words = text.split()
    pieces = [words[start : start + 10] for start in range(0, len(words), 10)]
    random.Random(3).shuffle(pieces)
    return ". ".join(" ".join(piece) for piece in pieces)


PERTURBATIONS: dict[str, Callable[[str], str]] = {
    "verbatim": lambda text: text,
    "edit 5 %": lambda text: _edited(text, 0.05),
    "edit 10 %": lambda text: _edited(text, 0.10),
    "recase": str.upper,
    "repunctuate": lambda text: ", ".join(text.split()) + "!",
    "whitespace": lambda text: "\n\t ".join(text.split()),
    "homoglyph": lambda text: text.translate(str.maketrans("aeo", "аео")),
    "zero-width": "\u200b".join,
    "full-width": lambda text: "".join(chr(ord(c) + 0xFEE0) if c != " " else c for c in text),
    "leet": lambda text: text.translate(str.maketrans("eo", "30")),
    "html": lambda text: html.escape(f'<p class="x">{text}</p>'.replace(" ", "&nbsp;")),
    "json": lambda text: json.dumps({"prompt": text.replace(" ", "\n")}),
    "shuffle": _shuffled,
}


def _one(result: tuple[ProvenanceResult, ...]) -> ProvenanceResult:
    assert len(result) == 1
    return result[0]


@pytest.mark.parametrize("kind", PERTURBATIONS)
def test_a_perturbed_copy_inside_a_document_contaminates(kind: str) -> None:
    """A2: every perturbation of the recall list, quoted in the middle of other text, is found with its document."""
    copy = f"{prose(50, 60)} {PERTURBATIONS[kind](TEXT)} {prose(51, 60)}"
    found = _one(scan_suite([instance("i", TEXT)], [*FILLER, document("copy", copy)], tau=TAU))
    assert found.status is ProvenanceStatus.CONTAMINATED
    assert (found.matches[0].corpus, found.matches[0].document) == ("public", "copy")
    start, end = found.matches[0].document_words
    assert 55 <= start < end <= 150


def test_unrelated_text_is_clean() -> None:
    """A2: measured and below τ everywhere is clean, with a score."""
    found = _one(scan_suite([instance("i", TEXT)], FILLER, tau=TAU))
    assert (found.status, found.score, found.distinctive_words) == (ProvenanceStatus.CLEAN, 0.0, 80)


def test_no_document_at_all_is_unknown_never_clean() -> None:
    """A2: an empty index, and one of blank texts, make every instance unknown."""
    for documents in ([], [document("blank", " \u200b… ")]):
        found = _one(scan_suite([instance("i", TEXT)], documents, tau=TAU))
        assert (found.status, found.score) == (ProvenanceStatus.UNKNOWN, None)
        assert found.detail


@pytest.mark.parametrize("turns", [(), ("",), ("go on now please",), ("…!", "\u200b")])
def test_what_is_too_short_to_score_is_not_assessable(turns: tuple[str, ...]) -> None:
    """A2: no text, or fewer than 5 words, is never clean."""
    found = _one(scan_suite([instance("i", *turns, system=prose(9, 60))], FILLER, tau=TAU))
    assert (found.status, found.score) == (ProvenanceStatus.NOT_ASSESSABLE, None)


def test_short_turns_are_assessed_as_one_conversation() -> None:
    """Turns of a few words each are scored joined, and found joined."""
    turns = (prose(21, 4), prose(22, 4), prose(23, 4), prose(24, 4))
    whole = document("whole", " ".join(turns))
    assert _one(scan_suite([instance("i", *turns)], FILLER, tau=TAU)).status is ProvenanceStatus.CLEAN
    assert _one(scan_suite([instance("i", *turns)], [whole], tau=TAU)).status is ProvenanceStatus.CONTAMINATED


def test_a_leaked_turn_is_not_diluted_by_the_rest() -> None:
    """A2: one public turn of ≥ 25 words contaminates an instance whose other texts are its own."""
    found = _one(scan_suite([instance("i", prose(31, 300), TEXT, prose(32, 300))], [document("copy", TEXT)], tau=TAU))
    assert (found.status, found.matches[0].field) == (ProvenanceStatus.CONTAMINATED, "turns[1]")


def test_an_injection_is_looked_for_like_a_turn() -> None:
    """A2: a public attack inside an otherwise fresh instance contaminates it."""
    found = _one(scan_suite([instance("i", prose(33, 40), attack=TEXT)], [document("copy", TEXT)], tau=TAU))
    assert (found.status, found.matches[0].field) == (ProvenanceStatus.CONTAMINATED, "context[attack]")


def test_the_operators_system_prompt_is_not_the_test() -> None:
    """A published system prompt does not contaminate the instances that run under it."""
    found = _one(scan_suite([instance("i", TEXT, system=prose(34, 80))], [document("p", prose(34, 80))], tau=TAU))
    assert found.status is ProvenanceStatus.CLEAN


def test_a_stock_phrase_counts_only_where_a_document_consists_of_it() -> None:
    """A short turn beside a longer one contaminates as a corpus item, not as a quotation in another text."""
    phrase = prose(35, 14)
    asked = instance("i", TEXT, phrase)
    quoted = document("quoted", f"{prose(36, 100)} {phrase} {prose(37, 100)}")
    assert _one(scan_suite([asked], [quoted], tau=TAU)).status is ProvenanceStatus.CLEAN
    assert _one(scan_suite([asked], [document("item", phrase)], tau=TAU)).status is ProvenanceStatus.CONTAMINATED
    alone = _one(scan_suite([instance("i", phrase)], [quoted], tau=TAU))
    assert alone.status is ProvenanceStatus.CONTAMINATED


@pytest.mark.parametrize(("kept", "status"), [(10, "contaminated"), (9, "contaminated"), (8, "clean-short")])
def test_short_texts_need_nearly_all_their_words_in_one_window(kept: int, status: str) -> None:
    """A text of 10 words is contaminated by 9 of them in a window of 10 (τ = .85), not by 8."""
    words = prose(38, 10).split()
    copy = " ".join([*words[:kept], *["zzz"] * (10 - kept)])
    found = _one(scan_suite([instance("i", " ".join(words))], [document("copy", f"x {copy} y")], tau=TAU))
    assert found.status.value == status


def test_tau_is_compared_exactly() -> None:
    """A2: 17 of 20 words is .85 and contaminates at τ = 85/100, though no float has that value; just above it does not."""
    words = prose(39, 20).split()
    copy = document("copy", " ".join([*words[:17], "zzz", "zzy", "zzx"]))
    at, above = (
        scan_suite([instance("i", " ".join(words))], [copy], tau=tau) for tau in (TAU, Fraction(850001, 10**6))
    )
    assert (_one(at).status, _one(above).status) == (ProvenanceStatus.CONTAMINATED, ProvenanceStatus.SUSPECT)


@pytest.mark.parametrize(("run", "status"), [(50, "contaminated"), (49, "suspect"), (25, "suspect"), (24, "clean")])
def test_a_long_contiguous_run_counts_whatever_its_share(run: int, status: str) -> None:
    """50 of an instance's own words in one piece contaminate, 25 make it suspect, of however many words it has."""
    long_text = prose(40, 400)
    copy = document("copy", f"{prose(41, 30)} {' '.join(long_text.split()[100 : 100 + run])} {prose(42, 30)}")
    found = _one(scan_suite([instance("i", long_text)], [copy], tau=TAU))
    assert (found.status.value, found.run) == (status, run)


def test_an_instance_assembled_from_several_documents_is_found() -> None:
    """No single document holds most of it, all together do: contaminated, and the detail says so."""
    words = prose(43, 120).split()
    pieces = [document(f"piece-{n}", " ".join(words[n * 20 : n * 20 + 20])) for n in range(6)]
    found = _one(scan_suite([instance("i", " ".join(words))], pieces, tau=TAU))
    assert found.status is ProvenanceStatus.CONTAMINATED
    assert found.score == 1.0
    assert "assembled" in (found.detail or "")


def test_shared_boilerplate_contaminates_nobody() -> None:
    """A preamble of many distinct prompts, public as such, leaves the instances clean by their own words."""
    preamble = prose(44, 60)
    suite = [instance(f"i{n}", f"{preamble} {prose(500 + n, 30)}") for n in range(8)]
    found = scan_suite(suite, [document("preamble", preamble)], tau=TAU)
    assert {result.status for result in found} == {ProvenanceStatus.CLEAN}
    assert {result.distinctive_words for result in found} == {35}


def test_a_prompt_that_many_instances_share_is_one_text() -> None:
    """Boilerplate is counted per distinct text: 30 instances of one prompt stay assessable."""
    suite = [instance(f"i{n:02}", TEXT, attack=prose(600 + n, 20)) for n in range(30)]
    assert {result.status for result in scan_suite(suite, FILLER, tau=TAU)} == {ProvenanceStatus.CLEAN}
    leaked = scan_suite(suite, [document("copy", TEXT)], tau=TAU)
    assert {result.status for result in leaked} == {ProvenanceStatus.CONTAMINATED}


def test_nothing_but_boilerplate_is_not_assessable() -> None:
    """An instance whose every gram stands in more than three other texts is never clean."""
    shared = prose(45, 40)
    suite = [instance(f"i{n}", shared + " zzz" * n) for n in range(5)]
    first = scan_suite(suite, FILLER, tau=TAU)[0]
    assert first.status is ProvenanceStatus.NOT_ASSESSABLE
    assert "boilerplate" in (first.detail or "")


def _spread(text: str, documents: int, sources: int) -> list:
    return [
        document(f"d{n:03}", f"{prose(2000 + n, 10)} {text}", source=f"source-{n % sources}") for n in range(documents)
    ]


def test_common_property_needs_many_sources() -> None:
    """A text in 60 documents of 3 sources is common property (not assessable); in 60 of 2 sources it is a leak."""
    common = _one(scan_suite([instance("i", TEXT)], _spread(TEXT, 60, 3), tau=TAU))
    leak = _one(scan_suite([instance("i", TEXT)], _spread(TEXT, 60, 2), tau=TAU))
    assert (common.status, leak.status) == (ProvenanceStatus.NOT_ASSESSABLE, ProvenanceStatus.CONTAMINATED)
    assert "common property" in (common.detail or "")


def test_a_common_text_is_not_hidden_behind_fresh_material() -> None:
    """A turn that is common property makes an instance suspect, whatever fresh page stands beside it."""
    found = _one(scan_suite([instance("i", TEXT, page=prose(46, 200))], _spread(TEXT, 60, 3), tau=TAU))
    assert found.status is ProvenanceStatus.SUSPECT
    assert "turns[0]" in (found.detail or "")


@pytest.mark.parametrize("lost", [1, 6, 10, 30])
def test_a_text_that_is_mostly_common_property_is_suspect(lost: int) -> None:
    """A2: the few words at its end that no page of 60 quotes do not speak for the text, and are never called clean."""
    quoted = " ".join(TEXT.split()[:-lost])
    found = _one(scan_suite([instance("i", TEXT)], _spread(quoted, 60, 3), tau=TAU))
    assert found.status is ProvenanceStatus.SUSPECT
    assert found.detail == "more than half of turns[0] is common property of the known corpora; the rest is its own"


def test_a_common_page_or_the_smaller_half_of_a_text_says_nothing_against_it() -> None:
    """Positive control: what the agent retrieves may be well known, and a text keeps its clean result with half its words."""
    quoted = " ".join(TEXT.split()[:40])
    half = _one(scan_suite([instance("i", TEXT)], _spread(quoted, 60, 3), tau=TAU))
    page = prose(46, 200)
    known_page = _one(scan_suite([instance("i", TEXT, page=page)], _spread(page[:-100], 60, 3), tau=TAU))
    assert (half.status, known_page.status) == (ProvenanceStatus.CLEAN, ProvenanceStatus.CLEAN)


def test_an_attack_goal_counts_only_where_it_stands_on_a_surface() -> None:
    """A public goal contaminates when the injection says it, not when it is only the author's note."""
    goal = prose(47, 9)
    public = [document("goal", goal)]
    said = instance("i", TEXT, attack=f"{prose(48, 20)} {goal} {prose(49, 20)}", goal=goal)
    noted = instance("i", TEXT, attack=prose(48, 40), goal=goal)
    assert _one(scan_suite([said], public, tau=TAU)).status is ProvenanceStatus.CONTAMINATED
    assert _one(scan_suite([noted], public, tau=TAU)).status is ProvenanceStatus.CLEAN


def test_an_impossible_tau_is_refused() -> None:
    """τ = 0 would contaminate everything and τ > 1 nothing: neither is a threshold."""
    for tau in (Fraction(0), Fraction(101, 100)):
        with pytest.raises(ValueError, match="tau"):
            scan_suite([instance("i", TEXT)], FILLER, tau=tau)


def test_a_russian_text_without_latin_look_alikes_is_assessable() -> None:
    """Letters of other scripts are words: measured, clean against other text, found in a copy."""
    text = "быстрый лис прыгнул через забор и увидел большой дом где жили добрые люди из города"
    assert _one(scan_suite([instance("i", text)], FILLER, tau=TAU)).status is ProvenanceStatus.CLEAN
    assert (
        _one(scan_suite([instance("i", text)], [document("d", text)], tau=TAU)).status is ProvenanceStatus.CONTAMINATED
    )
