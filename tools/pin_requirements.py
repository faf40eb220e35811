"""Write requirements/development.txt: every package that tests and lint need, pinned, without a registry's address.

A fresh virtual environment resolves `.[corpora,s3,ray,dask,embed,test,lint]` and the build backend from wheels alone; what it then holds is
the list. Run it to move the pins: `.venv/bin/python tools/pin_requirements.py`.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
TARGET = PROJECT / "requirements" / "development.txt"
EXTRAS = ("corpora", "s3", "ray", "dask", "embed", "test", "lint")
HEADER = (
    "# Exact versions of everything `make setup` installs; wheels exist for Python 3.11 to 3.13 on Linux and macOS.\n"
    "# Written by tools/pin_requirements.py from pyproject.toml; move pins with it, not by hand.\n"
)


def wanted() -> list[str]:
    """The requirements of the core, of the extras the tests need, and of the build backend, as pyproject.toml names them."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))
    extras = project["project"]["optional-dependencies"]
    build = project["build-system"]["requires"]
    return [*project["project"]["dependencies"], *(item for extra in EXTRAS for item in extras[extra]), *build]


def resolve(requirements: list[str]) -> list[str]:
    """`name==version` of everything a fresh environment holds after installing `requirements`, sorted by name."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        pip = [str(Path(folder, "bin", "python")), "-m", "pip"]
        subprocess.run([*pip, "install", "--quiet", "--only-binary", ":all:", *requirements], check=True)
        frozen = subprocess.run([*pip, "freeze"], check=True, capture_output=True, text=True).stdout
    return sorted(frozen.split(), key=str.lower)


def main() -> int:
    """Write the file; 1 when a pin is anything but `name==version`."""
    pins = resolve(wanted())
    strange = [pin for pin in pins if pin.count("==") != 1 or "/" in pin]
    if strange:
        print(f"not plain pins: {strange}", file=sys.stderr)
        return 1
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(HEADER + "\n".join(pins) + "\n", "utf-8")
    print(f"{TARGET.relative_to(PROJECT)}: {len(pins)} pins")
    return 0


if __name__ == "__main__":
    sys.exit(main())
