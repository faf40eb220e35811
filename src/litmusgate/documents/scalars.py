"""What an unquoted YAML scalar means here: JSON's values, or a plain string, or a trap that is refused with a hint."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

_LARGEST_INTEGER = 2**53 - 1
_WORDS = {"true": True, "false": False, "null": None, "~": None}
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_FLOAT = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_TRUTH_WORD = re.compile(r"yes|no|on|off", re.IGNORECASE)  # y and n are text to every reader in use (`lane_on: n`)
_OTHER_CASE = re.compile(r"true|false|null", re.IGNORECASE)
_TRAPS = (
    (re.compile(r"[-+]?\.(?:inf|nan)", re.IGNORECASE), "not a finite number", "quote it if it is text"),
    (
        re.compile(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?"),
        "read as a number in base 60 by other YAML readers",
        "quote it",
    ),
    (
        re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt \t].*)?"),
        "read as a date by other YAML readers",
        "quote it",
    ),
    (
        re.compile(r"[-+]?0[xob][0-9a-f_]*", re.IGNORECASE),
        "read as hexadecimal, octal or binary by some YAML readers",
        "write the number in decimal, or quote it if it is text",
    ),
    (
        re.compile(r"[-+]?0[0-9_]+"),
        "read as octal by some YAML readers",
        "write the number in decimal, or quote it if it is text",
    ),
    (
        re.compile(r"[-+]?(?:[0-9][0-9_]*\.?[0-9_]*|\.[0-9][0-9_]*)(?:[eE][-+]?[0-9]+)?"),
        "a number in a spelling that YAML readers disagree about",
        "write it as in JSON (5, -5, 0.5, 1e6), or quote it if it is text",
    ),
    (re.compile(r"<<"), "a merge key", "write the entries out"),
    (re.compile(r"="), "a YAML 1.1 default key", "quote it"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trap:
    """An unquoted scalar that means different things to different readers: why, and what to write instead."""

    why: str
    fix: str


def resolve_scalar(text: str) -> bool | int | float | str | None | Trap:
    """The value of the unquoted scalar `text`: `true false null ~`, decimal numbers, else the string itself.

    A `Trap` for everything that YAML 1.1 and 1.2 readers disagree about, for numbers that have no exact canonical
    form, and for the empty scalar, which people leave behind by accident.
    """
    if not text:
        return Trap(why="the value is empty", fix='write null or "", or remove the key')
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return _integer(text)
    if _FLOAT.fullmatch(text):
        number = float(text)
        return number if math.isfinite(number) else Trap(why="too large for a double", fix="quote it if it is text")
    if _TRUTH_WORD.fullmatch(text):
        return Trap(
            why="read as true or false by other YAML readers", fix=f'write true or false, or quote it: "{text}"'
        )
    if _OTHER_CASE.fullmatch(text):
        return Trap(why="spelled in another case", fix=f'write {text.lower()}, or quote it if it is text: "{text}"')
    for pattern, why, fix in _TRAPS:
        if pattern.fullmatch(text):
            return Trap(why=why, fix=fix)
    return text


def resolve_key(text: str) -> str | Trap:
    """The unquoted mapping key `text`, read as in `resolve_scalar`; a `Trap` too when that is no string."""
    value = resolve_scalar(text)
    if isinstance(value, str | Trap):
        return value
    return Trap(why="not a string", fix=f'quote the key: "{text}"')


def _integer(text: str) -> int | Trap:
    too_large = Trap(why=f"beyond ±{_LARGEST_INTEGER}, where doubles stop being exact", fix="quote it")
    if len(text) > 20:
        return too_large
    number = int(text)
    return number if abs(number) <= _LARGEST_INTEGER else too_large
