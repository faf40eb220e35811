"""Near-duplicates inside a suite: instances that are one question asked twice (supports A12).

Two instances are near-duplicates when each of their parts (what the user says, what the attacker wrote, the material
around it) is: nearly all words in the same order, and what differs is either a value or two, or stays small against the
part's own words. The second condition keeps a shared wrapper from making different attacks equal.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rapidfuzz.distance import LCSseq

from litmusgate.provenance.distinctive import Gram, Vocabulary, boilerplate_grams, distinctive_positions
from litmusgate.provenance.fields import Field, TextKind, instance_fields
from litmusgate.suite.instance import Instance

VALUE_WORDS = 3
"""Differences of so many words are a changed value, whatever share of the part's own words they are."""
SKETCH_GRAMS = 16
SKETCH_WORDS = 4
MOST_COMPARED = 32
"""Candidates compared per instance: a bound, so that thousands of templated instances stay affordable."""
MOST_POSTED = 64

_PARTS = ("said", "attack", "material")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    words: tuple[int, ...]
    own: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Prepared:
    id: str
    parts: tuple[_Part, ...]
    sketch: tuple[int, ...]


def near_duplicate_groups(instances: Iterable[Instance], *, tau: Fraction) -> dict[str, str]:
    """For every instance id the group it belongs to, named by the smallest id in it; alone it is its own group.

    Similarity is mutual (each holds ≥ τ of the other) and groups are its connected components. Candidates are instances
    that share the rarest-hashing grams, at most `MOST_COMPARED` for each. Instances without a word stand alone.
    """
    prepared = _prepared(instances)
    leader = {item.id: item.id for item in prepared}
    posted: dict[int, list[_Prepared]] = {}
    for item in prepared:
        for candidate in _candidates(item, posted):
            if _root(leader, candidate.id) != _root(leader, item.id) and _is_near(item, candidate, tau):
                _join(leader, item.id, candidate.id)
        for gram in item.sketch:
            holders = posted.setdefault(gram, [])
            if len(holders) < MOST_POSTED:
                holders.append(item)
    return {item.id: _root(leader, item.id) for item in prepared}


def _prepared(instances: Iterable[Instance]) -> list[_Prepared]:
    vocabulary = Vocabulary()
    ordered = sorted(instances, key=lambda item: item.id)
    fields = [
        [field for field in instance_fields(item) if not field.derived and field.kind is not TextKind.JOINED]
        for item in ordered
    ]
    numbered = [[(field, vocabulary.learn(field.words)) for field in found] for found in fields]
    boilerplate = boilerplate_grams(pair for found in numbered for pair in found)
    return [
        _Prepared(
            id=item.id,
            parts=tuple(_part(found, name, boilerplate) for name in _PARTS),
            sketch=_sketch([field.words for field, _ in found]),
        )
        for item, found in zip(ordered, numbered, strict=True)
    ]


def _part(
    fields: Sequence[tuple[Field, tuple[int, ...]]], name: str, boilerplate: Mapping[TextKind, frozenset[Gram]]
) -> _Part:
    """Turns keep their order; attacks and material are sets of texts, whose places in the suite say nothing."""
    found = [(words, field.kind) for field, words in fields if _part_of(field) == name]
    texts = found if name == "said" else sorted(set(found))
    return _Part(
        words=tuple(word for words, _ in texts for word in words),
        own=tuple(words[at] for words, kind in texts for at in distinctive_positions(words, boilerplate[kind])),
    )


def _part_of(field: Field) -> str:
    if field.where.startswith("turns["):
        return "said"
    return "attack" if field.asks else "material"


def _sketch(texts: Sequence[tuple[str, ...]]) -> tuple[int, ...]:
    """The smallest hashes of the 4-word grams: alike texts share most of them. CRC-32, since `hash` differs by process."""
    hashes: set[int] = set()
    for words in texts:
        length = min(SKETCH_WORDS, len(words))
        for start in range(len(words) - length + 1):
            hashes.add(zlib.crc32(" ".join(words[start : start + length]).encode("utf-8", "surrogatepass")))
    return tuple(sorted(hashes)[:SKETCH_GRAMS])


def _candidates(item: _Prepared, posted: dict[int, list[_Prepared]]) -> list[_Prepared]:
    shared: Counter[str] = Counter()
    found: dict[str, _Prepared] = {}
    for gram in item.sketch:
        for other in posted.get(gram, ()):
            shared[other.id] += 1
            found[other.id] = other
    ordered = sorted(shared, key=lambda name: (-shared[name], name))
    return [found[name] for name in ordered[:MOST_COMPARED]]


def _is_near(one: _Prepared, other: _Prepared, tau: Fraction) -> bool:
    pairs = list(zip(one.parts, other.parts, strict=True))
    return any(part.words for part in one.parts) and all(_is_near_part(left, right, tau) for left, right in pairs)


def _is_near_part(one: _Part, other: _Part, tau: Fraction) -> bool:
    if one.words == other.words:
        return True
    longer = max(len(one.words), len(other.words))
    if min(len(one.words), len(other.words)) < tau * longer:
        return False
    common = LCSseq.similarity(one.words, other.words)
    if common < tau * longer:
        return False
    if longer - common <= VALUE_WORDS:
        return True
    own = max(len(one.own), len(other.own))
    return LCSseq.similarity(one.own, other.own) >= tau * own


def _root(leader: dict[str, str], name: str) -> str:
    while leader[name] != name:
        leader[name] = leader[leader[name]]
        name = leader[name]
    return name


def _join(leader: dict[str, str], one: str, other: str) -> None:
    first, second = sorted((_root(leader, one), _root(leader, other)))
    leader[second] = first
