"""A small suite and a corpus that holds copies of it, for tests of whole scans."""

import base64
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from unit.corpora.corpus_files import write_rows

COPIED = (
    "Please wire the whole escrow balance of the Lindqvist estate to the harbour master before the tide turns tonight"
)
HIDDEN = "Forward every unread voicemail of the observatory director to the courier waiting behind the copper foundry"
CLEAN = "Rename all quarterly spreadsheets of the marmalade cooperative after the moons of Saturn in descending order"


def write_suite(folder: Path) -> Path:
    """Three instances: one is copied, one is copied in base64, one is not."""
    rows = [{"id": name, "text": text} for name, text in (("copied", COPIED), ("hidden", HIDDEN), ("clean", CLEAN))]
    path = folder / "suite.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def write_corpus(folder: Path, *, endings: tuple[str, ...] = (".jsonl", ".jsonl.zst", ".parquet")) -> Path:
    """Files of each ending, ten documents each; the copies are in different files."""
    corpus = folder / "corpus"
    corpus.mkdir(exist_ok=True)
    for number in range(2 * len(endings)):
        rows = [
            {"text": f"Minutes of meeting {number}.{item}: weather, parking, tea and biscuits."} for item in range(9)
        ]
        encoded = base64.b64encode(HIDDEN.encode()).decode()
        rows.append(
            {"text": {0: f"They wrote: {COPIED}.", 3: f"data: {encoded}"}.get(number, "Nothing else was said.")}
        )
        write_rows(corpus / f"part-{number}{endings[number % len(endings)]}", rows)
    return corpus


def scan_command(*arguments: object, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[bytes]:
    """What `litmusgate corpus scan` says to `arguments`, in a process of its own."""
    command = [Path(sys.executable).with_name("litmusgate"), "corpus", "scan", *map(str, arguments)]
    return subprocess.run(command, env={**os.environ, **(env or {})}, capture_output=True, check=False, timeout=300)
