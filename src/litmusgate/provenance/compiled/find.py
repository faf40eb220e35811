"""Which documents share something with the suite, and exactly what: one pass over a batch.

For most documents only hashes are looked up. Of one that a table says something about, the words become the suite's
numbers (compared letter by letter), and every gram is compared with them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from litmusgate.provenance.compiled.fold import NO_ROOM, FoldArrays
from litmusgate.provenance.compiled.jit import ZERO, compiled, inlined, whole
from litmusgate.provenance.compiled.read import read_words
from litmusgate.provenance.compiled.scratch import Scratch
from litmusgate.provenance.compiled.spelling import write_numbers
from litmusgate.provenance.compiled.suite_tables import LAYERS, SuiteTables
from litmusgate.provenance.compiled.tables import first_place, may_hold, next_place, row_of
from litmusgate.provenance.compiled.vectors import Bytes
from litmusgate.provenance.compiled.words import BASE, finalised
from litmusgate.provenance.distinctive import GRAM, TRIGRAM

_GRAM, _TRIGRAM = whole(GRAM), whole(TRIGRAM)
BOTH_LAYERS = 3
_APART = 1 << 40
"""Farther apart than any two words of one text that is compared."""
_BASE_2, _BASE_3 = (np.uint64(pow(int(BASE), exponent, 1 << 64)) for exponent in (2, 3))
_NONE = np.uint64(0)
_DONE, _WORDS, _GRAMS, _SHORT, _CLOCK = range(5)


class Found(NamedTuple):
    """What was found, one after another: `rows` (document, layer, and where its words, grams and short texts end).

    `counts` tells how much of each is used, and the clock of the marks: `seen` marks grams, `last` where a trigram of a
    short text was met, by layer.
    """

    rows: NDArray[np.int64]
    words: NDArray[np.uint32]
    grams: NDArray[np.uint32]
    short: NDArray[np.int32]
    counts: NDArray[np.int64]
    seen: NDArray[np.int64]
    last: NDArray[np.int64]


def found_for(words: int, tables: SuiteTables) -> Found:
    """Room for what may be found in documents of together so many words, and at least in one of so many."""
    grams = len(tables.gram_words)
    short = len(tables.limits)
    return Found(
        rows=np.zeros((1 << 10, 5), np.int64),
        words=np.zeros(LAYERS * words, np.uint32),
        grams=np.zeros(LAYERS * words * len(tables.lengths), np.uint32),
        short=np.zeros(LAYERS * (short + words), np.int32),
        counts=np.zeros(5, np.int64),
        seen=np.full(max(grams, 1), -1, np.int64),
        last=np.full((LAYERS, max(short, 1)), -_APART, np.int64),
    )


@compiled
def find_in(
    source: Bytes,
    offsets: NDArray[np.int64],
    first: int,
    layers: int,
    arrays: FoldArrays,
    tables: SuiteTables,
    scratch: Scratch,
    found: Found,
    told: NDArray[np.bool_],
) -> tuple[int, bool]:
    """Read documents from `first` on, until all are or `found` is full; the next document, and whether to be given room.

    `layers` has a bit for each layer that counts. `told` is set for documents with a word.
    """
    for kind in range(_CLOCK):
        found.counts[kind] = 0
    for document in range(first, offsets.shape[0] - 1):
        count = read_words(source, offsets[document], offsets[document + 1], arrays, scratch)
        if count == NO_ROOM:
            return document, True
        if count < _TRIGRAM:
            told[document] |= count > 0
            continue
        told[document] = True
        places, trigram_places = _choose_places(scratch, count, tables)
        met, places = _keep_grams(scratch, places, tables)
        met = layers & (met | _short_layers(scratch, trigram_places, count, tables, found))
        if met and not _has_room(found, count):
            return document, False
        for layer in range(LAYERS if met else 0):
            if met & (1 << layer):
                _record(document, layer, count, places, trigram_places, tables, scratch, found)
    return offsets.shape[0] - 1, False


@inlined
def _has_room(found: Found, count: int) -> bool:
    counts = found.counts
    return bool(
        counts[_DONE] + LAYERS <= found.rows.shape[0]
        and counts[_WORDS] + LAYERS * count <= found.words.shape[0]
        and counts[_GRAMS] + found.grams.shape[0] // found.words.shape[0] * LAYERS * count <= found.grams.shape[0]
        and counts[_SHORT] + LAYERS * found.last.shape[1] <= found.short.shape[0]
    )


@inlined
def _choose_places(scratch: Scratch, count: int, tables: SuiteTables) -> tuple[int, int]:
    """How many places may end a gram of 6 words (they go into `scratch.joined`) and a trigram (into `scratch.mixed`).

    No branch here: one that the words decide costs more than everything else. Shorter grams need no look of their own:
    their texts are short ones, and whoever holds one whole holds its trigrams near each other.
    """
    hashes = scratch.hashes
    gram_places = scratch.joined
    trigram_places = scratch.mixed
    gram_filter = tables.grams.filter
    trigram_filter = tables.trigrams.filter
    grams = ZERO
    trigrams = ZERO
    before_2 = _NONE
    before_1 = _NONE
    third = _NONE
    second = _NONE
    latest = _NONE
    for place in range(count):
        now = hashes[place]
        value = before_2 * _BASE_2 + before_1 * BASE + now
        gram_places[grams] = place
        grams += may_hold(gram_filter, finalised(third * _BASE_3 + value))
        trigram_places[trigrams] = place
        trigrams += may_hold(trigram_filter, finalised(value))
        before_2 = before_1
        before_1 = now
        third = second
        second = latest
        latest = value
    return grams, trigrams


@inlined
def _key(hashes: NDArray[np.uint64], start: int, end: int) -> np.uint64:
    value = _NONE
    for word in range(start, end):
        value = value * BASE + hashes[word]
    return finalised(value)


@inlined
def _keep_grams(scratch: Scratch, places: int, tables: SuiteTables) -> tuple[int, int]:
    """Bits of the layers that have a gram with the hash at one of the places; only such places are kept, so many."""
    hashes = scratch.hashes
    gram_places = scratch.joined
    slots = tables.grams.slots
    met = ZERO
    kept = ZERO
    for number in range(places):
        place = gram_places[number]
        if place < _GRAM - 1:
            continue
        key = _key(hashes, place + 1 - _GRAM, place + 1)
        layers = 0
        at = first_place(slots, key)
        while at >= 0:
            layers |= 1 << (row_of(slots[at]) & 1)
            at = next_place(slots, key, at)
        gram_places[kept] = place
        kept += layers != 0
        met |= layers
    return met, kept


@inlined
def _short_layers(scratch: Scratch, places: int, count: int, tables: SuiteTables, found: Found) -> int:
    """Bits of the layers in which a short text may stand: two of its trigrams near each other."""
    hashes = scratch.hashes
    trigram_places = scratch.mixed
    slots = tables.trigrams.slots
    holders = tables.holders
    holder_starts = tables.holder_starts
    limits = tables.limits
    last = found.last
    clock = _wound_clock(found, count)
    met = ZERO
    for number in range(places):
        place = trigram_places[number]
        if place < _TRIGRAM - 1:
            continue
        key = _key(hashes, place + 1 - _TRIGRAM, place + 1)
        at = first_place(slots, key)
        while at >= 0:
            row = row_of(slots[at])
            layer = row & 1
            for holder in range(holder_starts[row], holder_starts[row + 1]):
                text = holders[holder]
                if clock + place - last[layer, text] <= limits[text]:
                    met |= 1 << layer
                last[layer, text] = clock + place
            at = next_place(slots, key, at)
    return met


@inlined
def _wound_clock(found: Found, count: int) -> int:
    """A new beginning of places for a document of `count` words, far behind those of the one before."""
    clock = int(found.counts[_CLOCK])
    found.counts[_CLOCK] = clock + count + _APART // (1 << 10)
    return clock


@compiled
def _record(
    document: int,
    layer: int,
    count: int,
    places: int,
    trigram_places: int,
    tables: SuiteTables,
    scratch: Scratch,
    found: Found,
) -> None:
    """Write down what the document shares in `layer`; nothing where the hashes were mistaken."""
    counts = found.counts
    words = counts[_WORDS]
    grams = counts[_GRAMS]
    short = counts[_SHORT]
    write_numbers(tables.spellings[layer], scratch, count, found.words, words)
    mark = _wound_clock(found, count)
    _record_grams(layer, _GRAM, scratch.joined, places, mark, tables, scratch, found)
    _record_short(layer, trigram_places, count, tables, scratch, found)
    if counts[_SHORT] > short:
        for length in tables.lengths[tables.lengths < _GRAM]:
            for start in range(count + 1 - length):
                scratch.ends[start] = start + length - 1
            _record_grams(layer, length, scratch.ends, count + 1 - length, mark, tables, scratch, found)
    if counts[_GRAMS] == grams and counts[_SHORT] == short:
        return
    counts[_WORDS] = words + count
    row = counts[_DONE]
    found.rows[row, 0] = document
    found.rows[row, 1] = layer
    for kind in range(_WORDS, _CLOCK):
        found.rows[row, 1 + kind] = counts[kind]
    counts[_DONE] = row + 1


@inlined
def _record_grams(
    layer: int,
    length: int,
    ends: NDArray[np.int32],
    places: int,
    mark: int,
    tables: SuiteTables,
    scratch: Scratch,
    found: Found,
) -> None:
    """Write down the grams of `length` words that end at `ends[:places]`, those not seen since `mark`."""
    hashes = scratch.hashes
    slots = tables.grams.slots
    gram_words = tables.gram_words
    words = found.words
    seen = found.seen
    first = found.counts[_WORDS]
    written = found.counts[_GRAMS]
    for number in range(places):
        start = ends[number] + 1 - length
        key = _key(hashes, start, start + length)
        at = first_place(slots, key)
        while at >= 0:
            row = row_of(slots[at])
            gram = row >> 1
            if row & 1 == layer and seen[gram] != mark and _is_gram(words, first + start, length, gram_words, gram):
                seen[gram] = mark
                found.grams[written] = gram
                written += 1
            at = next_place(slots, key, at)
    found.counts[_GRAMS] = written


@inlined
def _is_gram(words: NDArray[np.uint32], start: int, length: int, grams: NDArray[np.int32], gram: int) -> bool:
    """Whether the words from `start` on are those of the gram, and the gram has no more."""
    for place in range(grams.shape[1]):  # noqa: SIM110
        if grams[gram, place] != (words[start + place] if place < length else 0):
            return False
    return True


@inlined
def _record_short(layer: int, places: int, count: int, tables: SuiteTables, scratch: Scratch, found: Found) -> None:
    """Write down the short texts of which two trigrams stand near each other, each once."""
    hashes = scratch.hashes
    trigram_places = scratch.mixed
    slots = tables.trigrams.slots
    first = found.counts[_WORDS]
    beginning = found.counts[_SHORT]
    clock = _wound_clock(found, count)
    for number in range(places):
        place = trigram_places[number]
        start = place + 1 - _TRIGRAM
        if start < 0:
            continue
        key = _key(hashes, start, place + 1)
        at = first_place(slots, key)
        while at >= 0:
            row = row_of(slots[at])
            if row & 1 == layer and _is_gram(found.words, first + start, _TRIGRAM, tables.trigram_words, row >> 1):
                for holder in range(tables.holder_starts[row], tables.holder_starts[row + 1]):
                    text = tables.holders[holder]
                    if clock + place - found.last[layer, text] <= tables.limits[text]:
                        _add_once(text, beginning, found)
                    found.last[layer, text] = clock + place
            at = next_place(slots, key, at)


@inlined
def _add_once(text: int, beginning: int, found: Found) -> None:
    end = found.counts[_SHORT]
    for place in range(beginning, end):
        if found.short[place] == text:
            return
    found.short[end] = text
    found.counts[_SHORT] = end + 1
