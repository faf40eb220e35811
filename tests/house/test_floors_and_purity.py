"""The shape of the house: imports point down, and the core touches neither disk nor clock nor chance."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from house.rules import PROJECT, SOURCE

PURE = ("suite", "stats", "evidence", "provenance", "admission", "gate", "report", "documents", "where.py", "text.py")
FORBIDDEN_CALLS = frozenset({"open", "now", "today", "utcnow"})
FORBIDDEN_MODULES = frozenset(
    {"asyncio", "os", "pathlib", "random", "secrets", "socket", "sqlite3", "subprocess", "threading", "time", "uuid"}
)
MOST_FILE_LINES = 400
MOST_FUNCTION_LINES = 60


def pure_files() -> list[Path]:
    """Every file of the rooms that must be pure; a name that matches nothing is an error, not an empty room."""
    found = []
    for name in PURE:
        files = [SOURCE / name] if name.endswith(".py") else sorted((SOURCE / name).rglob("*.py"))
        assert files, name
        found += files
    return found


def impurities(tree: ast.Module) -> list[str]:
    """What a pure module may not do, as `line: what`."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [item.name for item in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        else:
            names = []
        found += [f"{node.lineno}: import {name}" for name in names if name.split(".")[0] in FORBIDDEN_MODULES]
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            found += [f"{node.lineno}: {name}("] if name in FORBIDDEN_CALLS else []
    return found


def too_long(path: Path) -> Iterator[str]:
    """The file, and every function in it, that is longer than allowed."""
    text = path.read_text("utf-8")
    if text.count("\n") > MOST_FILE_LINES:
        yield f"{path}: {text.count(chr(10))} lines"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            lines = (node.end_lineno or 0) - node.lineno + 1
            if lines > MOST_FUNCTION_LINES:
                yield f"{path}:{node.name}: {lines} lines"


@pytest.mark.parametrize("path", pure_files(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_pure_module_has_no_side_door(path):
    """Bytes, now and rng come in as arguments: a pure module opens, asks and draws nothing itself."""
    assert path.is_file()
    assert impurities(ast.parse(path.read_text("utf-8"))) == []


def test_the_purity_test_sees_a_clock_a_file_and_a_draw():
    """The detector finds what it is for (it could pass on nothing otherwise)."""
    source = "import random\nfrom pathlib import Path\nx = open('f')\ny = datetime.now()\n"
    assert len(impurities(ast.parse(source))) == 4


def test_import_floors_hold():
    """Imports point down only, siblings do not see each other, the command line sees only the façade."""
    command = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    done = subprocess.run(
        [sys.executable, "-c", command, "--no-cache"], cwd=PROJECT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 kept, 0 broken" in done.stdout


def test_only_the_trend_module_averages_outcomes():
    """B9: no decision function can see a mean; `gate` never imports `report`."""
    for path in (SOURCE / "gate").rglob("*.py"):
        text = path.read_text("utf-8")
        assert "litmusgate.report" not in text
        assert ".mean(" not in text


def test_files_and_functions_stay_short():
    """A file has at most 400 lines and a function at most 60."""
    files = [path for folder in ("src", "tests", "tools", "bench") for path in sorted((PROJECT / folder).rglob("*.py"))]
    assert len(files) > 100
    over = [line for path in files for line in too_long(path)]
    assert over == []


def test_a_long_function_and_a_long_file_are_seen(tmp_path):
    """The length test finds what it is for."""
    path = tmp_path / "long.py"
    path.write_text("def long():\n" + "    x = 1\n" * 400, "utf-8")
    assert len(list(too_long(path))) == 2
