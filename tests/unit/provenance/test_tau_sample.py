"""A sample is the same in any order, bounded, and says what it was drawn from."""

import random

from hypothesis import given
from hypothesis import strategies as st

from litmusgate.provenance.tau_sample import PIECE_CHARACTERS, draw_sample
from unit.provenance.made_suite import document

DOCUMENTS = [document(f"d{number}", "x" * (number % 17 + 1)) for number in range(60)]


@given(st.integers(0, 400), st.integers(0, 5), st.randoms(use_true_random=False))
def test_the_order_of_reading_changes_no_sample(most, seed, rng):
    """The lowest numbers win, whoever came first; the limit is kept by all but a single document."""
    mixed = DOCUMENTS[:]
    rng.shuffle(mixed)
    one, other = (draw_sample(items, most_bytes=most, seed=seed) for items in (DOCUMENTS, mixed))
    assert one == other
    assert one.text_bytes <= most or len(one.documents) == 1
    assert one.text_bytes == sum(len(item.text) for item in one.documents)


def test_all_is_drawn_where_it_is_not_too_much():
    """With room for everything the sample is the corpus, and it says how much that was."""
    found = draw_sample(DOCUMENTS, most_bytes=10_000, seed=1)
    assert sorted(item.id for item in found.documents) == sorted(item.id for item in DOCUMENTS)
    assert (found.all_documents, found.all_bytes, found.text_bytes) == (60, found.text_bytes, found.all_bytes)


def test_another_seed_draws_others():
    """The seed decides."""
    assert draw_sample(DOCUMENTS, most_bytes=100, seed=1) != draw_sample(DOCUMENTS, most_bytes=100, seed=2)


def test_a_long_document_is_drawn_in_pieces():
    """One of them is not the whole sample, and pieces have names of their own."""
    long = document("long", "".join(random.Random(1).choices("abc ", k=3 * PIECE_CHARACTERS)))
    found = draw_sample([long], most_bytes=PIECE_CHARACTERS + 1, seed=1)
    assert (len(found.documents), found.all_documents) == (1, 1)
    assert found.documents[0].id.startswith("long+")
    assert len(found.documents[0].text) == PIECE_CHARACTERS


def test_nothing_gives_an_empty_sample():
    """An empty corpus is no error here; whoever plants into it says so."""
    assert draw_sample([], most_bytes=10, seed=1).documents == ()
