"""Which words of a field are its own: suite boilerplate and corpus-common text do not count (docs/provenance.md).

Everything works on word numbers: a `Vocabulary` numbers the suite's words from 1, and every word of a document that no
instance uses is 0, which equals nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from itertools import chain
from typing import TypeAlias

import numpy as np

from litmusgate.provenance.fields import Field, TextKind
from litmusgate.provenance.hashing import BASE

GRAM = 6
"""Words in a gram; shorter texts are one gram."""
TRIGRAM = 3
LEAST_WORDS = 5
"""Texts with fewer words are never assessable."""
LEAST_BOILERPLATE = 3
COMMON_DOCUMENTS = 50
COMMON_SOURCES = 3

Gram: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Numbers for the suite's words, given in order of first use."""

    numbers: dict[str, int] = field(default_factory=dict)

    def learn(self, words: Sequence[str]) -> tuple[int, ...]:
        """Numbers of `words`, new words being numbered."""
        for word in dict.fromkeys(words):
            self.numbers.setdefault(word, len(self.numbers) + 1)
        return tuple(map(self.numbers.__getitem__, words))

    def read(self, words: Iterable[str]) -> list[int]:
        """Numbers of `words`, 0 for words no instance uses."""
        get = self.numbers.get
        return [get(word, 0) for word in words]


def gram_length(words: Sequence[int]) -> int:
    """Length in words of the grams of a text: 6, or the whole text when it is shorter."""
    return min(GRAM, len(words))


def grams(words: Sequence[int], length: int) -> list[Gram]:
    """All runs of `length` words, in order; empty for a shorter text."""
    return list(zip(*(words[offset:] for offset in range(length)), strict=False))


def boilerplate_grams(fields: Iterable[tuple[Field, tuple[int, ...]]]) -> dict[TextKind, frozenset[Gram]]:
    """By kind: grams in more than max(3, 1 %) of the suite's *distinct* texts of that kind.

    Counted per distinct text: a prompt that 27 instances share is one text. Derived fields are not counted.
    """
    texts: dict[TextKind, set[tuple[int, ...]]] = {kind: set() for kind in TextKind}
    for found, words in fields:
        if not found.derived and len(words) >= LEAST_WORDS:
            texts[found.kind].add(words)
    return {kind: _frequent(found) for kind, found in texts.items()}


def _frequent(texts: Set[tuple[int, ...]]) -> frozenset[Gram]:
    short = {words for words in texts if len(words) == LEAST_WORDS}
    counts: Counter[Gram] = Counter()
    for words, places in _repeated(list(texts)):
        counts.update({words[place : place + GRAM] for place in places})
    for words in texts if short else ():
        counts.update(short.intersection(grams(words, LEAST_WORDS)))
    return frozenset(gram for gram, found in counts.items() if found > LEAST_BOILERPLATE and found * 100 > len(texts))


def _repeated(texts: Sequence[tuple[int, ...]]) -> Iterator[tuple[tuple[int, ...], list[int]]]:
    """Texts with the places of 6-grams that may stand in more than 3 of them: all others differ from each other by hash."""
    words = np.fromiter(chain.from_iterable(texts), np.uint64)
    starts = np.concatenate([[0], np.cumsum([len(text) for text in texts])]).astype(np.int64)
    hashes = np.zeros(max(len(words) - GRAM + 1, 0), np.uint64)
    for offset in range(GRAM):
        hashes = hashes * np.uint64(BASE) + words[offset : offset + len(hashes)]
    _, group, sizes = np.unique(hashes, return_inverse=True, return_counts=True)
    places = np.flatnonzero(sizes[group] > LEAST_BOILERPLATE)
    owners = np.searchsorted(starts, places, side="right") - 1
    places, owners = (found[places + GRAM <= starts[owners + 1]] for found in (places, owners))
    bounds = np.searchsorted(owners, np.arange(len(texts) + 1)).tolist()
    within = (places - starts[owners]).tolist()
    for text, first, last in zip(texts, bounds, bounds[1:], strict=False):
        if first < last:
            yield text, within[first:last]


def distinctive_positions(words: Sequence[int], ignored: Set[Gram]) -> list[int]:
    """Positions of the words covered by at least one gram that is not `ignored`; empty for fewer than 5 words."""
    if len(words) < LEAST_WORDS:
        return []
    length = gram_length(words)
    covered: set[int] = set()
    for start, gram in enumerate(grams(words, length)):
        if gram not in ignored:
            covered.update(range(start, start + length))
    return sorted(covered)
