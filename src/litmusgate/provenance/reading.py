"""One pass over the known documents: which of them share anything with the suite, and what is common property."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field

from litmusgate.provenance.distinctive import (
    COMMON_SOURCES,
    TRIGRAM,
    Gram,
    grams,
    is_common,
)
from litmusgate.provenance.fold import fold_words
from litmusgate.provenance.known import KnownDocument
from litmusgate.provenance.suite_texts import SuiteTexts


@dataclass(frozen=True, slots=True, kw_only=True)
class TouchedDocument:
    """A document that shares a gram with the suite: its words as the suite's numbers, and what it shares."""

    corpus: str
    id: str
    words: array[int]
    grams: tuple[Gram, ...]
    short_texts: tuple[int, ...]

    def order(self) -> tuple[str, str, bytes]:
        """A total order that does not depend on the order of reading."""
        return self.corpus, self.id, self.words.tobytes()


@dataclass(slots=True)
class Reading:
    """What the pass found out. `documents` counts those with at least one word: a blank one is evidence of nothing."""

    documents: int = 0
    touched: list[TouchedDocument] = field(default_factory=list)
    gram_documents: dict[Gram, int] = field(default_factory=dict)
    gram_sources: dict[Gram, frozenset[str]] = field(default_factory=dict)

    def common_grams(self) -> frozenset[Gram]:
        """Grams in ≥ 50 documents of ≥ 3 sources."""
        return frozenset(
            gram for gram, found in self.gram_documents.items() if is_common(found, self.gram_sources[gram])
        )


def read_documents(suite: SuiteTexts, documents: Iterable[KnownDocument]) -> Reading:
    """Stream `documents` once; only those that share a gram with the suite are kept."""
    reading = Reading()
    for document in documents:
        words = suite.vocabulary.read(fold_words(document.text))
        if not words:
            continue
        reading.documents += 1
        shared = [gram for length in suite.gram_lengths for gram in suite.gram_texts.keys() & set(grams(words, length))]
        short = {
            text
            for gram in suite.short_trigrams.keys() & set(grams(words, TRIGRAM))
            for text in suite.short_trigrams[gram]
        }
        if not shared and not short:
            continue
        _count(reading, shared, document.source)
        reading.touched.append(
            TouchedDocument(
                corpus=document.corpus,
                id=document.id,
                words=array("I", words),
                grams=tuple(sorted(shared)),
                short_texts=tuple(sorted(short)),
            )
        )
    reading.touched.sort(key=TouchedDocument.order)
    return reading


def _count(reading: Reading, shared: list[Gram], source: str) -> None:
    """Count each gram once for this document; more sources than the rule asks for need not be remembered."""
    for gram in shared:
        reading.gram_documents[gram] = reading.gram_documents.get(gram, 0) + 1
        sources = reading.gram_sources.get(gram, frozenset())
        if len(sources) < COMMON_SOURCES and source not in sources:
            reading.gram_sources[gram] = sources | {source}
