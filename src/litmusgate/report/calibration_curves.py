"""The curves of a calibration as titles and tables of text cells."""

from __future__ import annotations

from dataclasses import dataclass

from litmusgate.report.calibration_channel import ChannelShown, PointShown
from litmusgate.report.calibration_document import TauDocument
from litmusgate.report.phrases import NOT_MEASURABLE


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of text cells under headers; a note says what a reader must know of them."""

    title: str
    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str


def chosen_threshold(document: TauDocument, channel: ChannelShown) -> str | None:
    """The τ that is marked on the curve of `channel`; the run rule has no setting, so there is none on its curve."""
    if channel.name == "run":
        return None
    if channel.name == "embedding":
        return None if document.embedding is None else document.embedding.tau
    return document.tau


def curve_title(channel: ChannelShown) -> str:
    """What the curve is of, and the area under it."""
    area = NOT_MEASURABLE if channel.auc is None else f"{channel.auc:.4f}"
    return f"{_CURVES[channel.name]}: area under the curve {area}"


def curve_table(channel: ChannelShown, *, chosen: str | None) -> Table:
    """The curve as numbers: every point where something changes, and the chosen one."""
    rows: list[tuple[str, ...]] = []
    before: tuple[int, int, int] | None = None
    for point in channel.points:
        counts = (point.found, point.false.instances, point.false.hard)
        if counts != before or point.threshold == chosen:
            rows.append(_curve_row(point, channel, is_chosen=point.threshold == chosen))
        before = counts
    note = f"thresholds in {channel.unit}; rows that repeat the counts above them are left out"
    return Table(title=channel.name, headers=("threshold", *_HEADS[channel.name]), rows=tuple(rows), note=note)


_CURVES = {
    "similarity": "Similarity of planted copies",
    "run": "Longest run, every kind of plant",
    "embedding": "Nearness in meaning, every kind of plant",
    "canary": "Similarity against the canary's labels",
}
_HEADS = {
    "similarity": ("copies found", "instances", "hard negatives"),
    "run": ("plants found", "instances", "hard negatives"),
    "embedding": ("plants found", "instances", "hard negatives"),
    "canary": ("canary passes", "canary fails"),
}


def _curve_row(point: PointShown, channel: ChannelShown, *, is_chosen: bool) -> tuple[str, ...]:
    cells = (
        point.threshold + (" (chosen)" if is_chosen else ""),
        f"{point.found} of {channel.positives}",
        f"{point.false.instances} of {channel.negatives.instances}",
        f"{point.false.hard} of {channel.negatives.hard}",
    )
    return cells[: 1 + len(_HEADS[channel.name])]
