"""Near-duplicates inside a suite: instances that are one question asked twice (supports A12).

Two instances are near-duplicates when each of their parts (what the user says, what the attacker wrote, the material
around it) is: each text holds ≥ τ of the other, measured as the scan measures a text in a document, and either what
differs is a value or two, or each also holds ≥ τ of the other's own words. The last condition keeps a shared wrapper from
making different attacks equal.

Groups are exact: no pair that could be near is left uncompared. A text of n words that holds ≥ τ of another has at least
one of its ⌊(1 - τ)·n⌋ + 1 rarest words in common with it, so only texts that hold one of those are compared, and of those
that are in one group already none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import TypeAlias

from rapidfuzz.distance import LCSseq

from litmusgate.provenance.distinctive import (
    TRIGRAM,
    Gram,
    Vocabulary,
    boilerplate_grams,
    distinctive_positions,
    grams,
)
from litmusgate.provenance.fields import Field, TextKind, instance_fields
from litmusgate.provenance.similarity import FieldWords, overlap, prepare
from litmusgate.suite.instance import Instance

VALUE_WORDS = 3
"""Differences of so many words are a changed value, whatever share of the part's own words they are."""

_PARTS = ("said", "attack", "material")
_NumberedField: TypeAlias = tuple[Field, tuple[int, ...]]
_Texts: TypeAlias = tuple[tuple[tuple[int, ...], TextKind], ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Text:
    """One distinct text of a part: as a whole, and by its own words; `rarest` are the words that find what is near it, `cost`
    how many instances hold them, `is_shared` whether several instances have this text.
    """

    number: int
    whole: FieldWords
    own: FieldWords
    words: frozenset[int]
    own_words: frozenset[int]
    trigrams: frozenset[Gram]
    rarest: tuple[int, ...]
    cost: int
    is_shared: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Prepared:
    id: str
    parts: tuple[_Text, ...]


def near_duplicate_groups(instances: Iterable[Instance], *, tau: Fraction) -> dict[str, str]:
    """For every instance id the group it belongs to, named by the smallest id in it; alone it is its own group.

    Groups are the connected components of being near-duplicates. Instances without a word stand alone.
    """
    prepared = _prepared(instances, tau)
    near = _Near(tau)
    leader = {item.id: item.id for item in prepared}
    index = _Index(leader)
    for item in prepared:
        for candidate in index.candidates(item):
            if near.is_near(item, candidate):
                _join(leader, item.id, candidate.id)
        index.add(item)
    return {item.id: _root(leader, item.id) for item in prepared}


class _Index:
    """Which instances hold which word in which part, by the group they were in when they were added."""

    def __init__(self, leader: dict[str, str]) -> None:
        self._leader = leader
        self._holders: dict[tuple[int, int], dict[str, list[_Prepared]]] = {}

    def add(self, item: _Prepared) -> None:
        group = _root(self._leader, item.id)
        for part, text in enumerate(item.parts):
            for word in text.words:
                self._holders.setdefault((part, word), {}).setdefault(group, []).append(item)

    def candidates(self, item: _Prepared) -> Iterator[_Prepared]:
        """Added instances that may be near `item` and are in no group with it, as groups are when they are asked for.

        One part is enough to look by, because near instances are near in every part: the one whose words are rarest.
        """
        spoken = [part for part, text in enumerate(item.parts) if text.words]
        if not spoken:
            return
        part = min(spoken, key=lambda number: item.parts[number].cost)
        met: set[str] = set()
        for word in item.parts[part].rarest:
            for group, members in self._holders.get((part, word), {}).items():
                if _root(self._leader, group) != _root(self._leader, item.id):
                    yield from self._unmet(item, group, members, met)

    def _unmet(self, item: _Prepared, group: str, members: list[_Prepared], met: set[str]) -> Iterator[_Prepared]:
        for member in members:
            if member.id not in met:
                met.add(member.id)
                yield member
                if _root(self._leader, group) == _root(self._leader, item.id):
                    return


class _Near:
    """Whether two instances are near-duplicates; what was found of texts that stand in several instances is kept."""

    def __init__(self, tau: Fraction) -> None:
        self._tau = tau
        self._known: dict[tuple[int, int], bool] = {}

    def is_near(self, one: _Prepared, other: _Prepared) -> bool:
        pairs = zip(one.parts, other.parts, strict=True)
        return all(left is right or self._is_near_text(left, right) for left, right in pairs)

    def _is_near_text(self, one: _Text, other: _Text) -> bool:
        if not (one.is_shared and other.is_shared):
            return _is_near_text(one, other, self._tau)
        key = (min(one.number, other.number), max(one.number, other.number))
        if key not in self._known:
            self._known[key] = _is_near_text(one, other, self._tau)
        return self._known[key]


def _is_near_text(one: _Text, other: _Text, tau: Fraction) -> bool:
    if _lacks(other, one, tau) or _lacks(one, other, tau):
        return False
    longer = max(len(one.whole.words), len(other.whole.words))
    if min(len(one.whole.words), len(other.whole.words)) < tau * longer:
        return False
    if LCSseq.similarity(one.whole.words, other.whole.words) >= max(longer - VALUE_WORDS, _share(longer, tau)):
        return True
    demands = [
        (field, document)
        for text, document in ((one, other), (other, one))
        for field in (text.own, text.whole)
        if field.own
    ]
    possible = all(_may_hold(document, field, tau) for field, document in demands)
    return possible and all(_holds(document, field, tau) for field, document in demands)


def _lacks(text: _Text, other: _Text, tau: Fraction) -> bool:
    """Whether so many own words of `other` are missing in `text` that neither condition can be met: quickly seen."""
    missing = len(other.own_words - text.words)
    return missing > VALUE_WORDS and missing > len(other.own.own) - _share(len(other.own.own), tau)


def _may_hold(text: _Text, field: FieldWords, tau: Fraction) -> bool:
    """Whether enough words of `field` stand in `text` in any order: quickly seen, and without that it cannot hold them."""
    return sum(word in text.words for word in field.own) >= tau * len(field.own)


def _holds(text: _Text, field: FieldWords, tau: Fraction) -> bool:
    """Whether `text` holds τ of `field`, by the rules of the scan, which look at windows: all of it bounds them from above."""
    document = text.whole.words
    least = _share(len(field.own), tau)
    if not field.is_short:
        in_order = LCSseq.similarity(field.own, document) >= least
        if in_order and 2 * len(document) <= 3 * len(field.own):
            return True
        if not in_order and _covered(text, field) < least:
            return False
    return overlap(field, document).shared >= least


def _covered(text: _Text, field: FieldWords) -> int:
    """How many words of `field` stand in trigrams that `text` has anywhere."""
    places = {at for gram, starts in field.trigrams.items() if gram in text.trigrams for at in starts}
    return len(places | {place + 1 for place in places} | {place + 2 for place in places})


def _share(words: int, tau: Fraction) -> int:
    """The least number of `words` that is a share τ of them."""
    return -(-tau.numerator * words // tau.denominator)


def _prepared(instances: Iterable[Instance], tau: Fraction) -> list[_Prepared]:
    vocabulary = Vocabulary()
    ordered = sorted(instances, key=lambda item: item.id)
    numbered: list[list[_NumberedField]] = []
    for item in ordered:
        fields = (field for field in instance_fields(item) if not field.derived and field.kind is not TextKind.JOINED)
        numbered.append([(field, vocabulary.learn(field.words)) for field in fields])
    boilerplate = boilerplate_grams(pair for found in numbered for pair in found)
    keys = [tuple((name, _texts_of(found, name)) for name in _PARTS) for found in numbered]
    held = Counter(key for parts in keys for key in parts)
    frequency: dict[str, Counter[int]] = {name: Counter() for name in _PARTS}
    for (name, texts), count in held.items():
        for word in {word for words, _ in texts for word in words}:
            frequency[name][word] += count
    made = {
        key: _text(number, key[1], boilerplate, frequency[key[0]], tau, is_shared=count > 1)
        for number, (key, count) in enumerate(held.items())
    }
    return [
        _Prepared(id=item.id, parts=tuple(made[key] for key in parts))
        for item, parts in zip(ordered, keys, strict=True)
    ]


def _texts_of(fields: Sequence[_NumberedField], name: str) -> _Texts:
    """Turns keep their order; attacks and material are sets of texts, whose places in the suite say nothing."""
    found = [(words, field.kind) for field, words in fields if _part_of(field) == name]
    return tuple(found if name == "said" else sorted(set(found)))


def _part_of(field: Field) -> str:
    if field.where.startswith("turns["):
        return "said"
    return "attack" if field.asks else "material"


def _text(
    number: int,
    texts: _Texts,
    boilerplate: Mapping[TextKind, frozenset[Gram]],
    frequency: Mapping[int, int],
    tau: Fraction,
    *,
    is_shared: bool,
) -> _Text:
    words = tuple(word for found, _ in texts for word in found)
    starts = accumulate((len(found) for found, _ in texts), initial=0)
    own = [
        start + place
        for start, (found, kind) in zip(starts, texts, strict=False)
        for place in distinctive_positions(found, boilerplate[kind])
    ]
    whole, owned = prepare(words, range(len(words))), prepare(words, own)
    ordered = sorted(words, key=lambda word: (frequency[word], word))
    ordered_own = sorted(owned.own, key=lambda word: (frequency[word], word))
    rarest = {*ordered[: VALUE_WORDS + 1], *_finding(ordered_own or ordered, tau)}
    return _Text(
        number=number,
        whole=whole,
        own=owned,
        words=frozenset(words),
        own_words=frozenset(owned.own),
        trigrams=frozenset(grams(words, TRIGRAM)),
        rarest=tuple(sorted(rarest, key=lambda word: (frequency[word], word))),
        cost=sum(frequency[word] for word in rarest),
        is_shared=is_shared,
    )


def _finding(ordered: Sequence[int], tau: Fraction) -> Sequence[int]:
    """So many of the rarest words that a text which holds none of them cannot hold a share τ."""
    return ordered[: len(ordered) - _share(len(ordered), tau) + 1]


def _root(leader: dict[str, str], name: str) -> str:
    while leader[name] != name:
        leader[name] = leader[leader[name]]
        name = leader[name]
    return name


def _join(leader: dict[str, str], one: str, other: str) -> None:
    first, second = sorted((_root(leader, one), _root(leader, other)))
    leader[second] = first
