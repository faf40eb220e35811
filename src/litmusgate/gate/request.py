"""Everything the gate is asked to decide on, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from litmusgate.admission.record import AdmissionRecord
from litmusgate.evidence.flips import FlipEstimate
from litmusgate.evidence.run import RunHeader
from litmusgate.evidence.tally import BaselineTally, CategoryTally
from litmusgate.gate.policy import Policy
from litmusgate.gate.verdict import DecisionReason
from litmusgate.suite.manifest import Suite


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFacts:
    """What the gate may know of a run: who made it and how, and its digests; never its trials. `trials_digest` is `Run.fingerprint`."""

    header: RunHeader
    digest: str
    trials_digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEvidence:
    """What one run of the candidate counted, by category: see `GateRequest`."""

    tallies: Mapping[str, CategoryTally]
    excluded: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class GateRequest:
    """One question to the gate. Mappings are by category name; a category missing from one was not measured there.

    `tallies` hold the candidate's admissible instances (A1), `excluded` the ids that violate and may not vote, inadmissible or
    pruned (A13), both of one run; `other_runs` are the same of each further run (B15). `baseline`, `anchor` and `flips` are of
    the runs in `baseline_runs` and `anchor_runs`. `problems` and
    `category_problems` are findings made before: a truncated run, a refill too many, a risen inadmissibility rate. `now` is
    RFC 3339. `earlier_runs` are digests of the runs that earlier gates of this build on this suite used and no void took
    out, `earlier_verdicts` the number of those gates (B15). `first`: there is no accepted baseline yet, REVIEW by design.
    """

    policy: Policy
    suite: Suite
    record: AdmissionRecord
    runs: tuple[RunFacts, ...]
    tallies: Mapping[str, CategoryTally]
    now: str
    excluded: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    other_runs: tuple[RunEvidence, ...] = ()
    baseline_runs: tuple[RunFacts, ...] = ()
    baseline: Mapping[str, BaselineTally] = field(default_factory=dict)
    anchor_runs: tuple[RunFacts, ...] = ()
    anchor: Mapping[str, BaselineTally] = field(default_factory=dict)
    flips: Mapping[str, FlipEstimate] = field(default_factory=dict)
    problems: tuple[DecisionReason, ...] = ()
    category_problems: Mapping[str, tuple[DecisionReason, ...]] = field(default_factory=dict)
    first: bool = False
    earlier_verdicts: int = 0
    earlier_runs: frozenset[str] = frozenset()
    store_present: bool = False
