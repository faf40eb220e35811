"""What fingerprints in hash-only segments say about a text: at most that it is suspect, and never more than they can.

A document that holds a text holds all its fingerprints; one that holds it edited holds fewer. Nothing is known of what
stands between them, so no share found makes a text contaminated: whoever wants to know fetches the document and scans it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from litmusgate.provenance.distinctive import COMMON_DOCUMENTS, COMMON_SOURCES, GRAM
from litmusgate.provenance.encoded import Encoding
from litmusgate.provenance.fingerprints import GUARANTEED_WORDS, WINDOW, PrintTable, SuitePrints, TextPrints
from litmusgate.provenance.match import Match, ProvenanceResult, ProvenanceStatus
from litmusgate.provenance.status import KEPT_MATCHES, SUSPECT_RUN, SUSPECT_SHARE, FieldFinding, match_order

LEAST_SHARE_OF = 3
"""A text is suspect when one of so many of its fingerprints stands in one document. Of a text with a tenth of its words
edited half of the grams are whole; unrelated texts have a fifth of them in common at most."""
LEAST_PRINTS = 3
"""Fewer are chance, except where a text has no more than that: then all of them must be found."""
ASSEMBLED_SHARE = SUSPECT_SHARE
"""So much of a text's fingerprints must stand in pieces of 13 words for it to be assembled from several documents."""
_LEAST_RUN_PRINTS = 2

FETCH = "the text is not kept: fetch the document and scan it"
TOO_SHORT_FOR_HASHES = "hash-only segments cannot tell: a text of its own of fewer than 13 words in a row is found there only as a whole document"


@dataclass(frozen=True, slots=True, kw_only=True)
class HashDocument:
    """A document of a hash-only segment."""

    corpus: str
    id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HashHits:
    """Fingerprints found: number `prints[i]` of a `PrintTable` in document `rows[i]`, whose source is number `sources[i]`."""

    prints: NDArray[np.int64]
    rows: NDArray[np.int64]
    sources: NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class HashReading:
    """Which fingerprints of `suite` stand in which documents of hash-only segments, as they are and in rot13.

    `documents` counts all documents of the segments. `wholes` are pairs of a text and the document that consists of it.
    `names` tells documents by row and may compute them on demand.
    """

    suite: SuitePrints
    documents: int
    plain: HashHits
    turned: HashHits
    wholes: tuple[tuple[int, int], ...]
    names: Sequence[HashDocument]


