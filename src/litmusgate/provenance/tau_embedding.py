"""The embedding channel of a calibration: the same plants and negatives, by nearness in meaning, with a τ of its own (A3).

It is the comparison of the scan: chunks of folded words, the largest cosine of any two, four digits. Only what may be
near a plant is read: the words of its document that share a chunk with the copy, cut where the whole document is cut.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from litmusgate.provenance.chunks import CHUNK_STEP, CHUNK_WORDS, SuiteChunks, suite_chunks
from litmusgate.provenance.embedding import EmbeddingResult, embedding_findings
from litmusgate.provenance.fold import fold_words
from litmusgate.provenance.known import KnownDocument
from litmusgate.provenance.perturb import KINDS
from litmusgate.provenance.tau_choice import ScoredNegative, channel_curve, undisputed_tau
from litmusgate.provenance.tau_plants import Plant
from litmusgate.provenance.tau_roc import Chosen, Negative, Roc, Wanted
from litmusgate.provenance.vectors import Embedder, Vectors, unit_rows
from litmusgate.suite.instance import Instance

MOST_EMBEDDED = 40
"""Instances whose plants a model reads: twice what a kind needs, and minutes, not hours, of a transformer."""

NEAREST = 20
"""Negatives that are named, nearest first: people look at these."""

_NOTHING = Fraction(-1)
"""The score of a document in which no chunk is: below every cosine that is a threshold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingInputs:
    """The model, and the part of the sample it reads: a transformer takes hours for what a scan of words takes seconds."""

    embedder: Embedder
    sample: Sequence[KnownDocument]


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingPlants:
    """What of a calibration the channel is measured on: plants, hard negatives, and the instances that are no negatives.

    `disputed` are instances that may be copies by their words.
    """

    plants: Sequence[Plant]
    hard: Sequence[KnownDocument]
    no_negatives: frozenset[str]
    disputed: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingKind:
    """Plants of one kind, and how many are at least τ near to their instance (None: there is no τ); counts."""

    name: str
    planted: int
    found: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingNear:
    """A negative, the document nearest to it in meaning, and their cosine (-1…1, four digits)."""

    kind: Negative
    instance_id: str
    document: str
    similarity: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingCalibration:
    """What the channel found out: model, curve, its own τ, counts by kind, nearest negatives.

    `planted` counts instances. `not_embedded` are the instances of which nothing is embedded, so that they are neither
    planted nor negatives here; sorted.
    """

    model: str
    digest: str
    documents: int
    text_bytes: int
    planted: int
    not_embedded: tuple[str, ...]
    curve: Roc
    chosen: Chosen
    kinds: tuple[EmbeddingKind, ...]
    nearest: tuple[EmbeddingNear, ...]


