"""Stage two, compiled: many fields against many documents, the same as `similarity.overlap` word for word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from litmusgate.provenance.compiled.field_table import Field, FieldTable, clear_field, load_field, new_table
from litmusgate.provenance.compiled.jit import compiled
from litmusgate.provenance.compiled.meeting import meet
from litmusgate.provenance.compiled.packing import PackedPairs, pack_pairs, starts_of
from litmusgate.provenance.compiled.sequence import common_subsequence
from litmusgate.provenance.compiled.windows import Hits, coverage, densest, touched
from litmusgate.provenance.distinctive import GRAM, TRIGRAM
from litmusgate.provenance.reading import TouchedDocument
from litmusgate.provenance.similarity import SHORT_WORDS, FieldWords, Overlap


class Room(NamedTuple):
    """Working memory of one thread."""

    table: FieldTable
    hits: Hits
    window: NDArray[np.int32]
    masks: NDArray[np.uint64]
    carries: NDArray[np.uint64]
    held: NDArray[np.int32]


def compare_pairs(
    fields: Sequence[FieldWords], documents: Sequence[TouchedDocument], pairs: NDArray[np.int64]
) -> list[Overlap]:
    """`overlap` of each pair (row: number of a field, number of a document), in their order.

    Fields must have a distinctive word (else `ValueError`). Memory grows with the largest word number of the fields: a
    `Vocabulary` gives small ones.
    """
    packed = pack_pairs(fields, documents, pairs)
    compare_range(packed, 0, len(pairs))
    return overlaps_of(packed)


def compare_range(packed: PackedPairs, first: int, last: int) -> None:
    """Fill rows `first` to `last` (excluded) of `packed.found`; different ranges may run in different threads."""
    if first < last:
        _compare(packed, first, last)


def overlaps_of(packed: PackedPairs) -> list[Overlap]:
    """What was found, row by row."""
    return [
        Overlap(
            shared=shared,
            run=run,
            run_words=run_words,
            field_words=(field_start, field_end),
            document_words=(document_start, document_end),
        )
        for shared, run, run_words, field_start, field_end, document_start, document_end in packed.found.tolist()
    ]


@compiled
def _compare(packed: PackedPairs, first: int, last: int) -> None:
    words, starts = packed.field_words, packed.field_starts
    room = _new_room(int(np.diff(starts).max()), int(words.max()) + 1, int(np.diff(packed.document_starts).max()))
    loaded = -1
    field = Field(words[:0], packed.positions[:0], 0, 0, 0)
    for row in range(first, last):
        number, other = int(packed.pairs[row, 0]), packed.pairs[row, 1]
        if number != loaded:
            clear_field(room.table, field)
            own = packed.positions[packed.position_starts[number] : packed.position_starts[number + 1]]
            field = load_field(room.table, words[starts[number] : starts[number + 1]], own)
            loaded = number
        document = packed.document_words[packed.document_starts[other] : packed.document_starts[other + 1]]
        if len(field.positions) < SHORT_WORDS:
            _compare_short(room, field, document, packed.found[row])
        else:
            _compare_long(room, field, document, packed.found[row], row + 1)


@compiled
def _new_room(most_words: int, word_numbers: int, longest_document: int) -> Room:
    return Room(
        new_table(most_words, word_numbers),
        Hits(np.zeros(longest_document, np.int32), np.zeros(longest_document, np.int32)),
        np.zeros(longest_document, np.int32),
        np.zeros(most_words + 1, np.uint64),
        np.zeros(longest_document, np.uint64),
        np.zeros(most_words + 1, np.int32),
    )


@compiled
def _compare_long(room: Room, field: Field, document: NDArray[np.uint32], found: NDArray[np.int64], stamp: int) -> None:
    """`similarity.long_overlap`."""
    table, positions = room.table, field.positions
    count = len(positions)
    first, end = int(positions[0]), int(positions[count - 1]) + 1
    hits, (run, run_start, run_end, run_at) = meet(table, field, document, room.hits)
    length = max(len(document), TRIGRAM - 1)
    narrow = densest(hits, length, (3 * count + 1) // 2)
    wide = densest(hits, length, max((3 * count + 1) // 2, end - first))
    known = 0
    for place in range(narrow[0], min(narrow[1], len(document))):
        word = document[place]
        if word < len(table.local) and table.local[word]:
            room.window[known] = table.local[word]
            known += 1
    sequence = common_subsequence(table.own[:count], room.window[:known], room.masks, room.carries)
    covered, covered_first, covered_end = coverage(table, field, hits, wide, stamp)
    found[0], found[1], found[2] = max(sequence, covered), run, run_end - run_start
    if covered >= sequence and covered:
        found[3], found[4] = covered_first, covered_end
        found[5], found[6] = touched(hits, wide)
    elif len(hits.places):
        found[3], found[4] = first, end
        found[5], found[6] = touched(hits, narrow)
    else:
        found[3], found[4] = run_start, run_end
        found[5], found[6] = run_at, run_at + run_end - run_start


@compiled
def _compare_short(room: Room, field: Field, document: NDArray[np.uint32], found: NDArray[np.int64]) -> None:
    """`similarity.short_overlap`."""
    count = len(field.positions)
    hits, (run, run_start, run_end, _) = meet(room.table, field, document, room.hits)
    last = max(0, len(document) - count)
    best = best_start = upcoming = 0
    for hit in hits.places:
        place = int(hit)
        upcoming = max(upcoming, min(last, place - count + TRIGRAM))
        while upcoming <= min(last, place):
            held = _words_held(room, count, document[upcoming : upcoming + count])
            if held > best:
                best, best_start = held, upcoming
            upcoming += 1
    found[0], found[1], found[2] = max(best, run), run, run_end - run_start
    found[3], found[4] = field.positions[0], field.positions[count - 1] + 1
    found[5], found[6] = best_start, min(len(document), best_start + count)


@compiled
def _words_held(room: Room, count: int, window: NDArray[np.uint32]) -> int:
    """How many of the distinctive words stand in `window`, in any order, each as often as the field has it."""
    local, own, held = room.table.local, room.table.own, room.held
    for nth in range(count):
        held[own[nth]] += 1
    total = 0
    for word in window:
        if word < len(local) and held[local[word]] > 0:
            held[local[word]] -= 1
            total += 1
    for nth in range(count):
        held[own[nth]] = 0
    return total


class _Held(NamedTuple):
    """The grams at the places of texts, and those of documents."""

    places: NDArray[np.int64]
    place_starts: NDArray[np.int64]
    grams: NDArray[np.uint32]
    gram_starts: NDArray[np.int64]


def covered_words(
    places: Sequence[NDArray[np.int64]],
    documents: Sequence[TouchedDocument],
    pairs: NDArray[np.int64],
    *,
    least_grams: int,
) -> list[NDArray[np.bool_]]:
    """`PlainEngine.covered`: the words of each text that stand in any paired document, in long enough pieces."""
    starts = starts_of([len(grams_at) + GRAM - 1 if len(grams_at) else 0 for grams_at in places])
    document_numbers, paired_documents = np.unique(pairs[:, 1], return_inverse=True)
    grams = [documents[number].grams for number in document_numbers.tolist()]
    covered = np.zeros(int(starts[-1]), np.bool_)
    if len(covered) and len(pairs):
        held = _Held(
            places=np.concatenate(places),
            place_starts=starts_of([len(grams_at) for grams_at in places]),
            grams=np.concatenate(grams),
            gram_starts=starts_of([len(found) for found in grams]),
        )
        _cover(held, np.column_stack([pairs[:, 0], paired_documents]).astype(np.int64), least_grams, covered, starts)
    return [covered[start:end] for start, end in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)]


@compiled
def _cover(
    held: _Held, pairs: NDArray[np.int64], least_grams: int, covered: NDArray[np.bool_], starts: NDArray[np.int64]
) -> None:
    holder = np.zeros(max(0, held.places.max()) + 1, np.int64)
    for row in range(len(pairs)):
        text, document = pairs[row, 0], pairs[row, 1]
        for gram in held.grams[held.gram_starts[document] : held.gram_starts[document + 1]]:
            if gram < len(holder):
                holder[gram] = row + 1
        places = held.places[held.place_starts[text] : held.place_starts[text + 1]]
        if len(places):
            _cover_text(places, holder, row + 1, least_grams, covered[starts[text] : starts[text + 1]])


@compiled
def _cover_text(
    places: NDArray[np.int64], holder: NDArray[np.int64], row: int, least_grams: int, covered: NDArray[np.bool_]
) -> None:
    start = 0
    for place in range(len(places) + 1):
        if place < len(places) and places[place] >= 0 and holder[places[place]] == row:
            continue
        if place - start >= least_grams:
            for word in range(start, place + GRAM - 1):
                covered[word] = True
        start = place + 1
