"""Build `src/litmusgate/provenance/fold_v1.json.gz` from the Unicode data of the Python that runs this.

The table is shipped as data because two Pythons disagree about Unicode: a fold computed at import would make the same
suite score differently on two machines. Run this only to make a *new* fold version; a rebuilt version 1 must keep the
digest written in `provenance/fold_table.py`, and this script says so when it does not.

Usage: `python tools/build_fold.py [--write]`; without `--write` it only prints the digest it would write.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import sys
import unicodedata
from pathlib import Path

from confusables import CONFUSABLES, OVERRIDES

TARGET = Path(__file__).resolve().parent.parent / "src" / "litmusgate" / "provenance" / "fold_v1.json.gz"
APOSTROPHES = "'\u2018\u2019\u201b\u02bc\u02b9\u2032\uff07"
INVISIBLE_LETTERS = "\u0640\u115f\u1160\u3164\uffa0"
"""Tatweel and the Hangul fillers: letters to Unicode, nothing to the eye."""
HANGUL = range(0xAC00, 0xD7A4)
"""Syllables decompose by arithmetic, which `fold_table` does; 11,172 rows need not be shipped."""
UNSPACED = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1780, 0x17FF),  # Khmer
    (0x3040, 0x30FF),  # Hiragana, Katakana
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),  # Han
    (0x4E00, 0x9FFF),
    (0x20000, 0x3FFFF),
)
"""Scripts written without spaces: one word a character."""


def is_unspaced(code: int) -> bool:
    """Whether the character is a word by itself."""
    return any(first <= code <= last for first, last in UNSPACED)


def folded(character: str) -> str:
    """What one character becomes: word characters, `'`, a space for a separator, or nothing."""
    if character in APOSTROPHES:
        return "'"
    if character in INVISIBLE_LETTERS:
        return ""
    if character in OVERRIDES:
        return OVERRIDES[character]
    category = unicodedata.category(character)
    if category[0] == "M" or category == "Cf":
        return ""
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", character).casefold())
    pieces = [_piece(part) for part in decomposed]
    return "".join(pieces)


def _piece(part: str) -> str:
    category = unicodedata.category(part)
    if category[0] == "M" or category == "Cf" or part in INVISIBLE_LETTERS:
        return ""
    if part in APOSTROPHES:
        return "'"
    part = CONFUSABLES.get(part, part)
    if len(part) > 1:
        return part
    if category == "Nd":
        return str(unicodedata.digit(part))
    if unicodedata.category(part)[0] not in "LN":
        return " "
    return f" {part} " if is_unspaced(ord(part)) else part


def build() -> bytes:
    """The table as canonical JSON: ranges kept, ranges that are words by themselves, ranges dropped, and mappings."""
    keep: list[int] = []
    single: list[int] = []
    drop: list[int] = []
    mapped: dict[str, list[int]] = {}
    for code in range(0x110000):
        if 0xD800 <= code < 0xE000 or code in HANGUL:
            continue
        character = chr(code)
        target = folded(character)
        if target == character and target not in " '":
            keep.append(code)
        elif target == f" {character} ":
            single.append(code)
        elif target == "":
            drop.append(code)
        elif target.strip(" "):
            mapped.setdefault(target, []).append(code)
    document = {
        "fold": 1,
        "unicode": unicodedata.unidata_version,
        "keep": _ranges(keep),
        "single": _ranges(single),
        "drop": _ranges(drop),
        "map": {target: _ranges(codes) for target, codes in sorted(mapped.items())},
    }
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def _ranges(codes: list[int]) -> list[list[int]]:
    ranges: list[list[int]] = []
    for code in codes:
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return ranges


def main() -> int:
    """Print the digest, and write the table when asked to."""
    data = build()
    sys.stdout.write(f"sha256:{hashlib.sha256(data).hexdigest()}  unicode {unicodedata.unidata_version}\n")
    if "--write" in sys.argv[1:]:
        TARGET.write_bytes(gzip.compress(data, mtime=0))
        sys.stdout.write(f"{TARGET}: {TARGET.stat().st_size} bytes\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
