"""Start-up: CPU of `litmusgate --help` beside that of a bare interpreter importing pydantic and rich, in the same run."""

from __future__ import annotations

import sys
from pathlib import Path

from measure import median_cpu

LIMIT_SECONDS = 0.5


def main() -> int:
    """Print both and their difference; 1 when `--help` costs more than the limit above the bare interpreter."""
    command = Path(sys.executable).with_name("litmusgate")
    bare = median_cpu([sys.executable, "-c", "import pydantic, rich"])
    helped = median_cpu([str(command), "--help"])
    print(f"start-up: litmusgate --help {helped:.3f} s CPU, pydantic and rich alone {bare:.3f} s: {helped / bare:.2f}x")
    print(f"start-up: {helped - bare:+.3f} s of the {LIMIT_SECONDS} s allowed")
    return 0 if helped - bare <= LIMIT_SECONDS else 1


if __name__ == "__main__":
    sys.exit(main())
