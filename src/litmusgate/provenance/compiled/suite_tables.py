"""A suite as the arrays that the finding kernels read: its words, its grams and the trigrams of its short texts.

Everything is there twice: as it stands (layer 0), and as rot13 writes it (layer 1). Row `2 * number + layer` of a table is
that number in that layer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, chain
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from litmusgate.provenance.compiled.jit import compiled
from litmusgate.provenance.compiled.spelling import Spelling, spelled
from litmusgate.provenance.compiled.tables import HashTable, table_of
from litmusgate.provenance.compiled.words import BASE, finalised
from litmusgate.provenance.distinctive import GRAM, TRIGRAM, Gram
from litmusgate.provenance.encoded import rotated
from litmusgate.provenance.suite_texts import SuiteTexts

LAYERS = 2
PLAIN, ROTATED = 0, 1

Hashes: TypeAlias = NDArray[np.uint64]


class SuiteTables(NamedTuple):
    """What is looked for.

    `gram_words` has a row per gram, padded with 0; `lengths` are the lengths of grams. `trigram_words` has a row per
    trigram of short texts; row `r` of `trigrams` stands for the texts `holders[holder_starts[r]:holder_starts[r + 1]]`,
    and `limits` tells for each short text how far apart two of its trigrams may begin. `short_texts` are their numbers.
    """

    spellings: tuple[Spelling, Spelling]
    grams: HashTable
    gram_words: NDArray[np.int32]
    lengths: NDArray[np.int64]
    trigrams: HashTable
    trigram_words: NDArray[np.int32]
    holders: NDArray[np.int32]
    holder_starts: NDArray[np.int64]
    limits: NDArray[np.int64]
    short_texts: NDArray[np.int64]


def suite_tables(suite: SuiteTexts, *, encoded: bool) -> SuiteTables:
    """The tables of `suite`; without `encoded` layer 1 is empty."""
    words = list(suite.vocabulary.numbers)
    plain = spelled(words)
    turned = spelled(rotated(words) if encoded else [])
    hashes = [plain.hashes, turned.hashes] if encoded else [plain.hashes]
    gram_words = _matrix(suite.grams, GRAM)
    short_texts = np.asarray(sorted(suite.short_lengths), np.int64)
    place = {text: number for number, text in enumerate(short_texts.tolist())}
    turning = [text not in suite.unrotated_texts for text in short_texts.tolist()]
    texts = [[place[text] for text in found] for found in suite.short_trigrams.values()]
    held = chain.from_iterable((found, [text for text in found if turning[text] and encoded]) for found in texts)
    holders = list(held)
    trigram_words = _matrix(tuple(suite.short_trigrams), TRIGRAM)
    unturned = np.zeros(len(suite.grams), np.bool_)
    unturned[list(suite.unrotated_grams)] = True
    empty = np.asarray([not found for found in holders[ROTATED::LAYERS]], np.bool_)
    return SuiteTables(
        spellings=(plain, turned),
        grams=_gram_table(gram_words, hashes, unturned),
        gram_words=gram_words,
        lengths=np.asarray(suite.gram_lengths, np.int64),
        trigrams=_gram_table(trigram_words, hashes, empty),
        trigram_words=trigram_words,
        holders=np.fromiter(chain.from_iterable(holders), np.int32),
        holder_starts=np.asarray([0, *accumulate(map(len, holders))], np.int64),
        limits=np.asarray([suite.short_lengths[text] - TRIGRAM for text in short_texts.tolist()], np.int64),
        short_texts=short_texts,
    )


def _matrix(grams: Sequence[Gram], length: int) -> NDArray[np.int32]:
    """One row for each gram, shorter ones filled up with 0."""
    whole = [len(gram) == length for gram in grams]
    padded: Iterable[Gram] = grams if all(whole) else ((*gram, *(0,) * (length - len(gram))) for gram in grams)
    return np.fromiter(chain.from_iterable(padded), np.int32, len(grams) * length).reshape(-1, length)


def _gram_table(words: NDArray[np.int32], hashes: Sequence[Hashes], unturned: NDArray[np.bool_]) -> HashTable:
    """The table of the grams in each layer, the `unturned` ones in layer 0 alone."""
    keys: list[NDArray[np.uint64]] = []
    rows: list[NDArray[np.int64]] = []
    for layer, found in enumerate(hashes):
        numbers = np.flatnonzero(~unturned) if layer == ROTATED else np.arange(len(words))
        value = np.zeros(len(numbers), np.uint64)
        for column in words[numbers].T:
            value = np.where(column > 0, value * BASE + found[column], value)
        out = np.zeros_like(value)
        _finalise_all(value, out)
        keys.append(out)
        rows.append(LAYERS * numbers + layer)
    return table_of(np.concatenate(keys), np.concatenate(rows))


@compiled
def _finalise_all(values: NDArray[np.uint64], out: NDArray[np.uint64]) -> None:
    for number in range(values.shape[0]):
        out[number] = finalised(values[number])
