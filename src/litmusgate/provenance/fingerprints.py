"""Winnowed fingerprints: what is kept of documents whose text is not, and how those of a suite are looked up among them.

Of every 8 grams in a row the one with the smallest hash is kept (Schleimer, Wilkerson and Aiken 2003, n = 6, window 8):
two texts that share a run of 13 words keep a gram of it in common. What is kept is a set for each document, so which of
several equal grams is taken makes no difference. Documents of at most 64 words keep all their grams.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from litmusgate.provenance.distinctive import GRAM, LEAST_WORDS, Gram
from litmusgate.provenance.encoded import rotated
from litmusgate.provenance.hashing import BASE, FINAL_MIX, gram_hash, word_hash
from litmusgate.provenance.suite_texts import SuiteTexts

WINDOW = 8
GUARANTEED_WORDS = GRAM + WINDOW - 1
"""A shared run of so many words always leaves a fingerprint."""
WHOLE_WORDS = 64
"""Documents of at most so many words keep all their grams, and the hash of all their words."""

_FINAL_SHIFT = np.uint64(29)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPrints:
    """The fingerprints that any document must hold which holds this text: `prints` number them, `places` tell the word
    at which each begins, rising. Both are empty for texts of fewer than 13 words. Boilerplate is left out.
    """

    places: NDArray[np.int64]
    prints: NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintTable:
    """What is looked up: the hashes of the distinct fingerprints, rising, the number of the gram of each in the suite, and the
    fingerprints of every text of the suite.
    """

    values: NDArray[np.uint64]
    grams: NDArray[np.int64]
    texts: tuple[TextPrints, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SuitePrints:
    """The fingerprints of a suite as it stands, and in rot13: what rot13 leaves as it is does not count there.

    `wholes` maps the hash of a whole text of 5 to 64 words to the numbers of its texts.
    """

    plain: PrintTable
    turned: PrintTable
    wholes: dict[int, tuple[int, ...]]


def gram_hashes(word_hashes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """`gram_hash` of every run of 6 words, in order; also of those across the end of a document, where there are several."""
    count = max(0, len(word_hashes) - GRAM + 1)
    values = np.zeros(count, np.uint64)
    for place in range(GRAM):
        values = values * np.uint64(BASE) + word_hashes[place : place + count]
    values *= np.uint64(FINAL_MIX)
    return values ^ (values >> _FINAL_SHIFT)


def window_minima(values: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The smallest of every 8 values in a row; empty for fewer than 8."""
    for step in (1, 2, 4):
        values = np.minimum(values[:-step], values[step:]) if len(values) > step else values[:0]
    return values


def document_fingerprints(
    word_hashes: NDArray[np.uint64], starts: NDArray[np.int64]
) -> tuple[NDArray[np.uint64], NDArray[np.uint32]]:
    """The fingerprints of documents, and for each the number of its document; a document may tell one more than once.

    `word_hashes` are those of all documents one after another, document `i` from `starts[i]` to `starts[i + 1]`.
    """
    lengths = np.diff(starts)
    document = np.repeat(np.arange(len(lengths), dtype=np.uint32), lengths)
    left = np.repeat(starts[1:], lengths) - np.arange(len(word_hashes))
    short = np.repeat(lengths <= WHOLE_WORDS, lengths)
    values = gram_hashes(word_hashes)
    minima = window_minima(values)
    whole = np.flatnonzero(short[: len(values)] & (left[: len(values)] >= GRAM))
    chosen = ~short[: len(minima)] & (left[: len(minima)] >= GUARANTEED_WORDS)
    owner = document[: len(minima)]
    chosen[1:] &= (minima[1:] != minima[:-1]) | (owner[1:] != owner[:-1])
    winnowed = np.flatnonzero(chosen)
    return (
        np.concatenate([values[whole], minima[winnowed]]),
        np.concatenate([document[whole], document[winnowed]]),
    )


def suite_prints(suite: SuiteTexts) -> SuitePrints:
    """The fingerprints of every text of `suite`."""
    words = suite.vocabulary.numbers
    hashes = _vocabulary_hashes(words)
    return SuitePrints(
        plain=_print_table(suite, hashes, frozenset()),
        turned=_print_table(suite, _vocabulary_hashes(rotated(words)), suite.unrotated_grams),
        wholes=_wholes(suite, hashes),
    )


def _vocabulary_hashes(words: Iterable[str]) -> NDArray[np.uint64]:
    """Hashes by word number; numbers begin with 1."""
    return np.asarray([0, *map(word_hash, words)], np.uint64)


def _print_table(suite: SuiteTexts, hashes: NDArray[np.uint64], left_out: AbstractSet[int]) -> PrintTable:
    """The fingerprints when the words of the suite have these `hashes`; grams numbered in `left_out` do not count."""
    lengths = np.asarray([len(text.words) for text in suite.texts], np.int64)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    words = np.fromiter(chain.from_iterable(text.words for text in suite.texts), np.int64, int(starts[-1]))
    values = gram_hashes(hashes[words])
    places = np.flatnonzero(_kept(values, np.repeat(starts[1:], lengths)))
    found, first, of_place = np.unique(values[places], return_index=True, return_inverse=True)
    rows = words[places[first][:, None] + np.arange(GRAM)].tolist()
    grams = np.asarray([suite.gram_numbers.get(tuple(row), -1) for row in rows], np.int64)
    ignored = {kind: _ignored(suite, of_kind, grams, left_out) for kind, of_kind in suite.boilerplate.items()}
    bounds = np.searchsorted(places, starts)
    prints: list[TextPrints] = []
    for number, text in enumerate(suite.texts):
        start, end = bounds[number], bounds[number + 1]
        counted = ~ignored[text.kind][of_place[start:end]]
        prints.append(
            TextPrints(places=places[start:end][counted] - starts[number], prints=of_place[start:end][counted])
        )
    return PrintTable(values=found, grams=grams, texts=tuple(prints))


def _kept(values: NDArray[np.uint64], ends: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which grams are the smallest of a window that stands whole in one text; `ends` tells for each word where its text ends."""
    minima = window_minima(values)
    whole = ends[: len(minima)] - np.arange(len(minima)) >= GUARANTEED_WORDS
    kept = np.zeros(len(values), np.bool_)
    for offset in range(WINDOW):
        part = slice(offset, offset + len(minima))
        kept[part] |= whole & (values[part] == minima)
    return kept


def _ignored(
    suite: SuiteTexts, boilerplate: AbstractSet[Gram], grams: NDArray[np.int64], left_out: AbstractSet[int]
) -> NDArray[np.bool_]:
    """Which of `grams` do not count in texts of the kind that has this boilerplate."""
    numbers = {suite.gram_numbers[gram] for gram in boilerplate if gram in suite.gram_numbers} | left_out
    return (grams < 0) | np.isin(grams, np.fromiter(numbers, np.int64, len(numbers)))


def _wholes(suite: SuiteTexts, hashes: NDArray[np.uint64]) -> dict[int, tuple[int, ...]]:
    known = hashes.tolist()
    found: dict[int, list[int]] = {}
    for number, text in enumerate(suite.texts):
        if LEAST_WORDS <= len(text.words) <= WHOLE_WORDS:
            found.setdefault(gram_hash([known[word] for word in text.words]), []).append(number)
    return {value: tuple(texts) for value, texts in found.items()}
