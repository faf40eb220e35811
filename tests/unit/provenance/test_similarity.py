"""Similarity of one field and one document: windows, trigrams, runs and spans, in exact words."""

import pytest

from litmusgate.provenance.similarity import is_item, overlap, prepare


def _field(words: range | list[int], positions: range | list[int] | None = None):
    return prepare(tuple(words), list(range(len(words)) if positions is None else positions))


def test_a_verbatim_copy_is_wholly_shared_and_located() -> None:
    """All words, one run, and both spans exact."""
    found = overlap(_field(range(1, 31)), [0] * 40 + list(range(1, 31)) + [0] * 40)
    assert (found.shared, found.run, found.field_words, found.document_words) == (30, 30, (0, 30), (40, 70))


def test_order_is_not_needed_where_runs_are_long() -> None:
    """Halves in the other order: the LCS sees one, trigram coverage sees both."""
    found = overlap(_field(range(1, 31)), [*range(16, 31), *range(1, 16)])
    assert (found.shared, found.run) == (30, 15)


def test_scattered_words_count_in_order() -> None:
    """Every third word replaced leaves no trigram, and the LCS two thirds."""
    document = [word if word % 3 else 0 for word in range(1, 31)]
    assert overlap(_field(range(1, 31)), document).shared == 20


def test_nothing_shared_is_nothing() -> None:
    """No common word: zero words, no run; also for an empty document."""
    for document in ([0] * 50, []):
        found = overlap(_field(range(1, 31)), document)
        assert (found.shared, found.run) == (0, 0)


def test_words_spread_over_a_long_document_do_not_add_up() -> None:
    """Only the densest window counts: a document cannot hold a text by being long."""
    document: list[int] = []
    for start in range(1, 31, 5):
        document += [*range(start, start + 5), *[0] * 100]
    assert overlap(_field(range(1, 31)), document).shared == 5


def test_boilerplate_inside_a_field_does_not_hide_a_copy() -> None:
    """Own words at both ends of a long wrapper: the copy is found as wide as the field is."""
    words = list(range(1, 201))
    own = [*range(20), *range(180, 200)]
    found = overlap(_field(words, own), [0] * 10 + words + [0] * 10)
    assert (found.shared, found.run) == (40, 40)


def test_a_run_may_cross_boilerplate_but_counts_own_words_only() -> None:
    """Contiguity is of all words, the count of distinctive ones."""
    words = list(range(1, 61))
    found = overlap(_field(words, [*range(20), *range(40, 60)]), words[10:50])
    assert found.run == 20


@pytest.mark.parametrize(("swapped", "shared"), [([1, 2, 3, 5, 4, 6, 7, 8], 8), ([1, 2, 3, 0, 5, 6, 7, 8], 7)])
def test_short_texts_are_a_bag_in_a_window(swapped: list[int], shared: int) -> None:
    """Eight words: neighbours may change places, a missing word is missing."""
    assert overlap(_field(range(1, 9)), [0, 0, *swapped, 0]).shared == shared


def test_repeated_words_count_as_often_as_they_stand() -> None:
    """A document that says one word again and again does not hold a text that says it once."""
    assert overlap(_field([1, 2, 3, 4, 5, 6]), [1, 2, 3, 3, 3, 3]).shared == 3


def test_a_short_text_at_the_very_end_of_a_document_is_found() -> None:
    """Windows reach the end, and a document shorter than the text is one window."""
    assert overlap(_field(range(1, 9)), [0] * 20 + list(range(1, 9))).shared == 8
    assert overlap(_field(range(1, 9)), list(range(1, 6))).shared == 5


def test_a_document_is_the_text_or_quotes_it() -> None:
    """Up to one and a half times as long, a document consists of the text."""
    assert is_item(_field(range(1, 11)), 15)
    assert not is_item(_field(range(1, 11)), 16)
