"""Run the janitor of lm-eval, 13-grams, on a folder of JSONL: `janitor_scan.py CORPUS FLAT OUT`.

The compiled half of the janitor is not part of its package, so this is its Python half, called as `Janitor.clean` calls it.
A document is flagged when it holds a registered n-gram.
"""

from __future__ import annotations

import importlib
import itertools
import json
import sys
from collections.abc import Iterable
from pathlib import Path


def main(corpus: str, flat: str, out: str) -> None:
    """Write `{document}` per flagged document to `out`/flagged.jsonl."""
    janitor = importlib.import_module("lm_eval.decontamination.janitor").Janitor(ngram_n=13)
    for line in Path(flat).read_text("utf-8").splitlines():
        janitor.register_contaminant_python(json.loads(line)["text"])
    dirty: list[tuple[object, ...]] = []

    def keep(_text: str, parts: Iterable[tuple[object, ...]]) -> list[str]:
        """Take as many places as the janitor's own cutting looks at; cutting itself is not what is compared."""
        dirty.extend(itertools.islice(parts, janitor.too_dirty_cutoff))
        return []

    janitor._split_chunks = keep  # noqa: SLF001 - it is the only place where what was found can be seen
    Path(out).mkdir(parents=True, exist_ok=True)
    with (Path(out) / "flagged.jsonl").open("w", encoding="utf-8") as flagged:
        for path in sorted(Path(corpus).glob("*.jsonl")):
            for line in path.open(encoding="utf-8"):
                row = json.loads(line)
                dirty.clear()
                janitor.clean_python(row["text"])
                if dirty:
                    flagged.write(json.dumps({"document": row["id"]}) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
