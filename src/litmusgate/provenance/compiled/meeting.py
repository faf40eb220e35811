"""One pass over a document: where it shares trigrams with a field, and the longest run of words they have in common."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from litmusgate.provenance.compiled.field_table import Field, FieldTable, slot_of
from litmusgate.provenance.compiled.jit import compiled
from litmusgate.provenance.compiled.windows import Hits


@compiled
def meet(
    table: FieldTable, field: Field, document: NDArray[np.uint32], room: Hits
) -> tuple[Hits, tuple[int, int, int, int]]:
    """The hits, kept in `room`, and the longest run: its distinctive words, first word and end, place in `document`.

    Of equally long runs the first in the document counts, then the first in the field; 0 without any.
    """
    known = found = 0
    best = (0, 0, 0, 0)
    absent = len(table.local) - 1
    for place in range(len(document)):
        word = document[place]
        known = (known + 1) * int(table.local[min(int(word), absent)] != 0)
        if known < field.trigram:
            continue
        at = place - field.trigram + 1
        slot = slot_of(table, field, document, at)
        start = int(table.heads[slot])
        if start < 0:
            continue
        if table.holds_own[slot]:
            room.places[found], room.slots[found] = at, slot
            found += 1
        while start >= 0:
            best = _longer(table, field, document, (start, at), best)
            start = int(table.following[start])
    return Hits(room.places[:found], room.slots[:found]), best


@compiled
def _longer(
    table: FieldTable,
    field: Field,
    document: NDArray[np.uint32],
    shared: tuple[int, int],
    best: tuple[int, int, int, int],
) -> tuple[int, int, int, int]:
    """`best`, or the run that begins at `shared` (place in the field, place in the document) where it is longer."""
    start, at = shared
    if start and at and field.words[start - 1] == document[at - 1]:
        return best
    end = start + field.trigram
    last = min(len(field.words), start + len(document) - at)
    while end < last and field.words[end] == document[at + end - start]:
        end += 1
    run = int(table.before[end] - table.before[start])
    return (run, start, end, at) if end - start >= field.gram and run > best[0] else best
