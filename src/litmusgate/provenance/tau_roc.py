"""ROC by counts, and the rule that chooses τ (A3): exact bounds, integers, and no τ where there is too little to tell."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from litmusgate.stats.intervals import clopper_pearson

HUNDREDTHS = 100
LEAST_TAU = 50
"""In hundredths. At 0.45 a text is already suspect: a τ not above that would leave nothing for people to look at."""
LEAST_PLANTED = 20
"""Plants of a kind that say something about its recall, as instances of a category do about a build (B6)."""
_ONE_SIDED = 0.90
"""The upper end of the two-sided 90 % interval is the one-sided 95 % bound, and so is the lower end."""


class Negative(StrEnum):
    """What nothing may be found in: an instance against the sample, a hard negative against the suite."""

    INSTANCE = "instance"
    HARD = "hard-negative"


class NoTau(StrEnum):
    """Why there is no τ."""

    TOO_FEW_NEGATIVES = "too-few-negatives"
    TOO_FEW_PLANTS = "too-few-plants"
    FALSE_POSITIVES = "false-positives"
    RECALL = "recall"
    DISPUTED = "disputed-negatives"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a τ must keep: at most `max_false` false positives (share, with 95 % confidence), `min_recall` of every copy."""

    max_false: Fraction = Fraction(5, 100)
    min_recall: Fraction = Fraction(9, 10)

    def __post_init__(self) -> None:
        if not (0 < self.max_false < 1 and 0 < self.min_recall <= 1):
            raise ValueError(f"{self.max_false} false positives and a recall of {self.min_recall} cannot be wanted")


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """What is found at a threshold: plants (of the copies), and negatives by kind; counts."""

    threshold: Fraction
    found: int
    false: Mapping[Negative, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Roc:
    """A curve by rising threshold. Of all pairs (plant, negative) the plant scores higher in `wins`, the same in `ties`."""

    positives: int
    negatives: Mapping[Negative, int]
    points: tuple[Point, ...]
    wins: int
    ties: int

    @property
    def area(self) -> Fraction | None:
        """Area under the curve (0…1), exactly; None without a positive or without a negative."""
        pairs = self.positives * sum(self.negatives.values())
        return None if pairs == 0 else Fraction(2 * self.wins + self.ties, 2 * pairs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The τ that was chosen and what it costs; with `problem` there is none, and `detail` says what was missing.

    `bounds` are the one-sided 95 % upper bounds of the false-positive share by kind of negative, at τ.
    """

    tau: Fraction | None
    bounds: Mapping[Negative, float]
    problem: NoTau | None = None
    detail: str | None = None


def roc(
    positives: Sequence[Fraction], negatives: Mapping[Negative, Sequence[Fraction]], thresholds: Sequence[Fraction]
) -> Roc:
    """The curve of these scores at rising `thresholds`: at or above a threshold is found."""
    plants = sorted(positives)
    by_kind = {kind: sorted(scores) for kind, scores in negatives.items()}
    points = tuple(
        Point(
            threshold=threshold,
            found=len(plants) - bisect_left(plants, threshold),
            false={kind: len(scores) - bisect_left(scores, threshold) for kind, scores in by_kind.items()},
        )
        for threshold in thresholds
    )
    wins = ties = 0
    for score in (score for scores in by_kind.values() for score in scores):
        below = bisect_left(plants, score)
        same = bisect_right(plants, score) - below
        wins += len(plants) - below - same
        ties += same
    sizes = {kind: len(scores) for kind, scores in by_kind.items()}
    return Roc(positives=len(plants), negatives=sizes, points=points, wins=wins, ties=ties)


def tau_thresholds() -> tuple[Fraction, ...]:
    """Every hundredth from 0.05 to 1."""
    return tuple(Fraction(number, HUNDREDTHS) for number in range(5, HUNDREDTHS + 1))


def upper_bound(false: int, negatives: int) -> float | None:
    """The exact one-sided 95 % upper bound (Clopper-Pearson) of a share of false positives; None for no negatives."""
    found = clopper_pearson(false, negatives, _ONE_SIDED)
    return None if found is None else found[1]


def lower_bound(found: int, plants: int) -> float | None:
    """The exact one-sided 95 % lower bound of a recall; None for no plants."""
    bounds = clopper_pearson(found, plants, _ONE_SIDED)
    return None if bounds is None else bounds[0]


def choose_tau(curve: Roc, copies: Mapping[str, Sequence[Fraction]], wanted: Wanted) -> Chosen:
    """The smallest τ from 0.50 whose false positives are few enough for sure, if it finds enough of every kind of copy.

    Few enough: of each kind of negative that there is, the 95 % upper bound is at most `wanted.max_false`. Enough: of each
    kind of `copies` (similarities by kind) a share of at least `wanted.min_recall`, out of at least 20.
    """
    problem = _too_little(curve, copies, wanted)
    if problem is not None:
        return problem
    for point in curve.points:
        bounds = bounds_at(point, curve)
        if point.threshold * HUNDREDTHS >= LEAST_TAU and max(bounds.values()) <= wanted.max_false:
            return _if_enough_is_found(point, bounds, copies, wanted)
    last = curve.points[-1]
    false = ", ".join(f"{last.false[kind]} of {count} ({kind.value})" for kind, count in curve.negatives.items())
    return Chosen(
        tau=None,
        bounds=bounds_at(last, curve),
        problem=NoTau.FALSE_POSITIVES,
        detail=f"even at 1.00 too much is found that was not planted: {false}",
    )


def bounds_at(point: Point, curve: Roc) -> dict[Negative, float]:
    """The upper bounds of the false-positive share at a point, for the kinds of which there are any."""
    found = {kind: upper_bound(point.false[kind], count) for kind, count in curve.negatives.items()}
    return {kind: bound for kind, bound in found.items() if bound is not None}


def needed_negatives(max_false: Fraction) -> int:
    """How many negatives without one false positive it takes for the bound to be `max_false`."""
    count = 1
    while (1 - float(max_false)) ** count > 1 - (1 + _ONE_SIDED) / 2 + 1e-12:
        count += 1
    return count


def _too_little(curve: Roc, copies: Mapping[str, Sequence[Fraction]], wanted: Wanted) -> Chosen | None:
    needed = needed_negatives(wanted.max_false)
    for kind in Negative:
        count = curve.negatives.get(kind, 0)
        if count < needed and (count or kind is Negative.INSTANCE):
            detail = (
                f"{count} of kind {kind.value!r}, wanted {needed} "
                f"for a bound of {float(wanted.max_false):g} on their false positives"
            )
            return Chosen(tau=None, bounds={}, problem=NoTau.TOO_FEW_NEGATIVES, detail=detail)
    if not any(len(scores) >= LEAST_PLANTED for scores in copies.values()):
        most = max(map(len, copies.values()), default=0)
        detail = f"at most {most} copies of a kind could be planted, wanted {LEAST_PLANTED}"
        return Chosen(tau=None, bounds={}, problem=NoTau.TOO_FEW_PLANTS, detail=detail)
    return None


def _if_enough_is_found(
    point: Point, bounds: Mapping[Negative, float], copies: Mapping[str, Sequence[Fraction]], wanted: Wanted
) -> Chosen:
    missed = [
        f"{name} {found} of {len(scores)}"
        for name, scores in copies.items()
        if len(scores) >= LEAST_PLANTED
        and (found := sum(score >= point.threshold for score in scores)) < wanted.min_recall * len(scores)
    ]
    if missed:
        detail = f"at {float(point.threshold):.2f}, the lowest τ with so few false positives, too little is found: "
        return Chosen(tau=None, bounds=bounds, problem=NoTau.RECALL, detail=detail + ", ".join(missed))
    return Chosen(tau=point.threshold, bounds=bounds)
