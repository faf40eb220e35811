"""A suite prepared for a scan: its distinct texts, their grams, and which instance has which text where."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from litmusgate.provenance.distinctive import (
    LEAST_WORDS,
    TRIGRAM,
    Gram,
    Vocabulary,
    boilerplate_grams,
    distinctive_positions,
    gram_length,
    grams,
)
from litmusgate.provenance.fields import Field, instance_fields
from litmusgate.provenance.similarity import SHORT_WORDS
from litmusgate.suite.instance import Instance


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedText:
    """A field of an instance: where it stands, the number of its text, and whether it is put to the agent."""

    where: str
    text: int
    asks: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteTexts:
    """The distinct texts of a suite, by number, and the grams by which documents are found.

    `gram_texts` maps every gram that is not boilerplate to the texts holding it; `short_trigrams` does the same for the
    trigrams of short texts, where an edit may leave no gram whole. `gram_lengths` are the lengths that occur.
    """

    vocabulary: Vocabulary
    texts: tuple[tuple[int, ...], ...]
    boilerplate: frozenset[Gram]
    gram_texts: dict[Gram, tuple[int, ...]]
    gram_lengths: tuple[int, ...]
    short_trigrams: dict[Gram, tuple[int, ...]]
    instances: tuple[tuple[str, tuple[PlacedText, ...]], ...]


def suite_texts(instances: Iterable[Instance]) -> SuiteTexts:
    """Fold and number everything `instances` hold; instances are sorted by id, so their order cannot matter."""
    vocabulary = Vocabulary()
    numbers: dict[tuple[int, ...], int] = {}
    fields: list[tuple[Field, tuple[int, ...]]] = []
    placed: list[tuple[str, tuple[PlacedText, ...]]] = []
    for instance in sorted(instances, key=lambda item: item.id):
        places: list[PlacedText] = []
        for found in instance_fields(instance):
            words = vocabulary.learn(found.words)
            fields.append((found, words))
            text = numbers.setdefault(words, len(numbers))
            places.append(PlacedText(where=found.where, text=text, asks=found.asks))
        placed.append((instance.id, tuple(places)))
    texts = tuple(numbers)
    boilerplate = boilerplate_grams(fields)
    return SuiteTexts(
        vocabulary=vocabulary,
        texts=texts,
        boilerplate=boilerplate,
        gram_texts=_gram_texts(texts, boilerplate),
        gram_lengths=tuple(sorted({gram_length(words) for words in texts if len(words) >= LEAST_WORDS})),
        short_trigrams=_short_trigrams(texts, boilerplate),
        instances=tuple(placed),
    )


def _gram_texts(texts: tuple[tuple[int, ...], ...], boilerplate: frozenset[Gram]) -> dict[Gram, tuple[int, ...]]:
    holders: dict[Gram, list[int]] = {}
    for number, words in enumerate(texts):
        if len(words) < LEAST_WORDS:
            continue
        for gram in set(grams(words, gram_length(words))) - boilerplate:
            holders.setdefault(gram, []).append(number)
    return {gram: tuple(found) for gram, found in holders.items()}


def _short_trigrams(texts: tuple[tuple[int, ...], ...], boilerplate: frozenset[Gram]) -> dict[Gram, tuple[int, ...]]:
    holders: dict[Gram, list[int]] = {}
    for number, words in enumerate(texts):
        positions = distinctive_positions(words, boilerplate)
        if len(positions) >= SHORT_WORDS:
            continue
        own = [words[position] for position in positions]
        for gram in set(grams(own, TRIGRAM)):
            holders.setdefault(gram, []).append(number)
    return {gram: tuple(found) for gram, found in holders.items()}
