"""`suite import`: a table of attacks, by a declared mapping, becomes a suite whose outcomes others grade."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from litmusgate.app.files import MAX_TABLE_BYTES, read_bytes
from litmusgate.app.suites import save_suite
from litmusgate.errors import SuiteError, UsageError
from litmusgate.suite.category import Kind, Severity
from litmusgate.suite.manifest import CorpusPin, Suite
from litmusgate.suite.reading import json_lines
from litmusgate.suite.table_mapping import TableMapping
from litmusgate.suite.tabular import suite_from_rows

Choice = TypeVar("Choice", bound=StrEnum)


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteTable:
    """The flags of `suite import jsonl`; every pair is `NAME=VALUE` as it was typed."""

    name: str
    version: str
    fields: Sequence[str]
    exposure_from: str | None = None
    severities: Sequence[str] = ()
    severity_map: Sequence[str] = ()
    kinds: Sequence[str] = ()
    corpora: Sequence[str] = ()
    grader: str | None = None
    grader_column: str | None = None
    where: str | None = None
    canary_guid: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteImport:
    """What an import made: the suite, and how many rows there were and were kept."""

    suite: Suite
    rows: int
    instances_by_category: Mapping[str, int] = field(default_factory=dict)


def import_suite(path: Path, table: SuiteTable, out: Path, *, force: bool = False) -> SuiteImport:
    """Read the JSONL file `path` by `table` and write the suite as the folder `out`.

    Raises `UsageError` for flags that contradict each other or the columns, `SuiteError` with the line for rows that
    do not fit; nothing is written then.
    """
    mapping = TableMapping(
        columns=_pairs("--field", table.fields),
        exposure_from=table.exposure_from,
        severities=_choices("--severity", table.severities, Severity),
        severity_map=_choices("--severity-map", table.severity_map, Severity),
        kinds=_choices("--kind", table.kinds, Kind),
        grader=table.grader,
        grader_column=table.grader_column,
        where=table.where,
    )
    rows = list(json_lines(read_bytes(path, what="the table", error=SuiteError, max_bytes=MAX_TABLE_BYTES), str(path)))
    pins = _pairs("--corpus", table.corpora)
    suite = suite_from_rows(
        rows,
        mapping,
        name=table.name,
        version=table.version,
        corpora=tuple(CorpusPin(name=name, revision=revision) for name, revision in sorted(pins.items())),
        canary_guid=table.canary_guid,
    )
    save_suite(suite, out, force=force)
    counts = Counter(instance.category for instance in suite.instances)
    return SuiteImport(suite=suite, rows=len(rows), instances_by_category=dict(sorted(counts.items())))


def _pairs(flag: str, texts: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise UsageError(f"{flag} wants NAME=VALUE", got=repr(text))
        if found.setdefault(name, value) != value:
            raise UsageError(f"{flag} names {name!r} twice", got=f"{found[name]!r} and {value!r}")
    return found


def _choices(flag: str, texts: Sequence[str], choices: type[Choice]) -> dict[str, Choice]:
    found: dict[str, Choice] = {}
    known = {item.value: item for item in choices}
    for name, value in _pairs(flag, texts).items():
        if value not in known:
            raise UsageError(f"{flag} has an unknown value", got=repr(value), wanted=f"one of {', '.join(known)}")
        found[name] = known[value]
    return found
