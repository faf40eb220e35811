"""Which gram stands where in the texts of a suite, as columns, and which words those grams make a text's own."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from litmusgate.provenance.distinctive import GRAM, LEAST_WORDS


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GramPlaces:
    """The number of the gram that begins at each place of each text, -1 for one that does not count.

    Text `i` has `lengths[i]` words, and the places `numbers[starts[i]:starts[i + 1]]`: none with fewer than 5 words, one
    with 5, else 5 fewer than words.
    """

    numbers: NDArray[np.int64]
    starts: NDArray[np.int64]
    lengths: NDArray[np.int64]

    def of(self, text: int) -> NDArray[np.int64]:
        """The places of one text."""
        return self.numbers[self.starts[text] : self.starts[text + 1]]

    def without(self, ignored: Collection[int]) -> GramPlaces:
        """The same with the grams of these numbers not counting."""
        if not ignored:
            return self
        dropped = np.isin(self.numbers, np.fromiter(ignored, np.int64, len(ignored)))
        return GramPlaces(numbers=np.where(dropped, -1, self.numbers), starts=self.starts, lengths=self.lengths)

    def own_words(self) -> list[NDArray[np.int64]]:
        """For each text the places of its distinctive words, rising: those covered by a gram that counts."""
        ends = np.cumsum(self.lengths)
        text = np.repeat(np.arange(len(self.lengths)), np.diff(self.starts))
        first_word = ends - self.lengths
        counted = np.flatnonzero(self.numbers >= 0)
        begins = counted - self.starts[text[counted]] + first_word[text[counted]]
        stops = begins + np.minimum(GRAM, self.lengths[text[counted]])
        size = int(ends[-1]) + 1 if len(ends) else 1
        open_grams = np.cumsum(np.bincount(begins, minlength=size) - np.bincount(stops, minlength=size))
        words = np.flatnonzero(open_grams)
        bounds = np.searchsorted(words, np.concatenate([first_word, ends[-1:]])).tolist()
        places = words - np.repeat(first_word, np.diff(bounds)) if len(ends) else words
        return [places[start:end] for start, end in pairwise(bounds)]

    def holders(self) -> GramTexts:
        """For each gram, by number, the texts that hold it."""
        text = np.repeat(np.arange(len(self.lengths)), np.diff(self.starts))
        counted = self.numbers >= 0
        numbers, text = self.numbers[counted], text[counted]
        order = np.argsort(numbers, kind="stable")
        numbers, text = numbers[order], text[order]
        first = np.ones(len(text), np.bool_)
        first[1:] = (np.diff(numbers) != 0) | (np.diff(text) != 0)
        counts = np.bincount(numbers[first])
        return GramTexts(texts=text[first], starts=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GramTexts:
    """The texts that hold each gram: `texts[starts[i]:starts[i + 1]]` for gram `i`, rising."""

    texts: NDArray[np.int64]
    starts: NDArray[np.int64]

    def __getitem__(self, gram: int) -> list[int]:
        found: list[int] = self.texts[self.starts[gram] : self.starts[gram + 1]].tolist()
        return found

    def of_all(self, grams: NDArray[np.uint32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The texts of each of `grams`, one after another, and how many there are for each."""
        firsts = self.starts[grams]
        counts = self.starts[grams + 1] - firsts
        shifts = np.repeat(firsts - np.cumsum(counts) + counts, counts)
        return self.texts[shifts + np.arange(len(shifts))], counts


def gram_places(numbers: Sequence[int], lengths: Sequence[int]) -> GramPlaces:
    """Columns of the gram `numbers` at all places of texts of these `lengths` in words, one text after another."""
    words = np.asarray(lengths, np.int64)
    places = np.where(words >= LEAST_WORDS, np.maximum(words - GRAM, 0) + 1, 0)
    return GramPlaces(
        numbers=np.asarray(numbers, np.int64),
        starts=np.concatenate([[0], np.cumsum(places)]).astype(np.int64),
        lengths=words,
    )
