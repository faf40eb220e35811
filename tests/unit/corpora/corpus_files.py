"""Corpus files and add requests for tests."""

import json
from pathlib import Path
from typing import Any

from litmusgate.app.corpus import AddRequest
from litmusgate.corpora.readers import Columns

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
