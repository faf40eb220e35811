"""Corpus files and add requests for tests."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from backports import zstd

from litmusgate.app.corpus import AddRequest
from litmusgate.corpora.readers import Columns
from litmusgate.corpora.shards import list_shards, read_batches
from litmusgate.provenance.batch import DocumentBatch
from litmusgate.provenance.known import KnownDocument

NOW = "2026-11-30T12:00:00Z"


def jsonl(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Write `rows` as JSON lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def request(
    index: Path, *files: Path, corpus: str | None = None, source: str | None = None, **changes: Any
) -> AddRequest:
    """A request to add `files` as corpus `pub` revision `r1`, with `changes`."""
    fields: dict[str, Any] = {
        "index": index,
        "files": files,
        "name": "pub",
        "revision": "r1",
        "now": NOW,
        "columns": Columns(id="id", corpus=corpus, source=source),
    }
    return AddRequest(**{**fields, **changes})


def documents(*paths: Path | str, columns: Columns | None = None, corpus: str = "pub") -> list[KnownDocument]:
    """Every document of `paths`, through shards and batches."""
    return [
        document
        for shard in list_shards([str(path) for path in paths])
        for batch in read_batches(shard, columns or Columns(), corpus=corpus)
        for document in of_batch(batch)
    ]


def of_batch(batch: DocumentBatch) -> list[KnownDocument]:
    """The documents of `batch` one by one."""
    return [
        KnownDocument(
            corpus=batch.corpus, id=batch.ids[number], text=batch.text(number).decode(), source=batch.sources[number]
        )
        for number in range(len(batch))
    ]


def write_rows(path: Path, rows: list[dict[str, Any]], *, ascii_only: bool = True) -> Path:
    """Write `rows` in the format that the ending of `path` names; compressed ones in two frames."""
    if path.suffix == ".parquet":
        parquet = pytest.importorskip("pyarrow.parquet", reason="the extra [corpora] is not installed")
        arrow = pytest.importorskip("pyarrow")
        parquet.write_table(arrow.Table.from_pylist(rows), path)
        return path
    lines = [json.dumps(row, ensure_ascii=ascii_only).encode() + b"\n" for row in rows]
    half = len(lines) // 2
    pack = {".gz": gzip.compress, ".zst": zstd.compress}.get(path.suffix, bytes)
    path.write_bytes(pack(b"".join(lines[:half])) + pack(b"".join(lines[half:])))
    return path
