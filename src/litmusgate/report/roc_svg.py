"""A ROC curve as points of a drawing: where the template puts lines, ticks and the chosen threshold."""

from __future__ import annotations

from dataclasses import dataclass

from litmusgate.report.calibration_channel import ChannelShown

SIDE = 240
"""Length of an axis, in units of the drawing."""
LEFT, TOP = 56, 14


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A place in the drawing, in units from the top left corner, and what it stands for."""

    x: float
    y: float
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RocDrawing:
    """The curve from (0, 0) to (1, 1) as the `points` of a polyline, its thresholds, and the chosen one."""

    points: str
    marks: tuple[Mark, ...]
    chosen: Mark | None
    ticks: tuple[Mark, ...]


def draw_roc(channel: ChannelShown, *, chosen: str | None) -> RocDrawing | None:
    """The drawing of `channel`, with the threshold called `chosen` marked; None where there is nothing on one of the axes."""
    negatives = channel.negatives.instances + channel.negatives.hard
    if not channel.positives or not negatives:
        return None
    marks = tuple(
        _mark((point.false.instances + point.false.hard) / negatives, point.found / channel.positives, point.threshold)
        for point in reversed(channel.points)
    )
    path = [_mark(0, 0, ""), *marks, _mark(1, 1, "")]
    return RocDrawing(
        points=" ".join(f"{mark.x:.1f},{mark.y:.1f}" for mark in path),
        marks=marks,
        chosen=next((mark for mark in marks if mark.label == chosen), None),
        ticks=tuple(_mark(share, share, f"{share:g}") for share in (0, 0.25, 0.5, 0.75, 1)),
    )


def _mark(false: float, found: float, label: str) -> Mark:
    return Mark(x=round(LEFT + SIDE * false, 1), y=round(TOP + SIDE * (1 - found), 1), label=label)
