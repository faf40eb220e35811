"""Windows of a document over the trigrams it shares with a field: the densest, and what it covers of the field."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from litmusgate.provenance.compiled.field_table import Field, FieldTable
from litmusgate.provenance.compiled.jit import compiled
from litmusgate.provenance.distinctive import TRIGRAM


class Hits(NamedTuple):
    """Where a document holds trigrams of a field's adjacent distinctive words: `places` rising, and the slot of each."""

    places: NDArray[np.int32]
    slots: NDArray[np.int32]


@compiled
def densest(hits: Hits, length: int, width: int) -> tuple[int, int]:
    """The first window of `width` words with most of the hits inside; all `length` words when not longer."""
    if length <= width:
        return 0, length
    inside = width - TRIGRAM + 1
    best, count = 0, len(hits.places)
    while best < count and hits.places[best] < inside:
        best += 1
    start = oldest = 0
    for newest in range(best, count):
        while hits.places[oldest] <= hits.places[newest] - inside:
            oldest += 1
        if newest - oldest + 1 > best:
            best = newest - oldest + 1
            start = hits.places[newest] - inside + 1
    return start, start + width


@compiled
def touched(hits: Hits, window: tuple[int, int]) -> tuple[int, int]:
    """From the first hit in `window` to the end of the last, cut at the window's; the whole window without any."""
    first = last = -1
    for place in hits.places:
        if window[0] <= place < window[1]:
            first = place if first < 0 else first
            last = place
    if first < 0:
        return window
    return first, min(window[1], last + TRIGRAM)


@compiled
def coverage(table: FieldTable, field: Field, hits: Hits, window: tuple[int, int], stamp: int) -> tuple[int, int, int]:
    """How many distinctive words the trigrams in `window` cover, the first of them and the end of the last.

    `stamp` must be another at each call, above 0: it tells what this call has seen in the table.
    """
    covered, first, end = 0, len(field.words), 0
    for number in range(len(hits.places)):
        place, slot = hits.places[number], hits.slots[number]
        if place < window[0] or place + TRIGRAM > window[1] or table.walked[slot] == stamp:
            continue
        table.walked[slot] = stamp
        start = table.heads[slot]
        while start >= 0:
            if table.owns[start]:
                first, end = min(first, start), max(end, start + TRIGRAM)
                for word in range(start, start + TRIGRAM):
                    covered += table.marked[word] != stamp
                    table.marked[word] = stamp
            start = table.following[start]
    return covered, first, end
