"""A run: what one build did, with the header that says which build, which suite, which harness."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from litmusgate.digest import Json, digest_json
from litmusgate.evidence.attempts import refuse_repeated_attempts
from litmusgate.evidence.columns import TrialColumns
from litmusgate.text import name_problem

RUN_SCHEMA = "litmusgate/run/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteStamp:
    """The suite a run was made on: its digest and each instance's, so that a pruned version can accept the run."""

    name: str
    version: str
    digest: str
    instances: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunHeader:
    """Who ran what, how. `suite` None: imported without a suite, which `gate` refuses.

    `epochs` is the number of attempts asked for per instance (≥ 1). `engine` names harness and version (`import/table 1`,
    `inspect 0.3.285`, `scripted 1`). `grader`, `importer`, `mapping` are digests (None: does not apply). `started` is RFC
    3339 (None: not recorded). `left_out` counts log rows outside the suite dropped by `--subset` (E2). `selection` is the
    `--where` text that chose the rows; `synthetic` marks runs of scripted agents.
    """

    agent: str
    build: str
    suite: SuiteStamp | None
    epochs: int
    engine: str
    grader: str | None = None
    importer: str | None = None
    mapping: str | None = None
    started: str | None = None
    left_out: int = 0
    selection: str | None = None
    synthetic: bool = False
    notes: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for what, name in (("agent", self.agent), ("build", self.build), ("engine", self.engine)):
            problem = name_problem(name)
            if problem is not None:
                raise ValueError(f"{what} {name!r}: {problem}")
        if self.epochs < 1:
            raise ValueError(f"epochs is {self.epochs}, wanted an integer ≥ 1")

    def document(self) -> dict[str, Json]:
        """The header as the JSON of the run file's first line."""
        stamp = self.suite
        return {
            "schema": RUN_SCHEMA,
            "agent": self.agent,
            "build": self.build,
            "suite": None
            if stamp is None
            else {
                "name": stamp.name,
                "version": stamp.version,
                "digest": stamp.digest,
                "instances": dict(stamp.instances),
            },
            "epochs": self.epochs,
            "engine": self.engine,
            "grader": self.grader,
            "importer": self.importer,
            "mapping": self.mapping,
            "started": self.started,
            "left_out": self.left_out,
            "selection": self.selection,
            "synthetic": self.synthetic,
            "notes": dict(self.notes),
        }


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Run:
    """One run. Compare by `digest`, which covers header and trials; make it with `make_run`.

    `columns` stand in canonical order and hold no (id, attempt, refill) twice. `trials_digest` covers the trials alone and so
    recognises them under another header.
    """

    header: RunHeader
    columns: TrialColumns
    digest: str
    trials_digest: str

    @property
    def fingerprint(self) -> str:
        """What recognises these trials under another header (A5, B2, B15): the trials' digest, where they say when they ran or
        where their transcript is; else the run's own digest. Bare outcomes of two honest runs are often equal.
        """
        told_apart = bool(self.columns.started_at.values) or bool(self.columns.transcript_ref.values)
        return self.trials_digest if told_apart else self.digest


def make_run(header: RunHeader, columns: TrialColumns) -> Run:
    """A run with its digests, independent of the order of the trials and of any file format.

    Raises `RunError` when an attempt stands twice (E3) and `ValueError` when the header has no canonical form.
    """
    ordered = columns.sorted()
    refuse_repeated_attempts(ordered)
    trials_digest = ordered.trials_digest()
    digest = digest_json({"header": header.document(), "trials": trials_digest})
    return Run(header=header, columns=ordered, digest=digest, trials_digest=trials_digest)
