"""Stage two: each text of the suite against the documents that touched it, exactly."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from litmusgate.provenance.distinctive import GRAM, Gram, distinctive_positions, gram_length, grams
from litmusgate.provenance.engine import Engine
from litmusgate.provenance.reading import Reading, TouchedDocument
from litmusgate.provenance.similarity import ALONE_WORDS, FieldWords, Overlap, is_item, prepare
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
    run_words: int = 0
    union: int = 0
    overlaps: tuple[Found, ...] = ()
    item: Found | None = None


def measure_texts(suite: SuiteTexts, reading: Reading, engine: Engine) -> tuple[TextFinding, ...]:
    """A finding for every text of `suite`, by number. `reading` must be finished."""
    common = reading.common_grams()
    common_words = {suite.grams[number] for number in common}
    ignored = {kind: grams_of_kind | common_words for kind, grams_of_kind in suite.boilerplate.items()}
    fields = [prepare(text.words, distinctive_positions(text.words, ignored[text.kind])) for text in suite.texts]
    pairs = _pairs(suite, reading, fields, common)
    overlaps = engine.overlaps(fields, reading.touched, pairs)
    places = [_gram_places(suite, number, ignored[text.kind]) for number, text in enumerate(suite.texts)]
    covered = engine.covered(places, reading.touched, pairs, least_grams=UNION_RUN - GRAM + 1)
    bounds = np.searchsorted(pairs[:, 0], np.arange(len(fields) + 1)).tolist()
    findings: list[TextFinding] = []
    for number, field in enumerate(fields):
        start, end = bounds[number], bounds[number + 1]
        documents = (reading.touched[document] for document in pairs[start:end, 1].tolist())
        held = 0 if field.is_short else int(covered[number][list(field.positions)].sum())
        found = list(zip(documents, overlaps[start:end], strict=True))
        common_text = not field.own and bool(
            distinctive_positions(field.words, suite.boilerplate[suite.texts[number].kind])
        )
        findings.append(_finding(field, found, union=held, common=common_text))
    return tuple(findings)


def _pairs(suite: SuiteTexts, reading: Reading, fields: Sequence[FieldWords], common: Set[int]) -> NDArray[np.int64]:
    """Which text is to be compared with which touched document: rows (text, document), sorted, each once."""
    rows: list[tuple[int, int]] = []
    for number, document in enumerate(reading.touched):
        texts = set(document.short_texts)
        for gram in document.grams.tolist():
            if gram not in common:
                texts.update(suite.gram_texts[gram])
        rows += [(text, number) for text in texts if fields[text].own]
    rows.sort()
    return np.asarray(rows, np.int64).reshape(-1, 2)


def _gram_places(suite: SuiteTexts, number: int, ignored: Set[Gram]) -> NDArray[np.int64]:
    """The number of the gram at each place of a text; -1 where it is ignored, empty for texts of less than 6 words."""
    words = suite.texts[number].words
    if gram_length(words) < GRAM:
        return np.zeros(0, np.int64)
    found = [-1 if gram in ignored else suite.gram_numbers[gram] for gram in grams(words, GRAM)]
    return np.asarray(found, np.int64)


def _finding(field: FieldWords, found: Sequence[Found], *, union: int, common: bool) -> TextFinding:
    """Everything stage two says of one text: the three best overlaps, the longest run among them, and the best item."""
    best = sorted(found, key=lambda item: (-item[1].shared, -item[1].run, item[0].order()))
    items = [item for item in best if is_item(field, len(item[0].words))] if len(field.own) < ALONE_WORDS else []
    longest = max(best, key=lambda item: item[1].run, default=None)
    kept = tuple(item for item in best[:KEPT_MATCHES] if item[1].shared)
    if longest is not None and longest[1].run > max((item[1].run for item in kept), default=0):
        kept = (*kept[: KEPT_MATCHES - 1], longest)
    return TextFinding(
        own=len(field.own),
        common=common,
        shared=best[0][1].shared if best else 0,
        run=longest[1].run if longest else 0,
        run_words=longest[1].run_words if longest else 0,
        union=union,
        overlaps=kept,
        item=items[0] if items else None,
    )
