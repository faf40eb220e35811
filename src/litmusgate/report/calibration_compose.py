"""From a calibration and what it was made of to the file that reports show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from litmusgate.provenance.fold import FOLD_VERSION
from litmusgate.provenance.tau_calibration import Calibration, KindCounts, NearNegative
from litmusgate.provenance.tau_canary import CanaryTable
from litmusgate.provenance.tau_embedding import EmbeddingCalibration
from litmusgate.provenance.tau_roc import Negative, Roc, Wanted
from litmusgate.report.calibration_channel import ChannelName, ChannelShown, FalseCounts, PointShown
from litmusgate.report.calibration_document import (
    BandShown,
    CanaryShown,
    CorpusUsed,
    KindShown,
    LeftOutShown,
    NearShown,
    ReferenceUsed,
    SuiteUsed,
    TauDocument,
    WantedShown,
)
from litmusgate.report.calibration_embedding import (
    EmbeddingKindShown,
    EmbeddingNearShown,
    EmbeddingShown,
    ModelUsed,
)
from litmusgate.suite.manifest import Suite


@dataclass(frozen=True, slots=True, kw_only=True)
class Origins:
    """What a calibration was made from, by name and digest. `hard_negatives` is the digest of those
    that were given (None: they were made from the boilerplate), `allow_list` that of the allow-list (None: there is none).
    """

    suite: Suite
    corpus: CorpusUsed
    seed: int
    wanted: Wanted
    hard_negatives: str | None
    allow_list: str | None
    references: Sequence[ReferenceUsed]
    versions: Mapping[str, str]


def compose_tau(calibration: Calibration, origins: Origins) -> TauDocument:
    """The calibration file; equal calibrations of equal origins give equal bytes."""
    chosen = calibration.chosen
    table, embedding = calibration.canary, calibration.embedding
    curves: dict[ChannelName, Roc | None] = {
        "similarity": calibration.similarity,
        "run": calibration.run,
        "embedding": None if embedding is None else embedding.curve,
        "canary": None if table is None else table.curve,
    }
    return TauDocument(
        tau=None if chosen.tau is None else _hundredths(chosen.tau),
        problem=chosen.problem,
        detail=chosen.detail,
        bound_instances=chosen.bounds.get(Negative.INSTANCE),
        bound_hard=chosen.bounds.get(Negative.HARD),
        wanted=WantedShown(
            max_false=str(origins.wanted.max_false), min_recall=str(origins.wanted.min_recall), confidence="19/20"
        ),
        suite=SuiteUsed(name=origins.suite.name, version=origins.suite.version, digest=origins.suite.digest),
        fold=FOLD_VERSION,
        corpus=origins.corpus,
        seed=origins.seed,
        hard_negatives=origins.hard_negatives,
        allow_list=origins.allow_list,
        planted=calibration.planted,
        hosts=calibration.hosts,
        left_out=LeftOutShown(
            canary_passed=calibration.left_out.canary_passed,
            named=calibration.left_out.named,
            present=calibration.left_out.present,
            not_assessable=calibration.left_out.not_assessable,
        ),
        disputed=calibration.disputed,
        kinds=tuple(map(_kind, calibration.kinds)),
        channels=tuple(_channel(name, curve) for name, curve in curves.items() if curve is not None),
        nearest=tuple(map(_near, calibration.nearest)),
        canary=None if table is None else _canary(table, origins.references),
        embedding=None if embedding is None else _embedding(embedding),
        versions=dict(origins.versions),
    )


_UNITS: dict[ChannelName, str] = {"similarity": "share", "run": "words", "embedding": "cosine", "canary": "share"}


def _channel(name: ChannelName, curve: Roc) -> ChannelShown:
    in_words = name == "run"
    return ChannelShown(
        name=name,
        unit=_UNITS[name],
        positives=curve.positives,
        negatives=_by_kind(curve.negatives),
        wins=curve.wins,
        ties=curve.ties,
        auc=None if curve.area is None else float(curve.area),
        points=tuple(
            PointShown(
                threshold=str(point.threshold) if in_words else _hundredths(point.threshold),
                found=point.found,
                false=_by_kind(point.false),
            )
            for point in curve.points
        ),
    )


def _kind(kind: KindCounts) -> KindShown:
    return KindShown(
        name=kind.name,
        must_match=kind.copy,
        planted=kind.planted,
        by_run=kind.by_run,
        similar=kind.similar,
        contaminated=kind.contaminated,
        suspect=kind.suspect,
    )


def _near(item: NearNegative) -> NearShown:
    return NearShown(
        kind=item.kind,
        instance=item.instance_id,
        document=_writable(item.document),
        similarity=float(item.similarity),
        run=item.run,
    )


def _embedding(found: EmbeddingCalibration) -> EmbeddingShown:
    chosen = found.chosen
    return EmbeddingShown(
        model=ModelUsed(name=_writable(found.model), digest=found.digest),
        tau=None if chosen.tau is None else _hundredths(chosen.tau),
        problem=chosen.problem,
        detail=chosen.detail,
        bound_instances=chosen.bounds.get(Negative.INSTANCE),
        bound_hard=chosen.bounds.get(Negative.HARD),
        sampled_documents=found.documents,
        sampled_bytes=found.text_bytes,
        planted=found.planted,
        not_embedded=found.not_embedded,
        kinds=tuple(EmbeddingKindShown(name=kind.name, planted=kind.planted, found=kind.found) for kind in found.kinds),
        nearest=tuple(
            EmbeddingNearShown(
                kind=item.kind,
                instance=item.instance_id,
                document=_writable(item.document),
                cosine=float(item.similarity),
            )
            for item in found.nearest
        ),
    )


def _by_kind(counts: Mapping[Negative, int]) -> FalseCounts:
    return FalseCounts(instances=counts.get(Negative.INSTANCE, 0), hard=counts.get(Negative.HARD, 0))


def _canary(table: CanaryTable, references: Sequence[ReferenceUsed]) -> CanaryShown:
    return CanaryShown(
        references=tuple(sorted(references, key=lambda item: item.digest)),
        bands=tuple(
            BandShown(
                least=None if band.least is None else _hundredths(band.least),
                passed=band.passed,
                failed=band.failed,
                unlabelled=band.unlabelled,
            )
            for band in table.bands
        ),
        passes_that_look_clean=table.passes_that_look_clean,
        contaminated_that_fail=table.contaminated_that_fail,
    )


def _hundredths(share: Fraction) -> str:
    return f"{float(share):.2f}"


def _writable(text: str) -> str:
    """Ids of documents may hold lone surrogates, which no JSON file can."""
    return text.encode("utf-8", "replace").decode("utf-8")
