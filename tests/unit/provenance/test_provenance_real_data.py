"""The reference engine on published material: real suites against real corpora, and planted copies."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from litmusgate.provenance.duplicates import near_duplicate_groups
from litmusgate.provenance.known import KnownDocument
from litmusgate.provenance.match import ProvenanceStatus
from litmusgate.provenance.scan import scan_suite
from litmusgate.suite.instance import ContextItem, Instance, Origin, Role, Turn
from litmusgate.suite.rubric import External, Rubric
from unit.provenance.made_suite import TAU

RUBRIC = Rubric(violation=External(grader="published"))
SURFACE_KINDS = (
    "verbatim", "edit01", "edit03", "edit05", "edit10", "recase", "repunct", "whitespace", "homoglyph", "fullwidth",
    "zerowidth", "leet", "sentshuffle", "quote_wrap", "json_escape", "html_escape",
)  # fmt: skip


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
    found = scan_suite(suite, _known(shared_data / "data/corpora"), tau=TAU)
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
    statuses = Counter(result.status for result in scan_suite(suite, _known(shared_data / "data/corpora"), tau=TAU))
    assert set(statuses) <= {ProvenanceStatus.CONTAMINATED, ProvenanceStatus.NOT_ASSESSABLE}
    assert statuses[ProvenanceStatus.CONTAMINATED] > 150


@pytest.mark.slow
def test_every_planted_surface_edit_is_found_and_no_clean_instance_is_contaminated(shared_data: Path) -> None:
    """A2: recall 1.0 for each kind of surface edit among 62 MB of text with hard negatives; 0 of 432 clean contaminated."""
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
    found = {result.instance_id: result for result in scan_suite(suite, documents, tau=TAU)}
    recall = defaultdict(list)
    for plant in _rows(bench / "suite/truth.jsonl"):
        result = found[plant["instance"]]
        named = any(match.document == plant["doc"] for match in result.matches)
        recall[plant["kind"]].append(named and result.status is ProvenanceStatus.CONTAMINATED)
    assert {kind: sum(recall[kind]) / len(recall[kind]) for kind in SURFACE_KINDS} == dict.fromkeys(SURFACE_KINDS, 1.0)
    clean = Counter(found[row["instance"]].status for row in _rows(bench / "suite/clean.jsonl"))
    assert clean[ProvenanceStatus.CONTAMINATED] == 0
    assert clean[ProvenanceStatus.SUSPECT] <= 5
