"""Compiled stage two gives the same as the reference, on any fields and documents."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from litmusgate.provenance.engine import PlainEngine
from litmusgate.provenance.reading import TouchedDocument
from litmusgate.provenance.similarity import FieldWords, prepare

pytest.importorskip("numba", reason="compiled engine needs the extra [corpora]")

from litmusgate.provenance.compiled.overlap import compare_pairs, covered_words

Words = list[int]


def _document(words: Words, grams: Words = ()) -> TouchedDocument:
    return TouchedDocument(
        corpus="c",
        id="d",
        source="s",
        words=np.asarray(words, np.uint32),
        grams=np.asarray(sorted(set(grams)), np.uint32),
        short_texts=(),
        text=b"",
    )


@st.composite
def _fields(draw: st.DrawFn, most_words: int) -> FieldWords:
    """A field with boilerplate in it: few different words, so that everything repeats."""
    numbers = draw(st.sampled_from([2, 4, 12, 300]))
    words = draw(st.lists(st.integers(1, numbers), min_size=1, max_size=most_words))
    pieces = draw(st.lists(st.tuples(st.integers(0, most_words), st.integers(1, 40)), max_size=4))
    own = {place for start, length in pieces for place in range(start, start + length) if place < len(words)}
    return prepare(tuple(words), sorted(own or set(range(len(words)))))


@st.composite
def _documents(draw: st.DrawFn, fields: list[FieldWords]) -> TouchedDocument:
    """Pieces of the fields, words of theirs and words of nobody, in any order."""
    words: Words = []
    for _ in range(draw(st.integers(0, 6))):
        field = draw(st.sampled_from(fields))
        start = draw(st.integers(0, len(field.words)))
        words += field.words[start : start + draw(st.integers(0, 60))]
        words += draw(st.lists(st.integers(0, 14), max_size=12))
        words += draw(st.sampled_from([[], [0] * 40, [400, 2**32 - 1]]))
    return _document(words)


@settings(max_examples=300)
@given(st.data(), st.sampled_from([6, 40, 90, 200]))
def test_any_field_in_any_document_is_compared_as_by_the_reference(data: st.DataObject, most_words: int) -> None:
    """Shares, runs and spans are equal to the last word, whatever repeats; one field's table leaves nothing for the next."""
    fields = data.draw(st.lists(_fields(most_words), min_size=1, max_size=4))
    documents = data.draw(st.lists(_documents(fields), min_size=1, max_size=4))
    pairs = np.asarray([(field, number) for field in range(len(fields)) for number in range(len(documents))], np.int64)
    pairs = pairs[data.draw(st.permutations(range(len(pairs))))]
    assert compare_pairs(fields, documents, pairs) == PlainEngine().overlaps(fields, documents, pairs)


@settings(max_examples=200)
@given(
    st.lists(st.lists(st.integers(-1, 9), max_size=60), min_size=1, max_size=4),
    st.lists(st.lists(st.integers(0, 12), max_size=12), min_size=1, max_size=4),
    st.integers(0, 9),
    st.data(),
)
def test_any_text_is_covered_as_by_the_reference(
    places: list[Words], grams: list[Words], least_grams: int, data: st.DataObject
) -> None:
    """The same words of the same texts, texts and documents without any gram included."""
    texts = [np.asarray(found, np.int64) for found in places]
    documents = [_document([], found) for found in grams]
    pair = st.tuples(st.integers(0, len(texts) - 1), st.integers(0, len(documents) - 1))
    pairs = np.asarray(data.draw(st.lists(pair, max_size=8)), np.int64).reshape(-1, 2)
    expected = PlainEngine().covered(texts, documents, pairs, least_grams=least_grams)
    found = covered_words(texts, documents, pairs, least_grams=least_grams)
    assert [covered.tolist() for covered in found] == [covered.tolist() for covered in expected]
