"""The longest common subsequence of two texts, 64 words of one at a time (Hyyrö 2004, bit-parallel)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from litmusgate.provenance.compiled.jit import compiled

BLOCK = 64


@compiled
def common_subsequence(
    own: NDArray[np.int32],
    other: NDArray[np.int32],
    masks: NDArray[np.uint64],
    carries: NDArray[np.uint64],
) -> int:
    """Length in words of the longest common subsequence of `own` and `other`.

    Both hold small numbers that index `masks`, which must be all zero and is so again afterwards; `carries` needs room
    for as many words as `other`. A zero bit of `open_` stands for a word of the block that the subsequence uses.
    """
    one = np.uint64(1)
    total, own_count, other_count = 0, len(own), len(other)
    for place in range(other_count):
        carries[place] = 0
    for block in range(0, own_count, BLOCK):
        width = min(BLOCK, own_count - block)
        for bit in range(width):
            masks[own[block + bit]] |= one << np.uint64(bit)
        open_ = ~np.uint64(0)
        for place in range(other_count):
            mask = masks[other[place]]
            met = open_ & mask
            partial = open_ + met
            moved = partial + carries[place]
            carries[place] = np.uint64((partial < met) | (moved < partial))
            open_ = moved | (open_ & ~mask)
        used = ~open_
        while used:
            used &= used - one
            total += 1
        for bit in range(width):
            masks[own[block + bit]] = 0
    return total
