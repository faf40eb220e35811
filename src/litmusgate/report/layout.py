r"""Laying out plain text: display columns, wrapping that loses nothing, and lines no CI system takes for a command.

A runner of a CI service obeys lines it finds on stdout (`::error …`, `##[…]`, `##vso[…]`), also when they are indented, so
a name in a suite could speak to it. `inert_line` breaks such a line with an escape that `visible` can never have
produced by itself: a backslash in the text was doubled before.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from litmusgate.text import visible

WIDTH = 80
"""Display columns of the text report, on a terminal and in a pipe alike."""

_COMMAND_ANYWHERE = re.compile(r"##(?=\[|vso\[|teamcity\[)")


def cells(text: str) -> int:
    """Display columns of `text`: wide characters take two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(_cell(character) for character in text)


def _cell(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def inert_line(line: str) -> str:
    """`line` with an escape where a CI service would read a command; every other line as it is."""
    start = len(line) - len(line.lstrip())
    if line.startswith("::", start):
        line = f"{line[:start]}\\x3a{line[start + 1 :]}"
    return _COMMAND_ANYWHERE.sub(r"\\x23#", line)


def wrap(text: str, *, first: str = "", rest: str = "  ", width: int = WIDTH) -> list[str]:
    """`text`, made visible, on lines of at most `width` display columns: `first` stands before the first, `rest` before the
    others. Breaks after a space where there is one, else inside the word; no character is dropped.
    """
    lines: list[str] = []
    prefix, left = first, visible(text)
    while True:
        cut = _fitting(left, width - cells(prefix))
        if cut < len(left):
            space = left.rfind(" ", 0, cut)
            cut = space + 1 if space > 0 else cut
        lines.append(inert_line(prefix + left[:cut]))
        left = left[cut:]
        if not left:
            return lines
        prefix = rest


def _fitting(text: str, room: int) -> int:
    """How many leading characters of `text` fit in `room` columns; at least one, so that wrapping ends."""
    used = 0
    for position, character in enumerate(text):
        used += _cell(character)
        if used > room:
            return max(position, 1)
    return len(text)


def columns(headers: Sequence[str], rows: Sequence[Sequence[str]], *, width: int = WIDTH) -> list[str]:
    """A table as lines: first column left-aligned, the rest right-aligned two spaces apart.

    A first cell too wide for what the others leave gets lines of its own above its row: nothing is shortened.
    """
    shown = [[visible(cell) for cell in row] for row in (headers, *rows)]
    widths = [max(cells(row[column]) for row in shown) for column in range(1, len(headers))]
    room = max(width - sum(widths) - 2 * len(widths), 8)
    room = min(room, max(cells(row[0]) for row in shown))
    lines: list[str] = []
    for row in shown:
        name = row[0]
        if cells(name) > room:
            lines += _hard_wrap(name, width)
            name = ""
        padded = name + " " * (room - cells(name))
        tail = "".join("  " + " " * (size - cells(cell)) + cell for size, cell in zip(widths, row[1:], strict=True))
        lines.append(inert_line((padded + tail).rstrip()))
    return lines


def _hard_wrap(shown: str, width: int) -> list[str]:
    """An already visible name over as many lines as it needs, continued ones indented."""
    lines: list[str] = []
    prefix = ""
    while shown:
        cut = _fitting(shown, width - cells(prefix))
        lines.append(inert_line(prefix + shown[:cut]))
        shown, prefix = shown[cut:], "  "
    return lines
