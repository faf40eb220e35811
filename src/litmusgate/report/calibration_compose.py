"""From a calibration and what it was made of to the file that reports show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from litmusgate.provenance.fold import FOLD_VERSION
from litmusgate.provenance.tau_calibration import Calibration
from litmusgate.provenance.tau_canary import CanaryTable
from litmusgate.provenance.tau_roc import Negative, Roc, Wanted
from litmusgate.report.calibration_document import (
    BandShown,
    CanaryShown,
    ChannelShown,
    CorpusUsed,
    FalseCounts,
    KindShown,
    LeftOutShown,
    NearShown,
    PointShown,
    ReferenceUsed,
    SuiteUsed,
    TauDocument,
    WantedShown,
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
    table = calibration.canary
    channels = [_channel("similarity", calibration.similarity), _channel("run", calibration.run)]
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
        kinds=tuple(
            KindShown(
                name=kind.name,
                must_match=kind.copy,
                planted=kind.planted,
                by_run=kind.by_run,
                similar=kind.similar,
                contaminated=kind.contaminated,
                suspect=kind.suspect,
            )
            for kind in calibration.kinds
        ),
        channels=(*channels, *([] if table is None else [_channel("canary", table.curve)])),
        nearest=tuple(
            NearShown(
                kind=item.kind,
                instance=item.instance_id,
                document=_writable(item.document),
                similarity=float(item.similarity),
                run=item.run,
            )
            for item in calibration.nearest
        ),
        canary=None if table is None else _canary(table, origins.references),
        versions=dict(origins.versions),
    )


def _channel(name: Literal["similarity", "run", "canary"], curve: Roc) -> ChannelShown:
    in_words = name == "run"
    return ChannelShown(
        name=name,
        unit="words" if in_words else "share",
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
