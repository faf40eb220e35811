"""The gate as a user calls it: files in, verdict document out, records kept (DESIGN §5)."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path

from litmusgate.admission.ledger import admission_bytes, read_admission
from litmusgate.admission.record import AdmissionRecord
from litmusgate.app.clock import moment
from litmusgate.app.decide import decide
from litmusgate.app.files import MAX_RECORD_BYTES, read_bytes, replace_bytes
from litmusgate.app.history import with_history
from litmusgate.app.inputs import GateInputs, problem_of
from litmusgate.app.suites import load_suite
from litmusgate.digest import canonical_bytes, digest_bytes
from litmusgate.errors import AdmissionError, EvidenceError, PolicyError, RecordError
from litmusgate.evidence.run import Run
from litmusgate.gate.declared import policy_problems
from litmusgate.gate.policy import Policy
from litmusgate.gate.policy_codec import read_policy
from litmusgate.gate.policy_document import policy_document
from litmusgate.gate.precedence import EXIT_CODE
from litmusgate.gate.verdict import DecisionReason
from litmusgate.report.document import VerdictDocument, verdict_bytes
from litmusgate.report.formats import render
from litmusgate.runs.files import read_run
from litmusgate.store.location import default_store
from litmusgate.store.records import Kind, Store
from litmusgate.suite.codec import canonical_suite_bytes
from litmusgate.suite.manifest import Suite

OUT_FILES = {"verdict.txt": "text", "verdict.md": "markdown", "junit.xml": "junit"}
"""What `--out` holds beside verdict.json, by format."""

LIBRARIES = ("numpy", "scipy")
"""Whose versions a verdict records beside Python's and our own (T2)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GateFiles:
    """The files and flags of one `litmusgate gate`."""

    policy: Path
    suite: Path
    runs: Sequence[Path]
    admission: Path
    baseline: Sequence[Path] = ()
    anchor: Sequence[Path] = ()
    now: str | None = None
    out: Path | None = None
    store: Path | None = None
    first: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GateOutcome:
    """The verdict, its digest, and the store that `kept` its record, or could not. The exit code is read off the verdict (B13)."""

    document: VerdictDocument
    digest: str
    store: Path
    kept: bool

    @property
    def exit_code(self) -> int:
        """0 PASS, 1 BLOCK, 3 REVIEW, 4 INVALID."""
        return EXIT_CODE[self.document.decision]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """Runs of one role: those that could be read with the file each came from, and why the others could not."""

    runs: tuple[Run, ...]
    sources: tuple[tuple[Run, Path], ...]
    problems: tuple[DecisionReason, ...]


def gate_files(request: GateFiles) -> GateOutcome:
    """Decide on the files of `request`, keep the record and its inputs, and write `out` if it is given.

    Raises `PolicyError` and `SuiteError` (exit 2) before anything is written; every problem of the evidence is a reason in
    the verdict (exit 4), a record that could not be kept among them. The record is kept before `out` is written.
    """
    now = moment(request.now)
    policy, suite = load_policy(request.policy), load_suite(request.suite)
    _refuse_contradiction(policy, suite, str(request.policy))
    store = default_store(request.store, beside=request.policy, environment=os.environ)
    given, baseline, anchor = (
        _read_runs(role, paths)
        for role, paths in (("run", request.runs), ("baseline", request.baseline), ("anchor", request.anchor))
    )
    admission, admission_problems = _read_admission(request.admission)
    admission_data = None if admission is None else admission_bytes(admission)
    inputs = GateInputs(
        policy=policy,
        suite=suite,
        runs=given.runs,
        admission=admission,
        admission_digest=None if admission_data is None else digest_bytes(admission_data),
        now=now,
        versions=library_versions(),
        baseline=baseline.runs,
        anchor=anchor.runs,
        problems=(*given.problems, *baseline.problems, *anchor.problems, *admission_problems),
        first=request.first,
    )
    inputs, recalled = with_history(inputs, store)
    document, kept = decide(inputs), True
    try:
        _keep_inputs(store, inputs, admission_data, (*given.sources, *baseline.sources, *anchor.sources, *recalled))
        store.put_record(Kind.VERDICT, verdict_bytes(document))
    except RecordError as error:
        problem = problem_of(error, "record-not-kept")
        document, kept = decide(replace(inputs, problems=(*inputs.problems, problem))), False
    if request.out is not None:
        write_verdict(document, request.out)
    return GateOutcome(document=document, digest=digest_bytes(verdict_bytes(document)), store=store.path, kept=kept)


