"""Start-up: `litmusgate --help` beside a bare interpreter importing pydantic and rich, and the quick commands on the demo."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from measure import least_cpu

LIMIT_SECONDS = 0.5
"""What `--help` may cost above the bare interpreter, in CPU seconds."""

COMMAND_LIMIT_SECONDS = 1.0
"""What a quick command may cost in all, in CPU seconds."""

HEAVY = [
    "scipy",
    "numpy",
    "numba",
    "pyarrow",
    "zstandard",
    "inspect_ai",
    "sqlalchemy",
    "cryptography",
    "starlette",
    "ray",
    "rapidfuzz",
    "ruamel.yaml",
]


def main() -> int:
    """Print each cost; 1 when one is above its limit or `--help` imports a heavy library."""
    command = str(Path(sys.executable).with_name("litmusgate"))
    bare = least_cpu([sys.executable, "-c", "import pydantic, rich"])
    helped = least_cpu([command, "--help"])
    print(f"start-up: litmusgate --help {helped:.3f} s CPU, pydantic and rich alone {bare:.3f} s: {helped / bare:.2f}x")
    print(f"start-up: {helped - bare:+.3f} s of the {LIMIT_SECONDS} s allowed")
    good = helped - bare <= LIMIT_SECONDS
    imported = heavy_imports()
    print(f"start-up: --help imports {', '.join(imported) or 'no heavy library'}")
    with tempfile.TemporaryDirectory(prefix="litmusgate-bench-") as folder:
        subprocess.run([command, "demo", "--out", folder], check=True, stdout=subprocess.DEVNULL)
        demo = Path(folder)
        verdict = next(iter(sorted((demo / "verdicts").rglob("verdict.json"))))
        quick = {
            "suite check": ["suite", "check", demo / "suite"],
            "verify": ["verify", verdict, "--store", demo / ".litmusgate"],
            "report": ["report", verdict],
        }
        for name, words in quick.items():
            cost = least_cpu([command, *map(str, words)], wanted=0)
            print(
                f"start-up: {name} {cost:.3f} s CPU of the {COMMAND_LIMIT_SECONDS} s allowed: {cost / bare:.2f}x bare"
            )
            good &= cost <= COMMAND_LIMIT_SECONDS
    return 0 if good and not imported else 1


def heavy_imports() -> list[str]:
    """The heavy libraries that `litmusgate --help` has imported when it ends."""
    source = "import sys; from litmusgate.cli.main import main; main(['--help']); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", source], check=True, capture_output=True, text=True)
    return [name for name in HEAVY if name in done.stderr.split()]


if __name__ == "__main__":
    sys.exit(main())
