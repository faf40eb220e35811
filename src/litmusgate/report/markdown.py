"""The verdict as Markdown for a pull-request comment: a summary, the table, the rest folded away."""

from __future__ import annotations

import re
from collections.abc import Sequence

from litmusgate.report.document import VerdictDocument
from litmusgate.report.layout import inert_line
from litmusgate.report.sections import banner, reason_lines, sections, stamps, subject
from litmusgate.report.table import counts_and_trend
from litmusgate.text import visible

_ZERO_WIDTH_SPACE = "&#8203;"
_ENTITIES = str.maketrans({character: f"&#{ord(character)};" for character in "&<>|`*_~[]\\!$\"'"})
_TRIGGERS = re.compile(r"@|#(?=\w)|:(?=:|//|(?!\d\d:)[\w+-]+:)|(?<=\b[wW]{3})\.|(?<=\b[gG][hH])-")
"""What a forge turns into a mention, an issue link, an emoji, a web link: broken by an invisible space after it.

No text can forge such a space: `visible` shows one as an escape.
"""


def render_markdown(document: VerdictDocument) -> str:
    """The whole report, ending in a newline. Hostile text can open no markup, notify nobody, link nowhere."""
    lines = [f"## litmusgate: {markdown_text(banner(document))}", ""]
    lines += _bullets(subject(document))
    lines += _bullets([f"**{head}**: {rest}" for head, rest in map(_stamp, stamps(document))], escaped=True)
    lines += ["", "### Why", "", *_bullets(reason_lines(document)), ""]
    lines += _table(document)
    for section in sections(document):
        lines += ["", f"<details><summary>{markdown_text(section.title)}</summary>", ""]
        lines += [*_bullets(section.lines), "", "</details>"]
    return "\n".join(inert_line(line) for line in lines) + "\n"


def markdown_text(text: str) -> str:
    """`text` as Markdown that shows exactly `visible(text)` in running text and in table cells."""
    parts: list[str] = []
    position = 0
    shown = visible(text)
    for match in _TRIGGERS.finditer(shown):
        parts += [shown[position : match.end()].translate(_ENTITIES), _ZERO_WIDTH_SPACE]
        position = match.end()
    parts.append(shown[position:].translate(_ENTITIES))
    return "".join(parts)


def _bullets(lines: Sequence[str], *, escaped: bool = False) -> list[str]:
    return [f"- {line if escaped else markdown_text(line)}" for line in lines]


def _stamp(stamp: str) -> tuple[str, str]:
    head, _, rest = stamp.partition(": ")
    return markdown_text(head), markdown_text(rest)


def _table(document: VerdictDocument) -> list[str]:
    table = counts_and_trend(document)
    if not table.rows:
        return ["No category was evaluated.", "", f"_{markdown_text(table.trend)}_"]
    lines = [_row(table.headers), _row(["---", *("---:" for _ in table.headers[1:])], escaped=True)]
    lines += [_row(row) for row in table.rows]
    if table.legend:
        lines += ["", markdown_text(table.legend)]
    return [*lines, "", f"_{markdown_text(table.trend)}_"]


def _row(row: Sequence[str], *, escaped: bool = False) -> str:
    return "| " + " | ".join(cell if escaped else markdown_text(cell) for cell in row) + " |"
