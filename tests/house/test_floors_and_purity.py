"""The shape of the house: imports point down, and the core touches neither disk nor clock nor chance."""

import ast
import subprocess
import sys

import pytest
from house.rules import PROJECT, SOURCE

PURE = ("suite", "stats", "evidence", "provenance", "admission", "gate", "report", "documents.py", "where.py")
FORBIDDEN_CALLS = {"open", "now", "today", "utcnow"}
FORBIDDEN_MODULES = {"secrets", "uuid", "threading", "asyncio", "os", "pathlib", "time", "random", "socket", "subprocess"}
PURE_FILES = sorted(
    path for name in PURE for path in ([SOURCE / name] if name.endswith(".py") else (SOURCE / name).rglob("*.py"))
)


def impurities(tree: ast.Module) -> list[str]:
    """What a pure module may not do, as `line: what`."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [f"{node.lineno}: import {item.name}" for item in node.names if item.name.split(".")[0] in FORBIDDEN_MODULES]
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in FORBIDDEN_MODULES:
            found.append(f"{node.lineno}: from {node.module}")
        elif isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            if name in FORBIDDEN_CALLS:
                found.append(f"{node.lineno}: {name}(")
    return found


@pytest.mark.parametrize("path", PURE_FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_pure_module_has_no_side_door(path):
    """Bytes, now and rng come in as arguments: a pure module opens, asks and draws nothing itself."""
    assert impurities(ast.parse(path.read_text("utf-8"))) == []


def test_the_purity_test_sees_a_clock_a_file_and_a_draw():
    """The detector finds what it is for (it could pass on nothing otherwise)."""
    source = "import random\nfrom pathlib import Path\nx = open('f')\ny = datetime.now()\n"
    assert len(impurities(ast.parse(source))) == 4
    assert len(PURE_FILES) > 30


def test_import_floors_hold():
    """Imports point down only, siblings do not see each other, the command line sees only the façade."""
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()", "--no-cache"],
        cwd=PROJECT, capture_output=True, text=True, check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_only_the_trend_module_averages_outcomes():
    """B9: no decision function can see a mean; `gate` never imports `report`."""
    for path in (SOURCE / "gate").rglob("*.py"):
        text = path.read_text("utf-8")
        assert "litmusgate.report" not in text
        assert ".mean(" not in text


def test_files_and_functions_stay_short():
    """A file has at most 400 lines and a function at most 60 (STYLE S10)."""
    too_long = []
    for path in SOURCE.rglob("*.py"):
        text = path.read_text("utf-8")
        if text.count("\n") > 400:
            too_long.append(str(path))
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef) and (node.end_lineno or 0) - node.lineno + 1 > 60:
                too_long.append(f"{path}:{node.name}")
    assert too_long == []
