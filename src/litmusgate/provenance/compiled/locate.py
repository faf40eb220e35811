"""Words where they stand: hashes of all words of a batch, and the characters that each word was read from."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from litmusgate.provenance.compiled.fold import SPARE, FoldArrays, fold_arrays, fold_character
from litmusgate.provenance.compiled.jit import ZERO, compiled
from litmusgate.provenance.compiled.read import read_words
from litmusgate.provenance.compiled.scratch import Scratch, scratch_for
from litmusgate.provenance.compiled.sources import checked, packed
from litmusgate.provenance.compiled.vectors import Bytes
from litmusgate.provenance.compiled.words import split_words

_MOST_GROWTH = 12
"""Folded bytes of one byte, at most."""
_ESCAPE_BYTES = 6
"""Bytes of `\\u00e9`, all of which name one character."""
_CONTINUATION_BITS, _CONTINUATION = 0xC0, 0x80


def word_hashes(data: NDArray[np.uint8], offsets: NDArray[np.int64]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """`Engine.word_hashes` of the texts `data[offsets[i]:offsets[i + 1]]`."""
    data, offsets = checked(data, offsets)
    arrays = fold_arrays()
    longest = int(np.diff(offsets).max(initial=0))
    scratch = scratch_for(longest + longest // 8 + 2 * SPARE)
    starts = np.zeros(len(offsets), np.int64)
    pieces: list[NDArray[np.uint64]] = []
    document = 0
    while document < len(offsets) - 1:
        hashes = np.zeros(max(len(scratch.hashes), int(offsets[-1] - offsets[document]) // 4), np.uint64)
        document, written, small = _hash_documents(data, offsets, document, arrays, scratch, hashes, starts)
        pieces.append(hashes[:written])
        if small:
            scratch = scratch_for(2 * len(scratch.folded))
    return np.concatenate(pieces) if pieces else np.zeros(0, np.uint64), np.cumsum(starts)


def spans(text: bytes) -> NDArray[np.int64]:
    """`Engine.spans` of one text."""
    data, _ = packed([text])
    scratch = scratch_for(_most_folded(text) + 2 * SPARE)
    owners = np.zeros((len(scratch.folded), 2), np.int32)
    found = np.zeros((len(scratch.hashes), 2), np.int64)
    count = _locate(data, fold_arrays(), scratch, owners, found)
    return found[:count].copy()


def _most_folded(text: bytes) -> int:
    """Folded bytes of `text`, at most: other bytes than ASCII may grow, and what an escape names; all else does not."""
    values = np.frombuffer(text, np.uint8)
    growing = int(np.count_nonzero(values >= 0x80)) + _ESCAPE_BYTES * text.count(b"\\")
    return len(text) + _MOST_GROWTH * growing


@compiled
def _hash_documents(
    source: Bytes,
    offsets: NDArray[np.int64],
    first: int,
    arrays: FoldArrays,
    scratch: Scratch,
    hashes: NDArray[np.uint64],
    counts: NDArray[np.int64],
) -> tuple[int, int, bool]:
    """Hash documents from `first` on until `hashes` is full: the next one, hashes written, whether `scratch` is small.

    The number of words of document `i` goes into `counts[i + 1]`.
    """
    written = 0
    for document in range(first, offsets.shape[0] - 1):
        count = read_words(source, offsets[document], offsets[document + 1], arrays, scratch)
        if count < 0:
            return document, written, True
        if written + count > hashes.shape[0]:
            return document, written, False
        for word in range(count):
            hashes[written + word] = scratch.hashes[word]
        counts[document + 1] = count
        written += count
    return offsets.shape[0] - 1, written, False


@compiled
def _locate(
    source: Bytes, arrays: FoldArrays, scratch: Scratch, owners: NDArray[np.int32], found: NDArray[np.int64]
) -> int:
    """Write the span of every word into `found`; how many. `owners` holds that of every folded byte meanwhile."""
    folded = scratch.folded
    at = ZERO
    out = ZERO
    character = 0
    while at < source.shape[0]:
        behind, end = fold_character(source, at, source.shape[0], folded, out, arrays)
        size = 0
        for place in range(at, behind):
            size += source[place] & _CONTINUATION_BITS != _CONTINUATION
        for place in range(out, end):
            owners[place, 0] = character
            owners[place, 1] = character + size
        at = behind
        out = end
        character += size
    count, _ = split_words(folded, out, scratch.edges, scratch.joined)
    for word in range(count):
        found[word, 0] = owners[scratch.edges[2 * word], 0]
        found[word, 1] = owners[scratch.edges[2 * word + 1] - 1, 1]
    return count
