"""Several scans of one suite taken together: the gravest result of each instance stands (A2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from litmusgate.provenance.match import ProvenanceResult, ProvenanceStatus
from litmusgate.provenance.status import KEPT_MATCHES, match_order, unknown_status

GRAVEST_FIRST = (
    ProvenanceStatus.CONTAMINATED,
    ProvenanceStatus.UNKNOWN,
    ProvenanceStatus.NOT_ASSESSABLE,
    ProvenanceStatus.SUSPECT,
    ProvenanceStatus.CLEAN_SHORT,
    ProvenanceStatus.CLEAN,
)


def combine_results(scans: Sequence[Mapping[str, ProvenanceResult]]) -> dict[str, ProvenanceResult]:
    """By instance id the gravest result of any scan, with the best matches of all; an id missing from one is unknown.

    A further scan can only make an instance worse: nothing clears what another one found.
    """
    ids = sorted({instance_id for scan in scans for instance_id in scan})
    return {instance_id: _gravest([_of(scan, instance_id) for scan in scans]) for instance_id in ids}


def _of(scan: Mapping[str, ProvenanceResult], instance_id: str) -> ProvenanceResult:
    found = scan.get(instance_id)
    return found if found is not None else unknown_status(instance_id, "a scan has no result for it")


def _gravest(results: Sequence[ProvenanceResult]) -> ProvenanceResult:
    gravest = min(results, key=lambda result: GRAVEST_FIRST.index(result.status))
    scores = [result.score for result in results if result.score is not None]
    matches = sorted({match for result in results for match in result.matches}, key=match_order)
    others = [match for match in matches if match not in gravest.matches]
    kept = [*gravest.matches, *others][:KEPT_MATCHES]
    return replace(
        gravest,
        score=max(scores, default=None),
        run=max(result.run for result in results),
        distinctive_words=max(result.distinctive_words for result in results),
        matches=tuple(sorted(kept, key=match_order)),
    )
