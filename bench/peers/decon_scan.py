"""Run decon on a folder of JSONL: `decon_scan.py CORPUS EVALS OUT THRESHOLD`, in an interpreter that has `decontaminate`."""

from __future__ import annotations

import importlib
import sys


def main(corpus: str, evals: str, out: str, threshold: str) -> None:
    """One thread, the default settings but for the threshold; decon's own report goes to `out`."""
    decon = importlib.import_module("decon")
    config = decon.Config(corpus, evals, out, contamination_score_threshold=float(threshold), worker_threads=1)
    decon.detect(config)


if __name__ == "__main__":
    main(*sys.argv[1:])
