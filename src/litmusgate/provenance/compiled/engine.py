"""The compiled engine: what `PlainEngine` gives, many times faster."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from litmusgate.provenance.batch import DocumentBatch
from litmusgate.provenance.compiled import locate
from litmusgate.provenance.compiled.encodings import flag_encoded
from litmusgate.provenance.compiled.finder import CompiledFinder
from litmusgate.provenance.compiled.overlap import compare_pairs, covered_words
from litmusgate.provenance.compiled.sources import checked
from litmusgate.provenance.engine import Finder
from litmusgate.provenance.reading import TouchedDocument
from litmusgate.provenance.similarity import FieldWords, Overlap
from litmusgate.provenance.suite_texts import SuiteTexts


class CompiledEngine:
    """Every rule as machine code; needs the extra `[corpora]`."""

    name = "compiled"

    def finder(self, suite: SuiteTexts, *, encoded: bool) -> Finder:
        """A finder that several threads may use at once."""
        return CompiledFinder(suite, encoded=encoded)

    def overlaps(
        self, fields: Sequence[FieldWords], documents: Sequence[TouchedDocument], pairs: NDArray[np.int64]
    ) -> list[Overlap]:
        """All pairs in one kernel."""
        return compare_pairs(fields, documents, pairs)

    def covered(
        self,
        places: Sequence[NDArray[np.int64]],
        documents: Sequence[TouchedDocument],
        pairs: NDArray[np.int64],
        *,
        least_grams: int,
    ) -> list[NDArray[np.bool_]]:
        """All texts in one kernel."""
        return covered_words(places, documents, pairs, least_grams=least_grams)

    def word_hashes(self, batch: DocumentBatch) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        """Document by document, without the interpreter."""
        return locate.word_hashes(batch.data, batch.offsets)

    def may_be_encoded(self, batch: DocumentBatch) -> list[int]:
        """Those with a run of an encoding's characters that may be text."""
        flags = np.zeros(len(batch), np.bool_)
        flag_encoded(*checked(batch.data, batch.offsets), flags)
        found: list[int] = np.flatnonzero(flags).tolist()
        return found

    def spans(self, text: bytes) -> NDArray[np.int64]:
        """By the fold that the finder uses, character by character."""
        return locate.spans(text)
