"""Working memory of the kernels, one set per call that is under way: nothing is shared between threads."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from litmusgate.provenance.compiled.vectors import BLOCK


class Scratch(NamedTuple):
    """One document: its folded bytes, the edges of its words, their hashes, and words that are remembered for a reason.

    `joined` and `mixed` are first the words with apostrophes and the ones of letters and digits, then the places where
    grams and trigrams may end; `ends` are places of another choice.
    """

    folded: NDArray[np.uint8]
    edges: NDArray[np.int32]
    hashes: NDArray[np.uint64]
    joined: NDArray[np.int32]
    mixed: NDArray[np.int32]
    ends: NDArray[np.int32]


def scratch_for(folded_bytes: int) -> Scratch:
    """Room for a document of so many bytes when folded; a word takes at least two of them with the gap behind it."""
    words = folded_bytes // 2 + BLOCK
    return Scratch(
        folded=np.zeros(folded_bytes, np.uint8),
        edges=np.zeros(2 * words, np.int32),
        hashes=np.zeros(words, np.uint64),
        joined=np.zeros(words, np.int32),
        mixed=np.zeros(words, np.int32),
        ends=np.zeros(words, np.int32),
    )
