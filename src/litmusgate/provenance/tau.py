"""Calibration of τ: planted copies against texts in which nothing may be found (A3).

Copies of the suite's own instances, perturbed in every known way, are planted into documents of the user's own corpus.
Negatives are the instances against the sample as it is, and documents that carry the suite's boilerplate around corpus
text. An instance that is known, or that really stands in the sample, is no negative.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from litmusgate.errors import CorpusError
from litmusgate.provenance.batch import batches_of
from litmusgate.provenance.engine import Engine
from litmusgate.provenance.known import KnownDocument
from litmusgate.provenance.match import ProvenanceResult, ProvenanceStatus
from litmusgate.provenance.perturb import KINDS, Chance, shuffled
from litmusgate.provenance.reading import Reading
from litmusgate.provenance.scan import judge, read_batch
from litmusgate.provenance.suite_texts import SuiteTexts, suite_texts
from litmusgate.provenance.tau_calibration import Calibration, CalibrationInputs, KindCounts, LeftOut, NearNegative
from litmusgate.provenance.tau_canary import canary_table, exact_score
from litmusgate.provenance.tau_choice import ScoredNegative, channel_curve, undisputed_tau
from litmusgate.provenance.tau_embedding import EmbeddingPlants, calibrate_embedding, spread
from litmusgate.provenance.tau_pairs import ANY_TAU, NOTHING_SHARED, PairMeter, PairScore
from litmusgate.provenance.tau_plants import Plant, asked_text, hard_negatives, plants, stock_pieces
from litmusgate.provenance.tau_roc import Negative, Roc, roc
from litmusgate.suite.instance import Instance

RUN_THRESHOLDS = tuple(map(Fraction, (5, 8, 10, 13, 15, 20, 25, 30, 34, 40, 50, 60, 80, 100)))
"""Lengths of a run, in distinctive words, at which the run channel is shown; the rule itself has no setting."""

LEAST_DOCUMENTS = 20
"""Documents that share nothing with the suite which a sample must have: fewer say nothing of what unrelated texts share."""

NEAREST = 20
"""Negatives that are named, nearest first: people look at these."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sampled:
    """The sample as a scan reads it, and the documents that share nothing with the suite.

    `scored` are the results by score, `present` and `suspect` the instances that are so even where τ is 1.
    """

    reading: Reading
    scored: tuple[ProvenanceResult, ...]
    present: frozenset[str]
    suspect: frozenset[str]
    hosts: tuple[KnownDocument, ...]


def calibrate(inputs: CalibrationInputs, *, engine: Engine, chance: Chance) -> Calibration:
    """Plant, measure, choose. The same inputs and the same chance give the same calibration, whatever the engine.

    Raises `CorpusError` for a sample without words, and for one in which fewer than 20 documents share none with the suite.
    """
    suite = suite_texts(inputs.instances, allowed=inputs.allowed)
    sampled = _read_sample(suite, inputs.sample, engine)
    left_out = _left_out(inputs, sampled)
    meter = PairMeter(suite, sampled.reading.common_grams(), engine)
    chosen_instances = _to_plant(inputs, sampled, chance)
    read = frozenset[str]() if inputs.embedding is None else spread([item.id for item in chosen_instances])
    by_kind, kept = _plant(meter, chosen_instances, sampled.hosts, chance, keep=read)
    hard = _hard_negatives(inputs, suite, meter, sampled.hosts, chance)
    negatives = _instance_negatives(sampled, left_out) + _hard_scores(meter, hard, left_out)
    disputed = _disputed(inputs, sampled, left_out)
    copies = {kind.name: [score.similarity for score in by_kind[kind.name]] for kind in KINDS if kind.copy}
    scored = [ScoredNegative(kind=item.kind, instance_id=item.instance_id, score=item.similarity) for item in negatives]
    chosen = undisputed_tau(copies, scored, disputed, inputs.wanted)
    judged = None if chosen.tau is None else judge(suite, sampled.reading, tau=chosen.tau, engine=engine)
    return Calibration(
        documents=sampled.reading.documents,
        planted=len(chosen_instances),
        hosts=len(sampled.hosts),
        made_negatives=inputs.given_negatives is None,
        left_out=left_out,
        disputed=disputed,
        similarity=channel_curve(copies, scored),
        run=_run_curve(by_kind, negatives),
        chosen=chosen,
        kinds=tuple(_counts(kind.name, kind.copy, by_kind[kind.name], chosen.tau) for kind in KINDS),
        nearest=_nearest(negatives),
        canary=None if inputs.labels is None else canary_table(inputs.labels, sampled.scored, judged),
        embedding=None
        if inputs.embedding is None
        else calibrate_embedding(
            inputs.embedding,
            inputs.instances,
            EmbeddingPlants(plants=kept, hard=hard, no_negatives=left_out.ids(), disputed=disputed),
            inputs.wanted,
        ),
    )


