"""How much of a field stands in a document: sim_lex, the longest shared run, and the short-text rule.

Shares are exact: a numerator in words, over the number of distinctive words of the field. Floats are made only for
reports, so that "at τ" and "just below τ" cannot change places.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from rapidfuzz.distance import LCSseq

from litmusgate.provenance.distinctive import TRIGRAM, Gram, gram_length, grams

SHORT_WORDS = 15
"""Fields with fewer distinctive words are short: judged by the stricter rule of `short_overlap`."""


ALONE_WORDS = 25
"""Fields with fewer distinctive words may be stock phrases: beside a longer text they count only against documents that
consist of them (`is_item`)."""


@dataclass(frozen=True, kw_only=True)
class FieldWords:
    """A field prepared for comparison: all its word numbers, and the `positions` of its distinctive words (rising).

    No slots: what only the reference rules need is computed when they ask for it.
    """

    words: tuple[int, ...]
    positions: tuple[int, ...]

    @cached_property
    def own(self) -> tuple[int, ...]:
        """The distinctive words themselves."""
        return tuple(self.words[position] for position in self.positions)

    @cached_property
    def trigrams(self) -> dict[Gram, tuple[int, ...]]:
        """For each trigram of adjacent distinctive words the places in `own` where it begins."""
        places: dict[Gram, list[int]] = {}
        for start, gram in enumerate(grams(self.own, TRIGRAM)):
            if self.positions[start + TRIGRAM - 1] - self.positions[start] == TRIGRAM - 1:
                places.setdefault(gram, []).append(start)
        return {gram: tuple(at) for gram, at in places.items()}

    @property
    def is_short(self) -> bool:
        """Whether the short-text rule applies."""
        return len(self.positions) < SHORT_WORDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlap:
    """One field in one document: `shared` of the field's distinctive words, and `run` of them in one contiguous piece.

    The piece is `run_words` long, boilerplate that stands there in its place included. `field_words` and `document_words` are half-open spans of words where the evidence stands.
    """

    shared: int
    run: int
    run_words: int
    field_words: tuple[int, int]
    document_words: tuple[int, int]


def prepare(words: tuple[int, ...], positions: Sequence[int]) -> FieldWords:
    """The field with its distinctive `positions`, ready to be compared with many documents."""
    return FieldWords(words=words, positions=tuple(positions))


def overlap(field: FieldWords, document: Sequence[int]) -> Overlap:
    """What `document` (word numbers) holds of `field`, by the rule for its length."""
    if field.is_short:
        return short_overlap(field, document)
    return long_overlap(field, document)


def long_overlap(field: FieldWords, document: Sequence[int]) -> Overlap:
    """sim_lex: the larger of the LCS with the best window and the words covered by a window's trigrams.

    The LCS is taken in the window of 1.5 times as many words as the field has distinctive ones that is densest in the
    field's trigrams. Trigram coverage may look as wide as the field itself is, boilerplate inside it included: a wider
    window would let an LCS collect stop words, but not trigrams.
    """
    hits = [gram in field.trigrams for gram in grams(document, TRIGRAM)]
    count = len(field.own)
    narrow = _densest(hits, -(-3 * count // 2))
    wide = _densest(hits, max(-(-3 * count // 2), field.positions[-1] - field.positions[0] + 1))
    sequence = LCSseq.similarity(field.own, document[narrow[0] : narrow[1]])
    covered = _covered(field, document[wide[0] : wide[1]])
    run, run_field, run_document = _longest_run(field, document)
    if len(covered) >= sequence and covered:
        spans = (field.positions[covered[0]], field.positions[covered[-1]] + 1), _touched(hits, wide)
    elif any(hits):
        spans = (field.positions[0], field.positions[-1] + 1), _touched(hits, narrow)
    else:
        spans = run_field, run_document
    return Overlap(
        shared=max(sequence, len(covered)),
        run=run,
        run_words=run_field[1] - run_field[0],
        field_words=spans[0],
        document_words=spans[1],
    )


def short_overlap(field: FieldWords, document: Sequence[int]) -> Overlap:
    """Short texts: how many of the field's distinctive words stand in one window as long as they are, in any order.

    Windows that hold no trigram of the field are not looked at. A text that stands there as a whole, boilerplate
    included, is wholly shared.
    """
    count = len(field.own)
    wanted = Counter(field.own)
    best, best_start = 0, 0
    last = max(0, len(document) - count)
    starts: set[int] = set()
    for place, gram in enumerate(grams(document, TRIGRAM)):
        if gram in field.trigrams:
            starts.update(range(max(0, min(last, place - count + TRIGRAM)), min(last, place) + 1))
    for start in sorted(starts):
        found = (wanted & Counter(document[start : start + count])).total()
        if found > best:
            best, best_start = found, start
    run, run_field, _ = _longest_run(field, document)
    span = (field.positions[0], field.positions[-1] + 1)
    return Overlap(
        shared=max(best, run),
        run=run,
        run_words=run_field[1] - run_field[0],
        field_words=span,
        document_words=(best_start, min(len(document), best_start + count)),
    )


def is_item(field: FieldWords, document_words: int) -> bool:
    """Whether a document of so many words can *be* the field's text, instead of quoting it: at most 1.5 times its words."""
    return 2 * document_words <= 3 * len(field.words)


