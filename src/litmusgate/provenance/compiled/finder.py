"""The compiled finder: a suite's tables, and batches put through the kernels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from litmusgate.provenance.batch import DocumentBatch
from litmusgate.provenance.compiled.encodings import flag_encoded
from litmusgate.provenance.compiled.find import BOTH_LAYERS, Found, find_in, found_for
from litmusgate.provenance.compiled.fold import SPARE, fold_arrays
from litmusgate.provenance.compiled.scratch import Scratch, scratch_for
from litmusgate.provenance.compiled.sources import checked, packed
from litmusgate.provenance.compiled.suite_tables import PLAIN, ROTATED, suite_tables
from litmusgate.provenance.compiled.vectors import Bytes
from litmusgate.provenance.encoded import Encoding, decoded_texts
from litmusgate.provenance.reading import TouchedDocument
from litmusgate.provenance.suite_texts import SuiteTexts

_LEAST_ROOM = 1 << 18


class _Hit(NamedTuple):
    """A document, or a text decoded out of it, that shares something with the suite; in the order of the batch."""

    document: int
    layer: int
    words: NDArray[np.uint32]
    grams: NDArray[np.uint32]
    short_texts: tuple[int, ...]


class CompiledFinder:
    """Finds what `PlainEngine`'s finder finds. Several threads may share one: each call has memory of its own."""

    def __init__(self, suite: SuiteTexts, *, encoded: bool) -> None:
        self._encoded = encoded
        self._arrays = fold_arrays()
        self._tables = suite_tables(suite, encoded=encoded)
        self._short_texts: list[int] = self._tables.short_texts.tolist()
        self._idle: list[tuple[Scratch, Found]] = []

    def find(self, batch: DocumentBatch) -> tuple[int, list[TouchedDocument]]:
        """How many documents of `batch` hold a word, and those that share something with the suite, in batch order."""
        data, offsets = checked(batch.data, batch.offsets)
        told, hits = self._read(data, offsets, BOTH_LAYERS if self._encoded else 1 << PLAIN)
        touched = [(hit.document, hit.layer, self._touched(batch, hit)) for hit in hits]
        if self._encoded:
            touched += self._decoded(batch, data, offsets, told)
            touched.sort(key=lambda item: item[:2])
        return int(told.sum()), [document for _, _, document in touched]

    def _touched(
        self, batch: DocumentBatch, hit: _Hit, *, encoding: Encoding | None = None, text: bytes | None = None
    ) -> TouchedDocument:
        return TouchedDocument(
            corpus=batch.corpus,
            id=batch.ids[hit.document],
            source=batch.sources[hit.document],
            encoding=Encoding.ROT13 if hit.layer == ROTATED else encoding,
            words=hit.words,
            grams=hit.grams,
            short_texts=hit.short_texts,
            text=batch.text(hit.document) if text is None else text,
        )

    def _decoded(
        self, batch: DocumentBatch, data: Bytes, offsets: NDArray[np.int64], told: NDArray[np.bool_]
    ) -> list[tuple[int, int, TouchedDocument]]:
        """What is encoded in the documents of `batch`, read as documents of their own; sets `told` for what has words."""
        flags = np.zeros(len(batch), np.bool_)
        flag_encoded(data, offsets, flags)
        layers = [
            (number, ROTATED + 1 + place, encoding, decoded.encode("utf-8"))
            for number in np.flatnonzero(flags).tolist()
            for place, (encoding, decoded) in enumerate(decoded_texts(batch.text(number).decode("utf-8")))
        ]
        if not layers:
            return []
        inner_told, hits = self._read(*packed([text for _, _, _, text in layers]), 1 << PLAIN)
        for (number, _, _, _), found in zip(layers, inner_told.tolist(), strict=True):
            told[number] |= found
        touched: list[tuple[int, int, TouchedDocument]] = []
        for hit in hits:
            number, order, encoding, text = layers[hit.document]
            document = self._touched(batch, hit._replace(document=number), encoding=encoding, text=text)
            touched.append((number, order, document))
        return touched

    def _read(self, data: Bytes, offsets: NDArray[np.int64], layers: int) -> tuple[NDArray[np.bool_], list[_Hit]]:
        """Which documents hold a word, and the hits in the asked layers."""
        told = np.zeros(len(offsets) - 1, np.bool_)
        hits: list[_Hit] = []
        longest = int(np.diff(offsets).max(initial=0))
        memory = self._memory(longest + longest // 8 + 2 * SPARE)
        next_document = 0
        while next_document < len(told):
            scratch, found = memory
            next_document, small = find_in(
                data, offsets, next_document, layers, self._arrays, self._tables, scratch, found, told
            )
            hits += self._hits(found)
            if small:
                memory = self._memory(2 * len(scratch.folded))
        self._idle.append(memory)
        return told, hits

    def _memory(self, folded_bytes: int) -> tuple[Scratch, Found]:
        """Memory that no call is using, with room for a document of so many bytes when folded."""
        try:
            scratch, found = self._idle.pop()
        except IndexError:
            pass
        else:
            if len(scratch.folded) >= folded_bytes:
                return scratch, found
        scratch = scratch_for(max(folded_bytes, _LEAST_ROOM))
        return scratch, found_for(len(scratch.hashes), self._tables)

    def _hits(self, found: Found) -> list[_Hit]:
        hits: list[_Hit] = []
        word = gram = short = 0
        for document, layer, words_end, grams_end, short_end in found.rows[: found.counts[0]].tolist():
            short_texts = sorted(self._short_texts[text] for text in found.short[short:short_end].tolist())
            hits.append(
                _Hit(
                    document=document,
                    layer=layer,
                    words=found.words[word:words_end].copy(),
                    grams=np.sort(found.grams[gram:grams_end]),
                    short_texts=tuple(short_texts),
                )
            )
            word, gram, short = words_end, grams_end, short_end
        return hits
