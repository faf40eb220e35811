"""The shipped character table of fold version 1: what every character becomes, as data with a fixed digest."""

from __future__ import annotations

import bisect
import functools
import gzip
import hashlib
import json
from dataclasses import dataclass, field
from importlib import resources

from litmusgate.errors import CorpusError

FOLD_DIGEST = "sha256:362a682dafc719c0ee4b8f647449595bd558a73e9d18bba85d730068c77a28eb"
"""sha256 of the uncompressed table; a table of another digest is not loaded."""

FOLD_VERSION = f"litmusgate/fold/1@{FOLD_DIGEST}"
"""What every artefact made from folded text carries: the version of the rules and the digest of their data."""

_TABLE = "fold_v1.json.gz"
_KEEP, _SINGLE, _DROP = "keep", "single", "drop"
_HANGUL_FIRST, _HANGUL_LAST = 0xAC00, 0xD7A3
_LEAD, _VOWEL, _TRAIL = 0x1100, 0x1161, 0x11A7
_VOWELS, _TRAILS = 21, 28


@dataclass(frozen=True, slots=True)
class FoldTable:
    """Replacements by code point, filled for the characters that were met; unknown characters are separators.

    `starts`, `ends` and `kinds` are parallel and sorted by start; `kinds` is a word of `_KEEP _SINGLE _DROP` or, with
    a leading `=`, the text the characters become.
    """

    starts: tuple[int, ...]
    ends: tuple[int, ...]
    kinds: tuple[str, ...]
    known: dict[int, str] = field(default_factory=dict)

    def covering(self, text: str) -> dict[int, str]:
        """A mapping for `str.translate` that holds every character of `text`."""
        for character in set(text):
            code = ord(character)
            if code not in self.known:
                self.known[code] = self._replacement(code)
        return self.known

    def _replacement(self, code: int) -> str:
        if _HANGUL_FIRST <= code <= _HANGUL_LAST:
            return _jamo(code)
        place = bisect.bisect_right(self.starts, code) - 1
        if place < 0 or code > self.ends[place]:
            return " "
        kind = self.kinds[place]
        if kind == _KEEP:
            return chr(code)
        if kind == _SINGLE:
            return f" {chr(code)} "
        return "" if kind == _DROP else kind[1:]


def _jamo(code: int) -> str:
    """The canonical decomposition of a Hangul syllable, by the arithmetic of the Unicode Standard (3.12)."""
    offset = code - _HANGUL_FIRST
    lead, rest = divmod(offset, _VOWELS * _TRAILS)
    vowel, trail = divmod(rest, _TRAILS)
    return chr(_LEAD + lead) + chr(_VOWEL + vowel) + (chr(_TRAIL + trail) if trail else "")


@functools.cache
def fold_table() -> FoldTable:
    """The table of version 1, read once; raises `CorpusError` when the shipped data is not the data of `FOLD_DIGEST`."""
    packed = resources.files("litmusgate.provenance").joinpath(_TABLE).read_bytes()
    return parse_table(gzip.decompress(packed))


def parse_table(data: bytes) -> FoldTable:
    """The table written in `data`; raises `CorpusError` unless its sha256 is `FOLD_DIGEST`."""
    digest = f"sha256:{hashlib.sha256(data).hexdigest()}"
    if digest != FOLD_DIGEST:
        raise CorpusError(
            "the shipped fold table is not the one of fold version 1",
            got=repr(digest),
            wanted=repr(FOLD_DIGEST),
            fix="reinstall litmusgate",
        )
    document = json.loads(data)
    rows = [(first, last, kind) for kind in (_KEEP, _SINGLE, _DROP) for first, last in document[kind]]
    rows += [(first, last, f"={target}") for target, ranges in document["map"].items() for first, last in ranges]
    rows.sort()
    return FoldTable(
        starts=tuple(row[0] for row in rows),
        ends=tuple(row[1] for row in rows),
        kinds=tuple(row[2] for row in rows),
    )
