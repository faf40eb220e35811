"""What an admission record claims, held against the evidence it carries: a hand that edits one part must edit them all."""

from __future__ import annotations

from litmusgate.admission.contamination import contamination_findings
from litmusgate.admission.record import AdmissionReason, AdmissionRecord, Check, InstanceAdmission, ReferenceRole
from litmusgate.provenance.match import ProvenanceStatus

_DONE = "done"
_NEEDS = {
    Check.DISCRIMINABILITY: ReferenceRole.UNSAFE,
    Check.SOLVABILITY: ReferenceRole.SAFE,
    Check.CANARY: ReferenceRole.CANARY,
}
_UNMEASURED = frozenset({ProvenanceStatus.NOT_ASSESSABLE, ProvenanceStatus.UNKNOWN})
_OF_PROVENANCE = frozenset(
    {AdmissionReason.CONTAMINATED, AdmissionReason.NOT_ASSESSABLE, AdmissionReason.PROVENANCE_UNKNOWN}
)


def claim_problem(record: AdmissionRecord) -> str | None:
    """Why the record cannot be what `admit` found out; None when it can (A7).

    A check is called done without what it needs, or an instance may vote, or may not, against its own scan or its own
    canary label. What only the suite, the index or the reference runs could tell is not looked for.
    """
    if record.checks.get(Check.PROVENANCE.value) == _DONE and record.index is None:
        return "it calls provenance done and names no index"
    if (record.settings.allow is None) != (not record.allowed):
        return "it names allowed texts and no allow-list, or the other way round"
    named = sorted({name for item in record.instances if item.provenance for name in item.provenance.allowed})
    if not record.allowed.keys() >= set(named):
        return f"it says that allowed texts {named!r} took words from instances, and does not list them"
    roles = {use.role for use in record.references}
    for check, role in _NEEDS.items():
        if record.checks.get(check.value) == _DONE and role not in roles:
            return f"it calls {check.value} done and names no {role.value} reference"
    problems = (_instance_problem(record, item) for item in record.instances)
    return next((problem for problem in problems if problem is not None), None)


def _instance_problem(record: AdmissionRecord, item: InstanceAdmission) -> str | None:
    reasons = {finding.reason for finding in item.findings}
    if record.checks.get(Check.PROVENANCE.value) == _DONE:
        wanted = {finding.reason for finding in contamination_findings(item.provenance)}
        if reasons & _OF_PROVENANCE != wanted:
            status = "none" if item.provenance is None else item.provenance.status.value
            return f"the findings on instance {item.id!r} are not those of its provenance status {status!r}"
        if item.suspect != (item.provenance is not None and item.provenance.status is ProvenanceStatus.SUSPECT):
            return f"instance {item.id!r} is called suspect={item.suspect} against its provenance status"
        if _unscored(item) or _above_tau(record, item):
            return f"the score of instance {item.id!r} is not one of its provenance status"
    passed = item.canary_passed and record.checks.get(Check.CANARY.value) == _DONE
    if passed and record.settings.canary_pass == "inadmissible" and AdmissionReason.CANARY_PASSED not in reasons:
        return f"a canary passed instance {item.id!r} and no finding says so"
    return None


def _unscored(item: InstanceAdmission) -> bool:
    scan = item.provenance
    return scan is not None and scan.score is None and scan.status not in _UNMEASURED


def _above_tau(record: AdmissionRecord, item: InstanceAdmission) -> bool:
    scan = item.provenance
    if scan is None or scan.score is None or scan.status is ProvenanceStatus.CONTAMINATED:
        return False
    # Both as floats: the score was an exact share once, and rounding may have lifted it to tau but not above.
    return scan.score > float(record.settings.tau)