@dataclass(frozen=True, slots=True, kw_only=True)
class HashMatch:
    """A document that may hold a text: the share 0…1 of its fingerprints found, the longest piece of which none is missing,
    in words, and the half-open span of words of the text in which they stand."""

    document: HashDocument
    share: float
    run: int
    words: tuple[int, int]
    encoding: Encoding | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HashEvidence:
    """What hash-only segments say about one text.

    `assessable`: a copy of it would have been found. `common`: more than half of its fingerprints are common property. `matches` are the
    documents that make it suspect, best first; `assembled` when only several together do. `whole`: one of them *is* the text.
    """

    assessable: bool
    common: bool = False
    assembled: bool = False
    whole: bool = False
    matches: tuple[HashMatch, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """A document that holds something of a text; `covered` are the places of prints in pieces of at least 13 words."""

    match: HashMatch
    is_suspect: bool
    covered: list[int]


def weigh_hashes(reading: HashReading, *, common: AbstractSet[int]) -> tuple[HashEvidence, ...]:
    """The evidence for every text, by number; `common` are the numbers of grams that other segments know as common."""
    plain = reading.suite.plain
    ignored = _common_prints(plain, reading.plain, common)
    everywhere = frozenset(plain.grams[ignored].tolist()) | common
    found: dict[int, list[_Found]] = {}
    for text, pair in _measured(plain, reading.plain, ignored, reading.names, None):
        found.setdefault(text, []).append(pair)
    turned = reading.suite.turned
    ignored_turned = np.isin(turned.grams, np.fromiter(everywhere, np.int64, len(everywhere)))
    for text, pair in _measured(turned, reading.turned, ignored_turned, reading.names, Encoding.ROT13):
        found.setdefault(text, []).append(pair)
    wholes: dict[int, list[HashMatch]] = {}
    for text, row in reading.wholes:
        match = HashMatch(document=reading.names[row], share=1.0, run=0, words=(0, 0))
        wholes.setdefault(text, []).append(match)
    return tuple(
        _evidence(text, ignored, found.get(number, []), wholes.get(number, []))
        for number, text in enumerate(plain.texts)
    )


def with_hash_evidence(
    result: ProvenanceResult,
    findings: Sequence[FieldFinding],
    evidence: Sequence[HashEvidence],
    spoken: AbstractSet[str],
) -> ProvenanceResult:
    """`result` of the texts that are kept, and what the hash-only segments add to it.

    A clean instance becomes suspect when a text that speaks for it (`spoken`, by field) is found, and not assessable when
    one that is put to the agent could not have been. The score stays what the kept texts measured: a share of fingerprints,
    which the match tells, is no similarity. A short text beside a longer one counts only as a whole document.
    """
    if result.status not in (ProvenanceStatus.CLEAN, ProvenanceStatus.CLEAN_SHORT):
        return result
    pairs = list(zip(findings, evidence, strict=True))
    matches = [
        _match(finding, match)
        for finding, found in pairs
        if finding.where in spoken or (found.whole and finding.asks and finding.own)
        for match in found.matches
    ]
    heard = [(finding, found) for finding, found in pairs if finding.where in spoken]
    if matches:
        return replace(
            result,
            status=ProvenanceStatus.SUSPECT,
            run=max(result.run, *(match.run for match in matches)),
            matches=tuple(sorted({*result.matches, *matches}, key=match_order)[:KEPT_MATCHES]),
            detail=f"{_where(heard, matches)} has fingerprints in a hash-only segment; {FETCH}",
        )
    if any(found.common for _, found in heard):
        detail = "most fingerprints of a text are common property of hash-only segments"
        return replace(result, status=ProvenanceStatus.SUSPECT, detail=detail)
    asked = [found for finding, found in heard if finding.asks] or [found for _, found in heard]
    if not all(found.assessable for found in asked):
        return replace(result, status=ProvenanceStatus.NOT_ASSESSABLE, score=None, detail=TOO_SHORT_FOR_HASHES)
    return result


def needed_prints(prints: int) -> int:
    """How many of a text's fingerprints must stand in one document for the text to be suspect."""
    return max(min(prints, LEAST_PRINTS), -(-prints // LEAST_SHARE_OF))


def _where(heard: Sequence[tuple[FieldFinding, HashEvidence]], matches: Sequence[Match]) -> str:
    assembled = [finding.where for finding, found in heard if found.assembled]
    return f"{assembled[0]}, assembled from several documents," if assembled else min(matches, key=match_order).field


def _common_prints(table: PrintTable, hits: HashHits, common: AbstractSet[int]) -> NDArray[np.bool_]:
    """Which prints are common property: of the other segments, or in ≥ 50 documents of ≥ 3 sources here."""
    ignored = np.isin(table.grams, np.fromiter(common, np.int64, len(common)))
    counts = np.bincount(hits.prints, minlength=len(ignored))
    for number in np.flatnonzero(counts >= COMMON_DOCUMENTS).tolist():
        sources = np.unique(hits.sources[hits.prints == number])
        ignored[number] |= len(sources) >= COMMON_SOURCES
    return ignored


def _measured(
    table: PrintTable,
    hits: HashHits,
    ignored: NDArray[np.bool_],
    names: Sequence[HashDocument],
    encoding: Encoding | None,
) -> Iterator[tuple[int, _Found]]:
    """Every text with what a document holds of it, where that may come to something."""
    for text, row, held in _candidates(table, hits, ignored):
        places, numbers = _counted(table.texts[text], ignored)
        pieces = _pieces(places, numbers, held)
        match = HashMatch(
            document=names[row],
            share=len(held) / len(set(numbers)),
            run=max(piece[-1] + GRAM - piece[0] for piece in pieces),
            words=(pieces[0][0], pieces[-1][-1] + GRAM),
            encoding=encoding,
        )
        long = [piece for piece in pieces if piece[-1] + GRAM - piece[0] >= GUARANTEED_WORDS]
        is_suspect = len(held) >= needed_prints(len(set(numbers))) or match.run >= SUSPECT_RUN
        yield text, _Found(match=match, is_suspect=is_suspect, covered=[place for piece in long for place in piece])


def _candidates(table: PrintTable, hits: HashHits, ignored: NDArray[np.bool_]) -> Iterator[tuple[int, int, set[int]]]:
    """Text, document and the prints held, for every pair with two of them, or one of a text that has no more."""
    holders = [np.unique(text.prints) for text in table.texts]
    texts = np.repeat(np.arange(len(holders)), [len(held) for held in holders])
    held_by = np.concatenate([np.zeros(0, np.int64), *holders])
    order = np.argsort(held_by, kind="stable")
    texts, held_by = texts[order], held_by[order]
    found = np.flatnonzero(~ignored[hits.prints])
    first = np.searchsorted(held_by, hits.prints[found])
    counts = np.searchsorted(held_by, hits.prints[found], "right") - first
    of_hit = np.repeat(found, counts)
    at = np.repeat(first - np.cumsum(counts) + counts, counts) + np.arange(len(of_hit))
    columns = (hits.prints[of_hit], hits.rows[of_hit], texts[at])
    order = np.lexsort(columns)
    number, row, text = (column[order] for column in columns)
    fresh = np.ones(len(text), np.bool_)
    fresh[1:] = (text[1:] != text[:-1]) | (row[1:] != row[:-1])
    begins = np.flatnonzero(fresh)
    lengths = np.diff(np.append(begins, len(text)))
    left = np.asarray([np.count_nonzero(~ignored[held]) for held in holders], np.int64)
    wanted = lengths >= np.minimum(left[text[begins]], _LEAST_RUN_PRINTS)
    for start, length in zip(begins[wanted].tolist(), lengths[wanted].tolist(), strict=True):
        yield int(text[start]), int(row[start]), set(number[start : start + length].tolist())


def _counted(text: TextPrints, ignored: NDArray[np.bool_]) -> tuple[list[int], list[int]]:
    """The prints of a text that count: where they begin, and their numbers."""
    counted = ~ignored[text.prints]
    return text.places[counted].tolist(), text.prints[counted].tolist()


def _pieces(places: Sequence[int], numbers: Sequence[int], held: AbstractSet[int]) -> list[list[int]]:
    """The places of the prints held, in pieces of which none is missing."""
    pieces: list[list[int]] = [[]]
    for place, number in zip(places, numbers, strict=True):
        if number not in held:
            pieces.append([])
        elif pieces[-1] and place - pieces[-1][-1] > WINDOW:
            pieces.append([place])
        else:
            pieces[-1].append(place)
    return [piece for piece in pieces if piece]


def _evidence(
    text: TextPrints, ignored: NDArray[np.bool_], found: Sequence[_Found], wholes: Sequence[HashMatch]
) -> HashEvidence:
    places, _ = _counted(text, ignored)
    suspects = [item.match for item in found if item.is_suspect] + list(wholes)
    covered = {place for item in found for place in item.covered}
    is_enough = len(covered) >= LEAST_PRINTS and len(covered) >= ASSEMBLED_SHARE * len(places)
    assembled = is_enough and not suspects
    if assembled:
        suspects = [item.match for item in found if item.covered]
    suspects.sort(key=lambda match: (-match.share, -match.run, match.document.corpus, match.document.id))
    return HashEvidence(
        assessable=bool(places),
        common=2 * len(places) < len(text.prints),
        assembled=assembled,
        whole=bool(wholes),
        matches=tuple(suspects[:KEPT_MATCHES]),
    )


def _match(finding: FieldFinding, match: HashMatch) -> Match:
    return Match(
        corpus=match.document.corpus,
        document=match.document.id,
        field=finding.where,
        encoding=match.encoding,
        similarity=match.share,
        run=match.run,
        instance_words=match.words,
        document_words=(0, 0),
    )
