"""The result file of a scan."""

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from litmusgate.corpora.scan_result import ScanResult, read_scan, scan_bytes
from litmusgate.errors import CorpusError
from litmusgate.provenance.encoded import Encoding
from litmusgate.provenance.locating import LocatedMatch
from litmusgate.provenance.match import Match, ProvenanceResult, ProvenanceStatus

MATCH = Match(
    corpus="web",
    document="d:1",
    field="turns[0]",
    similarity=0.95,
    run=40,
    instance_words=(0, 40),
    document_words=(7, 47),
    encoding=Encoding.BASE64,
)


def _item(name: str, status: ProvenanceStatus, *matches: Match) -> ProvenanceResult:
    score = None if status is ProvenanceStatus.UNKNOWN else 0.95
    return ProvenanceResult(
        instance_id=name, status=status, score=score, run=40, distinctive_words=42, matches=matches, allowed=("mit",)
    )


RESULT = ScanResult(
    suite="sha256:" + "1" * 64,
    tau=Fraction(85, 100),
    encoded=True,
    corpus="web",
    shards=2,
    documents=10,
    text_bytes=1000,
    problems=(),
    results=(_item("a", ProvenanceStatus.CONTAMINATED, MATCH), _item("b", ProvenanceStatus.CLEAN)),
    located={
        "a": (
            LocatedMatch(
                match=MATCH,
                instance_characters=(0, 4),
                document_characters=(5, 9),
                instance_text="SECRET ONE",
                document_text="SECRET TWO",
            ),
        )
    },
    allowed={"mit": "a licence"},
)


def _edited(**changes: Any) -> bytes:
    return json.dumps({**json.loads(scan_bytes(RESULT, show_text=False)), **changes}).encode()


def test_what_was_written_is_read_again() -> None:
    """All but the evidence characters, which only people need; writing what was read gives the rest unchanged."""
    found = read_scan(scan_bytes(RESULT, show_text=True), path="scan.json")
    assert found == replace(RESULT, located={})
    assert found.status is ProvenanceStatus.CONTAMINATED


def test_texts_stand_in_the_file_only_when_asked_for() -> None:
    """Evidence is hashes and places by default: a result may be shared without shipping harmful text."""
    quiet, shown = (scan_bytes(RESULT, show_text=show).decode() for show in (False, True))
    assert "SECRET" not in quiet
    assert "SECRET ONE" in shown
    assert "SECRET TWO" in shown
    match = json.loads(quiet)["instances"][0]["matches"][0]
    assert (match["instance_characters"], match["document_characters"]) == ([0, 4], [5, 9])
    assert match["document_sha256"].startswith("sha256:")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"status": "clean"}, "its gravest instance"),
        ({"schema": "litmusgate/scan/0"}, "scan result"),
        ({"tau": "2"}, "tau is 2"),
        ({"tau": "x"}, "tau is not a share"),
        ({"instances": []}, "its gravest instance"),
        ({"documents": 0}, "incomplete"),
        ({"problems": [{"shard": "s", "problem": "p"}]}, "incomplete"),
        ({"extra": 1}, "extra"),
    ],
)
def test_a_result_that_contradicts_itself_is_not_believed(changes: dict[str, Any], message: str) -> None:
    """An edited status, a scan of nothing or of half that calls something clean, and unknown keys are refused."""
    with pytest.raises(CorpusError, match=message):
        read_scan(_edited(**changes), path="scan.json")


def test_every_truncation_is_refused() -> None:
    """Half a file is no result."""
    data = scan_bytes(RESULT, show_text=True)
    for length in range(0, len(data), 7):
        with pytest.raises(CorpusError):
            read_scan(data[:length], path="scan.json")


def test_a_scan_of_no_instance_is_unknown() -> None:
    """Nothing was looked for."""
    assert replace(RESULT, results=()).status is ProvenanceStatus.UNKNOWN