def spread(ids: Sequence[str]) -> frozenset[str]:
    """At most `MOST_EMBEDDED` of the sorted `ids`, evenly spaced, so that no category is left out for its name."""
    count = min(len(ids), MOST_EMBEDDED)
    return frozenset(ids[place * len(ids) // count] for place in range(count))


def calibrate_embedding(
    inputs: EmbeddingInputs, instances: Iterable[Instance], made: EmbeddingPlants, wanted: Wanted
) -> EmbeddingCalibration:
    """Measure and choose. τ is the lowest hundredth from 0.50 that keeps the bounds of `wanted` on the negatives.

    No kind of copy has a recall to keep: words find copies, and a model reads no encodings. But of all plants together a
    larger share than `max_false` must be found, or τ says nothing. Raises `CorpusError` where a text has no vector.
    """
    suite = suite_chunks(instances)
    embedder = _SuiteOnce(inputs.embedder, suite.texts)
    embedded = {item.instance_id: item for item in suite.instances if item.chunks}
    plants = [plant for plant in made.plants if plant.instance_id in embedded]
    by_kind: dict[str, list[Fraction]] = {kind.name: [] for kind in KINDS}
    for plant in plants:
        by_kind[plant.kind.name].append(_plant_score(suite, plant, embedder))
    near = _negatives(suite, inputs.sample, made, embedder)
    scored = [ScoredNegative(kind=item.kind, instance_id=item.instance_id, score=item.similarity) for item in near]
    chosen = undisputed_tau(
        {"of all plants": [score for scores in by_kind.values() for score in scores]},
        scored,
        made.disputed,
        replace(wanted, min_recall=wanted.max_false),
    )
    return EmbeddingCalibration(
        model=inputs.embedder.name,
        digest=inputs.embedder.digest,
        documents=len(inputs.sample),
        text_bytes=sum(len(document.text.encode("utf-8", "replace")) for document in inputs.sample),
        planted=len({plant.instance_id for plant in plants}),
        not_embedded=tuple(item.instance_id for item in suite.instances if not item.chunks),
        curve=channel_curve(by_kind, scored),
        chosen=chosen,
        kinds=tuple(_counts(name, scores, chosen.tau) for name, scores in by_kind.items()),
        nearest=tuple(sorted(near, key=_order)[:NEAREST]),
    )


class _SuiteOnce:
    """The model, with the vectors of the suite's texts computed once: every comparison asks for them again."""

    def __init__(self, embedder: Embedder, texts: Sequence[str]) -> None:
        self._embedder = embedder
        self.name = embedder.name
        self.digest = embedder.digest
        self.dimensions = embedder.dimensions
        self._kept: dict[str, Vectors | None] = dict.fromkeys(texts)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row for each text, as the model gives it; raises `CorpusError` where there is none."""
        rows = {text: row for text in texts if (row := self._kept.get(text)) is not None}
        others = [text for text in dict.fromkeys(texts) if text not in rows]
        if others:
            given = self._embedder.embed(others)
            unit_rows(given, texts=len(others), dimensions=self.dimensions)
            rows |= zip(others, given, strict=True)
            self._kept |= {text: rows[text] for text in others if text in self._kept}
        return np.stack([rows[text] for text in texts])


def _plant_score(suite: SuiteChunks, plant: Plant, embedder: Embedder) -> Fraction:
    """The similarity of the planted instance to what stands in its document where the copy is."""
    alone = _only(suite, frozenset({plant.instance_id}))
    document = replace(plant.document, text=_surroundings(plant))
    return _score(embedding_findings(alone, [document], embedder)[0])


def _surroundings(plant: Plant) -> str:
    """The copy with the words around it that may stand in a chunk with it.

    Words before are left out by whole steps of chunks, so that the copy begins where it would in a chunk of the whole.
    """
    start, end = plant.copy
    before = fold_words(plant.document.text[:start])
    left = max(0, len(before) - CHUNK_WORDS) // CHUNK_STEP * CHUNK_STEP
    after = fold_words(plant.document.text[end:])[:CHUNK_WORDS]
    return f"{' '.join(before[left:])}\n\n{plant.document.text[start:end]}\n\n{' '.join(after)}"


def _negatives(
    suite: SuiteChunks, sample: Sequence[KnownDocument], made: EmbeddingPlants, embedder: Embedder
) -> list[EmbeddingNear]:
    """Every instance against the sample, and every hard negative with the instance nearest to it.

    Where nothing of a document could be compared there is no negative: nothing was read, which is not a low score.
    """
    kept = frozenset(item.instance_id for item in suite.instances if item.chunks) - made.no_negatives
    own = _only(suite, kept)
    found = [
        EmbeddingNear(
            kind=Negative.INSTANCE,
            instance_id=result.instance_id,
            document=f"{result.best.corpus}: {result.best.document}",
            similarity=_score(result),
        )
        for result in embedding_findings(own, sample, embedder)
        if result.best is not None
    ]
    for document in made.hard:
        results = [item for item in embedding_findings(own, [document], embedder) if item.best is not None]
        best = min(results, key=lambda result: (-_score(result), result.instance_id), default=None)
        if best is not None:
            found.append(
                EmbeddingNear(
                    kind=Negative.HARD,
                    instance_id=best.instance_id,
                    document=document.id,
                    similarity=_score(best),
                )
            )
    return found


def _only(suite: SuiteChunks, ids: frozenset[str]) -> SuiteChunks:
    """The chunks of these instances, their texts numbered anew."""
    kept = [item for item in suite.instances if item.instance_id in ids]
    numbers = {old: new for new, old in enumerate(sorted({chunk.text for item in kept for chunk in item.chunks}))}
    return SuiteChunks(
        texts=tuple(suite.texts[old] for old in numbers),
        instances=tuple(
            replace(item, chunks=tuple(replace(chunk, text=numbers[chunk.text]) for chunk in item.chunks))
            for item in kept
        ),
    )


def _score(result: EmbeddingResult) -> Fraction:
    return _NOTHING if result.best is None else Fraction(str(result.best.similarity))


def _counts(name: str, scores: Sequence[Fraction], tau: Fraction | None) -> EmbeddingKind:
    found = None if tau is None else sum(score >= tau for score in scores)
    return EmbeddingKind(name=name, planted=len(scores), found=found)


def _order(item: EmbeddingNear) -> tuple[Fraction, str, str, str]:
    return -item.similarity, item.kind.value, item.instance_id, item.document
