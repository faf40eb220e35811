"""Stage two: each text of the suite against the documents that touched it, exactly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TypeAlias

from litmusgate.provenance.distinctive import GRAM, Gram, distinctive_positions, gram_length, grams
from litmusgate.provenance.reading import Reading, TouchedDocument
from litmusgate.provenance.similarity import ALONE_WORDS, FieldWords, Overlap, is_item, most_possible, overlap, prepare
from litmusgate.provenance.status import KEPT_MATCHES
from litmusgate.provenance.suite_texts import SuiteTexts

UNION_RUN = 13
"""Shortest piece, in words, that counts towards a text assembled from several documents."""

Found: TypeAlias = tuple[TouchedDocument, Overlap]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFinding:
    """One text of the suite: the best overlaps, best first, and what all documents hold of it together.

    `item` is the best overlap with a document that consists of the text, sought only for texts that may be stock phrases.
    """

    own: int
    common: bool
    shared: int = 0
    run: int = 0
    union: int = 0
    overlaps: tuple[Found, ...] = ()
    item: Found | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Candidate:
    possible: int
    possible_run: int
    document: TouchedDocument


def measure_texts(suite: SuiteTexts, reading: Reading) -> tuple[TextFinding, ...]:
    """A finding for every text of `suite`, by number."""
    common = reading.common_grams()
    ignored = {kind: grams_of_kind | common for kind, grams_of_kind in suite.boilerplate.items()}
    fields = [prepare(text.words, distinctive_positions(text.words, ignored[text.kind])) for text in suite.texts]
    candidates = _candidates(suite, reading, fields, common)
    return tuple(
        _measure(
            field,
            candidates.get(number, ()),
            ignored[text.kind],
            common=_is_all_common(field, suite.boilerplate[text.kind]),
        )
        for number, (field, text) in enumerate(zip(fields, suite.texts, strict=True))
    )


def _is_all_common(field: FieldWords, boilerplate: Set[Gram]) -> bool:
    return not field.own and bool(distinctive_positions(field.words, boilerplate))


def _candidates(
    suite: SuiteTexts, reading: Reading, fields: Sequence[FieldWords], common: Set[Gram]
) -> Mapping[int, list[_Candidate]]:
    found: dict[int, list[_Candidate]] = {}
    for document in reading.touched:
        hits: dict[int, int] = dict.fromkeys(document.short_texts, 0)
        for gram in document.grams:
            if gram not in common:
                for text in suite.gram_texts[gram]:
                    hits[text] = hits.get(text, 0) + 1
        present = set(document.words) if hits else set()
        for text, count in hits.items():
            field = fields[text]
            if field.own:
                possible = most_possible(field, present)
                run = count + gram_length(field.words) - 1 if count else 0
                found.setdefault(text, []).append(_Candidate(possible=possible, possible_run=run, document=document))
    return found


def _measure(field: FieldWords, candidates: Sequence[_Candidate], ignored: Set[Gram], *, common: bool) -> TextFinding:
    """Everything stage two says of one text."""
    ordered = sorted(candidates, key=lambda item: (-item.possible, -item.possible_run, item.document.order()))
    best = _best(field, ordered)
    items: Sequence[Found] = ()
    if len(field.own) < ALONE_WORDS:
        items = _best(field, [found for found in ordered if is_item(field, found.document.words)])
    longest = max(best, key=lambda item: item[1].run, default=None)
    kept = tuple(item for item in best[:KEPT_MATCHES] if item[1].shared)
    if longest is not None and longest[1].run > max((item[1].run for item in kept), default=0):
        kept = (*kept[: KEPT_MATCHES - 1], longest)
    return TextFinding(
        own=len(field.own),
        common=common,
        shared=max((item[1].shared for item in best), default=0),
        run=max((item[1].run for item in best), default=0),
        union=0 if field.is_short else _assembled(field, [item.document for item in ordered], ignored),
        overlaps=kept,
        item=items[0] if items else None,
    )


def _best(field: FieldWords, ordered: Sequence[_Candidate]) -> list[Found]:
    """Overlaps, best first; a candidate whose upper bound cannot beat what was found is not compared."""
    best: list[Found] = []
    shared = run = 0
    for candidate in ordered:
        hopeless = candidate.possible <= shared and candidate.possible_run <= run
        if hopeless and len(best) >= KEPT_MATCHES:
            continue
        found = overlap(field, candidate.document.words)
        shared, run = max(shared, found.shared), max(run, found.run)
        best.append((candidate.document, found))
    return sorted(best, key=lambda item: (-item[1].shared, -item[1].run, item[0].order()))


def _assembled(field: FieldWords, documents: Sequence[TouchedDocument], ignored: Set[Gram]) -> int:
    """Distinctive words that stand, in pieces of ≥ 13 words, in any of the documents."""
    places = grams(field.words, GRAM)
    covered: set[int] = set()
    for document in documents:
        held = set(document.grams)
        start = 0
        for place in range(len(places) + 1):
            if place < len(places) and places[place] in held and places[place] not in ignored:
                continue
            if place - start + GRAM - 1 >= UNION_RUN:
                covered.update(range(start, place + GRAM - 1))
            start = place + 1
    return sum(1 for position in field.positions if position in covered)
