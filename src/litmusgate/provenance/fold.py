r"""Fold version 1: text to the words that are compared.

NFKD and case folding; marks and format characters dropped; look-alikes become the Latin letter they resemble; words are
runs of letters and digits of any script, one word a character where a script has no spaces (Han, kana, Thai, Lao, Khmer,
Myanmar); decimal digits of every script are `0-9`. HTML entities (also escaped twice) and the escapes `\n \t \r`
separate words, `\uXXXX` is the character it names; apostrophes inside a word vanish, also as an entity. A word that
mixes `a-z` with `0-9` is read as leet: 4 3 1 0 5 7 are a e i o s t. What one character becomes is shipped data
(`fold_table.py`).
"""

from __future__ import annotations

import re

from litmusgate.provenance.fold_table import FOLD_VERSION, fold_table

__all__ = ["FOLD_VERSION", "fold_spans", "fold_words"]

_SPECIAL = re.compile(
    r"&(?:amp;)*(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});"
    r"|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r"|\\u[0-9a-fA-F]{4}"
    r"|\\[ntr]"
)
_APOSTROPHE_ENTITIES = frozenset(
    {"&apos;", "&#39;", "&#x27;", "&rsquo;", "&#8217;", "&#x2019;", "&lsquo;", "&#8216;", "&#x2018;"}
)
_WORD = re.compile(r"[^ ']+(?:'[^ ']+)*")
_INNER_APOSTROPHE = re.compile(r"(?<=[^ '])'(?=[^ '])")
_MIXED = re.compile(r"(?:[a-z]+[0-9]|[0-9]+[a-z])[a-z0-9]*")
_DIGIT = re.compile(r"[0-9]")
_LEET = str.maketrans("431057", "aeiost")


def fold_words(text: str) -> list[str]:
    """The words of `text` in order; empty for a text without letters and digits (which is nothing to compare)."""
    if "&" in text or "\\" in text:
        text = _SPECIAL.sub(_plain, text)
    folded = text.translate(fold_table().covering(text))
    if "'" in folded:
        folded = _INNER_APOSTROPHE.sub("", folded).replace("'", " ")
    words = folded.split()
    return [word if word.isalpha() else _unleeted(word) for word in words] if _DIGIT.search(folded) else words


def fold_spans(text: str) -> list[tuple[str, int, int]]:
    """The words of `fold_words`, each with the half-open span of characters of `text` it was read from."""
    units = _units(text)
    table = fold_table().covering("".join(character for character, _, _ in units))
    owners = [(start, end) for character, start, end in units for _ in table[ord(character)]]
    folded = "".join(table[ord(character)] for character, _, _ in units)
    return [
        (_unleeted(match.group().replace("'", "")), owners[match.start()][0], owners[match.end() - 1][1])
        for match in _WORD.finditer(folded)
    ]


def _units(text: str) -> list[tuple[str, int, int]]:
    units: list[tuple[str, int, int]] = []
    at = 0
    for match in _SPECIAL.finditer(text):
        units += [(text[place], place, place + 1) for place in range(at, match.start())]
        units.append((_plain(match), match.start(), match.end()))
        at = match.end()
    return units + [(text[place], place, place + 1) for place in range(at, len(text))]


def _plain(match: re.Match[str]) -> str:
    """The one character that an entity or escape stands for here: the character it names, an apostrophe, or a space."""
    found = match.group()
    if found[0] == "&":
        return "'" if found.lower().replace("amp;", "") in _APOSTROPHE_ENTITIES else " "
    if found[1] != "u":
        return " "
    code = int(found[2:6], 16)
    if len(found) > 6:
        code = 0x10000 + ((code & 0x3FF) << 10) + (int(found[8:12], 16) & 0x3FF)
    return chr(code)


def _unleeted(word: str) -> str:
    return word.translate(_LEET) if _MIXED.fullmatch(word) else word
