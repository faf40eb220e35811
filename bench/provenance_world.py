"""The data of `provenance_scale.py`: the bench corpus as Parquet and JSONL, in the sizes that engine and peers are timed on.

Made by a process of its own (`python provenance_world.py FOLDER`), because a child's peak memory begins with that of the
process it came from. The source is `../shared/bench/provenance`: eight Parquet shards and a suite with planted copies.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "shared" / "bench" / "provenance"

COPIES = 8
"""How often the large corpus holds each document that carries no plant; copies have ids of their own."""

SLOW_DOCUMENTS = 400
"""Documents of the corpus on which the slowest peers are timed; what counts is the rate."""

BEGIN_BYTES = 4_000_000
"""Text of the corpus on which the command's start-up is timed: enough for it to load its kernels."""

UNRELATED = (
    "An unrelated short document about pruning apple trees in late winter, so that light reaches the lower branches."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """One folder of shards of one format. `text_bytes` are the UTF-8 bytes of the text column alone."""

    folder: Path
    documents: int
    text_bytes: int

    @property
    def megabytes(self) -> float:
        """Text in MB of 10^6 bytes."""
        return self.text_bytes / 1e6


@dataclass(frozen=True, slots=True, kw_only=True)
class Plant:
    """One planted copy: this instance stands in this document, altered in this way."""

    instance: str
    document: str
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """Where everything lies, and what is true about it."""

    folder: Path
    suite: Path
    flat: Path
    corpora: dict[str, Corpus]
    plants: tuple[Plant, ...]
    instances: frozenset[str]
    clean: frozenset[str]
    hard_negatives: frozenset[str]

    def kinds(self) -> dict[str, int]:
        """Kind → planted copies of it, in the order of the truth file."""
        counts: dict[str, int] = {}
        for plant in self.plants:
            counts[plant.kind] = counts.get(plant.kind, 0) + 1
        return counts


def source_problem() -> str | None:
    """Why there is nothing to measure on; `None` when the source is complete."""
    wanted = [SOURCE / "suite" / f"{name}.jsonl" for name in ("suite", "flat", "truth", "clean", "hardneg")]
    missing = [path.name for path in wanted if not path.is_file()]
    if not list((SOURCE / "corpus").glob("*.parquet")):
        missing.append("corpus/*.parquet")
    return f"../shared/bench/provenance lacks {', '.join(missing)}" if missing else None


def open_world(folder: Path) -> World:
    """The world that `make_world` wrote in `folder`."""
    corpora = json.loads((folder / "corpora.json").read_text("utf-8"))
    suite = SOURCE / "suite"
    return World(
        folder=folder,
        suite=suite / "suite.jsonl",
        flat=suite / "flat.jsonl",
        corpora={
            name: Corpus(folder=folder / name, documents=entry["documents"], text_bytes=entry["text_bytes"])
            for name, entry in corpora.items()
        },
        plants=tuple(
            Plant(instance=row["instance"], document=row["doc"], kind=row["kind"])
            for row in read_rows(suite / "truth.jsonl")
        ),
        instances=frozenset(row["id"] for row in read_rows(suite / "flat.jsonl")),
        clean=frozenset(row["instance"] for row in read_rows(suite / "clean.jsonl")),
        hard_negatives=frozenset(row["id"] for row in read_rows(suite / "hardneg.jsonl")),
    )


def read_rows(path: Path) -> Iterator[dict[str, str]]:
    """The rows of a JSONL file."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def make_world(folder: Path) -> None:
    """Write every corpus below `folder`, and `corpora.json` last."""
    import pyarrow.parquet as pq

    shards = {path.stem: pq.read_table(path).to_pylist() for path in sorted((SOURCE / "corpus").glob("*.parquet"))}
    first = next(iter(shards.values()))
    every = [row for rows in shards.values() for row in rows]
    marked = [row for row in every if row["source"] in ("planted", "hardneg")]
    hard = [{"source": "hardneg", **row} for row in read_rows(SOURCE / "suite" / "hardneg.jsonl")]
    unrelated = {"one": [{"id": "unrelated", "source": "none", "text": UNRELATED}]}
    contents = {
        "whole": shards,
        "few": {"shard-00": first},
        "slow": {"shard-00": first[:SLOW_DOCUMENTS]},
        "marked": {"marked": marked},
        "hardneg": {"hardneg": hard},
        "start": unrelated,
        "begin": {"shard-00": _some(first, BEGIN_BYTES)},
        "many": repeated(shards),
    }
    kept: dict[str, dict[str, int]] = {}
    for name, parts in contents.items():
        size = {
            "documents": sum(map(len, parts.values())),
            "text_bytes": sum(len(row["text"].encode()) for rows in parts.values() for row in rows),
        }
        write_jsonl(folder / f"{name}-jsonl", parts)
        write_parquet(folder / f"{name}-parquet", parts)
        kept |= {f"{name}-jsonl": size, f"{name}-parquet": size}
    write_text(folder / "text", shards)
    (folder / "corpora.json").write_text(json.dumps(kept), "utf-8")


def _some(rows: Sequence[dict[str, str]], least_bytes: int) -> list[dict[str, str]]:
    """The first filler documents, up to `least_bytes` of text."""
    some: list[dict[str, str]] = []
    held = 0
    for row in rows:
        if held < least_bytes and row["source"] not in ("planted", "hardneg"):
            some.append(row)
            held += len(row["text"].encode())
    return some


Parts = dict[str, Sequence[dict[str, str]]]
"""Name of a shard → its rows."""


def repeated(shards: Parts) -> Parts:
    """The shards, then further copies of their filler documents: every plant and hard negative stands once."""
    parts = dict(shards)
    for copy in range(1, COPIES):
        for name, rows in shards.items():
            filler = [row for row in rows if row["source"] not in ("planted", "hardneg")]
            parts[f"{name}-copy-{copy}"] = [{**row, "id": f"{row['id']}#{copy}"} for row in filler]
    return parts


def write_jsonl(folder: Path, parts: Parts) -> None:
    """One JSONL file a part, with the columns `id` and `text`."""
    folder.mkdir(parents=True)
    for name, rows in parts.items():
        with (folder / f"{name}.jsonl").open("w", encoding="utf-8") as file:
            for row in rows:
                file.write(json.dumps({"id": row["id"], "text": row["text"]}, ensure_ascii=False) + "\n")


def write_parquet(folder: Path, parts: Parts) -> None:
    """One Parquet file a part; shards that are a file of the source byte for byte are copied."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder.mkdir(parents=True)
    schema = pa.schema([(name, pa.string()) for name in ("id", "source", "text")])
    for name, rows in parts.items():
        original = SOURCE / "corpus" / f"{name}.parquet"
        if original.is_file() and pq.read_metadata(original).num_rows == len(rows):
            shutil.copyfile(original, folder / original.name)
        else:
            pq.write_table(pa.Table.from_pylist(rows, schema), folder / f"{name}.parquet", compression="zstd")


def write_text(folder: Path, shards: Parts) -> None:
    """The text column alone, one file a shard, plain (`.txt`) and as one zstd frame (`.txt.zst`, level 3)."""
    import pyarrow as pa

    folder.mkdir(parents=True)
    codec = pa.Codec("zstd", compression_level=3)
    for name, rows in shards.items():
        text = "\n".join(row["text"] for row in rows).encode()
        (folder / f"{name}.txt").write_bytes(text)
        (folder / f"{name}.txt.zst").write_bytes(codec.compress(text, asbytes=True))


if __name__ == "__main__":
    make_world(Path(sys.argv[1]))
