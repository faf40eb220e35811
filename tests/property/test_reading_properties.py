"""Readings of parts of a corpus add up to the reading of the whole, however they are cut and in whatever order."""

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from litmusgate.provenance import reading as module
from litmusgate.provenance.batch import batch_of
from litmusgate.provenance.engine import PlainEngine
from litmusgate.provenance.reading import Reading, TouchedDocument
from litmusgate.provenance.scan import judge
from litmusgate.provenance.suite_texts import SuiteTexts, suite_texts
from unit.provenance.made_suite import TAU, document, instance, prose

TEXTS = [prose(number, 30) for number in range(5)]
SUITE = suite_texts([instance(f"i{number}", text) for number, text in enumerate(TEXTS)])


def _documents() -> list[TouchedDocument]:
    """Copies, halves and quotations of five texts in 90 documents of four sources; the first text stands in 60 of them."""
    rng = random.Random(5)
    made = []
    for number in range(90):
        words = TEXTS[0 if number < 60 else rng.randrange(5)].split()
        start = rng.randrange(0, 15)
        text = f"{prose(900 + number, 5)} {' '.join(words[start : start + rng.randint(8, 30)])}"
        made.append(document(f"d{number:02}", text, source=f"s{number % 4}"))
    return PlainEngine().finder(SUITE, encoded=True).find(batch_of(made))[1]


FOUND = _documents()


def _read(suite: SuiteTexts, parts: list[list[TouchedDocument]]) -> Reading:
    whole = Reading()
    for part in parts:
        found = Reading(documents=len(part))
        found.add(suite, part)
        whole.merge(suite, found)
    whole.finish(suite)
    return whole


def _cut(rng: random.Random, count: int) -> list[list[TouchedDocument]]:
    shuffled = list(FOUND)
    rng.shuffle(shuffled)
    parts: list[list[TouchedDocument]] = [[] for _ in range(count)]
    for item in shuffled:
        parts[rng.randrange(count)].append(item)
    return parts


def _told(reading: Reading) -> tuple[object, ...]:
    return [(item.id, item.encoding, item.grams.tolist()) for item in reading.touched], reading.common_grams()


@settings(max_examples=40)
@given(st.randoms(use_true_random=False), st.integers(1, 9))
def test_any_split_and_order_reads_the_same(rng: random.Random, count: int) -> None:
    """A2: the same touched documents, common property and results, from any number of readings merged in any order."""
    whole, split = _read(SUITE, [FOUND]), _read(SUITE, _cut(rng, count))
    assert _told(split) == _told(whole)
    assert judge(SUITE, split, tau=TAU, engine=PlainEngine()) == judge(SUITE, whole, tau=TAU, engine=PlainEngine())


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rng=st.randoms(use_true_random=False), count=st.integers(1, 9), kept=st.integers(1, 6))
def test_a_choice_among_too_many_is_the_same_for_any_split(
    monkeypatch: pytest.MonkeyPatch, rng: random.Random, count: int, kept: int
) -> None:
    """What is kept when not everything can be kept depends on the documents alone, and what is common is counted whole."""
    with monkeypatch.context() as patch:
        patch.setattr(module, "FREE_BYTES", 1)
        patch.setattr(module, "KEPT_PER_GRAM", kept)
        patch.setattr(module, "KEPT_PER_TEXT", kept)
        patch.setattr(module, "KEPT_RUNS", kept)
        whole, split = _read(SUITE, [FOUND]), _read(SUITE, _cut(rng, count))
    assert _told(split) == _told(whole)
    assert len(whole.touched) < len(FOUND)
    assert whole.common_grams() == _read(SUITE, [FOUND]).common_grams()
    assert whole.common_grams()


