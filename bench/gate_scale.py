"""The gate at size: 1,000 categories x 20 instances x 50 epochs, one million rows of Parquet, against its limits and peers.

The world (`scale_world.py`) is a suite folder, an index of a few documents, an admission record, a policy that `init`
wrote and a candidate run in which every trial names its own transcript. Peers measured in the same run: a bare interpreter
that reads the same Parquet file, and one that also counts violations per category; neither checks, decides, records or
reports anything. This process stays small, because a child's peak memory begins with that of the process it came from.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from measure import Cost, cost_of

LIMIT_SECONDS = 10.0
LIMIT_MIB = 2048.0

NOW = "2026-11-30T12:00:00Z"
DECIDED = (0, 1, 3)
"""Exit codes of a real decision; INVALID or a crash would time the wrong thing."""

READ_ALONE = "import sys, pyarrow.parquet as p; p.read_table(sys.argv[1])"
COUNT_ALONE = """
import sys, numpy as np, pyarrow.compute as c, pyarrow.parquet as p
table = p.read_table(sys.argv[1], columns=["instance_id", "category", "outcome"])
names = table["category"].unify_dictionaries().combine_chunks()
violating = c.equal(table["outcome"].cast("string"), "violation").to_numpy()
counts = np.bincount(names.indices.to_numpy()[violating], minlength=len(names.dictionary))
print(dict(zip(names.dictionary.to_pylist(), counts.tolist())))
"""
PEERS = (("pyarrow reads the file", READ_ALONE), ("pyarrow and numpy count", COUNT_ALONE))


def main() -> int:
    """Print cost and ratios; 1 when a limit is broken or the gate came to no decision."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--world", type=Path, help="Folder to make the world in, or to take it from when it is there.")
    parser.add_argument("--repeats", type=int, default=3, help="Measure so often and judge the quickest (default 3).")
    options = parser.parse_args()
    if options.world is not None:
        return measure(made(options.world), options.repeats)
    with tempfile.TemporaryDirectory(prefix="litmusgate-bench-") as folder:
        return measure(made(Path(folder)), options.repeats)


def made(folder: Path) -> Path:
    """The world in `folder`, made by another process unless it is there already."""
    if not (folder / "admission.json").exists():
        print("gate-scale: making the world (about half a minute)", flush=True)
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run([sys.executable, str(Path(__file__).with_name("scale_world.py")), str(folder)], check=True)
    return folder


def measure(world: Path, repeats: int) -> int:
    """Run the gate and the peers on `world`; the gate's store is new every time, so it writes what a first gate writes."""
    costs = []
    for _ in range(repeats):
        with tempfile.TemporaryDirectory(prefix="litmusgate-bench-store-") as store:
            costs.append(cost_of(gate_command(world, Path(store))))
    best = quickest(costs)
    peak = max(cost.peak_mib for cost in costs)
    show("litmusgate gate", best)
    run = str(world / "run.parquet")
    for name, source in PEERS:
        peer = quickest([cost_of([sys.executable, "-c", source, run]) for _ in range(repeats)])
        show(name, peer)
        print(
            f"gate-scale: gate / {name}: {best.wall_seconds / peer.wall_seconds:.1f}x the wall time, "
            f"{best.peak_mib / peer.peak_mib:.1f}x the memory"
        )
    print(
        f"gate-scale: of {LIMIT_SECONDS:.0f} s wall {best.wall_seconds / LIMIT_SECONDS:.0%} used, "
        f"of {LIMIT_MIB:.0f} MiB {peak / LIMIT_MIB:.0%}"
    )
    if {cost.exit_code for cost in costs} - {*DECIDED}:
        print(f"gate-scale: the gate ended with {[cost.exit_code for cost in costs]!r}, so nothing was measured")
        return 1
    return 0 if best.wall_seconds <= LIMIT_SECONDS and peak <= LIMIT_MIB else 1


def quickest(costs: list[Cost]) -> Cost:
    """The run that others disturbed least."""
    return min(costs, key=lambda cost: cost.wall_seconds)


def show(name: str, cost: Cost) -> None:
    """One line of figures."""
    print(
        f"gate-scale: {name}: {cost.wall_seconds:.2f} s wall, {cost.cpu_seconds:.2f} s CPU, "
        f"{cost.peak_mib:.0f} MiB, exit {cost.exit_code}",
        flush=True,
    )


def gate_command(world: Path, store: Path) -> list[str]:
    """The command of a user, with every report written."""
    command = [str(Path(sys.executable).with_name("litmusgate")), "gate", "--suite", str(world / "suite")]
    command += ["--policy", str(world / "policy.yaml"), "--admission", str(world / "admission.json")]
    command += ["--run", str(world / "run.parquet"), "--now", NOW]
    return [*command, "--store", str(store), "--out", str(store / "out")]


if __name__ == "__main__":
    sys.exit(main())
