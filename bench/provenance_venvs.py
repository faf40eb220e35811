"""Peers are installed apart from `.venv`, each in an environment of its own below `build/peers`, so that no pin meets theirs."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

PLACE = Path(__file__).resolve().parents[1] / "build" / "peers"
LONGEST_INSTALL_SECONDS = 600
LONGEST_QUESTION_SECONDS = 20

NEWEST_MINOR = 14
"""The newest Python 3 for which the pinned peers are built."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A peer to install. `requirements` are exact pins; `with_dependencies` is false where it would bring a deep-learning stack."""

    name: str
    requirements: tuple[str, ...]
    least_python: tuple[int, int] = (3, 11)
    with_dependencies: bool = True

    @property
    def version(self) -> str:
        """Name and version of the distribution measured."""
        return self.requirements[0].replace("==", " ")


TOOLS = (
    Tool(name="decon", requirements=("decontaminate==0.3.0.post4",), least_python=(3, 12)),
    Tool(name="corpus-assay", requirements=("corpus-assay==0.1.0",), least_python=(3, 12)),
    Tool(name="janitor", requirements=("lm_eval==0.4.13",), with_dependencies=False),
    Tool(
        name="datatrove",
        requirements=("datatrove==0.10.1", "spacy==3.8.18", "regex==2026.11.19", "xxhash==3.8.2"),
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Absent:
    """A peer that cannot be measured here, and why."""

    why: str


def install(tool: Tool) -> Path | Absent:
    """The interpreter in which `tool` is installed, or why there is none. An installation of the same pins is used again."""
    folder = PLACE / tool.name
    interpreter, stamp = folder / "bin" / "python", folder / "installed"
    wanted = "\n".join(tool.requirements)
    if stamp.is_file() and stamp.read_text("utf-8") == wanted and interpreter.exists():
        return interpreter
    python = find_python(tool.least_python)
    if python is None:
        return Absent(why=f"it needs Python {'.'.join(map(str, tool.least_python))} or newer, and none was found")
    shutil.rmtree(folder, ignore_errors=True)
    command = [str(interpreter), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    command += ["--only-binary", ":all:", *([] if tool.with_dependencies else ["--no-deps"]), *tool.requirements]
    for step in ([python, "-m", "venv", str(folder)], command):
        problem = failure_of(step)
        if problem is not None:
            return Absent(why=problem)
    stamp.write_text(wanted, "utf-8")
    return interpreter


def failure_of(command: list[str]) -> str | None:
    """Run `command`; its last line on standard error, or what else kept it from ending well."""
    try:
        done = subprocess.run(
            command, check=False, capture_output=True, text=True, errors="replace", timeout=LONGEST_INSTALL_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired) as problem:
        return f"installing it failed: {type(problem).__name__}"
    if not done.returncode:
        return None
    said = [line for line in done.stderr.splitlines() if line.startswith("ERROR")] or ["no reason given"]
    return f"installing it failed: {said[-1].removeprefix('ERROR: ')[:160]}"


def find_python(least: tuple[int, int]) -> str | None:
    """An interpreter of at least this version: this one, one on the path, or one that pyenv has."""
    if sys.version_info[:2] >= least:
        return sys.executable
    named = [f"python3.{minor}" for minor in range(least[1], NEWEST_MINOR + 1)]
    kept = [str(path) for path in sorted((Path.home() / ".pyenv" / "versions").glob("3.*/bin/python"))]
    for candidate in named + kept:
        if least <= version_of(candidate) <= (3, NEWEST_MINOR):
            return candidate
    return None


def version_of(interpreter: str) -> tuple[int, int]:
    """Its version; (0, 0) where it does not run, as the placeholder of a version manager does not."""
    source = "import sys; print(*sys.version_info[:2])"
    try:
        done = subprocess.run(
            [interpreter, "-c", source], check=False, capture_output=True, text=True, timeout=LONGEST_QUESTION_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired):
        return (0, 0)
    parts = done.stdout.split()
    return (int(parts[0]), int(parts[1])) if not done.returncode and len(parts) == 2 else (0, 0)