def _read_sample(suite: SuiteTexts, documents: Sequence[KnownDocument], engine: Engine) -> _Sampled:
    reading = Reading()
    finder = engine.finder(suite, encoded=True)
    touched: set[tuple[str, str]] = set()
    for batch in batches_of(documents):
        found = read_batch(suite, finder, reading, batch)
        touched.update((document.corpus, name) for document in found for name in _names(document.id))
    if reading.documents == 0:
        raise CorpusError(
            "the corpus holds no document with a word in it", rule="A3", wanted="known texts to plant into"
        )
    hosts = tuple(item for item in documents if (item.corpus, item.id) not in touched and item.text.strip())
    if not hosts:
        raise CorpusError(
            "there is no document to plant into: every one shares words with the suite",
            rule="A3",
            got=f"{reading.documents} documents",
            fix="calibrate on more of the corpus (--sample-mb)",
        )
    scored = judge(suite, reading, tau=ANY_TAU, engine=engine)
    whole = judge(suite, reading, tau=Fraction(1), engine=engine)
    if len(hosts) < LEAST_DOCUMENTS:
        raise CorpusError(
            "the sample is too small to say what unrelated texts have in common with the suite",
            rule="A3",
            got=f"{len(hosts)} documents that share nothing with it",
            wanted=f"at least {LEAST_DOCUMENTS}",
            fix="give more of the corpus",
        )
    return _Sampled(
        reading=reading,
        scored=scored,
        present=frozenset(found.instance_id for found in whole if found.status is ProvenanceStatus.CONTAMINATED),
        suspect=frozenset(found.instance_id for found in whole if found.status is ProvenanceStatus.SUSPECT),
        hosts=hosts,
    )


def _names(part: str) -> tuple[str, str]:
    """What a document may be called of which this is a part: parts carry `@` and the place where they begin."""
    return part, part.rpartition("@")[0]


def _left_out(inputs: CalibrationInputs, sampled: _Sampled) -> LeftOut:
    reasons: dict[str, list[str]] = {"canary": [], "named": [], "present": [], "none": []}
    for result in sampled.scored:
        name = result.instance_id
        if result.score is None:
            reasons["none"].append(name)
        elif inputs.labels is not None and inputs.labels.get(name):
            reasons["canary"].append(name)
        elif name in inputs.known:
            reasons["named"].append(name)
        elif name in sampled.present:
            reasons["present"].append(name)
    return LeftOut(
        canary_passed=tuple(reasons["canary"]),
        named=tuple(reasons["named"]),
        present=tuple(reasons["present"]),
        not_assessable=tuple(reasons["none"]),
    )


def _disputed(inputs: CalibrationInputs, sampled: _Sampled, left_out: LeftOut) -> tuple[str, ...]:
    """A violation of the canary, and the word of somebody who looked, settle that a similar text is no copy."""
    settled = left_out.ids() | inputs.clean | {name for name, passed in (inputs.labels or {}).items() if not passed}
    return tuple(sorted(sampled.suspect - settled))


def _to_plant(inputs: CalibrationInputs, sampled: _Sampled, chance: Chance) -> list[Instance]:
    """So many of the instances that have a score and a text put to the agent, drawn by chance; sorted by id."""
    by_id = {instance.id: instance for instance in inputs.instances}
    able = [found.instance_id for found in sampled.scored if found.score is not None]
    able = [name for name in able if asked_text(by_id[name])]
    return [by_id[name] for name in sorted(shuffled(chance, able)[: inputs.most_planted])]