def test_the_best_copy_of_every_text_survives_any_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    """A2: with one document kept for each gram and text, the score of no instance that is not common property falls."""
    rare = [item for item in FOUND if item.id >= "d60"]
    every = judge(SUITE, _read(SUITE, [rare]), tau=TAU, engine=PlainEngine())
    monkeypatch.setattr(module, "FREE_BYTES", 1)
    monkeypatch.setattr(module, "KEPT_PER_GRAM", 1)
    monkeypatch.setattr(module, "KEPT_PER_TEXT", 1)
    monkeypatch.setattr(module, "KEPT_RUNS", 1)
    few = _read(SUITE, [[item] for item in rare])
    assert len(few.touched) < len(rare)
    chosen = judge(SUITE, few, tau=TAU, engine=PlainEngine())
    assert [(item.status, item.score) for item in chosen] == [(item.status, item.score) for item in every]


def _flooded() -> tuple[SuiteTexts, list[TouchedDocument]]:
    """36 words in a row of a text of 200, and 40 documents with all of the text in scattered pieces of ten words."""
    words = prose(7, 200).split()
    suite = suite_texts([instance("i", " ".join(words))])
    made = [document("leak", f"{prose(600, 30)} {' '.join(words[82:118])}")]
    for number in range(40):
        pieces = [" ".join(words[start : start + 10]) for start in range(number % 10, 190, 10)]
        text = " ".join(f"{piece} {prose(1000 + 50 * number + at, 60)}" for at, piece in enumerate(pieces))
        made.append(document(f"decoy-{number:02}", text))
    return suite, PlainEngine().finder(suite, encoded=True).find(batch_of(made))[1]


def test_a_flood_of_scattered_quotations_does_not_hide_one_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """A2: 40 documents share more grams than the one with 36 words in a row; it is kept, whenever it was read."""
    suite, found = _flooded()
    every = judge(suite, _read(suite, [found]), tau=TAU, engine=PlainEngine())
    monkeypatch.setattr(module, "FREE_BYTES", 1)
    monkeypatch.setattr(module, "KEPT_PER_GRAM", 2)
    monkeypatch.setattr(module, "KEPT_PER_TEXT", 2)
    monkeypatch.setattr(module, "KEPT_RUNS", 1)
    assert {len(item.grams) for item in found if item.id == "leak"} == {31}
    assert min(len(item.grams) for item in found if item.id != "leak") > 31
    for parts in ([found], [[item] for item in found], [[item] for item in reversed(found)]):
        few = _read(suite, parts)
        assert len(few.touched) < len(found) / 2
        chosen = judge(suite, few, tau=TAU, engine=PlainEngine())
        assert (chosen[0].status, chosen[0].run) == (every[0].status, every[0].run) == ("suspect", 36)


def test_boilerplate_inside_a_run_does_not_end_it() -> None:
    """The longest piece is counted in the text's own grams: what is boilerplate of the suite is passed over."""
    places = np.asarray([3, 4, -1, -1, 5, 6, 7, 3], np.int64)
    for held, run in (([3, 4, 5], 3), ([4, 5, 6], 3), ([3], 1), ([7, 3], 2), ([9], 0), ([3, 4, 5, 6, 7], 6)):
        assert module._longest_run(places, np.isin(np.arange(10), held)) == run
    assert module._longest_run(places[2:4], np.ones(10, np.bool_)) == 0


def test_documents_are_counted_over_all_readings() -> None:
    """Counts of documents and bytes add up: they are what `unknown` for nothing read rests on."""
    whole = Reading()
    for number in range(3):
        whole.merge(SUITE, Reading(documents=number, text_bytes=10 * number))
    assert (whole.documents, whole.text_bytes) == (3, 30)


def test_more_than_can_be_compared_is_an_error_and_not_a_smaller_scan(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail closed: where even the chosen documents are too much, the scan says so instead of dropping some."""
    monkeypatch.setattr(module, "FREE_BYTES", 1)
    monkeypatch.setattr(module, "MOST_BYTES", 2000)
    with pytest.raises(module.CorpusError, match="more known text"):
        _read(SUITE, [FOUND])


def test_documents_of_one_name_are_told_apart_by_their_text() -> None:
    """Two rows that share corpus and id are two documents, ordered by what they say, whichever came first."""
    twice = [replace(item, id="same") for item in FOUND[60:64]]
    assert _told(_read(SUITE, [twice])) == _told(_read(SUITE, [list(reversed(twice))]))
