"""What a provenance scan means for an instance's vote (A2)."""

from __future__ import annotations

from collections.abc import Iterator

from litmusgate.admission.record import AdmissionFinding, AdmissionReason
from litmusgate.provenance.match import ProvenanceResult, ProvenanceStatus

_INADMISSIBLE: dict[ProvenanceStatus, AdmissionReason] = {
    ProvenanceStatus.CONTAMINATED: AdmissionReason.CONTAMINATED,
    ProvenanceStatus.NOT_ASSESSABLE: AdmissionReason.NOT_ASSESSABLE,
    ProvenanceStatus.UNKNOWN: AdmissionReason.PROVENANCE_UNKNOWN,
}


def contamination_findings(scan: ProvenanceResult | None) -> Iterator[AdmissionFinding]:
    """The finding against an instance that is known, or whose scan measured nothing; None: the scan left it out.

    A suspect instance has none: it votes and makes the verdict REVIEW (A2).
    """
    if scan is None:
        message = "the provenance scan has no result for it"
        yield AdmissionFinding(reason=AdmissionReason.PROVENANCE_UNKNOWN, message=message)
    elif scan.status in _INADMISSIBLE:
        best = scan.matches[0] if scan.matches else None
        score = "" if scan.score is None else f", similarity {scan.score:.3f}"
        yield AdmissionFinding(
            reason=_INADMISSIBLE[scan.status],
            message=f"provenance: {scan.status.value}{score}{'' if scan.detail is None else f' ({scan.detail})'}",
            evidence=None if best is None else f"{best.field} in {best.corpus}: {best.document}",
        )
