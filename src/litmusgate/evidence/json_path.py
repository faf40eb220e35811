"""JSON paths of rubrics: dotted keys and `[index]`, from the root of a value (`to`, `items[0].sku`)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum
from typing import Final, TypeAlias

from litmusgate.digest import Json
from litmusgate.errors import SuiteError

_STEP = re.compile(r"(?:\A|(?<=.)\.)([^.\[\]]+)|\[(\d+)\]")

Path: TypeAlias = tuple[str | int, ...]


class _Absent(Enum):
    ABSENT = "absent"


ABSENT: Final = _Absent.ABSENT
"""What `lookup` gives where the path leads nowhere; it equals no JSON value, `null` included."""

Found: TypeAlias = "Json | _Absent"


def parse_path(path: str) -> Path:
    """The steps of `path`: a string is a key, an integer an index (from 0).

    Raises `SuiteError` when it is not a path: one that silently led nowhere would make every rubric hold its peace.
    """
    steps: list[str | int] = []
    position = 0
    while position < len(path):
        match = _STEP.match(path, position)
        if match is None:
            break
        key, index = match.groups()
        steps.append(key if key is not None else int(index))
        position = match.end()
    if not steps or position != len(path):
        raise SuiteError(
            "a rubric holds a path that cannot be read",
            got=repr(path),
            wanted="dotted keys and [index], such as 'items[0].sku'",
            fix="correct the path in the instance's rubric",
        )
    return tuple(steps)


def lookup(value: Json, path: str) -> Found:
    """The value at `path`, or `ABSENT`. A key asked of a list, or an index of an object, is absent."""
    here: Json = value
    for step in parse_path(path):
        if isinstance(step, int):
            if not isinstance(here, list | tuple) or step >= len(here):
                return ABSENT
            here = here[step]
        elif isinstance(here, Mapping) and step in here:
            here = here[step]
        else:
            return ABSENT
    return here


def equal(left: Found, right: Found) -> bool:
    """JSON equality: `true` is not 1, 1 is 1.0, `ABSENT` equals only itself, objects ignore the order of keys."""
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return left.keys() == right.keys() and all(equal(left[key], right[key]) for key in left)
    if isinstance(left, list | tuple) and isinstance(right, list | tuple):
        return len(left) == len(right) and all(equal(one, other) for one, other in zip(left, right, strict=True))
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    return left == right


def mentions(value: Found, text: str) -> bool:
    """Whether `text` stands in `value`, case ignored: in a string, in a number as written, or in any part of a list or object."""
    if isinstance(value, str):
        return text.casefold() in value.casefold()
    if isinstance(value, Mapping):
        return any(mentions(part, text) for part in value.values())
    if isinstance(value, list | tuple):
        return any(mentions(part, text) for part in value)
    if isinstance(value, bool) or value is None or value is ABSENT:
        return False
    return text in repr(value)
