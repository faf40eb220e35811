"""What one pass over the known documents found: those that share anything with the suite, and what is common property.

What is kept is bounded by the suite, not by the corpora: of very many documents that share one gram only the ones that
share most are kept. Readings of parts of a corpus add up to the reading of the whole, in any order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from litmusgate.errors import CorpusError
from litmusgate.provenance.distinctive import COMMON_DOCUMENTS, COMMON_SOURCES
from litmusgate.provenance.encoded import Encoding
from litmusgate.provenance.suite_texts import SuiteTexts

KEPT_PER_GRAM = 50
"""Documents kept for each gram: below `COMMON_DOCUMENTS` of them a gram loses none."""
KEPT_PER_TEXT = 64
KEPT_RUNS = 16
"""Documents kept for each text because they hold most of it in one piece, however little that is of all they share."""
LEAST_RUN_GRAMS = 8
"""Grams of a text a document must hold for its longest piece to be looked at: 13 words in a row."""
FREE_BYTES = 96 << 20
"""Documents are chosen among only when they hold more than this."""
MOST_BYTES = 320 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class TouchedDocument:
    """A document that shares something with the suite, as the suite's word numbers (0: a word no instance uses).

    `grams` are numbers of `SuiteTexts.grams`, rising; `short_texts` the short texts it may hold. `text` is what the words
    were read from: the document, or with an `encoding` (rot13 apart) what was decoded out of it.
    """

    corpus: str
    id: str
    source: str
    encoding: Encoding | None = None
    words: NDArray[np.uint32]
    grams: NDArray[np.uint32]
    short_texts: tuple[int, ...]
    text: bytes

    def order(self) -> tuple[str, str, str, bytes]:
        """A total order that does not depend on the order of reading."""
        return self.corpus, self.id, self.encoding or "", self.text

    @property
    def kept_bytes(self) -> int:
        """Memory it takes, about."""
        return self.words.nbytes + self.grams.nbytes + len(self.text) + 500


@dataclass(slots=True)
class Reading:
    """What the pass found out. `documents` counts those with at least one word: a blank one is evidence of nothing.

    `blank` counts the others. `text_bytes` is how much text was read. `met_bytes` is what all touched documents held, the left-out ones included;
    of those `left_documents` and `left_sources` count the grams.
    """

    documents: int = 0
    blank: int = 0
    text_bytes: int = 0
    touched: list[TouchedDocument] = field(default_factory=list)
    met_bytes: int = 0
    kept_bytes: int = 0
    left_documents: dict[int, int] = field(default_factory=dict)
    left_sources: dict[int, frozenset[str]] = field(default_factory=dict)

    def add(self, suite: SuiteTexts, found: Iterable[TouchedDocument]) -> None:
        """Take in `found`; where more was met than may be kept, keep what shares most."""
        for document in found:
            self.touched.append(document)
            self.met_bytes += document.kept_bytes
            self.kept_bytes += document.kept_bytes
        if self.met_bytes > FREE_BYTES and self.kept_bytes > FREE_BYTES // 2:
            self._choose(suite)

    def merge(self, suite: SuiteTexts, other: Reading) -> None:
        """Take in the reading of another part of the corpora."""
        self.documents += other.documents
        self.blank += other.blank
        self.text_bytes += other.text_bytes
        for gram, count in other.left_documents.items():
            self.left_documents[gram] = self.left_documents.get(gram, 0) + count
        for gram, sources in other.left_sources.items():
            self.left_sources[gram] = _few(self.left_sources.get(gram, frozenset()) | sources)
        self.met_bytes += other.met_bytes - other.kept_bytes
        self.add(suite, other.touched)

    def finish(self, suite: SuiteTexts) -> None:
        """Bring the touched documents into their order; call once, when everything was read."""
        if self.met_bytes > FREE_BYTES:
            self._choose(suite)
        self.touched.sort(key=TouchedDocument.order)

    def common_grams(self) -> frozenset[int]:
        """Grams that are common property: in ≥ 50 documents of ≥ 3 sources."""
        plain = [document for document in self.touched if document.encoding is None]
        grams = np.concatenate([np.zeros(0, np.uint32), *(document.grams for document in plain)])
        counts = np.bincount(grams, minlength=max(self.left_documents, default=-1) + 1)
        for gram, count in self.left_documents.items():
            counts[gram] += count
        frequent = set(np.flatnonzero(counts >= COMMON_DOCUMENTS).tolist())
        sources = {gram: set(self.left_sources.get(gram, ())) for gram in frequent}
        for document in plain if frequent else ():
            for gram in frequent.intersection(document.grams.tolist()):
                sources[gram].add(document.source)
        return frozenset(gram for gram in frequent if len(sources[gram]) >= COMMON_SOURCES)

    def _choose(self, suite: SuiteTexts) -> None:
        """Keep for each gram and each text the documents that share most, for each text also those with the longest run.

        The others are only counted.
        """
        ranked = sorted(self.touched, key=lambda document: (-len(document.grams), document.order()))
        kept = _best_per_gram(suite, ranked) | _best_per_text(suite, ranked)
        for number, document in enumerate(ranked):
            if number not in kept and document.encoding is None:
                self._leave(document)
        self.touched = [document for number, document in enumerate(ranked) if number in kept]
        self.kept_bytes = sum(document.kept_bytes for document in self.touched)
        if self.kept_bytes > MOST_BYTES:
            raise CorpusError(
                "more known text shares words with the suite than can be compared at once",
                got=f"{self.kept_bytes >> 20} MiB",
                wanted=f"at most {MOST_BYTES >> 20} MiB",
                fix="scan the suite in parts, or add texts that are common property to the allow-list",
            )

    def _leave(self, document: TouchedDocument) -> None:
        for gram in document.grams.tolist():
            self.left_documents[gram] = self.left_documents.get(gram, 0) + 1
            self.left_sources[gram] = _few(self.left_sources.get(gram, frozenset()) | {document.source})


def _few(sources: frozenset[str]) -> frozenset[str]:
    """More sources than the rule for common property asks for need not be remembered."""
    return sources if len(sources) <= COMMON_SOURCES else frozenset(sorted(sources)[:COMMON_SOURCES])


def _best_per_gram(suite: SuiteTexts, ranked: list[TouchedDocument]) -> set[int]:
    room = np.full(len(suite.grams), KEPT_PER_GRAM, np.int64)
    kept: set[int] = set()
    for number, document in enumerate(ranked):
        if len(document.grams) and room[document.grams].max() > 0:
            kept.add(number)
            room[document.grams] -= 1
    return kept


def _best_per_text(suite: SuiteTexts, ranked: list[TouchedDocument]) -> set[int]:
    held: dict[int, list[tuple[int, int]]] = {}
    runs: dict[int, list[tuple[int, int]]] = {}
    is_held = np.zeros(len(suite.grams), np.bool_)
    for number, document in enumerate(ranked):
        counts: dict[int, int] = dict.fromkeys(document.short_texts, 0)
        for gram in document.grams.tolist():
            for text in suite.gram_texts[gram]:
                counts[text] = counts.get(text, 0) + 1
        is_held[document.grams] = True
        for text, count in counts.items():
            held.setdefault(text, []).append((-count, number))
            if count >= LEAST_RUN_GRAMS:
                runs.setdefault(text, []).append((-_longest_run(suite.places.of(text), is_held), number))
        is_held[document.grams] = False
    return _first(held, KEPT_PER_TEXT) | _first(runs, KEPT_RUNS)


def _first(found: Mapping[int, list[tuple[int, int]]], kept: int) -> set[int]:
    """The documents that stand first for each text; equals by their own rank, so that no order of reading matters."""
    return {number for ranks in found.values() for _, number in sorted(ranks)[:kept]}


def _longest_run(places: NDArray[np.int64], is_held: NDArray[np.bool_]) -> int:
    """Most places in a row whose gram `is_held`, by number; boilerplate between them neither counts nor ends a run."""
    held = is_held[places[places >= 0]]
    ends = np.concatenate([[-1], np.flatnonzero(~held), [len(held)]])
    return int((ends[1:] - ends[:-1]).max()) - 1
