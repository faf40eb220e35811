"""JSON as foreign tools write it: strict about what could hide evidence, patient about what could not.

Refused: truncation, anything behind the value, a key that stands twice (the last would win), nesting beyond reason.
Accepted: NaN and infinities, which several tools write where they have no score; they arrive as floats and every
importer must turn them into UNKNOWN or an error.
"""

from __future__ import annotations

import json

from litmusgate.digest import Json
from litmusgate.errors import ImportFormatError, Location


def parse_log_json(text: str, *, path: str, first_line: int = 1) -> Json:
    """The value of `text`; raises `ImportFormatError` with line and column of the first thing that is not JSON."""
    try:
        value: Json = _DECODER.decode(text)
    except json.JSONDecodeError as problem:
        at_end = not text[problem.pos :].strip()
        raise ImportFormatError(
            "the text is empty" if not text.strip() else f"not valid JSON: {problem.msg}",
            got="the end of the text" if at_end else repr(text[problem.pos : problem.pos + 20]),
            fix="if the file was cut off, fetch it again" if at_end else None,
            at=Location(path=path, line=first_line + problem.lineno - 1, column=problem.colno),
        ) from problem
    except _RepeatedKeyError as problem:
        raise ImportFormatError(
            f"key {problem.args[0]!r} stands twice in one object",
            wanted="unique keys: the last of two would silently win",
            at=Location(path=path, line=first_line),
        ) from problem
    except ValueError as problem:  # a number of thousands of digits
        raise ImportFormatError(f"not valid JSON: {problem}", at=Location(path=path, line=first_line)) from problem
    except RecursionError as problem:
        raise ImportFormatError("nested too deeply to be a log", at=Location(path=path, line=first_line)) from problem
    return value


class _RepeatedKeyError(Exception):
    pass


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    value = dict(pairs)
    if len(value) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _RepeatedKeyError(key)
            seen.add(key)
    return value


_DECODER = json.JSONDecoder(object_pairs_hook=_unique)
