"""Grams of a suite as columns say the same as grams taken one by one."""

from itertools import chain

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from litmusgate.provenance.distinctive import LEAST_WORDS, distinctive_positions, gram_length, grams
from litmusgate.provenance.gram_places import gram_places

TEXTS = st.lists(st.lists(st.integers(1, 3), max_size=25).map(tuple), max_size=6)


def _grams(words: tuple[int, ...]) -> list[tuple[int, ...]]:
    return grams(words, gram_length(words)) if len(words) >= LEAST_WORDS else []


@given(TEXTS, st.randoms(use_true_random=False))
def test_columns_of_grams_tell_own_words_and_holders_like_the_definition(texts, rng) -> None:
    """For any texts and any ignored grams: the same distinctive words, and the same texts for each gram."""
    numbers = {
        gram: number for number, gram in enumerate(dict.fromkeys(gram for text in texts for gram in _grams(text)))
    }
    ignored = {gram for gram in numbers if rng.random() < 0.4}
    places = gram_places([numbers[gram] for text in texts for gram in _grams(text)], [len(text) for text in texts])
    kept = places.without({numbers[gram] for gram in ignored})
    assert [found.tolist() for found in kept.own_words()] == [distinctive_positions(text, ignored) for text in texts]
    holders = places.holders()
    expected = [[text for text, words in enumerate(texts) if gram in _grams(words)] for gram in numbers]
    assert [holders[number] for number in numbers.values()] == expected
    found, counts = holders.of_all(np.asarray(list(numbers.values()), np.uint32))
    assert (found.tolist(), counts.tolist()) == (
        list(chain.from_iterable(expected)),
        [len(texts) for texts in expected],
    )
