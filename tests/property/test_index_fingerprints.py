"""Fingerprints of any words: what the guarantee promises, and equality with the definition."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from litmusgate.corpora.segment_building import _tells
from litmusgate.provenance.batch import batch_of
from litmusgate.provenance.engine import PlainEngine
from litmusgate.provenance.fingerprints import GUARANTEED_WORDS, document_fingerprints
from litmusgate.provenance.fold import fold_words
from unit.provenance.made_suite import document
from unit.provenance.test_fingerprints import plain_fingerprints

WORDS = st.lists(st.sampled_from(["a", "b", "c", "ab", "abc", "ü", "水"]), max_size=120)
ANY_WORDS = st.lists(st.text(min_size=1, max_size=6), max_size=90)


@settings(max_examples=150, deadline=None)
@given(st.lists(WORDS | ANY_WORDS, min_size=1, max_size=6))
def test_fingerprints_of_a_batch_follow_the_definition(texts: list[list[str]]) -> None:
    """Whatever the words, each document keeps exactly what it would keep alone."""
    joined = [" ".join(words) for words in texts]
    batch = batch_of([document(str(number), text) for number, text in enumerate(joined)])
    plain = [batch.text(number).decode() for number in range(len(batch))]
    values, documents = document_fingerprints(*PlainEngine().word_hashes(batch))
    for number, text in enumerate(plain):
        assert set(values[documents == number].tolist()) == plain_fingerprints(text)


@settings(max_examples=150, deadline=None)
@given(WORDS, WORDS, WORDS, WORDS, st.lists(st.integers(0, 99), min_size=GUARANTEED_WORDS, max_size=40))
def test_texts_that_share_thirteen_words_share_a_fingerprint(
    before: list[str], after: list[str], left: list[str], right: list[str], shared: list[int]
) -> None:
    """The guarantee of winnowing: a shared run of 13 words leaves the same fingerprint in both, whatever stands around."""
    run = [f"w{number}" for number in shared]
    one = plain_fingerprints(" ".join([*before, *run, *after]))
    other = plain_fingerprints(" ".join([*left, *run, *right]))
    assert one & other


def test_the_share_of_grams_kept_is_two_ninths() -> None:
    """On random words about 2 of 9 grams are kept: the expectation for a window of 8."""
    words = np.random.default_rng(1).integers(0, 10**6, 20000)
    kept = len(plain_fingerprints(" ".join(f"w{number}" for number in words)))
    assert 0.21 < kept / len(words) < 0.235


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet=st.sampled_from("a1 ü&\\;nu0#x水'\u0301.é"), max_size=12) | st.text(max_size=12))
def test_a_document_is_blank_exactly_when_it_folds_to_nothing(text: str) -> None:
    """The shortcut over the first letter agrees with the fold on entities, escapes and every script."""
    plain = batch_of([document("d", text)]).text(0)
    assert _tells(plain) == bool(fold_words(plain.decode("utf-8")))
