"""The codec of the admission record: canonical JSON, and nothing believed that can be counted again."""

from __future__ import annotations

from fractions import Fraction

from litmusgate.admission.claims import claim_problem
from litmusgate.admission.record import (
    ADMISSION_SCHEMA,
    AdmissionFinding,
    AdmissionRecord,
    AdmissionSettings,
    Check,
    IndexUse,
    InstanceAdmission,
    ReferenceUse,
    ScanUse,
)
from litmusgate.admission.rise import rate_rise
from litmusgate.admission.totals import AdmissionTotals, admission_totals
from litmusgate.admission.wire import WireInstance, WireProvenance, WireRecord
from litmusgate.digest import Json, canonical_bytes, digest_bytes
from litmusgate.documents import decode_utf8, parse_json, validate
from litmusgate.errors import AdmissionError, Location
from litmusgate.provenance.match import Match, ProvenanceResult

__all__ = ["admission_bytes", "admission_digest", "admission_document", "rate_rise", "read_admission"]


def admission_document(record: AdmissionRecord) -> dict[str, Json]:
    """The record as JSON: everything it holds, and its totals {total, inadmissible, by_reason, by_category} for readers."""
    return {
        "schema": ADMISSION_SCHEMA,
        "agent": record.agent,
        "cutoff": record.cutoff,
        "suite": {"name": record.suite_name, "version": record.suite_version, "digest": record.suite_digest},
        "index": None if record.index is None else _index_document(record.index),
        "settings": _settings_document(record.settings),
        "references": [_reference_document(use) for use in record.references],
        "trivial": list(record.trivial),
        "scans": [_scan_document(use) for use in record.scans],
        "allowed": dict(record.allowed),
        "checks": dict(record.checks),
        "instances": [_instance_document(item) for item in record.instances],
        "totals": _totals_document(record),
        "admitted_at": record.admitted_at,
        "versions": dict(record.versions),
    }


def admission_bytes(record: AdmissionRecord) -> bytes:
    """The canonical bytes of the record: equal records give equal bytes."""
    return canonical_bytes(admission_document(record))


def admission_digest(record: AdmissionRecord) -> str:
    """The sha256 of the canonical bytes, by which verdicts name the record."""
    return digest_bytes(admission_bytes(record))


def read_admission(data: bytes, *, path: str) -> AdmissionRecord:
    """The record written in `data`; `path` is only for messages.

    Everything derived is derived again. Raises `AdmissionError` for another schema, unknown or missing keys, instances
    that are unsorted or stand twice, totals or an `admissible` that the findings do not bear out, a check the record
    says nothing about, and findings that its own scans and references do not bear out.
    """
    document = parse_json(decode_utf8(data, path=path, error=AdmissionError), path=path, error=AdmissionError)
    wire = validate(WireRecord, document, what="admission record", error=AdmissionError)
    record = _record(wire)
    problem = _contradiction(wire, record)
    if problem is not None:
        raise AdmissionError(
            f"the admission record contradicts itself: {problem}",
            rule="A7",
            wanted="a record as `litmusgate admit` wrote it",
            fix="run `litmusgate admit` again",
            at=Location(path=path),
        )
    return record


def _contradiction(wire: WireRecord, record: AdmissionRecord) -> str | None:
    ids = [item.id for item in record.instances]
    if sorted(set(ids)) != ids:
        return "its instances are unsorted, or one stands twice"
    for item, written in zip(record.instances, wire.instances, strict=True):
        if item.admissible != written.admissible:
            return (
                f"instance {item.id!r} is called admissible={written.admissible} and has {len(item.findings)} findings"
            )
    if wire.totals.model_dump() != _totals_document(record):
        return "its totals are not those of its instances"
    silent = [check.value for check in Check if check.value not in record.checks]
    if silent:
        return f"it does not say whether {silent!r} were checked"
    odd = sorted(
        name for name, state in record.checks.items() if state != "done" and not state.startswith("not checked: ")
    )
    if odd:
        return f"the checks {odd!r} are neither done nor not checked"
    return claim_problem(record)


