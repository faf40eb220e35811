"""`--where` expressions: a small language over the columns of a row, parsed by Python's `ast` behind a whitelist.

Allowed: column names, string, integer, float, `true false null` literals, `==`, `!=`, `in [..]`, `not in [..]`,
`and`, `or`, `not`, parentheses. Nothing is called, indexed or computed, so an expression cannot reach outside the row.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable, Collection, Mapping

from litmusgate.errors import Location, UsageError

_MAX_CHARACTERS = 4000
_MAX_DEPTH = 50
_LITERALS = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}
Row = Mapping[str, object]
Value = Callable[[Row], object]


def compile_where(text: str, *, known: Collection[str] | None = None) -> Callable[[Row], bool]:
    """The expression `text` as a function from a row to whether it is kept.

    `known` are the columns of the table: any other name is an error that lists them (None: names are only checked
    against each row). Raises `UsageError` with line and column within the expression; the returned function raises it
    for a column the row does not have and for a result that is not true or false.
    """
    tree = _parse(text)
    if known is not None:
        for name in _names(tree):
            if name.id not in known:
                raise _unknown_column(text, name, known)
    value = _compile(tree, text, 0)

    def keeps(row: Row) -> bool:
        kept = value(row)
        if not isinstance(kept, bool):
            raise _refused(text, tree, "the expression is neither true nor false", got=repr(kept)[:80])
        return kept

    return keeps


def columns(text: str) -> frozenset[str]:
    """The column names that the expression `text` reads. Raises `UsageError` when it does not parse."""
    return frozenset(name.id for name in _names(_parse(text)))


def _parse(text: str) -> ast.expr:
    if not text.strip():
        raise UsageError("the expression is empty", fix="write for example: mode == 'security'")
    if len(text) > _MAX_CHARACTERS:
        raise UsageError(f"the expression has {len(text)} characters", wanted=f"at most {_MAX_CHARACTERS}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # an unknown escape such as '\\d' is a mistake, not a warning
            tree = ast.parse(text.strip(), mode="eval").body
    except SyntaxError as problem:
        at = Location(path="--where", line=problem.lineno or 1, column=problem.offset or 1)
        fix = "compare with ==" if re.search(r"(?<![=!<>])=(?!=)", text) else None
        raise UsageError(f"the expression does not parse: {problem.msg}", got=repr(text), fix=fix, at=at) from problem
    except (ValueError, RecursionError, MemoryError) as problem:
        raise UsageError(f"the expression does not parse: {problem}", got=repr(text[:80])) from problem
    _compile(tree, text, 0)  # compiling is the whitelist: refuse here what compile_where would refuse
    return tree


def _names(tree: ast.expr) -> list[ast.Name]:
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id not in _LITERALS]
    return sorted(names, key=lambda name: (name.lineno, name.col_offset))


def _compile(node: ast.expr, text: str, depth: int) -> Value:
    if depth > _MAX_DEPTH:
        raise _refused(text, node, f"nested more than {_MAX_DEPTH} levels deep")
    match node:
        case ast.BoolOp(op=op, values=values):
            return _boolean(op, [_truth(value, text, depth + 1) for value in values])
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = _truth(operand, text, depth + 1)
            return lambda row: not inner(row)
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return _comparison(node, op, _compile(left, text, depth + 1), _compile(right, text, depth + 1), text)
        case ast.Compare():
            raise _refused(text, node, "comparisons may not be chained", fix="join them with and")
        case ast.Name(id=name) if name not in _LITERALS:
            return _column(node, name, text)
        case _:
            constant = _literal(node, text)
            return lambda _row: constant


def _boolean(op: ast.boolop, parts: list[Callable[[Row], bool]]) -> Value:
    if isinstance(op, ast.And):
        return lambda row: all(part(row) for part in parts)
    return lambda row: any(part(row) for part in parts)


def _truth(node: ast.expr, text: str, depth: int) -> Callable[[Row], bool]:
    value = _compile(node, text, depth)

    def holds(row: Row) -> bool:
        result = value(row)
        if not isinstance(result, bool):
            raise _refused(
                text, node, "and, or, not want true or false", got=repr(result)[:80], fix="compare it with =="
            )
        return result

    return holds


def _column(node: ast.Name, name: str, text: str) -> Value:
    def read(row: Row) -> object:
        if name not in row:
            raise _unknown_column(text, node, row)
        return row[name]

    return read


def _literal(node: ast.expr, text: str) -> object:
    match node:
        case ast.Constant(value=None | bool() | int() | float() | str() as value):
            return value
        case ast.Name(id=name) if name in _LITERALS:
            return _LITERALS[name]
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return -number
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return tuple(_literal(part, text) for part in parts)
        case _:
            raise _refused(
                text, node, "this is not part of the expression language", fix="compare columns with literals"
            )


def _comparison(node: ast.Compare, op: ast.cmpop, left: Value, right: Value, text: str) -> Value:
    match op:
        case ast.Eq():
            return lambda row: _equal(left(row), right(row))
        case ast.NotEq():
            return lambda row: not _equal(left(row), right(row))
        case ast.In() | ast.NotIn():
            if not isinstance(node.comparators[0], ast.List | ast.Tuple):
                raise _refused(
                    text, node.comparators[0], "in wants a list of literals", fix="write: column in ['a', 'b']"
                )
            wanted = isinstance(op, ast.In)
            return lambda row: _member(left(row), right(row)) is wanted
        case _:
            raise _refused(text, node, "this comparison is not part of the expression language", fix="use == or !=")


def _equal(left: object, right: object) -> bool:
    """Equality of JSON values: true is not 1, and "1" is not 1."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    return bool(left == right)


def _member(value: object, members: object) -> bool:
    return isinstance(members, tuple) and any(_equal(value, member) for member in members)


def _unknown_column(text: str, node: ast.Name, known: Collection[str]) -> UsageError:
    listed = ", ".join(sorted(known)[:50])
    return _refused(
        text, node, f"unknown column {node.id!r}", wanted=f"one of {listed}" if listed else "a table with columns"
    )


def _refused(
    text: str, node: ast.expr, what: str, *, got: str | None = None, wanted: str | None = None, fix: str | None = None
) -> UsageError:
    return UsageError(
        what,
        got=got if got is not None else repr(ast.get_source_segment(text.strip(), node) or text)[:120],
        wanted=wanted,
        fix=fix,
        at=Location(path="--where", line=node.lineno, column=node.col_offset + 1),
    )
