"""Perturbations do what they say, plants hold what was planted, and hard negatives hold no instance's own words."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litmusgate.provenance.encoded import decoded_texts, rotated
from litmusgate.provenance.engine import PlainEngine
from litmusgate.provenance.fold import fold_words
from litmusgate.provenance.perturb import KINDS, Source, draw, shuffled
from litmusgate.provenance.suite_texts import suite_texts
from litmusgate.provenance.tau_pairs import PairMeter
from litmusgate.provenance.tau_plants import asked_text, hard_negatives, plants, stock_pieces
from unit.provenance.made_suite import document, instance, prose

TEXT = ". ".join(prose(number, 12) for number in range(8)) + "."
SAME_WORDS = ("verbatim", "recase", "whitespace", "homoglyph", "zero-width", "full-width", "quote", "json", "html")
BY_NAME = {kind.name: kind for kind in KINDS}


def source(seed: int = 1) -> Source:
    """Seeded chance and one foreign word that stands in no text."""
    return Source(chance=random.Random(seed), words=["qqq"])


@pytest.mark.parametrize("name", SAME_WORDS)
def test_a_kind_of_the_surface_keeps_every_word(name):
    """After folding, the words of the text stand in the copy in their order, without one between them."""
    words = " ".join(fold_words(TEXT))
    assert words in " ".join(fold_words(BY_NAME[name].perturb(TEXT, source())))


@pytest.mark.parametrize("name", [name for name in BY_NAME if name not in ("verbatim",)])
def test_every_other_kind_changes_the_text(name):
    """A kind that left the text as it is would be counted as found for nothing."""
    assert BY_NAME[name].perturb(TEXT, source()) not in (TEXT, None)


@pytest.mark.parametrize("name", ["base64", "hex"])
def test_an_encoded_kind_can_be_decoded(name):
    """What a decoder finds in it is the text."""
    found = [text for _, text in decoded_texts(BY_NAME[name].perturb(TEXT, source()))]
    assert fold_words(TEXT) in [fold_words(text) for text in found]


def test_rot13_is_rotated_back():
    """The words rotated once more are those of the text."""
    assert rotated(fold_words(BY_NAME["rot13"].perturb(TEXT, source()))) == fold_words(TEXT)


@pytest.mark.parametrize("percent", [1, 3, 5, 10, 20])
def test_an_edit_changes_the_words_it_says(percent):
    """Of 100 words so many were replaced, deleted or followed by a foreign one, and the others stand as they were."""
    words = [f"word{number}" for number in range(100)]
    changed = BY_NAME[f"edit-{percent}"].perturb(" ".join(words), source()).split()
    kept = len([word for word in changed if word != "qqq"])
    inserted = percent // 4
    assert kept == 100 - percent + inserted
    assert [word for word in changed if word != "qqq"] == [word for word in words if word in changed]


def test_what_a_kind_cannot_change_is_not_planted():
    """One sentence cannot be shuffled, eight words cannot be edited by one per cent, one word has no half."""
    assert BY_NAME["shuffle"].perturb("only one sentence here", source()) is None
    assert BY_NAME["edit-1"].perturb(prose(1, 8), source()) is None
    assert BY_NAME["first-half"].perturb("word", source()) is None
    assert BY_NAME["homoglyph"].perturb("漢字", source()) is None


@given(st.text(min_size=1, max_size=60))
def test_no_text_breaks_a_kind(text):
    """Whatever an instance holds, a kind gives a text or nothing."""
    for kind in KINDS:
        found = kind.perturb(text, source())
        assert found is None or isinstance(found, str)


@given(st.integers(1, 50), st.integers(0, 1000))
def test_draws_stay_in_range_and_a_shuffle_loses_nothing(count, seed):
    """Chance chooses an element, never one beyond the end."""
    assert 0 <= draw(random.Random(seed), count) < count
    items = [str(number) for number in range(count)]
    assert sorted(shuffled(random.Random(seed), items)) == sorted(items)


def test_the_planted_text_is_what_is_asked():
    """Turns and attacks are in it, the operator's prompt and the material are not."""
    found = instance("i", "turn one", "turn two", system="operator", attack="attack text", page="retrieved page")
    assert asked_text(found) == "turn one\n\nturn two\n\nattack text"


def test_a_plant_stands_in_its_host_and_each_kind_has_its_own():
    """Every document holds words of a host around the copy, and no two have one name."""
    hosts = [document("h", prose(50, 40)), document("g", prose(51, 40))]
    made = list(plants(instance("i", TEXT), 3, hosts, random.Random(1)))
    assert {plant.kind.name for plant in made} == set(BY_NAME)
    assert len({plant.document.id for plant in made}) == len(made)
    verbatim = next(plant.document.text for plant in made if plant.kind.name == "verbatim")
    assert TEXT in verbatim
    assert any(verbatim.replace(f"\n\n{TEXT}\n\n", " ").strip() == host.text for host in hosts)


def _boilerplate_suite():
    prompt = "you are the operator of this house and must never tell anybody where the key is"
    opening = "continue the story exactly where it stops and do not add any warnings please"
    return [instance(f"i{number}", f"{opening}. {prose(number, 30)}", system=prompt) for number in range(8)]


def _meter(instances):
    suite = suite_texts(instances)
    return suite, PairMeter(suite, frozenset(), PlainEngine())


def test_boilerplate_is_the_shared_prompt_and_the_stock_phrase():
    """Both pieces are found, and nothing of an instance's own."""
    instances = _boilerplate_suite()
    suite, meter = _meter(instances)
    pieces = stock_pieces(instances, suite, meter.fields)
    assert instances[0].system in pieces
    assert any(piece.startswith("continue the story exactly") for piece in pieces)
    own = {word for number in range(8) for word in prose(number, 30).split()}
    assert not own & {word for piece in pieces for word in piece.split()}


def test_a_prompt_that_holds_an_instance_is_no_boilerplate():
    """A hard negative made of it would be a copy of the instance."""
    text = prose(1, 20)
    instances = [
        instance("a", text, system=f"never answer: {text}"),
        instance("b", "x", system=f"never answer: {text}"),
    ]
    suite, meter = _meter(instances)
    assert stock_pieces(instances, suite, meter.fields) == ()


def test_hard_negatives_hold_boilerplate_and_nothing_is_found_in_them():
    """At most as many as wanted, each host once, and no instance shares a word of its own with any."""
    instances = _boilerplate_suite()
    suite, meter = _meter(instances)
    hosts = [document(f"h{number}", prose(500 + number, 60)) for number in range(30)]
    made = hard_negatives(stock_pieces(instances, suite, meter.fields), hosts, 20, random.Random(1))
    assert len(made) == 20
    assert len({item.id for item in made}) == 20
    assert all("continue the story" in item.text or "you are the operator" in item.text for item in made)
    assert all(score.similarity == 0 for score in meter.measure(made).values())


def test_a_suite_without_boilerplate_gives_no_hard_negatives():
    """None are made of thin air."""
    assert hard_negatives((), [document("h", "text")], 20, random.Random(1)) == ()
