"""Several scans taken together."""

from itertools import permutations, product

from litmusgate.provenance.combining import GRAVEST_FIRST, combine_results
from litmusgate.provenance.match import Match, ProvenanceResult, ProvenanceStatus


def _result(status: ProvenanceStatus, score: float | None = 0.1, matches: tuple[Match, ...] = ()) -> ProvenanceResult:
    return ProvenanceResult(
        instance_id="i", status=status, score=score, run=3, distinctive_words=30, matches=matches, detail=status.value
    )


def _match(document: str, similarity: float) -> Match:
    return Match(
        corpus="c",
        document=document,
        field="turns[0]",
        similarity=similarity,
        run=1,
        instance_words=(0, 5),
        document_words=(0, 5),
    )


def test_the_gravest_status_stands_in_any_order() -> None:
    """A2: contaminated above unknown above not assessable above suspect above clean; a scan never clears another's find."""
    assert set(GRAVEST_FIRST) == set(ProvenanceStatus)
    for one, other in product(ProvenanceStatus, repeat=2):
        found = combine_results([{"i": _result(one)}, {"i": _result(other)}])["i"]
        assert found.status is min(one, other, key=GRAVEST_FIRST.index)
        assert found.detail == found.status.value


def test_an_instance_that_a_scan_does_not_know_is_unknown() -> None:
    """A2: no result is not a clean one."""
    found = combine_results([{"i": _result(ProvenanceStatus.CLEAN)}, {}])["i"]
    assert found.status is ProvenanceStatus.UNKNOWN
    assert found.detail == "a scan has no result for it"


def test_the_best_evidence_of_all_scans_is_kept() -> None:
    """Scores add up to the largest one; the matches of the gravest come first into the three that are kept."""
    scans = [
        {"i": _result(ProvenanceStatus.CONTAMINATED, 0.9, (_match("copy", 0.9),))},
        {"i": _result(ProvenanceStatus.CLEAN, 0.2, (_match("a", 0.2), _match("b", 0.15), _match("c", 0.1)))},
        {"i": _result(ProvenanceStatus.NOT_ASSESSABLE, None)},
    ]
    found = {combine_results(order)["i"] for order in permutations(scans)}
    assert len(found) == 1
    result = found.pop()
    assert (result.score, [match.document for match in result.matches]) == (0.9, ["copy", "a", "b"])
