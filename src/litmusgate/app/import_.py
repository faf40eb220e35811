"""Use case: a foreign log becomes a run file. Either the whole run is written or nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from litmusgate.app.suites import load_suite
from litmusgate.digest import Json
from litmusgate.errors import UsageError
from litmusgate.evidence.codes import OUTCOMES, REASONS
from litmusgate.evidence.columns import TrialColumns
from litmusgate.evidence.run import RunHeader, make_run
from litmusgate.importers.agentdojo import DEFAULT_ID_TEMPLATE, AgentDojoImporter, CategorySource
from litmusgate.importers.exposure import ExposureTable
from litmusgate.importers.imported import Importer, importer_digest
from litmusgate.importers.mapping import parse_assignments, parse_value_map
from litmusgate.importers.suite_fit import epochs_of, fit_to_suite, suite_stamp
from litmusgate.importers.table import TableImporter
from litmusgate.runs.files import write_run

_CACHED = {"yes": True, "no": False, "unknown": None}


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportTarget:
    """Whose log it is and where the run goes.

    `suite` None: the run has no suite, which `gate` refuses. `subset`: ids outside the suite are left out and counted.
    `epochs` None: the highest attempt of the log plus one.
    """

    agent: str
    build: str
    out: Path
    suite: Path | None = None
    subset: bool = False
    epochs: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableFlags:
    """The flags of `import table` as the user wrote them; see `TableImporter` for what they mean."""

    columns: tuple[str, ...]
    maps: tuple[str, ...]
    where: str | None = None
    exposure: Path | None = None
    on: str | None = None
    exposure_column: str | None = None
    exposure_where: str | None = None
    cached: str = "unknown"
    first_attempt: int = 0
    attempts_by_order: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentDojoFlags:
    """The flags of `import agentdojo` as the user wrote them; see `AgentDojoImporter` for what they mean."""

    id_template: str = DEFAULT_ID_TEMPLATE
    category_from: str | None = None
    exposure_from: str | None = None
    pipeline: str | None = None
    attack: str | None = None
    cached: str = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportSummary:
    """What was written: the digests a policy pins, and counts of trials.

    `outcomes` counts by outcome, with the reason behind a colon where there is one. `notes` are counts worth telling.
    """

    digest: str
    trials_digest: str
    importer: str
    mapping: str
    grader: str | None
    trials: int
    instances: int
    epochs: int
    left_out: int
    outcomes: Mapping[str, int]
    notes: Mapping[str, int]

    @property
    def unknown(self) -> int:
        """Number of UNKNOWN trials."""
        return sum(count for name, count in self.outcomes.items() if name.startswith("unknown"))

    def document(self) -> dict[str, Json]:
        """The summary as JSON."""
        return {
            "digest": self.digest,
            "trials_digest": self.trials_digest,
            "importer": self.importer,
            "mapping": self.mapping,
            "grader": self.grader,
            "trials": self.trials,
            "instances": self.instances,
            "epochs": self.epochs,
            "left_out": self.left_out,
            "outcomes": dict(self.outcomes),
            "notes": dict(self.notes),
        }


def import_table(paths: Sequence[Path], flags: TableFlags, target: ImportTarget) -> ImportSummary:
    """Import tables by declared columns and values (`import table`); see `import_log`."""
    importer = TableImporter(
        fields=parse_assignments(flags.columns, flag="--column"),
        values=parse_value_map(flags.maps),
        where=flags.where,
        exposure=_exposure(flags),
        cached=_cached(flags.cached),
        first_attempt=flags.first_attempt,
        attempts_by_order=flags.attempts_by_order,
    )
    return import_log(importer, paths, target)


def import_agentdojo(paths: Sequence[Path], flags: AgentDojoFlags, target: ImportTarget) -> ImportSummary:
    """Import AgentDojo run folders or files (`import agentdojo`); see `import_log`."""
    if flags.exposure_from not in (None, "tool-outputs"):
        raise UsageError("--exposure-from is none of its values", got=repr(flags.exposure_from), wanted="tool-outputs")
    known = [source.value for source in CategorySource]
    if flags.category_from is not None and flags.category_from not in known:
        wanted = ", ".join(known)
        raise UsageError("--category-from is none of its values", got=repr(flags.category_from), wanted=wanted)
    importer = AgentDojoImporter(
        id_template=flags.id_template,
        category_from=None if flags.category_from is None else CategorySource(flags.category_from),
        exposure_from_tool_outputs=flags.exposure_from is not None,
        pipeline=flags.pipeline,
        attack=flags.attack,
        cached=_cached(flags.cached),
    )
    return import_log(importer, paths, target)


def _cached(flag: str) -> bool | None:
    if flag not in _CACHED:
        raise UsageError("--cached is none of its values", got=repr(flag), wanted="yes, no or unknown")
    return _CACHED[flag]


def import_log(importer: Importer, paths: Sequence[Path], target: ImportTarget) -> ImportSummary:
    """Read `paths` with `importer` and write the run to `target.out`, whole or not at all.

    Raises `UsageError` (exit 2) for declarations that do not fit and `ImportFormatError` (exit 4) for logs that are
    truncated, unreadable, contradictory or empty, or of ids outside the suite.
    """
    if not paths:
        raise UsageError("no log is given", wanted="at least one path")
    suite = None if target.suite is None else load_suite(target.suite)
    if target.subset and suite is None:
        raise UsageError("--subset leaves out what is not in the suite, and there is none", fix="add --suite SUITE")
    imported = importer.read(paths)
    columns, left_out = imported.columns, 0
    if suite is not None:
        columns, left_out = fit_to_suite(imported, suite, subset=target.subset)
    try:
        header = RunHeader(
            agent=target.agent,
            build=target.build,
            suite=None if suite is None else suite_stamp(suite, columns),
            epochs=epochs_of(columns, target.epochs),
            engine=f"import/{importer.name} {importer.version}",
            grader=None if suite is None else suite.grader_digest(),
            importer=importer_digest(importer.name, importer.version),
            mapping=imported.mapping,
            started=min(columns.started_at.values, default=None),
            left_out=left_out,
            selection=imported.selection,
            notes=imported.notes,
        )
    except ValueError as problem:
        raise UsageError(f"the run cannot be named so: {problem}") from problem
    run = make_run(header, columns)
    write_run(run, target.out)
    return _summary(header, run.columns, run.digest, run.trials_digest)


def _exposure(flags: TableFlags) -> ExposureTable | None:
    if flags.exposure is None:
        for flag, value in (
            ("--on", flags.on),
            ("--exposure-column", flags.exposure_column),
            ("--exposure-where", flags.exposure_where),
        ):
            if value is not None:
                raise UsageError(f"{flag} says how exposure is joined, and there is none", fix="add --exposure FILE")
        return None
    if flags.on is None:
        raise UsageError("--exposure needs to know which rows belong together", wanted="--on COLUMN[,COLUMN]")
    return ExposureTable(
        path=flags.exposure,
        on=tuple(name.strip() for name in flags.on.split(",")),
        column=flags.exposure_column or "exposed",
        where=flags.exposure_where,
    )


def _summary(header: RunHeader, columns: TrialColumns, digest: str, trials_digest: str) -> ImportSummary:
    return ImportSummary(
        digest=digest,
        trials_digest=trials_digest,
        importer=header.importer or "",
        mapping=header.mapping or "",
        grader=header.grader,
        trials=len(columns),
        instances=len(columns.ids),
        epochs=header.epochs,
        left_out=header.left_out,
        outcomes=outcome_counts(columns),
        notes=header.notes,
    )


def outcome_counts(columns: TrialColumns) -> dict[str, int]:
    """Number of trials by outcome, and by reason where there is one; sorted by name."""
    counts: Counter[str] = Counter()
    pairs = (columns.outcome.astype(int) * len(REASONS) + columns.reason).tolist()
    for pair, count in Counter(pairs).items():
        outcome, reason = OUTCOMES[pair // len(REASONS)], REASONS[pair % len(REASONS)]
        counts[outcome.value if reason is None else f"{outcome.value}:{reason.value}"] = count
    return dict(sorted(counts.items()))
