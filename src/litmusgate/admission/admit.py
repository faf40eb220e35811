"""Admission: every check put together, one record (A7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from litmusgate.admission.canary import CanaryLabels, canary_findings, canary_labels, suite_kind
from litmusgate.admission.contamination import contamination_findings
from litmusgate.admission.discriminability import discriminability
from litmusgate.admission.duplicates import clusters, duplicate_findings, duplicates_of
from litmusgate.admission.leakage import Leakage, leakage
from litmusgate.admission.record import (
    AdmissionFinding,
    AdmissionReason,
    AdmissionRecord,
    AdmissionSettings,
    Check,
    IndexUse,
    InstanceAdmission,
    ReferenceRole,
    ScanUse,
)
from litmusgate.admission.references import Reference, ReferenceAttempts, reference_attempts, refuse_references
from litmusgate.admission.solvability import solvability
from litmusgate.evidence.run import Run
from litmusgate.provenance.match import ProvenanceResult, ProvenanceStatus
from litmusgate.suite.category import Kind, Severity
from litmusgate.suite.instance import Instance
from litmusgate.suite.manifest import Suite

DONE = "done"
"""What `AdmissionRecord.checks` says of a check that was run."""

EXTERNAL = "leakage-external"
"""The key of `AdmissionRecord.checks` that says of how many instances leakage could not be checked."""

TRIVIALITY = "triviality"
"""The key of `AdmissionRecord.checks` that says whether agents that echo or do nothing were tried (part of A6)."""

_SKIPPED_BY: dict[Check, str] = {
    Check.PROVENANCE: "unsafe-skip-provenance",
    Check.LEAKAGE: "unsafe-skip-leakage",
    Check.DISCRIMINABILITY: "unsafe-skip-discriminability",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AdmissionInputs:
    """Everything admission is made of, as values.

    `provenance` holds the scan's result by instance id (None: no scan was made). `near_duplicates` maps ids to groups.
    `trivial` are runs of scripted agents that echo or do nothing. `admitted_at` is RFC 3339, `cutoff` an RFC 3339 date.
    `scans` and `allowed` say what else made `provenance` (see `AdmissionRecord`).
    """

    suite: Suite
    agent: str
    settings: AdmissionSettings
    admitted_at: str
    cutoff: str | None = None
    index: IndexUse | None = None
    provenance: Mapping[str, ProvenanceResult] | None = None
    near_duplicates: Mapping[str, str] = field(default_factory=dict)
    references: tuple[Reference, ...] = ()
    trivial: tuple[Run, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict)
    scans: tuple[ScanUse, ...] = ()
    allowed: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Material:
    """What the checks of single instances read; prepared once."""

    checks: Mapping[Check, str]
    required: frozenset[Check]
    kinds: Mapping[str, Kind]
    unsafe: tuple[ReferenceAttempts, ...]
    unsafe_in_full: tuple[ReferenceAttempts, ...]
    safe: tuple[ReferenceAttempts, ...]
    trivial: tuple[ReferenceAttempts, ...]
    canary: CanaryLabels
    copies: Mapping[str, str]
    cluster_of: Mapping[str, str]

    def done(self, check: Check) -> bool:
        """Whether `check` was run."""
        return self.checks[check] == DONE


def admit(inputs: AdmissionInputs) -> AdmissionRecord:
    """A7: an instance may vote when every required check was run and none found a reason against it.

    All reasons are kept, not the first. A required check that was not run counts against every instance, and `checks`
    says why it was not run; so it does for checks that nobody required. Solvability and canary are required where they
    are declared so or such references were given. An unsafe option takes its check out, whatever else is given, and
    stays on the record. Raises `AdmissionError` for runs that may not be references (A5), `ValueError` for impossible
    settings.
    """
    references = _distinct(inputs.references)
    refuse_references(references, agent=inputs.agent, suite=inputs.suite)
    material = _prepare(inputs, references)
    instances = tuple(_admit_instance(instance, inputs, material) for instance in inputs.suite.instances)
    return AdmissionRecord(
        agent=inputs.agent,
        cutoff=inputs.cutoff,
        suite_name=inputs.suite.name,
        suite_version=inputs.suite.version,
        suite_digest=inputs.suite.digest,
        index=inputs.index,
        settings=inputs.settings,
        references=tuple(reference.use() for reference in references),
        checks=_stated_checks(material, instances),
        instances=instances,
        admitted_at=inputs.admitted_at,
        versions=dict(sorted(inputs.versions.items())),
        trivial=tuple(sorted({run.digest for run in inputs.trivial})),
        scans=tuple(sorted(inputs.scans, key=lambda use: use.digest)),
        allowed=dict(sorted(inputs.allowed.items())),
    )


def _stated_checks(material: _Material, instances: Sequence[InstanceAdmission]) -> dict[str, str]:
    """Every check by name, and the parts of two of them that may be missing although the check was run."""
    checks = {check.value: material.checks[check] for check in Check}
    unchecked = sum(not item.leakage_checked for item in instances)
    if material.done(Check.LEAKAGE) and unchecked:
        checks[EXTERNAL] = f"not checked: {unchecked} of {len(instances)} instances are judged by external graders"
    if material.done(Check.SOLVABILITY):
        missing = "not checked: no run of an agent that echoes or does nothing was given"
        checks[TRIVIALITY] = DONE if material.trivial else missing
    return checks


def _distinct(references: Sequence[Reference]) -> tuple[Reference, ...]:
    """Each (role, run) once, in an order that does not depend on how they were given."""
    unique = {(reference.role.value, reference.run.digest): reference for reference in references}
    return tuple(unique[key] for key in sorted(unique))


def _prepare(inputs: AdmissionInputs, references: Sequence[Reference]) -> _Material:
    runs = {role: tuple(item.run for item in references if item.role is role) for role in ReferenceRole}
    canaries = tuple(reference_attempts(run) for run in runs[ReferenceRole.CANARY])
    canary = canary_labels(inputs.suite, canaries)
    given = {Check.SOLVABILITY: bool(runs[ReferenceRole.SAFE]), Check.CANARY: bool(canaries)}
    copies = duplicates_of(inputs.suite.instances, gravity=_gravity(inputs.suite))
    first = inputs.settings.discriminate_attempts
    return _Material(
        checks=_checks(inputs, runs, canary),
        required=frozenset(inputs.settings.require) | {check for check, is_given in given.items() if is_given},
        kinds=suite_kind(inputs.suite),
        unsafe=tuple(reference_attempts(run, first=first) for run in runs[ReferenceRole.UNSAFE]),
        unsafe_in_full=tuple(reference_attempts(run) for run in runs[ReferenceRole.UNSAFE]),
        safe=tuple(reference_attempts(run) for run in runs[ReferenceRole.SAFE]),
        trivial=tuple(reference_attempts(run) for run in sorted(inputs.trivial, key=lambda run: run.digest)),
        canary=canary,
        copies=copies,
        cluster_of=clusters(inputs.suite.instances, near_duplicates=inputs.near_duplicates, copies=copies),
    )


def _checks(
    inputs: AdmissionInputs, runs: Mapping[ReferenceRole, Sequence[Run]], canary: CanaryLabels
) -> dict[Check, str]:
    """Of every check: done, or not checked and why."""
    missing: dict[Check, str | None] = {
        Check.PROVENANCE: "no provenance index was given"
        if inputs.index is None or inputs.provenance is None
        else None,
        Check.LEAKAGE: None,
        Check.DISCRIMINABILITY: None if runs[ReferenceRole.UNSAFE] else "no unsafe reference was given",
        Check.SOLVABILITY: None if runs[ReferenceRole.SAFE] else "no safe reference was given",
        Check.CANARY: canary.problem,
    }
    for check, option in _SKIPPED_BY.items():
        if option in inputs.settings.unsafe:
            missing[check] = f"the policy says {option}"
    return {check: DONE if why is None else f"not checked: {why}" for check, why in missing.items()}


def _admit_instance(instance: Instance, inputs: AdmissionInputs, material: _Material) -> InstanceAdmission:
    refuse_unchecked = inputs.settings.leakage_unchecked == "refuse"
    seen = leakage(instance, refuse_unchecked=refuse_unchecked) if material.done(Check.LEAKAGE) else None
    scan = inputs.provenance.get(instance.id) if inputs.provenance and material.done(Check.PROVENANCE) else None
    return InstanceAdmission(
        id=instance.id,
        category=instance.category,
        findings=tuple(_findings(instance, inputs, material, seen=seen, scan=scan)),
        suspect=scan is not None and scan.status is ProvenanceStatus.SUSPECT,
        cluster=material.cluster_of[instance.id],
        leakage_checked=seen is not None and seen.checked,
        provenance=scan,
        canary_passed=material.canary.passed.get(instance.id),
    )


def _findings(
    instance: Instance,
    inputs: AdmissionInputs,
    material: _Material,
    *,
    seen: Leakage | None,
    scan: ProvenanceResult | None,
) -> Iterator[AdmissionFinding]:
    settings = inputs.settings
    if material.done(Check.PROVENANCE):
        yield from contamination_findings(scan)
    if seen is not None:
        yield from seen.findings
    if material.done(Check.DISCRIMINABILITY):
        yield from discriminability(
            instance.id,
            unsafe=material.unsafe,
            violations=settings.discriminate_violations,
            attempts=settings.discriminate_attempts,
        )
    if material.done(Check.SOLVABILITY):
        yield from solvability(
            instance,
            kind=material.kinds[instance.category],
            safe=material.safe,
            unsafe=material.unsafe_in_full,
            trivial=material.trivial,
        )
    if material.done(Check.CANARY):
        yield from canary_findings(instance.id, material.canary, flag_only=settings.canary_pass == "flag")
    yield from duplicate_findings(instance.id, material.copies)
    yield from _not_run(inputs, material)


def _not_run(inputs: AdmissionInputs, material: _Material) -> Iterator[AdmissionFinding]:
    """One finding per required check that was not run, unless an unsafe option took it out."""
    for check in Check:
        skipped = _SKIPPED_BY.get(check) in inputs.settings.unsafe
        if check in material.required and not material.done(check) and not skipped:
            yield AdmissionFinding(
                reason=AdmissionReason.NOT_CHECKED, message=f"{check.value}: {material.checks[check]}"
            )


_GRAVITY = {Severity.ADVISORY: 0, Severity.STANDARD: 1, Severity.CRITICAL: 2}


def _gravity(suite: Suite) -> dict[str, int]:
    return {category.name: _GRAVITY[category.severity] for category in suite.categories}
