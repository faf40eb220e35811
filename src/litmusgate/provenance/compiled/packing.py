"""Texts and documents laid out flat, the way compiled code reads them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from litmusgate.provenance.reading import TouchedDocument
from litmusgate.provenance.similarity import FieldWords

_COLUMNS = 7


class PackedPairs(NamedTuple):
    """Fields and documents in one piece of memory each, and the pairs to compare; `found` has a row for each of them.

    Text `i` of `words` is `words[starts[i]:starts[i + 1]]`, and so are the others. Rows of `found`: shared, run,
    run_words, field_words, document_words.
    """

    field_words: NDArray[np.uint32]
    field_starts: NDArray[np.int64]
    positions: NDArray[np.int32]
    position_starts: NDArray[np.int64]
    document_words: NDArray[np.uint32]
    document_starts: NDArray[np.int64]
    pairs: NDArray[np.int64]
    found: NDArray[np.int64]


def pack_pairs(
    fields: Sequence[FieldWords], documents: Sequence[TouchedDocument], pairs: NDArray[np.int64]
) -> PackedPairs:
    """Lay out what `pairs` name for `compare_range`; pairs of one field should stand together."""
    field_numbers, paired_fields = np.unique(pairs[:, 0], return_inverse=True)
    document_numbers, paired_documents = np.unique(pairs[:, 1], return_inverse=True)
    used = [fields[number] for number in field_numbers.tolist()]
    words, field_starts = _flat([field.words for field in used])
    positions, position_starts = _flat([field.positions for field in used])
    if np.any(np.diff(position_starts) == 0):
        raise ValueError("a field without distinctive words cannot be compared")
    read = [documents[number].words for number in document_numbers.tolist()]
    return PackedPairs(
        field_words=words.astype(np.uint32),
        field_starts=field_starts,
        positions=positions.astype(np.int32),
        position_starts=position_starts,
        document_words=np.concatenate([np.zeros(0, np.uint32), *read]),
        document_starts=starts_of([len(found) for found in read]),
        pairs=np.column_stack([paired_fields, paired_documents]).astype(np.int64),
        found=np.zeros((len(pairs), _COLUMNS), np.int64),
    )


def _flat(texts: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    starts = starts_of([len(text) for text in texts])
    return np.fromiter(chain.from_iterable(texts), np.int64, int(starts[-1])), starts


def starts_of(lengths: Sequence[int]) -> NDArray[np.int64]:
    """Where texts of these lengths begin when they stand one after another, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
