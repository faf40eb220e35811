"""A ROC curve at the wire, and the rule its counts have to keep (A3)."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal, TypeAlias

from pydantic import Field, model_validator

from litmusgate.provenance.tau_roc import LEAST_TAU, upper_bound
from litmusgate.report.shown import Count, Share, Wire

Hundredths = Annotated[str, Field(pattern=r"^(0\.[0-9]{2}|1\.00)$")]
ChannelName: TypeAlias = Literal["similarity", "run", "embedding", "canary"]


class FalseCounts(Wire):
    """Counts of negatives by kind: instances against the sample, hard negatives against the suite."""

    instances: Count
    hard: Count


class PointShown(Wire):
    """What is found at a threshold: plants, and negatives by kind."""

    threshold: str
    found: Count
    false: FalseCounts


class ChannelShown(Wire):
    """A ROC curve by rising threshold. `auc` is (wins + ties / 2) over all pairs of a positive and a negative; null for none."""

    name: ChannelName
    unit: str
    positives: Count
    negatives: FalseCounts
    wins: Count
    ties: Count
    auc: Share | None
    points: tuple[PointShown, ...]

    @model_validator(mode="after")
    def _adds_up(self) -> ChannelShown:
        pairs = self.positives * (self.negatives.instances + self.negatives.hard)
        if self.wins + self.ties > pairs or (self.auc is None) != (pairs == 0):
            raise ValueError(f"channel {self.name}: wins and ties do not fit the counts")
        if pairs and self.auc != float(Fraction(2 * self.wins + self.ties, 2 * pairs)):
            raise ValueError(f"channel {self.name}: the area is not that of the counts")
        before = (self.positives, self.negatives.instances, self.negatives.hard)
        for point in self.points:
            after = (point.found, point.false.instances, point.false.hard)
            if any(later > earlier for earlier, later in zip(before, after, strict=True)):
                raise ValueError(f"channel {self.name}: more is found at {point.threshold} than below it")
            before = after
        return self


def hold_to_bounds(
    channel: ChannelShown, tau: str, *, limit: str, told: tuple[float | None, float | None]
) -> PointShown:
    """The point at `tau`; raises `ValueError` unless it is the lowest whose bounds are at most `limit`, and they are as `told`."""
    lowest = next((point for point in channel.points if _is_safe(point, channel, float(Fraction(limit)))), None)
    if lowest is None or lowest.threshold != tau:
        raise ValueError(f"tau {tau} is not the lowest from 0.{LEAST_TAU} on whose false positives are few enough")
    for bound, said in zip(_bounds(lowest, channel), told, strict=True):
        if (bound is None) != (said is None) or (bound is not None and said is not None and abs(bound - said) > 1e-9):
            raise ValueError("the bounds are not those of the counts at tau")
    return lowest


def _is_safe(point: PointShown, channel: ChannelShown, limit: float) -> bool:
    instances, hard = _bounds(point, channel)
    few = instances is not None and instances <= limit and (hard is None or hard <= limit)
    return few and Fraction(point.threshold) * 100 >= LEAST_TAU


def _bounds(point: PointShown, channel: ChannelShown) -> tuple[float | None, float | None]:
    return (
        upper_bound(point.false.instances, channel.negatives.instances),
        upper_bound(point.false.hard, channel.negatives.hard),
    )
