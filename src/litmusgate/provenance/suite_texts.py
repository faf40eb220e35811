"""A suite prepared for a scan: its distinct texts, their grams, and which instance has which text where."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from litmusgate.provenance.allowed import AllowedText, allowed_grams, names_taking
from litmusgate.provenance.distinctive import (
    LEAST_WORDS,
    TRIGRAM,
    Gram,
    Vocabulary,
    boilerplate_grams,
    gram_length,
    grams,
)
from litmusgate.provenance.fields import Field, TextKind, instance_fields
from litmusgate.provenance.gram_places import GramPlaces, GramTexts, gram_places
from litmusgate.provenance.similarity import SHORT_WORDS
from litmusgate.suite.instance import Instance

_LATIN = re.compile("[a-z]")


LONGEST_SPELLING = 4
"""Bytes in which a document may spell one byte of folded text: full-width letters, escapes and hexadecimal take so many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedText:
    """A field of an instance: where it stands, the number of its text, and whether it is put to the agent."""

    where: str
    text: int
    asks: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteText:
    """One distinct text of the suite, as numbers of words, and its kind."""

    words: tuple[int, ...]
    kind: TextKind


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteTexts:
    """The distinct texts of a suite, by number, and the grams by which documents are found.

    `gram_numbers` numbers every gram that is not boilerplate, `grams` are the same in the order of their numbers, and
    `gram_texts` tells the texts holding each, `places` which stands where. `short_trigrams` maps the trigrams of short texts, where an edit may leave
    no gram whole, to those texts; `short_lengths` tells how many distinctive words each of them has. Grams and short texts
    that rot13 leaves as they are stand in `unrotated_grams` and `unrotated_texts`. `gram_lengths` are the lengths that
    occur; `longest_text_bytes` bounds every text as documents spell it. `boilerplate` includes what is allow-listed, and `allowed` tells for each
    text that would have more distinctive words without the allow-list the names of the allowed texts in it.
    """

    vocabulary: Vocabulary
    texts: tuple[SuiteText, ...]
    boilerplate: Mapping[TextKind, frozenset[Gram]]
    gram_numbers: Mapping[Gram, int]
    grams: tuple[Gram, ...]
    gram_texts: GramTexts
    places: GramPlaces
    gram_lengths: tuple[int, ...]
    short_trigrams: Mapping[Gram, tuple[int, ...]]
    short_lengths: Mapping[int, int]
    unrotated_grams: frozenset[int]
    unrotated_texts: frozenset[int]
    longest_text_bytes: int
    allowed: Mapping[int, tuple[str, ...]]
    instances: tuple[tuple[str, tuple[PlacedText, ...]], ...]


def suite_texts(instances: Iterable[Instance], *, allowed: Sequence[AllowedText] = ()) -> SuiteTexts:
    """Fold and number everything `instances` hold; instances are sorted by id, so their order cannot matter.

    The grams of `allowed` texts are boilerplate for every kind of text.
    """
    vocabulary = Vocabulary()
    numbers: dict[SuiteText, int] = {}
    fields: list[tuple[Field, tuple[int, ...]]] = []
    placed: list[tuple[str, tuple[PlacedText, ...]]] = []
    for instance in sorted(instances, key=lambda item: item.id):
        holding: list[PlacedText] = []
        for found in instance_fields(instance):
            words = vocabulary.learn(found.words)
            fields.append((found, words))
            text = numbers.setdefault(SuiteText(words=words, kind=found.kind), len(numbers))
            holding.append(PlacedText(where=found.where, text=text, asks=found.asks))
        placed.append((instance.id, tuple(holding)))
    texts = tuple(numbers)
    counted = boilerplate_grams(fields)
    exempt = allowed_grams(allowed, vocabulary)
    boilerplate = {kind: found | exempt.keys() for kind, found in counted.items()}
    gram_numbers, places = _number_grams(texts, boilerplate)
    short_trigrams, short_lengths = _short_trigrams(texts, places)
    same = {number for word, number in vocabulary.numbers.items() if not _LATIN.search(word)}
    return SuiteTexts(
        vocabulary=vocabulary,
        texts=texts,
        boilerplate=boilerplate,
        gram_numbers=gram_numbers,
        grams=tuple(gram_numbers),
        gram_texts=places.holders(),
        places=places,
        gram_lengths=tuple(sorted({gram_length(text.words) for text in texts if len(text.words) >= LEAST_WORDS})),
        short_trigrams=short_trigrams,
        short_lengths=short_lengths,
        unrotated_grams=frozenset(
            number for gram, number in gram_numbers.items() if gram[0] in same and same.issuperset(gram)
        ),
        unrotated_texts=frozenset(text for text in short_lengths if same.issuperset(texts[text].words)),
        longest_text_bytes=LONGEST_SPELLING * max((_folded_bytes(found.words) for found, _ in fields), default=0),
        allowed=_allowed(texts, counted, boilerplate, exempt) if exempt else {},
        instances=tuple(placed),
    )


def _folded_bytes(words: Sequence[str]) -> int:
    """What the words take with one byte between them, and one at the end."""
    return len(" ".join(words).encode("utf-8", "surrogatepass")) + 1


def _allowed(
    texts: Sequence[SuiteText],
    counted: Mapping[TextKind, frozenset[Gram]],
    ignored: Mapping[TextKind, frozenset[Gram]],
    exempt: Mapping[Gram, frozenset[str]],
) -> dict[int, tuple[str, ...]]:
    found = {
        number: names_taking(text.words, counted[text.kind], exempt, ignored[text.kind])
        for number, text in enumerate(texts)
    }
    return {number: names for number, names in found.items() if names}


def _number_grams(
    texts: Sequence[SuiteText], boilerplate: Mapping[TextKind, frozenset[Gram]]
) -> tuple[dict[Gram, int], GramPlaces]:
    """A number for each gram that counts, in the order of first use, and where it stands."""
    numbers: dict[Gram, int] = {}
    at: list[int] = []
    heads = {kind: {gram[0] for gram in found} for kind, found in boilerplate.items()}
    for text in texts:
        if len(text.words) < LEAST_WORDS:
            continue
        ignored, first = boilerplate[text.kind], heads[text.kind]
        at += [
            -1 if gram[0] in first and gram in ignored else numbers.setdefault(gram, len(numbers))
            for gram in grams(text.words, gram_length(text.words))
        ]
    return numbers, gram_places(at, [len(text.words) for text in texts])


def _short_trigrams(
    texts: Sequence[SuiteText], places: GramPlaces
) -> tuple[dict[Gram, tuple[int, ...]], dict[int, int]]:
    holders: dict[Gram, list[int]] = {}
    lengths: dict[int, int] = {}
    for number, positions in enumerate(places.own_words()):
        if not 0 < len(positions) < SHORT_WORDS:
            continue
        lengths[number] = len(positions)
        own = [texts[number].words[position] for position in positions.tolist()]
        for gram in dict.fromkeys(grams(own, TRIGRAM)):
            holders.setdefault(gram, []).append(number)
    return {gram: tuple(found) for gram, found in holders.items()}, lengths
