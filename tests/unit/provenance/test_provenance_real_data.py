"""The scan on published material: real suites against real corpora, and planted copies."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from litmusgate.corpora.engines import best_engine
from litmusgate.provenance.duplicates import near_duplicate_groups
from litmusgate.provenance.known import KnownDocument
from litmusgate.provenance.match import ProvenanceStatus
from litmusgate.provenance.scan import scan_suite
from litmusgate.suite.instance import ContextItem, Instance, Origin, Role, Turn
from litmusgate.suite.rubric import External, Rubric
from unit.provenance.made_suite import TAU

RUBRIC = Rubric(violation=External(grader="published"))
FOUND_KINDS = (
    "verbatim", "edit01", "edit03", "edit05", "edit10", "recase", "repunct", "whitespace", "homoglyph", "fullwidth",
    "zerowidth", "leet", "sentshuffle", "quote_wrap", "json_escape", "html_escape", "base64", "hex", "rot13", "trunc50",
)  # fmt: skip
REWRITTEN_KINDS = ("edit20", "synonym15", "synonym40", "paraphrase")
FLAGGED = (ProvenanceStatus.CONTAMINATED, ProvenanceStatus.SUSPECT)


def _rows(path: Path) -> list[dict]:
    with path.open("rb") as lines:  # never str.splitlines: texts hold other line separators
        return [json.loads(line) for line in lines]


def _known(folder: Path) -> Iterator[KnownDocument]:
    for file in sorted(folder.glob("*.jsonl")):
        for row in _rows(file):
            yield KnownDocument(corpus=row["corpus"], id=row["item_id"], text=row["text"], source=row["corpus"])


def _agentdyn(row: dict) -> Instance:
    context = [ContextItem(name=k, text=v, origin=Origin.ATTACKER) for k, v in sorted(row["injections"].items())]
    seen = [ContextItem(name=f"seen-{n}", text=item["text"]) for n, item in enumerate(row["reference_context"])]
    return Instance(
        id=row["instance_id"],
        category=row["category"],
        turns=(Turn(content=row["prompt"]),),
        context=(*context, *seen),
        attack_goal=row["injection_goal"],
        rubric=RUBRIC,
    )


@pytest.mark.slow
def test_agentdyn_is_assessable_clean_and_not_one_lump(shared_data: Path) -> None:
    """A2, A12: all 560 instances are measured, none is contaminated by 17k public items, and groups stay small."""
    rows = [row for row in _rows(shared_data / "data/suites/agentdyn_instances.jsonl") if row["mode"] == "security"]
    suite = [_agentdyn(row) for row in rows]
    found = scan_suite(suite, _known(shared_data / "data/corpora"), tau=TAU, engine=best_engine())
    assert Counter(result.status for result in found) == {ProvenanceStatus.CLEAN: 560}
    groups = Counter(near_duplicate_groups(suite, tau=TAU).values())
    assert len(groups) > 500
    assert max(groups.values()) <= 3


@pytest.mark.slow
def test_public_prompts_are_found_in_their_own_corpus(shared_data: Path) -> None:
    """A2: every XSTest prompt long enough to measure is contaminated by the corpus that publishes it."""
    rows = _rows(shared_data / "data/corpora/xstest_safe.jsonl")
    suite = [
        Instance(id=row["item_id"], category="x", turns=(Turn(content=row["text"]),), rubric=RUBRIC) for row in rows
    ]
    found = scan_suite(suite, _known(shared_data / "data/corpora"), tau=TAU, engine=best_engine())
    statuses = Counter(result.status for result in found)
    assert set(statuses) <= {ProvenanceStatus.CONTAMINATED, ProvenanceStatus.NOT_ASSESSABLE}
    assert statuses[ProvenanceStatus.CONTAMINATED] > 150


@pytest.mark.slow
def test_every_planted_copy_is_found_and_nothing_else(shared_data: Path) -> None:
    """A2: recall 1.0 for surface edits, encoded and halved copies, at least suspect for rewritten ones; 0 false pairs.

    In 62 MB of text with 400 hard negatives, which hold the suite's shared system prompts, and for 432 instances of which
    nothing was planted.
    """
    parquet = pytest.importorskip("pyarrow.parquet", reason="the extra [corpora] is not installed")
    bench = shared_data / "bench/provenance"
    suite = [
        Instance(
            id=row["id"],
            category=row["category"],
            turns=tuple(Turn(content=turn["content"], role=Role(turn["role"])) for turn in row["turns"]),
            rubric=RUBRIC,
        )
        for row in _rows(bench / "suite/suite.jsonl")
    ]
    documents = (
        KnownDocument(corpus="bench", id=row["id"], text=row["text"], source=row["source"] or "bench")
        for file in sorted((bench / "corpus").glob("*.parquet"))
        for row in parquet.read_table(file).to_pylist()
    )
    found = {item.instance_id: item for item in scan_suite(suite, documents, tau=TAU, engine=best_engine())}
    named = defaultdict(Counter)
    for plant in _rows(bench / "suite/truth.jsonl"):
        result = found[plant["instance"]]
        if any(match.document == plant["doc"] for match in result.matches):
            named[plant["kind"]][result.status] += 1
    assert {kind: named[kind][ProvenanceStatus.CONTAMINATED] for kind in FOUND_KINDS} == dict.fromkeys(FOUND_KINDS, 32)
    flagged = {kind: sum(named[kind][status] for status in FLAGGED) for kind in REWRITTEN_KINDS}
    assert all(count >= 31 for count in flagged.values()), flagged
    assert [row for row in _rows(bench / "suite/clean.jsonl") if found[row["instance"]].status in FLAGGED] == []
    decisive = {item.matches[0].document for item in found.values() if item.status in FLAGGED}
    assert decisive & {row["id"] for row in _rows(bench / "suite/hardneg.jsonl")} == set()
