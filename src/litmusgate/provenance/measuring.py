"""Stage two: each text of the suite against the documents that touched it, exactly."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from litmusgate.provenance.distinctive import GRAM
from litmusgate.provenance.engine import Engine
from litmusgate.provenance.reading import Reading, TouchedDocument
from litmusgate.provenance.similarity import ALONE_WORDS, FieldWords, Overlap, is_item
from litmusgate.provenance.status import KEPT_MATCHES
from litmusgate.provenance.suite_texts import SuiteTexts

UNION_RUN = 13
"""Shortest piece, in words, that counts towards a text assembled from several documents."""

_NONE: NDArray[np.int64] = np.zeros(0, np.int64)

Found: TypeAlias = tuple[TouchedDocument, Overlap]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextFinding:
    """One text of the suite: the best overlaps, best first, and what all documents hold of it together.

    `item` is the best overlap with a document that consists of the text, sought only for texts that may be stock phrases.
    `common`: more than half of the words that are its own within the suite are common property, and not in `own`.
    """

    own: int
    common: bool
    shared: int = 0
    run: int = 0
    run_words: int = 0
    union: int = 0
    overlaps: tuple[Found, ...] = ()
    item: Found | None = None


def measure_texts(suite: SuiteTexts, reading: Reading, engine: Engine) -> tuple[TextFinding, ...]:
    """A finding for every text of `suite`, by number. `reading` must be finished."""
    common = reading.common_grams()
    places = suite.places.without(common)
    own = places.own_words()
    is_common = _mostly_common(suite.places.own_words(), own) if common else [False] * len(own)
    pairs = _pairs(suite, reading, np.asarray([len(found) for found in own], np.int64), common)
    paired, field_numbers = np.unique(pairs[:, 0], return_inverse=True)
    numbers = paired.tolist()
    pairs = np.column_stack([field_numbers, pairs[:, 1]])
    fields = [FieldWords(words=suite.texts[number].words, positions=tuple(own[number].tolist())) for number in numbers]
    overlaps = engine.overlaps(fields, reading.touched, pairs)
    at = [_NONE if len(suite.texts[number].words) < GRAM else places.of(number) for number in numbers]
    covered = engine.covered(at, reading.touched, pairs, least_grams=UNION_RUN - GRAM + 1)
    documents = [reading.touched[number] for number in pairs[:, 1].tolist()]
    bounds = np.searchsorted(field_numbers, np.arange(len(fields) + 1)).tolist()
    findings: dict[int, TextFinding] = {}
    for number, field, words, (start, end) in zip(numbers, fields, covered, pairwise(bounds), strict=True):
        union = 0 if field.is_short else int(np.count_nonzero(words[own[number]]))
        found = list(zip(documents[start:end], overlaps[start:end], strict=True))
        findings[number] = _finding(field, found, union=union, common=is_common[number])
    return tuple(
        findings.get(number) or TextFinding(own=len(words), common=is_common[number])
        for number, words in enumerate(own)
    )


def _mostly_common(in_suite: Sequence[NDArray[np.int64]], left: Sequence[NDArray[np.int64]]) -> list[bool]:
    """For each text whether common property took more than half of the words that are its own `in_suite`.

    What is `left` is then too little to speak for it: a copy that lacks its last words shares none of them.
    """
    return [2 * len(words) < len(before) for before, words in zip(in_suite, left, strict=True)]


def _pairs(suite: SuiteTexts, reading: Reading, own: NDArray[np.int64], common: Collection[int]) -> NDArray[np.int64]:
    """Which text is to be compared with which touched document: rows (text, document), sorted, each once."""
    touched = reading.touched
    grams = np.concatenate([np.zeros(0, np.uint32), *(document.grams for document in touched)])
    holding = np.repeat(np.arange(len(touched)), np.asarray([len(document.grams) for document in touched], np.int64))
    counted = ~np.isin(grams, np.fromiter(common, np.int64, len(common)))
    texts, counts = suite.gram_texts.of_all(grams[counted])
    short = [(text, number) for number, document in enumerate(touched) for text in document.short_texts]
    rows = np.concatenate(
        [np.column_stack([texts, np.repeat(holding[counted], counts)]), np.asarray(short, np.int64).reshape(-1, 2)]
    )
    rows = rows[own[rows[:, 0]] > 0]
    keys = np.unique(rows[:, 0] * len(touched) + rows[:, 1])
    return np.column_stack([keys // max(1, len(touched)), keys % max(1, len(touched))])


def _finding(field: FieldWords, found: Sequence[Found], *, union: int, common: bool) -> TextFinding:
    """Everything stage two says of one text: the three best overlaps, the longest run among them, and the best item.

    `found` must be in the order of the documents, which decides between equals.
    """
    best = sorted(found, key=_by_rank)
    is_alone = len(field.positions) >= ALONE_WORDS
    items = [] if is_alone else [item for item in best if is_item(field, len(item[0].words))]
    longest = max(best, key=_by_run)
    kept = tuple(item for item in best[:KEPT_MATCHES] if item[1].shared)
    if longest[1].run > max((item[1].run for item in kept), default=0):
        kept = (*kept[: KEPT_MATCHES - 1], longest)
    return TextFinding(
        own=len(field.positions),
        common=common,
        shared=best[0][1].shared,
        run=longest[1].run,
        run_words=longest[1].run_words,
        union=union,
        overlaps=kept,
        item=items[0] if items else None,
    )


def _by_rank(found: Found) -> tuple[int, int]:
    return -found[1].shared, -found[1].run


def _by_run(found: Found) -> int:
    return found[1].run
