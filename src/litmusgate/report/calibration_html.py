"""A calibration as one HTML page: no script, nothing loaded from anywhere, readable in light and dark and without eyes."""

from __future__ import annotations

from functools import lru_cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from litmusgate.report.calibration_channel import ChannelShown
from litmusgate.report.calibration_curves import chosen_threshold, curve_table, curve_title
from litmusgate.report.calibration_document import TauDocument
from litmusgate.report.calibration_facts import disagreements, headline, summary, tables
from litmusgate.report.roc_svg import LEFT, SIDE, TOP, draw_roc
from litmusgate.text import visible


def render_tau_html(document: TauDocument) -> str:
    """The page as text. Everything from suite and corpora is shown through `visible` and then escaped (T5)."""
    return _template().render(
        document=document,
        headline=headline(document),
        summary=summary(document),
        disagreements=disagreements(document),
        tables=tables(document),
        curves=[_curve(channel, chosen_threshold(document, channel)) for channel in document.channels],
        side=SIDE,
        left=LEFT,
        top=TOP,
    )


def _curve(channel: ChannelShown, chosen: str | None) -> dict[str, object]:
    return {
        "name": channel.name,
        "title": curve_title(channel),
        "drawing": draw_roc(channel, chosen=chosen),
        "table": curve_table(channel, chosen=chosen),
        "positives": channel.positives,
        "negatives": channel.negatives.instances + channel.negatives.hard,
    }


@lru_cache(maxsize=1)
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("litmusgate.report", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: visible(value) if isinstance(value, str) else value,
    )
    return environment.get_template("calibration.html")
