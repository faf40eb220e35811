"""datatrove's n-gram decontamination, 12-grams: `datatrove_scan.py index FLAT INDEX`, then `... scan CORPUS INDEX OUT`.

Its indexer loads tasks through another package even when it is handed documents, so the index is written here with the
indexer's own `compute_hashes`; the filter is used as it stands.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable
from pathlib import Path


def write_index(flat: str, index: str) -> None:
    """Write the hashes of every instance to the folder `index`, in the form the filter reads."""
    steps = importlib.import_module("datatrove.pipeline.decont.n_grams")
    numpy = importlib.import_module("numpy")
    Path(index).mkdir(parents=True, exist_ok=True)
    steps.NGramsDecontIndexer._requires_dependencies = []  # noqa: SLF001 - only its hashes are used
    indexer = steps.NGramsDecontIndexer(output_folder=index)
    hashes: set[int] = set()
    for line in Path(flat).read_text("utf-8").splitlines():
        hashes.update(indexer.compute_hashes(json.loads(line)["text"]))
    numpy.array(sorted(hashes), dtype=indexer.config.hash_config.np_descr).tofile(Path(index) / "suite.index.hashes")


def scan(corpus: str, index: str, out: str) -> None:
    """Write `{document}` per flagged document of the JSONL shards to `out`/flagged.jsonl."""
    steps = importlib.import_module("datatrove.pipeline.decont.n_grams")
    document = importlib.import_module("datatrove.data").Document
    step = steps.NGramsDecontFilter(index_folder=index)
    Path(out).mkdir(parents=True, exist_ok=True)
    with (Path(out) / "flagged.jsonl").open("w", encoding="utf-8") as flagged:
        for path in sorted(Path(corpus).glob("*.jsonl")):
            for line in path.open(encoding="utf-8"):
                row = json.loads(line)
                if step.filter(document(text=row["text"], id=row["id"])) is not True:
                    flagged.write(json.dumps({"document": row["id"]}) + "\n")


STEPS: dict[str, Callable[..., None]] = {"index": write_index, "scan": scan}

if __name__ == "__main__":
    STEPS[sys.argv[1]](*sys.argv[2:])
