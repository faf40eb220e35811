"""Laying out plain text: display columns, wrapping that loses nothing, and lines no CI system takes for a command."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from litmusgate.text import inert_line, visible

__all__ = ["WIDTH", "cells", "columns", "inert_line", "wrap"]

WIDTH = 80
"""Display columns of the text report, on a terminal and in a pipe alike."""


def cells(text: str) -> int:
    """Display columns of `text`: wide characters take two, combining ones none."""
    if text.isascii():
        return len(text)
    return sum(_cell(character) for character in text)


def _cell(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def wrap(text: str, *, first: str = "", rest: str = "  ", width: int = WIDTH) -> list[str]:
    """`text`, made visible, on lines of at most `width` display columns: `first` stands before the first, `rest` before the
    others. Breaks after a space where there is one, else inside the word; no character is dropped.
    """
    return _broken(visible(text), first=first, rest=rest, width=width, at_spaces=True)


def _broken(shown: str, *, first: str, rest: str, width: int, at_spaces: bool) -> list[str]:
    lines: list[str] = []
    prefix, start = first, 0
    while True:
        end = _fitting(shown, start, width - cells(prefix))
        if at_spaces and end < len(shown):
            space = shown.rfind(" ", start + 1, end)
            end = space + 1 if space > 0 else end
        lines.append(inert_line(prefix + shown[start:end]))
        if end == len(shown):
            return lines
        prefix, start = rest, end


def _fitting(shown: str, start: int, room: int) -> int:
    """Where a line that begins at `start` and has `room` columns ends; at least one character on, so that wrapping ends."""
    if shown.isascii():
        return min(max(start + room, start + 1), len(shown))
    used = 0
    for position in range(start, len(shown)):
        used += _cell(shown[position])
        if used > room:
            return max(position, start + 1)
    return len(shown)


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
            lines += _broken(name, first="", rest="  ", width=width, at_spaces=False)
            name = ""
        padded = name + " " * (room - cells(name))
        tail = "".join("  " + " " * (size - cells(cell)) + cell for size, cell in zip(widths, row[1:], strict=True))
        lines.append(inert_line((padded + tail).rstrip()))
    return lines
