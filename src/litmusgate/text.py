"""Hostile text: what may stand in a name, and how any text is shown (T5).

Suites, logs and models write the texts we handle. Names (ids, categories, agents, builds) are refused at the
codec when they hold control characters or lone surrogates; everything else is kept as it is and shown through
`visible`, which never emits a control sequence and never maps two texts to one.
"""

from __future__ import annotations

import json
import re
import unicodedata

MAX_NAME_CHARACTERS = 512
"""Longest id, category, cluster, agent or build name, in characters (DESIGN §7)."""

MAX_TEXT_CHARACTERS = 8_000_000
"""Longest single text field of a suite or a run, in characters; longer ones are refused at the codec."""

_REFUSED_IN_NAMES = frozenset({"Cc", "Cs", "Zl", "Zp"})
_ESCAPED_WHEN_SHOWN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_BLANK_LETTERS = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
    + "".join(chr(code) for block in (range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0)) for code in block)
)
"""Marks and letters that show nothing (Unicode: default ignorable), though their category does not say so."""

_COMMAND_ANYWHERE = re.compile(r"##(?=\[|vso\[|teamcity\[)")


def name_problem(name: str) -> str | None:
    """Why `name` may not be an id, category, cluster, agent or build; None when it may.

    Refused: empty, blank at either end, longer than `MAX_NAME_CHARACTERS`, control characters, lone
    surrogates, line and paragraph separators.
    """
    if not name:
        return "it is empty"
    if len(name) > MAX_NAME_CHARACTERS:
        return f"it has {len(name)} characters, more than {MAX_NAME_CHARACTERS}"
    if name != name.strip():
        return "it begins or ends with white space"
    if name.isascii() and name.isprintable():
        return None
    for position, character in enumerate(name):
        if unicodedata.category(character) in _REFUSED_IN_NAMES:
            return f"character {position + 1} is the control character or lone surrogate U+{ord(character):04X}"
    return None


def has_lone_surrogate(text: str) -> bool:
    """Whether `text` cannot be written as UTF-8."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def visible(text: str) -> str:
    r"""T5: `text` on one line with every control, format and unassigned character as a visible escape.

    Injective: a backslash is doubled, so `"\x1b"` the escape and `"\\x1b"` the four characters stay distinct.
    """
    if text.isascii() and text.isprintable() and "\\" not in text:
        return text
    return "".join(_visible_character(character) for character in text)


def inert_line(line: str) -> str:
    """`line` with an escape where a CI service would read a command; every other line as it is.

    A runner obeys lines it finds on stdout (`::error …`, `##[…]`, `##vso[…]`), also when they are indented, so a name in a
    suite could speak to it. `visible` can never have produced the escape by itself: it doubles a backslash of the text.
    """
    start = len(line) - len(line.lstrip())
    if line.startswith("::", start):
        line = f"{line[:start]}\\x3a{line[start + 1 :]}"
    return _COMMAND_ANYWHERE.sub(r"\\x23#", line)


def shown_line(text: str) -> str:
    """`text` as one line that is safe on a terminal and in the log of a CI service: visible, and no command."""
    return inert_line(visible(text))


def plain_json(text: str) -> str:
    """JSON `text` that is safe to print: what `visible` would escape, and what a CI service would obey, as JSON escapes.

    It has the same values: outside its strings JSON has none of these characters.
    """
    if not text.isascii():
        text = "".join(_json_character(character) if is_hidden(character) else character for character in text)
    return _COMMAND_ANYWHERE.sub(r"\\u0023#", text)


def yaml_quoted(text: str) -> str:
    """`text` as a double-quoted YAML string, with escapes for what may not stand there raw and for what shows nothing."""
    quoted = json.dumps(text, ensure_ascii=False)
    if text.isascii() and text.isprintable():
        return quoted
    return "".join(map(_yaml_character, quoted))


def is_hidden(character: str) -> bool:
    """Whether `character` shows nothing of itself, or changes how others are shown."""
    return unicodedata.category(character) in _ESCAPED_WHEN_SHOWN or character in _BLANK_LETTERS


def _yaml_character(character: str) -> str:
    if not is_hidden(character):
        return character
    return f"\\u{ord(character):04x}" if ord(character) < 0x10000 else f"\\U{ord(character):08x}"


def _json_character(character: str) -> str:
    code = ord(character)
    if code < 0x10000:
        return f"\\u{code:04x}"
    return f"\\u{0xD800 + ((code - 0x10000) >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"


def _visible_character(character: str) -> str:
    if character == "\\":
        return "\\\\"
    if not is_hidden(character):
        return character
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    if code < 0x10000:
        return f"\\u{code:04x}"
    return f"\\U{code:08x}"
