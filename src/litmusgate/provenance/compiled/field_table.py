"""One field of the suite made ready for comparison with many documents: its words and trigrams in tables."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from litmusgate.provenance.compiled.jit import compiled
from litmusgate.provenance.distinctive import GRAM, TRIGRAM

_MIXERS = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F), np.uint64(0x165667B19E3779F9))


class FieldTable(NamedTuple):
    """Room for the longest field; `load_field` fills it and `clear_field` must empty it before the next.

    `local` maps a word number to a number within the field, from 1 (0: not in it; so is what stands at its end, past all word numbers). Places with equal trigrams (of all
    words; of as many as there are in a shorter field) hang together: `heads` gives the first for each slot of the hash
    table, `following` the next, -1 ends. `owns` marks the places where a trigram of adjacent distinctive words begins,
    `holds_own` the slots with such a place. `before` counts the distinctive words before each place.
    """

    local: NDArray[np.int32]
    own: NDArray[np.int32]
    before: NDArray[np.int32]
    heads: NDArray[np.int32]
    following: NDArray[np.int32]
    owns: NDArray[np.bool_]
    holds_own: NDArray[np.bool_]
    walked: NDArray[np.int64]
    marked: NDArray[np.int64]


class Field(NamedTuple):
    """The field in the table: its words, the places of its distinctive ones, and the sizes that follow."""

    words: NDArray[np.uint32]
    positions: NDArray[np.int32]
    gram: int
    trigram: int
    slots: int


@compiled
def new_table(most_words: int, word_numbers: int) -> FieldTable:
    """An empty table for fields of up to `most_words` words, each word number below `word_numbers`."""
    slots = slots_for(most_words)
    return FieldTable(
        np.zeros(word_numbers + 1, np.int32),
        np.zeros(most_words, np.int32),
        np.zeros(most_words + 1, np.int32),
        np.full(slots, -1, np.int32),
        np.zeros(most_words, np.int32),
        np.zeros(most_words, np.bool_),
        np.zeros(slots, np.bool_),
        np.zeros(slots, np.int64),
        np.zeros(most_words, np.int64),
    )


@compiled
def slots_for(words: int) -> int:
    """Slots of a hash table that is at most half full: a power of two."""
    slots = 4
    while slots < 2 * words:
        slots *= 2
    return slots


@compiled
def load_field(table: FieldTable, words: NDArray[np.uint32], positions: NDArray[np.int32]) -> Field:
    """Enter a field with at least one distinctive word into the empty `table`."""
    known = np.int32(0)
    for word in words:
        if table.local[word] == 0:
            known += 1
            table.local[word] = known
    count, length = len(positions), len(words)
    nth = 0
    for place in range(length):
        table.before[place] = nth
        if nth < count and positions[nth] == place:
            table.own[nth] = table.local[words[place]]
            nth += 1
    table.before[length] = nth
    field = Field(words, positions, min(GRAM, length), min(TRIGRAM, length), slots_for(length))
    for start in range(length - field.trigram, -1, -1):
        slot = slot_of(table, field, words, start)
        table.following[start] = table.heads[slot]
        table.heads[slot] = start
        table.owns[start] = field.trigram == TRIGRAM and table.before[start + TRIGRAM] - table.before[start] == TRIGRAM
        table.holds_own[slot] |= table.owns[start]
    return field


@compiled
def clear_field(table: FieldTable, field: Field) -> None:
    """Take `field` out of the table again."""
    for word in field.words:
        table.local[word] = 0
    for slot in range(field.slots):
        table.heads[slot] = -1
        table.holds_own[slot] = False


@compiled
def slot_of(table: FieldTable, field: Field, text: NDArray[np.uint32], start: int) -> int:
    """The slot of the trigram of `text` that begins at `start`: one that holds it, or the free one where it would go."""
    value = np.uint64(0)
    for offset in range(field.trigram):
        value += np.uint64(text[start + offset]) * _MIXERS[offset]
    value ^= value >> np.uint64(32)
    value *= _MIXERS[0]
    mask = field.slots - 1
    slot = int(np.int64(value >> np.uint64(40))) & mask
    while table.heads[slot] >= 0 and not _same(field, table.heads[slot], text, start):
        slot = (slot + 1) & mask
    return slot


@compiled
def _same(field: Field, place: int, text: NDArray[np.uint32], start: int) -> bool:
    for offset in range(field.trigram):  # noqa: SIM110
        if (
            field.words[place + offset] != text[start + offset]
        ):  # a `while` with both conditions takes three times as long
            return False
    return True
