"""Hostile text: what may stand in a name, and how any text is shown (T5).

Suites, logs and models write the texts we handle. Names (ids, categories, agents, builds) are refused at the
codec when they hold control characters or lone surrogates; everything else is kept as it is and shown through
`visible`, which never emits a control sequence and never maps two texts to one.
"""

from __future__ import annotations

import unicodedata

MAX_NAME_CHARACTERS = 512
"""Longest id, category, cluster, agent or build name, in characters (DESIGN §7)."""

MAX_TEXT_CHARACTERS = 8_000_000
"""Longest single text field of a suite or a run, in characters; longer ones are refused at the codec."""

_REFUSED_IN_NAMES = frozenset({"Cc", "Cs", "Zl", "Zp"})
_ESCAPED_WHEN_SHOWN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


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


def _visible_character(character: str) -> str:
    if character == "\\":
        return "\\\\"
    if unicodedata.category(character) not in _ESCAPED_WHEN_SHOWN:
        return character
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    if code < 0x10000:
        return f"\\u{code:04x}"
    return f"\\U{code:08x}"
