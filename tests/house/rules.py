"""The rule index: which function is the home of which rule, and which tests name it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
SOURCE = PROJECT / "src" / "litmusgate"
TESTS = PROJECT / "tests"

RULES = (
    *(f"A{number}" for number in range(1, 15)),
    *(f"B{number}" for number in range(1, 17)),
    *(f"E{number}" for number in range(1, 12)),
    *(f"T{number}" for number in range(1, 6)),
)

OPEN_RULES = frozenset({"B12", "T1", "T3"})
"""Rules of capabilities that are not built yet; this set may only shrink."""

_HOME = re.compile(r"([ABET]\d{1,2}): ")
_MENTION = re.compile(r"\b([ABET]\d{1,2})\b")


def functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Every function with its dotted name inside the module."""
    stack: list[tuple[str, ast.AST]] = [("", tree)]
    while stack:
        prefix, node = stack.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.ClassDef):
                stack.append((f"{prefix}{child.name}.", child))
            elif isinstance(child, ast.FunctionDef):
                yield f"{prefix}{child.name}", child


def rule_homes() -> dict[str, list[str]]:
    """Rule id → `module:function` of every function whose docstring starts with it."""
    homes: dict[str, list[str]] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        module = ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts)
        for name, function in functions(ast.parse(path.read_text("utf-8"))):
            found = _HOME.match(ast.get_docstring(function) or "")
            if found:
                homes.setdefault(found.group(1), []).append(f"{module}:{name}")
    return homes


def rules_in_tests() -> dict[str, list[str]]:
    """Rule id → tests (`file:function`) whose docstring names it."""
    named: dict[str, list[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        for name, function in functions(ast.parse(path.read_text("utf-8"))):
            if not name.rpartition(".")[2].startswith("test_"):
                continue
            for rule in set(_MENTION.findall(ast.get_docstring(function) or "")):
                named.setdefault(rule, []).append(f"{path.relative_to(PROJECT)}:{name}")
    return named