def gate(
    *,
    policy: Policy,
    suite: Suite,
    runs: Sequence[Run],
    admission: AdmissionRecord,
    baseline: Sequence[Run] = (),
    anchor: Sequence[Run] = (),
    now: str | None = None,
    first: bool = False,
) -> VerdictDocument:
    """The verdict on values: nothing is read, recorded or written, so no earlier gate of the build is known here (B15).

    `now` is RFC 3339 (None: the clock, or SOURCE_DATE_EPOCH). Raises `PolicyError` when policy and suite contradict each
    other; every problem of the evidence is a reason in the verdict.
    """
    _refuse_contradiction(policy, suite, "the policy")
    return decide(
        GateInputs(
            policy=policy,
            suite=suite,
            runs=tuple(runs),
            admission=admission,
            admission_digest=digest_bytes(admission_bytes(admission)),
            now=moment(now),
            versions=library_versions(),
            baseline=tuple(baseline),
            anchor=tuple(anchor),
            first=first,
        )
    )


def write_verdict(document: VerdictDocument, out: Path | str) -> None:
    """Write verdict.json (the canonical bytes) and its renderings into the folder `out`, each whole or not at all."""
    out = Path(out)
    replace_bytes(out / "verdict.json", verdict_bytes(document))
    for name, form in OUT_FILES.items():
        replace_bytes(out / name, render(document, form).encode())


def load_policy(path: Path | str) -> Policy:
    """The gate policy at `path`; `PolicyError` with line and column when it is not one."""
    path = Path(path)
    return read_policy(read_bytes(path, what="the policy", error=PolicyError), path=str(path))


def load_admission(path: Path | str) -> AdmissionRecord:
    """The admission record at `path`; `AdmissionError` when it is absent, altered or not one."""
    path = Path(path)
    return read_admission(
        read_bytes(path, what="the admission record", error=AdmissionError, max_bytes=MAX_RECORD_BYTES), path=str(path)
    )


def library_versions() -> dict[str, str]:
    """Versions of what computes a verdict, as `verify` compares them."""
    return {
        "litmusgate": version("litmusgate"),
        "python": platform.python_version(),
        **{name: version(name) for name in LIBRARIES},
    }


def _refuse_contradiction(policy: Policy, suite: Suite, path: str) -> None:
    problems = policy_problems(policy, suite)
    if problems:
        raise PolicyError("the policy contradicts the suite", got="; ".join(problems), rule="B4", fix=f"edit {path}")


def _read_runs(role: str, paths: Sequence[Path]) -> _Read:
    sources: list[tuple[Run, Path]] = []
    problems: list[DecisionReason] = []
    for path in paths:
        try:
            sources.append((read_run(path), path))
        except EvidenceError as error:
            problems.append(problem_of(error, f"{role}-unreadable"))
    return _Read(runs=tuple(run for run, _ in sources), sources=tuple(sources), problems=tuple(problems))


def _read_admission(path: Path) -> tuple[AdmissionRecord | None, tuple[DecisionReason, ...]]:
    try:
        return load_admission(path), ()
    except EvidenceError as error:
        return None, (problem_of(error, "admission-unreadable"),)


def _keep_inputs(
    store: Store, inputs: GateInputs, admission: bytes | None, sources: Sequence[tuple[Run, Path]]
) -> None:
    """Everything the verdict names, kept before the verdict itself is."""
    store.put_record(Kind.POLICY, canonical_bytes(policy_document(inputs.policy)))
    store.put_input(inputs.suite.digest, canonical_suite_bytes(inputs.suite), suffix=".json")
    if admission is not None:
        store.put_record(Kind.ADMISSION, admission)
    for run, path in sources:
        store.put_input(run.digest, path)