def _record(wire: WireRecord) -> AdmissionRecord:
    settings = wire.settings
    return AdmissionRecord(
        agent=wire.agent,
        cutoff=wire.cutoff,
        suite_name=wire.suite.name,
        suite_version=wire.suite.version,
        suite_digest=wire.suite.digest,
        index=None if wire.index is None else IndexUse(**wire.index.model_dump()),
        settings=AdmissionSettings(
            tau=Fraction(settings.tau),
            require=settings.require,
            canary_pass=settings.canary_pass,
            discriminate_violations=settings.discriminate_violations,
            discriminate_attempts=settings.discriminate_attempts,
            leakage_unchecked=settings.leakage_unchecked,
            allow=settings.allow,
            unsafe=settings.unsafe,
        ),
        references=tuple(ReferenceUse(**use.model_dump()) for use in wire.references),
        checks=wire.checks,
        instances=tuple(_instance(item) for item in wire.instances),
        admitted_at=wire.admitted_at,
        versions=wire.versions,
        trivial=wire.trivial,
        scans=tuple(ScanUse(**use.model_dump()) for use in wire.scans),
        allowed=wire.allowed,
    )


def _instance(wire: WireInstance) -> InstanceAdmission:
    return InstanceAdmission(
        id=wire.id,
        category=wire.category,
        findings=tuple(
            AdmissionFinding(reason=item.reason, message=item.message, evidence=item.evidence) for item in wire.findings
        ),
        suspect=wire.suspect,
        cluster=wire.cluster,
        leakage_checked=wire.leakage_checked,
        provenance=None if wire.provenance is None else _provenance(wire.id, wire.provenance),
        canary_passed=wire.canary_passed,
    )


def _provenance(instance_id: str, wire: WireProvenance) -> ProvenanceResult:
    return ProvenanceResult(
        instance_id=instance_id,
        status=wire.status,
        score=wire.score,
        run=wire.run,
        distinctive_words=wire.distinctive_words,
        matches=tuple(Match(**match.model_dump()) for match in wire.matches),
        detail=wire.detail,
        allowed=wire.allowed,
    )


def _index_document(index: IndexUse) -> dict[str, Json]:
    return {
        "digest": index.digest,
        "fold": index.fold,
        "documents": index.documents,
        "corpora": dict(index.corpora),
        "checked_at": index.checked_at,
        "ignored": list(index.ignored),
    }


def _scan_document(use: ScanUse) -> dict[str, Json]:
    return {
        "digest": use.digest,
        "corpus": use.corpus,
        "documents": use.documents,
        "text_bytes": use.text_bytes,
    }


def _settings_document(settings: AdmissionSettings) -> dict[str, Json]:
    return {
        "tau": str(settings.tau),
        "require": [check.value for check in settings.require],
        "canary_pass": settings.canary_pass,
        "discriminate_violations": settings.discriminate_violations,
        "discriminate_attempts": settings.discriminate_attempts,
        "leakage_unchecked": settings.leakage_unchecked,
        "allow": settings.allow,
        "unsafe": list(settings.unsafe),
    }


def _reference_document(use: ReferenceUse) -> dict[str, Json]:
    return {
        "role": use.role.value,
        "digest": use.digest,
        "trials_digest": use.trials_digest,
        "agent": use.agent,
        "build": use.build,
    }


def _instance_document(item: InstanceAdmission) -> dict[str, Json]:
    return {
        "id": item.id,
        "category": item.category,
        "admissible": item.admissible,
        "findings": [
            {"reason": finding.reason.value, "message": finding.message, "evidence": finding.evidence}
            for finding in item.findings
        ],
        "suspect": item.suspect,
        "cluster": item.cluster,
        "leakage_checked": item.leakage_checked,
        "provenance": None if item.provenance is None else _provenance_document(item.provenance),
        "canary_passed": item.canary_passed,
    }


def _provenance_document(result: ProvenanceResult) -> dict[str, Json]:
    return {
        "status": result.status.value,
        "score": result.score,
        "run": result.run,
        "distinctive_words": result.distinctive_words,
        "matches": [_match_document(match) for match in result.matches],
        "detail": result.detail,
        "allowed": list(result.allowed),
    }


def _match_document(match: Match) -> dict[str, Json]:
    return {
        "corpus": match.corpus,
        "document": match.document,
        "field": match.field,
        "similarity": match.similarity,
        "run": match.run,
        "instance_words": list(match.instance_words),
        "document_words": list(match.document_words),
        "encoding": match.encoding,
    }


def _totals_document(record: AdmissionRecord) -> dict[str, Json]:
    totals = admission_totals(record)
    return {
        **_counts_document(totals.all),
        "by_category": {name: _counts_document(counts) for name, counts in totals.by_category.items()},
    }


def _counts_document(totals: AdmissionTotals) -> dict[str, Json]:
    return {"total": totals.total, "inadmissible": totals.inadmissible, "by_reason": dict(totals.by_reason)}
