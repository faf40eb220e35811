"""Public names: each is documented, and the façade's three lists say the same."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import litmusgate
from house.rules import SOURCE
from litmusgate import api

FORBIDDEN_NAMES = ("utils", "helpers", "common", "base", "manager")


def undocumented(tree: ast.Module) -> Iterator[str]:
    """The module, and every public class and function (methods too) without a docstring."""
    if not ast.get_docstring(tree):
        yield "the module"
    stack: list[tuple[str, ast.Module | ast.ClassDef]] = [("", tree)]
    while stack:
        prefix, holder = stack.pop()
        for node in holder.body:
            if not isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) or node.name.startswith("_"):
                continue
            if not ast.get_docstring(node):
                yield f"{prefix}{node.name}"
            if isinstance(node, ast.ClassDef):
                stack.append((f"{prefix}{node.name}.", node))


def type_checking_imports(path: Path) -> dict[str, str]:
    """Name → `module:name` of every import under `if TYPE_CHECKING`."""
    blocks = [node for node in ast.parse(path.read_text("utf-8")).body if isinstance(node, ast.If)]
    return {
        item.asname or item.name: f"{node.module}:{item.name}"
        for block in blocks
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for item in node.names
    }


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda path: str(path.relative_to(SOURCE)))
def test_every_public_name_is_documented(path):
    """A reader of any public module, class, function or method finds what it does."""
    assert list(undocumented(ast.parse(path.read_text("utf-8")))) == []


def test_a_missing_docstring_is_seen():
    """The detector finds a bare module, function, class and method, and leaves private names alone."""
    source = "def a(): pass\nclass B:\n    def c(self): pass\n    def _d(self): pass\n"
    assert sorted(undocumented(ast.parse(source))) == ["B", "B.c", "a", "the module"]


def test_no_module_is_named_by_what_it_is_not():
    """A module called utils or helpers says nothing about what it holds."""
    names = {path.stem for path in SOURCE.rglob("*.py")}
    assert len(names) > 50
    assert names.isdisjoint(FORBIDDEN_NAMES)


def test_the_facade_says_the_same_to_readers_type_checkers_and_programs():
    """`__all__`, the table of homes and the imports for type checkers name the same things."""
    assert type_checking_imports(SOURCE / "api.py") == api.HOMES
    assert set(api.__all__) == set(api.HOMES)
    assert dir(api) == sorted(api.HOMES)


def test_the_package_offers_a_part_of_the_facade():
    """Every name of the package but the version is one of the façade's, and the same object."""
    offered = set(litmusgate.__all__) - {"__version__"}
    assert offered == set(type_checking_imports(SOURCE / "__init__.py"))
    assert offered <= set(api.__all__)
    assert [name for name in sorted(offered) if getattr(litmusgate, name) is not getattr(api, name)] == []


@pytest.mark.parametrize("name", api.__all__)
def test_every_name_of_the_facade_can_be_loaded(name):
    """No name of the façade points at nothing."""
    assert getattr(api, name) is not None


@pytest.mark.parametrize("module", [litmusgate, api], ids=lambda module: module.__name__)
def test_a_name_that_is_not_public_is_refused(module):
    """An unknown name is an error, never an empty default."""
    with pytest.raises(AttributeError, match="no attribute 'gates'"):
        _ = module.gates
