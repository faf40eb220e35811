"""`import table`: any table of results, by columns and values that the user declares. Nothing is guessed (E1, E3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from litmusgate.digest import Json, digest_json
from litmusgate.errors import ImportFormatError, RunError, UsageError
from litmusgate.evidence.attempts import refuse_repeated_attempts
from litmusgate.evidence.columns import TrialColumns
from litmusgate.importers.batches import Batch, read_batches
from litmusgate.importers.coding import CodedColumn
from litmusgate.importers.exposure import ExposureTable, Key, join_keys, joined
from litmusgate.importers.fields import FIELDS, JOINED_EXPOSURE, to_columns
from litmusgate.importers.imported import Imported
from litmusgate.importers.mapping import Judged, mapping_document
from litmusgate.importers.selection import Selection, select_where


@dataclass(frozen=True, slots=True, kw_only=True)
class TableImporter:
    """CSV, JSONL or Parquet. `fields` maps a trial's field to the column that holds it; `id` and `outcome` are needed.

    `values` says what each value of the outcome column means (E1). `where` chooses rows. `exposure` joins a second
    table. `cached` is one answer for every row (None: not recorded, which counts as cached, E6). Attempts count from
    `first_attempt` in the log and from 0 in the run; with `attempts_by_order` the rows of an id are its attempts in the
    order in which they stand, files by name. Raises `UsageError` for declarations that contradict each other.
    """

    name: ClassVar[str] = "table"
    version: ClassVar[int] = 1

    fields: Mapping[str, str]
    values: Mapping[str, Judged]
    where: str | None = None
    exposure: ExposureTable | None = None
    cached: bool | None = None
    first_attempt: int = 0
    attempts_by_order: bool = False

    def __post_init__(self) -> None:
        unknown = sorted(set(self.fields) - set(FIELDS))
        if unknown:
            raise UsageError(
                f"--column names {', '.join(repr(name) for name in unknown)}, which is no field of a trial",
                wanted=f"any of {', '.join(sorted(FIELDS))}",
            )
        missing = sorted({"id", "outcome"} - set(self.fields))
        if missing:
            raise UsageError(
                f"no column is declared for {' and '.join(missing)}",
                wanted="--column id=COLUMN --column outcome=COLUMN",
                fix=f"add --column {missing[0]}=COLUMN",
            )
        for name, other in (
            ("exposed", self.exposure is not None and "--exposure"),
            ("cached", self.cached is not None and "--cached"),
            ("attempt", self.attempts_by_order and "--attempts-by-order"),
        ):
            if other and name in self.fields:
                raise UsageError(f"{name} is declared twice", got=f"--column {name}=… and {other}", fix="keep one")
        if self.first_attempt < 0:
            raise UsageError("--first-attempt is below 0", got=repr(self.first_attempt))

    def read(self, paths: Sequence[Path]) -> Imported:
        """The chosen rows of all files as trials; see `Importer.read`.

        A null or NaN outcome is UNKNOWN(unscored) and counted in the notes, and so are rows that the exposure table
        does not know.
        """
        selection = select_where(self.where)
        exposures = None if self.exposure is None else self.exposure.read()
        coded = {name: CodedColumn(what=name, column=self._column(name), convert=FIELDS[name]) for name in self._used()}
        rows = 0
        for path in sorted(paths, key=str):
            for batch in read_batches(path, self._wanted(selection)):
                rows += len(batch.lines)
                self._extend(coded, selection.apply(batch), exposures)
        self._refuse_nothing(len(coded["id"].codes), rows)
        columns, notes = to_columns(
            coded,
            self.values,
            cached=self.cached,
            first_attempt=self.first_attempt,
            attempts_by_order=self.attempts_by_order,
        )
        _refuse_repeats(columns, declared="attempt" in self.fields or self.attempts_by_order)
        return Imported(
            columns=columns,
            mapping=digest_json(self.mapping_document()),
            selection=self.where,
            category_declared="category" in self.fields,
            notes=notes,
        )

    def mapping_document(self) -> dict[str, Json]:
        """What gives a value its meaning, for the mapping digest (B2): columns, value map, exposure, cached.

        Left out: which rows are read, file names, and how attempts are numbered (that changes no outcome), so that
        candidate and baseline share one mapping.
        """
        numbering = {"attempt", "refill"}
        return {
            "importer": self.name,
            "columns": {name: column for name, column in sorted(self.fields.items()) if name not in numbering},
            "values": mapping_document(self.values),
            "exposure": None if self.exposure is None else self.exposure.document(),
            "cached": self.cached,
        }

    def _used(self) -> list[str]:
        return sorted({*self.fields, *(["exposed"] if self.exposure is not None else [])})

    def _column(self, name: str) -> str:
        return self.fields.get(name, JOINED_EXPOSURE)

    def _wanted(self, selection: Selection) -> frozenset[str]:
        on = () if self.exposure is None else self.exposure.on
        return frozenset((*self.fields.values(), *selection.reads, *on))

    def _extend(
        self, coded: Mapping[str, CodedColumn], batch: Batch, exposures: Mapping[Key, bool | None] | None
    ) -> None:
        for name, column in coded.items():
            if name in self.fields:
                column.extend(batch.columns[self.fields[name]], batch.place)
        if self.exposure is not None and exposures is not None:
            coded["exposed"].extend(joined(join_keys(batch, self.exposure.on), exposures), batch.place)

    def _refuse_nothing(self, chosen: int, rows: int) -> None:
        if chosen:
            return
        raise ImportFormatError(
            "the table gives no trial",
            got=f"0 of {rows} rows" if self.where is None else f"0 of {rows} rows match {self.where!r}",
            wanted="at least one row",
            fix=None if self.where is None else "check the spelling and the types of the values in --where",
        )


def _refuse_repeats(columns: TrialColumns, *, declared: bool) -> None:
    """Refuse rows that repeat an attempt (E3), saying how to declare attempts when none were."""
    try:
        refuse_repeated_attempts(columns)
    except RunError as problem:
        choose = "choose one run with --where"
        raise ImportFormatError(
            problem.what,
            rule=problem.rule,
            got=problem.got,
            wanted=problem.wanted,
            fix=choose if declared else f"declare --column attempt=COLUMN, or --attempts-by-order, or {choose}",
        ) from problem
