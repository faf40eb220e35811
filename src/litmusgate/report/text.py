"""The verdict as plain text: 80 columns, no colour, the same on a terminal and in a pipe."""

from __future__ import annotations

from litmusgate.report.document import VerdictDocument
from litmusgate.report.layout import columns, wrap
from litmusgate.report.sections import banner, reason_lines, sections, stamps, subject
from litmusgate.report.table import counts_and_trend


def render_text(document: VerdictDocument) -> str:
    """The whole report, ending in a newline. Hostile text is shown as visible escapes and no line is a CI command."""
    lines = wrap(banner(document))
    for line in subject(document):
        lines += wrap(line, first="  ", rest="    ")
    for stamp in stamps(document):
        lines += wrap(stamp, first="! ", rest="  ")
    lines += ["", "Why"]
    for reason in reason_lines(document):
        lines += wrap(reason, first="  ", rest="    ")
    lines += ["", *_table(document)]
    for section in sections(document):
        lines += ["", *wrap(section.title)]
        for line in section.lines:
            lines += wrap(line, first="  ", rest="    ")
    return "\n".join(lines) + "\n"


def _table(document: VerdictDocument) -> list[str]:
    table = counts_and_trend(document)
    body = columns(table.headers, table.rows) if table.rows else ["no category was evaluated"]
    legend = wrap(table.legend) if table.legend else []
    return [*body, *legend, *wrap(table.trend)]
