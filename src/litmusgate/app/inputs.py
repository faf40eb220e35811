"""What a verdict is computed from, parsed, and how an error about evidence becomes a reason in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from litmusgate.admission.record import AdmissionRecord
from litmusgate.errors import EvidenceError
from litmusgate.evidence.run import Run
from litmusgate.gate.policy import Policy
from litmusgate.gate.verdict import Decision, DecisionReason
from litmusgate.suite.manifest import Suite


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """The last verdict that passed, and what A9 and B2 compare with: its policy, suite and admission."""

    digest: str
    policy: Policy
    suite: Suite
    admission: AdmissionRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class GateInputs:
    """Everything a verdict is computed from, parsed. The order of runs changes nothing.

    `problems` were found while reading (a truncated run, an altered admission). `earlier` are the digests of verdicts already
    given on this build and suite, `earlier_runs` those of the runs they used (B15). `same_suites` are the digests of
    the suites those verdicts were on, the same under another name or version. `accepted` is the last verdict that passed
    of this agent and suite name (A9; None: there is none). `now` is RFC 3339.
    """

    policy: Policy
    suite: Suite
    runs: tuple[Run, ...]
    admission: AdmissionRecord | None
    admission_digest: str | None
    now: str
    versions: Mapping[str, str]
    baseline: tuple[Run, ...] = ()
    anchor: tuple[Run, ...] = ()
    problems: tuple[DecisionReason, ...] = ()
    earlier: tuple[str, ...] = ()
    earlier_runs: frozenset[str] = frozenset()
    same_suites: frozenset[str] = frozenset()
    accepted: Accepted | None = None
    store_present: bool = False
    first: bool = False


def problem_of(error: EvidenceError, code: str) -> DecisionReason:
    """An error about evidence as an INVALID reason: what, got and wanted on one line."""
    parts = [error.what if error.at is None else f"{error.at}: {error.what}"]
    parts += [
        f"{label} {value}" for label, value in (("got", error.got), ("wanted", error.wanted)) if value is not None
    ]
    return DecisionReason(decision=Decision.INVALID, rule=error.rule or "E2", code=code, message="; ".join(parts))
