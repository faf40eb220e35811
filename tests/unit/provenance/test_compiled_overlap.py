"""Compiled comparison of fields and documents: ranges, threads, limits, and the examples of the reference."""

import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from litmusgate.provenance.engine import PlainEngine
from litmusgate.provenance.reading import TouchedDocument
from litmusgate.provenance.similarity import FieldWords, prepare

pytest.importorskip("numba", reason="compiled engine needs the extra [corpora]")

from litmusgate.provenance.compiled.overlap import compare_pairs, compare_range, covered_words, overlaps_of
from litmusgate.provenance.compiled.packing import pack_pairs

ONE_PAIR = np.asarray([[0, 0]], np.int64)


def _field(words: list[int] | range, positions: list[int] | range | None = None) -> FieldWords:
    return prepare(tuple(words), list(range(len(words)) if positions is None else positions))


def _document(words: list[int] | range, grams: tuple[int, ...] = ()) -> TouchedDocument:
    return TouchedDocument(
        corpus="c",
        id="d",
        source="s",
        words=np.asarray(words, np.uint32),
        grams=np.asarray(grams, np.uint32),
        short_texts=(),
        text=b"",
    )


def _all_pairs(fields: int, documents: int) -> np.ndarray:
    return np.asarray([(field, document) for field in range(fields) for document in range(documents)], np.int64)


def test_a_copy_is_found_with_its_spans() -> None:
    """A whole field inside a document: all of it, where it stands."""
    found = compare_pairs([_field(range(1, 31))], [_document([0] * 40 + list(range(1, 31)) + [0] * 9)], ONE_PAIR)[0]
    assert (found.shared, found.run, found.field_words, found.document_words) == (30, 30, (0, 30), (40, 70))


def test_a_field_of_many_blocks_is_compared_like_the_reference() -> None:
    """The subsequence of 1,000 words carries from one block of 64 to the next, with every fifth word edited."""
    field = _field(random.Random(1).choices(range(1, 500), k=1000))
    document = _document([word if place % 5 else 0 for place, word in enumerate(field.words)])
    plain = PlainEngine().overlaps([field], [document], ONE_PAIR)
    assert plain[0].shared == 800
    assert compare_pairs([field], [document], ONE_PAIR) == plain


def test_no_pairs_are_no_overlaps() -> None:
    """Nothing asked, nothing answered: neither a comparison nor a covered word."""
    none = np.zeros((0, 2), np.int64)
    assert compare_pairs([], [], none) == []
    assert covered_words([], [], none, least_grams=8) == []
    assert not covered_words([np.arange(10)], [], none, least_grams=8)[0].any()


def test_a_field_without_distinctive_words_is_refused() -> None:
    """A share of nothing is no number, and never a silent zero."""
    with pytest.raises(ValueError, match="without distinctive words"):
        compare_pairs([_field(range(1, 31), [])], [_document(range(1, 31))], ONE_PAIR)


def test_an_empty_document_shares_nothing() -> None:
    """No words, no overlap: long and short fields alike."""
    fields = [_field(range(1, 31)), _field(range(1, 9))]
    assert [found.shared for found in compare_pairs(fields, [_document([])], _all_pairs(2, 1))] == [0, 0]


def test_ranges_in_threads_give_what_one_pass_gives() -> None:
    """Ranges of pairs may run side by side: each row is written once, by the range it belongs to."""
    rng = random.Random(2)
    fields = [_field(rng.choices(range(1, 97), k=80), range(5, 75)) for _ in range(20)]
    pieces = [field.words[20:50] for field in fields]
    documents = [_document([*rng.choices(range(97), k=200), *rng.choice(pieces)]) for _ in range(30)]
    pairs = _all_pairs(20, 30)
    packed = pack_pairs(fields, documents, pairs)
    bounds = list(range(0, len(pairs) + 1, 50))
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda first: compare_range(packed, first, first + 50), bounds[:-1]))
    assert overlaps_of(packed) == compare_pairs(fields, documents, pairs)
    assert max(found.run for found in overlaps_of(packed)) >= 30


def test_pieces_shorter_than_wanted_cover_nothing() -> None:
    """Eight grams in a row cover thirteen words; seven cover none."""
    places = [np.arange(20)]
    eight = covered_words(places, [_document([], tuple(range(3, 11)))], ONE_PAIR, least_grams=8)[0]
    seven = covered_words(places, [_document([], tuple(range(3, 10)))], ONE_PAIR, least_grams=8)[0]
    assert np.flatnonzero(eight).tolist() == list(range(3, 16))
    assert not seven.any()
