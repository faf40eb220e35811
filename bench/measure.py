"""Run one command as a child and say what it cost: wall and CPU seconds, peak resident memory."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What a child process used. `peak_mib` is its largest resident set in MiB."""

    exit_code: int
    wall_seconds: float
    cpu_seconds: float
    peak_mib: float


def cost_of(command: list[str]) -> Cost:
    """Run `command` with its output discarded and measure it through `wait4`.

    Compiled modules may be kept, as they are where the package is installed: what is measured is not the compiler.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    begun = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    unit = 1 if sys.platform == "darwin" else 1024
    return Cost(
        exit_code=child.returncode,
        wall_seconds=time.perf_counter() - begun,
        cpu_seconds=usage.ru_utime + usage.ru_stime,
        peak_mib=usage.ru_maxrss * unit / 2**20,
    )


def least_cpu(command: list[str], repeats: int = 5, *, wanted: int = 0) -> float:
    """The least CPU seconds of `repeats` runs, after one to warm the caches; each must end with `wanted`.

    What else runs on the machine only ever adds to the figure, so the least is the command's own.
    """
    first = cost_of(command)
    if first.exit_code != wanted:
        raise SystemExit(f"{command} ended with {first.exit_code}, so nothing was measured")
    return min(cost_of(command).cpu_seconds for _ in range(repeats))
