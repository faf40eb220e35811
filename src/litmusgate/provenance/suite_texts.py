"""A suite prepared for a scan: its distinct texts, their grams, and which instance has which text where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
from litmusgate.provenance.fields import Field, TextKind, instance_fields
from litmusgate.provenance.similarity import SHORT_WORDS
from litmusgate.suite.instance import Instance


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

    `gram_texts` maps every gram that is not boilerplate to the texts holding it; `short_trigrams` does the same for the
    trigrams of short texts, where an edit may leave no gram whole. `gram_lengths` are the lengths that occur.
    """

    vocabulary: Vocabulary
    texts: tuple[SuiteText, ...]
    boilerplate: Mapping[TextKind, frozenset[Gram]]
    gram_texts: Mapping[Gram, Sequence[int]]
    gram_lengths: tuple[int, ...]
    short_trigrams: Mapping[Gram, Sequence[int]]
    instances: tuple[tuple[str, tuple[PlacedText, ...]], ...]


def suite_texts(instances: Iterable[Instance]) -> SuiteTexts:
    """Fold and number everything `instances` hold; instances are sorted by id, so their order cannot matter."""
    vocabulary = Vocabulary()
    numbers: dict[SuiteText, int] = {}
    fields: list[tuple[Field, tuple[int, ...]]] = []
    placed: list[tuple[str, tuple[PlacedText, ...]]] = []
    for instance in sorted(instances, key=lambda item: item.id):
        places: list[PlacedText] = []
        for found in instance_fields(instance):
            words = vocabulary.learn(found.words)
            fields.append((found, words))
            text = numbers.setdefault(SuiteText(words=words, kind=found.kind), len(numbers))
            places.append(PlacedText(where=found.where, text=text, asks=found.asks))
        placed.append((instance.id, tuple(places)))
    texts = tuple(numbers)
    boilerplate = boilerplate_grams(fields)
    return SuiteTexts(
        vocabulary=vocabulary,
        texts=texts,
        boilerplate=boilerplate,
        gram_texts=_gram_texts(texts, boilerplate),
        gram_lengths=tuple(sorted({gram_length(text.words) for text in texts if len(text.words) >= LEAST_WORDS})),
        short_trigrams=_short_trigrams(texts, boilerplate),
        instances=tuple(placed),
    )


def _gram_texts(
    texts: Sequence[SuiteText], boilerplate: Mapping[TextKind, frozenset[Gram]]
) -> dict[Gram, Sequence[int]]:
    holders: dict[Gram, list[int]] = {}
    for number, text in enumerate(texts):
        if len(text.words) < LEAST_WORDS:
            continue
        for gram in set(grams(text.words, gram_length(text.words))) - boilerplate[text.kind]:
            holders.setdefault(gram, []).append(number)
    return dict(holders)


def _short_trigrams(
    texts: Sequence[SuiteText], boilerplate: Mapping[TextKind, frozenset[Gram]]
) -> dict[Gram, Sequence[int]]:
    holders: dict[Gram, list[int]] = {}
    for number, text in enumerate(texts):
        positions = distinctive_positions(text.words, boilerplate[text.kind])
        if len(positions) >= SHORT_WORDS:
            continue
        own = [text.words[position] for position in positions]
        for gram in set(grams(own, TRIGRAM)):
            holders.setdefault(gram, []).append(number)
    return dict(holders)
