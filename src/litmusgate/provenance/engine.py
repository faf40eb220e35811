"""The seam between the rules of provenance and what makes them fast: an engine finds, compares and locates.

There are two, which must give the same on any input: `PlainEngine` below, in plain Python, is the definition; the
compiled one needs the extra `[corpora]`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from litmusgate.provenance.batch import DocumentBatch
from litmusgate.provenance.distinctive import GRAM, TRIGRAM, grams
from litmusgate.provenance.encoded import Encoding, decoded_texts, rotated
from litmusgate.provenance.fold import fold_spans, fold_words
from litmusgate.provenance.hashing import word_hash
from litmusgate.provenance.reading import TouchedDocument
from litmusgate.provenance.similarity import FieldWords, Overlap, overlap
from litmusgate.provenance.suite_texts import SuiteTexts


class Finder(Protocol):
    """Looks for one suite in batches of documents; may be used from several threads."""

    def find(self, batch: DocumentBatch) -> tuple[int, list[TouchedDocument]]:
        """How many documents of `batch` hold a word, and those that share something with the suite, in batch order."""


class Engine(Protocol):
    """What is fast or slow, but never different."""

    @property
    def name(self) -> str:
        """For reports: which engine it was."""

    def finder(self, suite: SuiteTexts, *, encoded: bool) -> Finder:
        """A finder for `suite`; with `encoded` it looks for copies in base64, hex, rot13 and other encodings too."""

    def overlaps(
        self, fields: Sequence[FieldWords], documents: Sequence[TouchedDocument], pairs: NDArray[np.int64]
    ) -> list[Overlap]:
        """`overlap` of each pair (row of `pairs`: number of a field, number of a document), in their order."""

    def covered(
        self,
        places: Sequence[NDArray[np.int64]],
        documents: Sequence[TouchedDocument],
        pairs: NDArray[np.int64],
        *,
        least_grams: int,
    ) -> list[NDArray[np.bool_]]:
        """For each text the words that stand, in pieces of at least `least_grams` grams in a row, in any paired document.

        `places` holds the number of the 6-gram at each place of a text, -1 for one that does not count. An array has as
        many elements as its text has words (places + 5; none for a text without places).
        """

    def word_hashes(self, batch: DocumentBatch) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        """`word_hash` of every folded word of every document, one after another, and where each document begins (n + 1)."""

    def may_be_encoded(self, batch: DocumentBatch) -> list[int]:
        """Numbers of the documents in which `decoded_texts` may find something, rising; in the others it finds nothing."""

    def spans(self, text: bytes) -> NDArray[np.int64]:
        """For each word of `fold_words` of the UTF-8 `text`, its half-open span in characters; shape (words, 2)."""


class PlainEngine:
    """The reference engine: every rule as it is written, without the extra `[corpora]`."""

    name = "plain"

    def finder(self, suite: SuiteTexts, *, encoded: bool) -> Finder:
        """A finder that folds every document in Python."""
        return _PlainFinder(suite, encoded=encoded)

    def overlaps(
        self, fields: Sequence[FieldWords], documents: Sequence[TouchedDocument], pairs: NDArray[np.int64]
    ) -> list[Overlap]:
        """One comparison after the other."""
        words: dict[int, list[int]] = {}
        found: list[Overlap] = []
        for field, document in pairs.tolist():
            if document not in words:
                words[document] = documents[document].words.tolist()
            found.append(overlap(fields[field], words[document]))
        return found

    def covered(
        self,
        places: Sequence[NDArray[np.int64]],
        documents: Sequence[TouchedDocument],
        pairs: NDArray[np.int64],
        *,
        least_grams: int,
    ) -> list[NDArray[np.bool_]]:
        """Piece by piece."""
        covered = [np.zeros(len(grams_at) + GRAM - 1 if len(grams_at) else 0, np.bool_) for grams_at in places]
        for text, document in pairs.tolist():
            held = set(documents[document].grams.tolist())
            start = 0
            for place, gram in enumerate([*places[text].tolist(), -1]):
                if gram in held:
                    continue
                if place - start >= least_grams:
                    covered[text][start : place + GRAM - 1] = True
                start = place + 1
        return covered

    def word_hashes(self, batch: DocumentBatch) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        """Word by word."""
        hashes: list[int] = []
        starts = [0]
        for number in range(len(batch)):
            hashes += [word_hash(word) for word in fold_words(batch.text(number).decode("utf-8"))]
            starts.append(len(hashes))
        return np.asarray(hashes, np.uint64), np.asarray(starts, np.int64)

    def may_be_encoded(self, batch: DocumentBatch) -> list[int]:
        """All of them."""
        return list(range(len(batch)))

    def spans(self, text: bytes) -> NDArray[np.int64]:
        """By the reference fold."""
        found = [(start, end) for _, start, end in fold_spans(text.decode("utf-8"))]
        return np.asarray(found, np.int64).reshape(-1, 2)


class _PlainFinder:
    def __init__(self, suite: SuiteTexts, *, encoded: bool) -> None:
        self._suite = suite
        self._encoded = encoded

    def find(self, batch: DocumentBatch) -> tuple[int, list[TouchedDocument]]:
        told = 0
        found: list[TouchedDocument] = []
        for number in range(len(batch)):
            layers = list(self._layers(batch.text(number)))
            told += any(words for _, _, words in layers)
            for encoding, text, words in layers:
                shared, short = self._shared(words, encoding)
                if shared or short:
                    found.append(
                        TouchedDocument(
                            corpus=batch.corpus,
                            id=batch.ids[number],
                            source=batch.sources[number],
                            encoding=encoding,
                            words=np.asarray(words, np.uint32),
                            grams=np.asarray(shared, np.uint32),
                            short_texts=short,
                            text=text,
                        )
                    )
        return told, found

    def _layers(self, text: bytes) -> Iterator[tuple[Encoding | None, bytes, list[int]]]:
        """The document as it stands, and what its encodings hide; each with its words as the suite's numbers."""
        read = self._suite.vocabulary.read
        plain = text.decode("utf-8")
        words = fold_words(plain)
        yield None, text, read(words)
        if self._encoded:
            yield Encoding.ROT13, text, read(rotated(words))
            for encoding, decoded in decoded_texts(plain):
                yield encoding, decoded.encode("utf-8"), read(fold_words(decoded))

    def _shared(self, words: list[int], encoding: Encoding | None) -> tuple[list[int], tuple[int, ...]]:
        """Numbers of the grams that `words` share with the suite, rising, and the short texts they may hold.

        Words without Latin letters are the same in rot13, and so are grams of such words: those are no copies.
        """
        numbers = self._suite.gram_numbers
        shared = {
            numbers[gram] for length in self._suite.gram_lengths for gram in numbers.keys() & set(grams(words, length))
        }
        short = short_candidates(self._suite, words)
        if encoding is Encoding.ROT13:
            shared -= self._suite.unrotated_grams
            short = tuple(text for text in short if text not in self._suite.unrotated_texts)
        return sorted(shared), short


def short_candidates(suite: SuiteTexts, words: Sequence[int]) -> tuple[int, ...]:
    """Short texts of which two trigrams stand within as many words as the text has distinctive ones; rising.

    One shared trigram of ordinary words ("how do I") is no sign of anything.
    """
    if not suite.short_trigrams:
        return ()
    last: dict[int, int] = {}
    found: set[int] = set()
    for place, gram in enumerate(grams(words, TRIGRAM)):
        for text in suite.short_trigrams.get(gram, ()):
            if place - last.get(text, -(1 << 40)) <= suite.short_lengths[text] - TRIGRAM:
                found.add(text)
            last[text] = place
    return tuple(sorted(found))