def _plant(
    meter: PairMeter,
    instances: Sequence[Instance],
    hosts: Sequence[KnownDocument],
    chance: Chance,
    *,
    keep: frozenset[str],
) -> tuple[dict[str, list[PairScore]], list[Plant]]:
    """By kind the score of every planted pair, and the plants of the instances to `keep`.

    A pair that shares nothing was not found at all.
    """
    made: list[tuple[str, str, str]] = []
    kept: list[Plant] = []

    def documents() -> Iterator[KnownDocument]:
        for number, instance in enumerate(instances):
            for plant in plants(instance, number, hosts, chance):
                made.append((plant.kind.name, plant.instance_id, plant.document.id))
                if plant.instance_id in keep:
                    kept.append(plant)
                yield plant.document

    found = meter.measure(documents())
    by_kind: dict[str, list[PairScore]] = {kind.name: [] for kind in KINDS}
    for kind_name, instance_id, name in made:
        by_kind[kind_name].append(found.get((instance_id, name), NOTHING_SHARED))
    return by_kind, kept


def _hard_negatives(
    inputs: CalibrationInputs,
    suite: SuiteTexts,
    meter: PairMeter,
    hosts: Sequence[KnownDocument],
    chance: Chance,
) -> Sequence[KnownDocument]:
    if inputs.given_negatives is not None:
        return inputs.given_negatives
    pieces = stock_pieces(inputs.instances, suite, meter.fields)
    return hard_negatives(pieces, hosts, inputs.most_hard, chance)


def _instance_negatives(sampled: _Sampled, left_out: LeftOut) -> list[NearNegative]:
    ids = left_out.ids()
    return [
        NearNegative(
            kind=Negative.INSTANCE,
            instance_id=result.instance_id,
            document=f"{result.matches[0].corpus}: {result.matches[0].document}" if result.matches else "",
            similarity=exact_score(result) or Fraction(0),
            run=result.run,
        )
        for result in sampled.scored
        if result.instance_id not in ids
    ]


def _hard_scores(meter: PairMeter, documents: Sequence[KnownDocument], left_out: LeftOut) -> list[NearNegative]:
    """Every hard negative with the instance nearest to it."""
    ids = left_out.ids()
    best = {document.id: ("", NOTHING_SHARED) for document in documents}
    for (instance_id, name), score in sorted(meter.measure(documents).items()):
        if instance_id not in ids and best[name][1].order() < score.order():
            best[name] = instance_id, score
    return [
        NearNegative(kind=Negative.HARD, instance_id=found, document=name, similarity=score.similarity, run=score.run)
        for name, (found, score) in best.items()
    ]


def _run_curve(by_kind: Mapping[str, Sequence[PairScore]], negatives: Sequence[NearNegative]) -> Roc:
    """The run channel is for every kind of plant: a text cut in half keeps a run and little similarity."""
    plants_found = [Fraction(score.run) for scores in by_kind.values() for score in scores]
    false = {kind: [Fraction(item.run) for item in negatives if item.kind is kind] for kind in Negative}
    return roc(plants_found, false, RUN_THRESHOLDS)


def _counts(name: str, copy: bool, scores: Sequence[PairScore], tau: Fraction | None) -> KindCounts:
    statuses = [] if tau is None else [score.status(tau) for score in scores]
    return KindCounts(
        name=name,
        copy=copy,
        planted=len(scores),
        by_run=sum(score.by_run for score in scores),
        similar=None if tau is None else sum(score.similarity >= tau for score in scores),
        contaminated=None if tau is None else statuses.count(ProvenanceStatus.CONTAMINATED),
        suspect=None if tau is None else statuses.count(ProvenanceStatus.SUSPECT),
    )


def _nearest(negatives: Sequence[NearNegative]) -> tuple[NearNegative, ...]:
    ordered = sorted(negatives, key=lambda item: (-item.similarity, -item.run, item.instance_id, item.document))
    return tuple(item for item in ordered[:NEAREST] if item.similarity > 0)
