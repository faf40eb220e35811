"""The allow-list: known text that is nobody's own, with a reason; never a lower threshold, never a way to be clean."""

import pytest

from litmusgate.provenance.allowed import AllowedText, allow_list_digest
from litmusgate.provenance.match import ProvenanceResult, ProvenanceStatus
from litmusgate.provenance.scan import scan_suite
from unit.provenance.made_suite import TAU, document, instance, prose

LICENCE = prose(1, 120)
ALLOWED = (AllowedText(name="some licence", text=LICENCE, reason="stands in every repository"),)
KNOWN = [document("licence", f"{prose(2, 30)} {LICENCE} {prose(3, 30)}"), document("other", prose(4, 100))]


def _scan(item: object, *known: object, allowed: tuple[AllowedText, ...] = ALLOWED) -> ProvenanceResult:
    return scan_suite([item], [*KNOWN, *known], tau=TAU, allowed=allowed)[0]


def test_an_allowed_text_does_not_contaminate_and_is_named() -> None:
    """A licence quoted in a fresh question: contaminated without the list, clean with it, and the result says so."""
    asked = instance("i", f"{prose(5, 60)} {LICENCE} {prose(6, 60)}")
    assert _scan(asked, allowed=()).status is ProvenanceStatus.CONTAMINATED
    found = _scan(asked)
    assert (found.status, found.allowed) == (ProvenanceStatus.CLEAN, ("some licence",))


def test_the_words_around_an_allowed_text_are_compared_as_ever() -> None:
    """A2: a leaked question stays contaminated however much allowed text stands in it."""
    own = prose(7, 40)
    found = _scan(instance("i", f"{own} {LICENCE}"), document("leak", own))
    assert (found.status, found.allowed) == (ProvenanceStatus.CONTAMINATED, ("some licence",))


def test_nothing_beside_the_allow_list_is_not_assessable_and_names_it() -> None:
    """A2: allow-listing a whole prompt does not make it clean; the reason names the list's text."""
    found = _scan(instance("i", LICENCE))
    assert (found.status, found.score, found.allowed) == (ProvenanceStatus.NOT_ASSESSABLE, None, ("some licence",))
    assert "allow-list ('some licence')" in (found.detail or "")


def test_an_allowed_prompt_is_not_made_clean_by_fresh_material() -> None:
    """A2: with its prompt allow-listed and a fresh page measured an instance is suspect; with a fresh turn it is clean."""
    page = _scan(instance("i", LICENCE, page=prose(8, 80)))
    assert page.status is ProvenanceStatus.SUSPECT
    assert "some licence" in (page.detail or "")
    assert _scan(instance("i", LICENCE, prose(9, 60))).status is ProvenanceStatus.CLEAN


@pytest.mark.parametrize("where", ["turn", "attack", "page"])
def test_it_holds_for_every_kind_of_text(where: str) -> None:
    """Turns, attacks and material alike: no distinctive word of theirs is an allowed one."""
    texts = {"attack": f"{LICENCE} {prose(11, 40)}"} if where == "attack" else {}
    texts |= {"page": f"{LICENCE} {prose(11, 40)}"} if where == "page" else {}
    turn = f"{LICENCE} {prose(11, 40)}" if where == "turn" else prose(12, 40)
    found = _scan(instance("i", turn, **texts))
    assert (found.status, found.allowed) == (ProvenanceStatus.CLEAN, ("some licence",))
    assert found.distinctive_words == 45


def test_look_alikes_of_an_allowed_text_are_allowed() -> None:
    """The allowed text is folded like every other: case and letters of another script change nothing."""
    found = _scan(instance("i", f"{prose(13, 50)} {LICENCE.upper().replace('A', 'А')}"))
    assert (found.status, found.allowed) == (ProvenanceStatus.CLEAN, ("some licence",))


def test_a_short_text_that_is_wholly_allowed_is_not_assessable() -> None:
    """A famous sentence of five words is no instance's own; a sixth word makes it another text."""
    phrase = prose(14, 5)
    allowed = (AllowedText(name="quote", text=phrase, reason="everybody says so"),)
    known = document("quote", f"{prose(15, 20)} {phrase} {prose(16, 20)}")
    assert _scan(instance("i", phrase), known, allowed=allowed).status is ProvenanceStatus.NOT_ASSESSABLE
    assert _scan(instance("i", f"{phrase} zzz"), known, allowed=allowed).allowed == ()


def test_only_texts_that_took_words_are_named() -> None:
    """Of two allowed texts the one that does not occur is not named, nor one that takes what is boilerplate anyway."""
    other = AllowedText(name="another", text=prose(17, 50), reason="unused here")
    asked = instance("i", f"{prose(18, 60)} {LICENCE}")
    assert _scan(asked, allowed=(*ALLOWED, other)).allowed == ("some licence",)
    suite = [instance(f"i{n}", f"{LICENCE} {prose(20 + n, 40)}") for n in range(8)]
    found = scan_suite(suite, KNOWN, tau=TAU, allowed=ALLOWED)
    assert {result.allowed for result in found} == {()}


def test_an_allowed_text_needs_words_a_name_and_a_reason() -> None:
    """An exception nobody can judge, or that excepts nothing, is refused."""
    for name, text, reason in (
        ("", LICENCE, "r"),
        ("n", LICENCE, " "),
        ("n", "only four words here", "r"),
        ("n", "", "r"),
    ):
        with pytest.raises(ValueError, match=r"needs|wanted"):
            AllowedText(name=name, text=text, reason=reason)


def test_the_digest_is_of_names_texts_and_reasons_in_any_order() -> None:
    """Two lists that allow the same have one digest; another reason is another list; no list has none."""
    one = AllowedText(name="a", text=prose(1, 10), reason="r")
    two = AllowedText(name="b", text=prose(2, 10), reason="r")
    assert allow_list_digest([one, two]) == allow_list_digest([two, one])
    assert allow_list_digest([one]) != allow_list_digest([AllowedText(name="a", text=prose(1, 10), reason="s")])
    assert allow_list_digest([]) is None
