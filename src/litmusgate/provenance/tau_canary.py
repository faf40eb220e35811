"""The canary's labels against similarity (A3): where the two agree, and the two ways in which they do not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from litmusgate.provenance.match import ProvenanceResult, ProvenanceStatus
from litmusgate.provenance.tau_roc import Negative, Roc, roc, tau_thresholds

BANDS = (Fraction(0), Fraction(1, 4), Fraction(45, 100), Fraction(65, 100), Fraction(85, 100))
"""Lower ends of the bands of similarity; the last one ends with 1."""

_CLEAN = (ProvenanceStatus.CLEAN, ProvenanceStatus.CLEAN_SHORT)
_MOST_WORDS = 10**6


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """Instances whose similarity is at least `least` and below that of the next band; None: it could not be measured."""

    least: Fraction | None
    passed: int
    failed: int
    unlabelled: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CanaryTable:
    """Counts by band, and by id what does not fit: sorted, empty without a τ.

    `passes_that_look_clean`: the canary recalls what the sample does not hold; another text may be the source, or the
    canary is right by itself. `contaminated_that_fail`: a text known to the corpora that the canary does not recall.
    """

    bands: tuple[Band, ...]
    passes_that_look_clean: tuple[str, ...]
    contaminated_that_fail: tuple[str, ...]
    curve: Roc


def exact_score(result: ProvenanceResult) -> Fraction | None:
    """The score as the share it was before it became a float: a count over at most a million words."""
    return None if result.score is None else Fraction(result.score).limit_denominator(_MOST_WORDS)


def canary_table(
    labels: Mapping[str, bool], scored: Sequence[ProvenanceResult], judged: Sequence[ProvenanceResult] | None
) -> CanaryTable:
    """`labels` (True: the canary passes) beside `scored`, the results by score, and `judged`, those at τ (None: no τ)."""
    scores = {result.instance_id: exact_score(result) for result in scored}
    measured = {name: score for name, score in scores.items() if score is not None}
    statuses = {result.instance_id: result.status for result in judged or ()}
    ends = [*BANDS[1:], Fraction(2)]
    bands = [
        _band(least, [name for name, score in measured.items() if least <= score < end], labels)
        for least, end in zip(BANDS, ends, strict=True)
    ]
    bands.append(_band(None, sorted(scores.keys() - measured.keys()), labels))
    return CanaryTable(
        bands=tuple(bands),
        passes_that_look_clean=tuple(
            sorted(name for name, status in statuses.items() if labels.get(name) is True and status in _CLEAN)
        ),
        contaminated_that_fail=tuple(
            sorted(
                name
                for name, status in statuses.items()
                if labels.get(name) is False and status is ProvenanceStatus.CONTAMINATED
            )
        ),
        curve=roc(
            [score for name, score in measured.items() if labels.get(name) is True],
            {Negative.INSTANCE: [score for name, score in measured.items() if labels.get(name) is False]},
            tau_thresholds(),
        ),
    )


def _band(least: Fraction | None, names: Sequence[str], labels: Mapping[str, bool]) -> Band:
    found = [labels.get(name) for name in names]
    return Band(least=least, passed=found.count(True), failed=found.count(False), unlabelled=found.count(None))
