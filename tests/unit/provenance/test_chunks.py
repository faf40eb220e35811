"""Chunks: what of a suite and of documents an embedding model is given."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litmusgate.provenance.chunks import (
    CHUNK_STEP,
    CHUNK_WORDS,
    MOST_WORD_CHARACTERS,
    NO_TEXT,
    TOO_LITTLE_TEXT,
    chunk_words,
    suite_chunks,
)
from unit.provenance.made_suite import instance, prose

STOCK = "that is not what i asked for try again without the disclaimer"


@given(st.integers(0, 400), st.data())
def test_every_run_of_a_step_stands_whole_in_one_chunk(length, data):
    """A paragraph of `CHUNK_STEP` words is never torn, wherever it begins; and no chunk is longer than it may be."""
    words = [f"w{number}" for number in range(length)]
    found = chunk_words(words)
    assert all(chunk.text.split() == words[slice(*chunk.words)] for chunk in found)
    assert all(len(chunk.text.split()) == min(CHUNK_WORDS, length) for chunk in found)
    if length < 5:
        assert found == ()
        return
    run = min(CHUNK_STEP, length)
    start = data.draw(st.integers(0, length - run))
    assert any(chunk.words[0] <= start and start + run <= chunk.words[1] for chunk in found)
    assert found[-1].words[1] == length
    assert len({chunk.words for chunk in found}) == len(found)


def test_a_word_of_any_length_is_given_in_part():
    """A base64 blob of a million characters does not make a chunk of a million characters."""
    (chunk,) = chunk_words(["x" * 1_000_000] * 8)
    assert len(chunk.text) == 8 * MOST_WORD_CHARACTERS + 7


def test_a_text_that_instances_share_is_embedded_once_and_their_order_is_irrelevant():
    """The same turn in two instances is one text; instances come out sorted by id."""
    shared = prose(1, 40)
    suite = [instance("b", shared), instance("a", shared), instance("c", prose(2, 40))]
    found = suite_chunks(suite)
    assert found == suite_chunks(reversed(suite))
    assert len(found.texts) == 2
    assert [item.instance_id for item in found.instances] == ["a", "b", "c"]
    assert found.instances[0].chunks == found.instances[1].chunks


def test_a_stock_phrase_beside_a_longer_text_is_not_embedded_by_itself():
    """It would be near to every document that quotes it; alone it is all there is, and is looked for."""
    beside = suite_chunks([instance("a", prose(1, 40), STOCK)]).instances[0]
    assert [chunk.where for chunk in beside.chunks] == ["turns[0]", "turns"]
    alone = suite_chunks([instance("a", STOCK)]).instances[0]
    assert [chunk.where for chunk in alone.chunks] == ["turns[0]"]


def test_boilerplate_of_the_suite_is_left_out_of_chunks_and_inside_their_spans():
    """A preamble of every instance would make all alike; what stands in grams with the instance's own words is kept."""
    preamble = prose(900, 20)
    own = [prose(number, 40) for number in range(30)]
    found = suite_chunks([instance(f"i{n:02}", f"{preamble} {text}") for n, text in enumerate(own)])
    for item, text in zip(found.instances, own, strict=True):
        (chunk,) = item.chunks
        assert found.texts[chunk.text].split() == [*preamble.split()[15:], *text.split()]
        assert chunk.words == (15, 60)


@pytest.mark.parametrize(("turn", "reason"), [("…!?", NO_TEXT), ("only four words here", TOO_LITTLE_TEXT)])
def test_an_instance_of_which_nothing_is_embedded_says_why(turn, reason):
    """No chunk and a reason, never a chunk of nothing."""
    (found,) = suite_chunks([instance("a", turn)]).instances
    assert (found.chunks, found.reason) == ((), reason)
