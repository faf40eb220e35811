"""A calibration as plain text: 80 columns, no colour, the same on a terminal and in a pipe."""

from __future__ import annotations

from litmusgate.report.calibration_curves import Table, chosen_threshold, curve_table, curve_title
from litmusgate.report.calibration_document import TauDocument
from litmusgate.report.calibration_facts import disagreements, headline, summary, tables
from litmusgate.report.layout import columns, wrap


def render_tau_text(document: TauDocument) -> str:
    """The whole report, ending in a newline. Hostile text is shown as visible escapes and no line is a CI command."""
    lines = wrap(headline(document))
    for sentence in summary(document):
        lines += wrap(sentence, first="  ", rest="    ")
    for sentence in disagreements(document):
        lines += wrap(sentence, first="! " if document.canary is None else "  ", rest="    ")
    for table in tables(document):
        lines += ["", *wrap(table.title), *_table(table)]
    for channel in document.channels:
        chosen = chosen_threshold(document, channel)
        lines += ["", *wrap(curve_title(channel)), *_table(curve_table(channel, chosen=chosen))]
    return "\n".join(lines) + "\n"


def _table(table: Table) -> list[str]:
    """Rows that end with a document are sentences: addresses are too long for a column."""
    if table.headers[-1] != "document":
        return [*columns(table.headers, table.rows), *wrap(table.note)]
    lines: list[str] = []
    for instance, similarity, *run, kind, document in table.rows:
        score = ", run ".join([similarity, *run])
        lines += wrap(f"{score}: {instance} ({kind}) in {document or 'several documents'}", rest="    ")
    return [*lines, *wrap(table.note)]
