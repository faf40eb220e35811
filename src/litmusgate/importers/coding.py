"""Columns of cells as codes into their distinct values: each distinct cell is converted and checked once."""

from __future__ import annotations

import contextlib
import math
from array import array
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

from litmusgate.errors import ImportFormatError, Location
from litmusgate.importers.cells import spell

Convert = Callable[[object], Hashable]


@dataclass(frozen=True, slots=True, kw_only=True)
class CodedColumn:
    """One column over all batches: `codes[row]` is the place of the row's value in `distinct`.

    `what` names the field and `column` where it comes from, for errors; `convert` raises `ValueError` saying what is
    wrong with a cell.
    """

    what: str
    column: str
    convert: Convert
    codes: array[int] = field(default_factory=lambda: array("i"))
    distinct: list[Any] = field(default_factory=list)
    _by_cell: dict[Hashable, int] = field(default_factory=dict)
    _by_value: dict[Hashable, int] = field(default_factory=dict)

    def extend(self, cells: Sequence[object], place: Callable[[int], Location]) -> None:
        """Append `cells`; raises `ImportFormatError` at the first that does not convert (`place(row)` says where)."""
        known = self._by_cell
        append = self.codes.append
        for row, cell in enumerate(cells):
            # types keep true, 1 and 1.0 apart, which Python's dictionaries do not
            key = cell if cell.__class__ is str else (cell.__class__, cell)
            try:
                append(known[key])
            except (KeyError, TypeError):
                append(self._code(cell, row, place))

    def _code(self, cell: object, row: int, place: Callable[[int], Location]) -> int:
        if isinstance(cell, float) and math.isnan(cell):
            cell = None
        try:
            value = self.convert(cell)
        except ValueError as problem:
            raise ImportFormatError(
                f"{self.what} in column {self.column!r} cannot be read: {problem}",
                got=_shown(cell),
                at=place(row),
            ) from problem
        code = self._by_value.setdefault(value, len(self.distinct))
        if code == len(self.distinct):
            self.distinct.append(value)
        with contextlib.suppress(TypeError):  # a list or an object is no key and is converted again each time
            self._by_cell[cell if isinstance(cell, str) else (cell.__class__, cell)] = code
        return code


def _shown(cell: object) -> str:
    text = repr(cell) if isinstance(cell, str) else repr(spell(cell))
    return text if len(text) <= 80 else text[:80] + "…"