def _densest(hits: Sequence[bool], width: int) -> tuple[int, int]:
    """The first window of `width` words with most trigrams inside; the whole document when it is not longer."""
    length = len(hits) + TRIGRAM - 1
    if length <= width:
        return 0, length
    inside = width - TRIGRAM + 1
    best = found = sum(hits[:inside])
    start = 0
    for place in range(inside, len(hits)):
        found += hits[place] - hits[place - inside]
        if found > best:
            best, start = found, place - inside + 1
    return start, start + width


def _covered(field: FieldWords, window: Sequence[int]) -> list[int]:
    places: set[int] = set()
    for gram in set(grams(window, TRIGRAM)):
        for start in field.trigrams.get(gram, ()):
            places.update(range(start, start + TRIGRAM))
    return sorted(places)


def _touched(hits: Sequence[bool], window: tuple[int, int]) -> tuple[int, int]:
    places = [place for place in range(window[0], min(window[1], len(hits))) if hits[place]]
    return (places[0], min(window[1], places[-1] + TRIGRAM)) if places else window


def _longest_run(field: FieldWords, document: Sequence[int]) -> tuple[int, tuple[int, int], tuple[int, int]]:
    """The longest contiguous shared run, counted in distinctive words, and where it stands in both texts."""
    length = gram_length(field.words)
    places: dict[Gram, list[int]] = {}
    for start, gram in enumerate(grams(field.words, length)):
        places.setdefault(gram, []).append(start)
    is_own = [0] * (len(field.words) + 1)
    for position in field.positions:
        is_own[position + 1] = 1
    before = _running(is_own)
    best: tuple[int, tuple[int, int], tuple[int, int]] = (0, (0, 0), (0, 0))
    reached: dict[int, int] = {}
    for at, gram in enumerate(grams(document, length)):
        for start in places.get(gram, ()):
            if reached.get(at - start, -1) > start:
                continue
            end = _common_end(field.words, start + length, document, at + length)
            reached[at - start] = end
            run = before[end] - before[start]
            if run > best[0]:
                best = run, (start, end), (at, at + end - start)
    return best


def _running(values: Sequence[int]) -> list[int]:
    sums: list[int] = []
    total = 0
    for value in values:
        total += value
        sums.append(total)
    return sums


def _common_end(words: Sequence[int], at: int, document: Sequence[int], place: int) -> int:
    while at < len(words) and place < len(document) and words[at] == document[place]:
        at += 1
        place += 1
    return at
