"""Exposure from a second table: whether the agent met the attack (E7), joined by declared columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from litmusgate.digest import Json
from litmusgate.errors import ImportFormatError, UsageError
from litmusgate.importers.batches import Batch, read_batches
from litmusgate.importers.cells import spell, truth
from litmusgate.importers.selection import select_where

Key = tuple[str | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExposureTable:
    """Where exposure is read from. `on` are the columns, of the same name in both tables, that say which row is which.

    `where` chooses the rows that may be believed (a log behind a defence shows text after the filter: leave it out, and
    exposure stays unknown). A row of the log without a row here has unknown exposure, never False.
    """

    path: Path
    on: tuple[str, ...]
    column: str = "exposed"
    where: str | None = None

    def __post_init__(self) -> None:
        if not self.on or len(set(self.on)) != len(self.on):
            raise UsageError(
                "exposure cannot be joined", got=f"--on {','.join(self.on)!r}", wanted="distinct column names"
            )

    def document(self) -> dict[str, Json]:
        """What the mapping digest covers: everything but the file's name."""
        return {"column": self.column, "on": list(self.on), "where": self.where}

    def read(self) -> dict[Key, bool | None]:
        """Exposure by key; null is unknown.

        Raises `ImportFormatError` when a key stands twice, a key or a value cannot be read, or no row is chosen.
        """
        selection = select_where(self.where)
        table: dict[Key, bool | None] = {}
        rows = 0
        for batch in read_batches(self.path, frozenset((*self.on, self.column, *selection.reads))):
            rows += len(batch.lines)
            self._add(selection.apply(batch), table)
        if not table:
            raise ImportFormatError(
                f"the exposure table {self.path.name!r} gives nothing",
                got=f"0 of {rows} rows" if self.where is None else f"0 of {rows} rows match {self.where!r}",
                fix="leave --exposure out where exposure is not known",
            )
        return table

    def _add(self, batch: Batch, table: dict[Key, bool | None]) -> None:
        for row, key in enumerate(join_keys(batch, self.on)):
            if key in table:
                raise ImportFormatError(
                    "the exposure table has two rows for one key",
                    got=", ".join(f"{name} {cell!r}" for name, cell in zip(self.on, key, strict=True)),
                    fix="join on more columns with --on, or choose rows with --exposure-where",
                    at=batch.place(row),
                )
            cell = batch.columns[self.column][row]
            try:
                table[key] = truth(cell)
            except ValueError as problem:
                what = f"exposure in column {self.column!r} cannot be read: {problem}"
                raise ImportFormatError(what, got=repr(spell(cell)), at=batch.place(row)) from problem


def join_keys(batch: Batch, on: tuple[str, ...]) -> list[Key]:
    """The key of every row: the spelled cells of the columns `on`, in that order."""
    return list(zip(*([spell(cell) for cell in batch.columns[name]] for name in on), strict=True))


def joined(keys: list[Key], table: Mapping[Key, bool | None]) -> list[bool | None]:
    """Exposure of each key; a key that the table does not have is unknown, and so is one with a null in it."""
    return [None if None in key else table.get(key) for key in keys]
