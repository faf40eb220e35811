"""What a tool found, read from its own report, and how that stands to the truth: recall per kind of plant, false reports."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from provenance_series import Unmeasured
from provenance_world import World, read_rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Flags:
    """What was reported. `pairs` is `None` for a tool that names documents only."""

    documents: frozenset[str]
    pairs: frozenset[tuple[str, str]] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Counts against the truth. `false_pairs` are pairs that are no plant; both instance counts are `None` at document level."""

    found: dict[str, int]
    clean_instances: int | None
    hard_negatives: int
    false_pairs: int | None


def score(flags: Flags, world: World) -> Score:
    """Count what was found and what was reported falsely. A plant counts only where it stands: its document is named."""
    found = dict.fromkeys(world.kinds(), 0)
    for plant in world.plants:
        if flags.pairs is None:
            found[plant.kind] += plant.document in flags.documents
        else:
            found[plant.kind] += (plant.instance, plant.document) in flags.pairs
    hard = len(flags.documents & world.hard_negatives)
    if flags.pairs is None:
        return Score(found=found, clean_instances=None, hard_negatives=hard, false_pairs=None)
    true = {(plant.instance, plant.document) for plant in world.plants}
    return Score(
        found=found,
        clean_instances=len({instance for instance, _ in flags.pairs} & world.clean),
        hard_negatives=hard,
        false_pairs=len(flags.pairs - true),
    )


def of_pairs(pairs: Iterable[tuple[str, str]]) -> Flags:
    """Flags of a tool that names instances."""
    kept = frozenset(pairs)
    return Flags(documents=frozenset(document for _, document in kept), pairs=kept)


def read_decon(out: Path, corpus: Path) -> Flags:
    """decon reports the instance, which the bench gave it as fingerprint, with the file and the line."""
    pairs = set()
    for report in sorted(out.glob("*.jsonl")):
        for row in map(json.loads, report.read_text("utf-8").splitlines()):
            pairs.add((row["fingerprint"], (row["training_file"], row["training_line"])))
    ids = {path.name: [row["id"] for row in read_rows(path)] for path in sorted(corpus.glob("*.jsonl"))}
    return of_pairs({(instance, ids[name][line]) for instance, (name, line) in pairs})


def read_assay(out: Path, flat: Path) -> Flags:
    """corpus-assay reports the part of a document and the numbers of the items it shares n-grams with."""
    ids = [row["id"] for row in read_rows(flat)]
    pairs, documents = set(), set()
    for report in sorted((out / "contaminated_docs").glob("*.ndjson")):
        for row in map(json.loads, report.read_text("utf-8").splitlines()):
            document = re.sub(r"-part-\d+$", "", row["doc_id"])
            documents.add(document)
            pairs |= {(ids[hit["item_id"]], document) for hit in row["item_hits"]}
    return Flags(documents=frozenset(documents), pairs=frozenset(pairs))


def read_documents(out: Path) -> Flags:
    """Tools that flag whole documents; the scripts in `peers/` write one id a line."""
    return Flags(documents=frozenset(row["document"] for row in read_rows(out / "flagged.jsonl")), pairs=None)


AT_LEAST_SUSPECT = ("contaminated", "suspect")


def read_result(result: Path, world: World, statuses: tuple[str, ...]) -> frozenset[tuple[str, str]]:
    """Pairs of (instance, document) of the instances with one of `statuses`, from the result file of `corpus scan`.

    Raises `Unmeasured` when the file does not speak of exactly the suite's instances or leaves one unknown.
    """
    rows = json.loads(result.read_text("utf-8"))["instances"]
    if sorted(row["instance_id"] for row in rows) != sorted(world.instances):
        raise Unmeasured(f"{len(rows)} instances in the result, {len(world.instances)} in the suite, not the same ones")
    unknown = [row["instance_id"] for row in rows if row["status"] == "unknown"]
    if unknown:
        raise Unmeasured(f"{len(unknown)} instances are unknown, {unknown[0]} for one")
    flagged = [row for row in rows if row["status"] in statuses]
    unnamed = [row["instance_id"] for row in flagged if not row["matches"]]
    if unnamed:
        raise Unmeasured(f"{len(unnamed)} instances are flagged without a match, {unnamed[0]} for one")
    return frozenset((row["instance_id"], match["document"]) for row in flagged for match in row["matches"])
