"""What a calibration of τ is made from, and what it found out (A3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from litmusgate.provenance.allowed import AllowedText
from litmusgate.provenance.known import KnownDocument
from litmusgate.provenance.tau_canary import CanaryTable
from litmusgate.provenance.tau_embedding import EmbeddingCalibration, EmbeddingInputs
from litmusgate.provenance.tau_roc import Chosen, Negative, Roc, Wanted
from litmusgate.suite.instance import Instance


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationInputs:
    """What a calibration is made from.

    `labels` are those of a qualified canary (None: there was none). People have looked at the instances whose ids stand in
    `known` (they stand in the corpora) and in `clean` (they do not, whatever similar text there is). `given_negatives`
    replace the made ones; their ids must differ. Words of `allowed` texts are nobody's own. `embedding` adds that channel.
    """

    instances: Sequence[Instance]
    sample: Sequence[KnownDocument]
    labels: Mapping[str, bool] | None = None
    known: frozenset[str] = frozenset()
    clean: frozenset[str] = frozenset()
    allowed: Sequence[AllowedText] = ()
    given_negatives: Sequence[KnownDocument] | None = None
    wanted: Wanted = field(default_factory=Wanted)
    most_planted: int = 100
    most_hard: int = 400
    embedding: EmbeddingInputs | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """Instances that are no negatives, by reason; ids sorted, and one that has several reasons stands under the first.

    `canary_passed`: a qualified canary passes them. `named`: people know them. `present`: their own text stands in the
    sample, wholly, or in a run long enough for the run rule. `not_assessable`: they have no score.
    """

    canary_passed: tuple[str, ...]
    named: tuple[str, ...]
    present: tuple[str, ...]
    not_assessable: tuple[str, ...]

    def ids(self) -> frozenset[str]:
        """All of them."""
        return frozenset((*self.canary_passed, *self.named, *self.present, *self.not_assessable))


@dataclass(frozen=True, slots=True, kw_only=True)
class KindCounts:
    """Plants of one kind and what became of them; counts. Those that need a τ are None where there is none.

    `similar`: similarity at least τ. `by_run`: contaminated by the run rule. `contaminated` and `suspect`: by all rules.
    """

    name: str
    copy: bool
    planted: int
    by_run: int
    similar: int | None
    contaminated: int | None
    suspect: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NearNegative:
    """A negative and how much of it was found: the instance, the document nearest to it, share 0…1, words."""

    kind: Negative
    instance_id: str
    document: str
    similarity: Fraction
    run: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """Everything a calibration found out. `planted` counts instances, `hosts` documents that nothing of the suite touches.

    `disputed` are negatives that may be copies: suspect by the sample, labelled by no canary, looked at by nobody.
    `embedding` None: that channel was not asked for.
    """

    documents: int
    planted: int
    hosts: int
    made_negatives: bool
    left_out: LeftOut
    disputed: tuple[str, ...]
    similarity: Roc
    run: Roc
    chosen: Chosen
    kinds: tuple[KindCounts, ...]
    nearest: tuple[NearNegative, ...]
    canary: CanaryTable | None
    embedding: EmbeddingCalibration | None = None
