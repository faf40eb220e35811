"""How the rows of a table become instances: the declaration, and what it says about severities."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from litmusgate.digest import Json
from litmusgate.documents import Document
from litmusgate.errors import SuiteError, UsageError
from litmusgate.suite.category import Kind, Severity

FIELDS = (
    "id",
    "category",
    "cluster",
    "turns",
    "system",
    "context",
    "injections",
    "attack_goal",
    "control_of",
    "severity",
)
"""What a column may be mapped to. `severity` is of the row's category, all others of the instance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableMapping:
    """How rows become instances; every choice is declared.

    `columns` maps names of `FIELDS` to columns. `exposure_from` is `injections`, `context` or a column: its texts prove
    exposure (E7). `severities` gives a category its severity; `severity_map` translates the values of the severity
    column, whose rows must agree within a category. Exactly one of `grader` (a name) and `grader_column` says who
    decided the outcomes. `kinds` marks control categories. `where` keeps the rows for which it is true.
    """

    columns: Mapping[str, str]
    exposure_from: str | None = None
    severities: Mapping[str, Severity] = field(default_factory=dict)
    severity_map: Mapping[str, Severity] = field(default_factory=dict)
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    grader: str | None = None
    grader_column: str | None = None
    where: str | None = None

    def __post_init__(self) -> None:
        unknown = sorted(self.columns.keys() - set(FIELDS))
        if unknown:
            raise UsageError(
                f"unknown field {unknown[0]!r}", wanted=f"one of {', '.join(FIELDS)}", fix="correct --field"
            )
        absent = [name for name in ("id", "category", "turns") if name not in self.columns]
        if absent:
            raise UsageError(f"no column is mapped to {absent[0]}", fix=f"add --field {absent[0]}=COLUMN")
        if (self.grader is None) == (self.grader_column is None):
            raise UsageError(
                "who judged the outcomes is not declared exactly once",
                fix="give one of --external-grader NAME and --external-grader-field COLUMN",
            )
        if self.exposure_from in {"injections", "context"} and self.exposure_from not in self.columns:
            raise UsageError(
                f"exposure is to come from {self.exposure_from}, to which no column is mapped",
                fix=f"add --field {self.exposure_from}=COLUMN",
            )

    def value(self, row: Mapping[str, Json], target: str) -> Json:
        """What the row says of the field `target`; None where no column is mapped or the row has none."""
        column = self.columns.get(target)
        return None if column is None else row.get(column)

    def named_columns(self) -> frozenset[str]:
        """Every column the mapping reads, those of `where` excepted."""
        extra = {self.grader_column} if self.grader_column is not None else set()
        if self.exposure_from is not None and self.exposure_from not in {"injections", "context"}:
            extra.add(self.exposure_from)
        return frozenset({*self.columns.values(), *extra})


def severities_of(kept: list[tuple[Document, dict[str, Json]]], mapping: TableMapping) -> dict[str, Severity]:
    """The severity of every category that has a row. Raises `SuiteError` where it is not declared exactly once (B4)."""
    found: dict[str, Severity] = {}
    for document, row in kept:
        category = str(mapping.value(row, "category"))
        severity = _severity(document, row, mapping, category)
        if found.setdefault(category, severity) is not severity:
            raise SuiteError(
                f"category {category!r} has rows of two severities",
                rule="B4",
                got=f"{severity.value!r} here, {found[category].value!r} before",
                wanted="one severity per category",
                fix="map a finer category, or declare --severity for it without mapping a severity column",
                at=document.at(),
            )
    unused = sorted((mapping.severities.keys() | mapping.kinds.keys()) - found.keys())
    if unused:
        raise UsageError(
            f"category {unused[0]!r} is declared, but no row is of it",
            wanted=f"one of {', '.join(map(repr, sorted(found)))}",
        )
    return found


def _severity(document: Document, row: dict[str, Json], mapping: TableMapping, category: str) -> Severity:
    declared = mapping.severities.get(category)
    if "severity" not in mapping.columns:
        if declared is None:
            raise SuiteError(
                f"category {category!r} has no severity",
                rule="B4",
                fix=f"add --severity {category}=critical (or standard, advisory), or --field severity=COLUMN",
                at=document.at(),
            )
        return declared
    value = mapping.value(row, "severity")
    known = {**{item.value: item for item in Severity}, **mapping.severity_map}
    if not isinstance(value, str) or value not in known:
        raise SuiteError(
            "a severity that is not mapped",
            rule="B4",
            got=repr(value)[:80],
            wanted=f"one of {', '.join(map(repr, sorted(known)))}",
            fix="add --severity-map VALUE=critical (or standard, advisory)",
            at=document.at(),
        )
    if declared is not None and declared is not known[value]:
        raise SuiteError(
            f"category {category!r} is declared {declared.value}, but its row says {value!r}",
            rule="B4",
            fix="declare it once: by --severity or by the column",
            at=document.at(),
        )
    return known[value]
