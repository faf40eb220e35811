"""Encodings in which a copy of a text may stand in a known document, and what a decoder finds in one.

Looked for: base64 (standard and URL-safe, also over several lines), hexadecimal, percent-encoding, gzip inside the first
two, and rot13. Only long runs count, only what decodes to text is kept, and an encoding inside an encoding is followed
one step.
"""

from __future__ import annotations

import base64
import binascii
import re
import urllib.parse
import zlib
from collections.abc import Iterable, Iterator
from enum import StrEnum

LEAST_RUN = 48
"""Characters of an encoding's alphabet that must stand in a row; shorter runs are names, hashes and addresses."""
MOST_INFLATED_BYTES = 1 << 22
"""A compressed piece is read so far and no farther: a copy of an instance is smaller."""


class Encoding(StrEnum):
    """How the words of a document were hidden from a plain reader."""

    BASE64 = "base64"
    HEX = "hex"
    ROT13 = "rot13"
    URL = "url"
    GZIP = "gzip"


_LINE_END = r"(?:\r?\n|\\r\\n|\\n)[ \t]*"
_HEX = re.compile(rf"[0-9a-fA-F]{{{LEAST_RUN},}}(?:{_LINE_END}[0-9a-fA-F]+)*")
_BASE64 = re.compile(rf"[A-Za-z0-9+/_-]{{{LEAST_RUN},}}(?:{_LINE_END}[A-Za-z0-9+/_-]+)*")
_URL = re.compile(r"(?:[A-Za-z0-9._~+*'()!-]*%[0-9a-fA-F]{2}){4,}[A-Za-z0-9._~+*'()!-]*")
_BREAKS = re.compile(rf"{_LINE_END}")
_GZIP_MAGIC = b"\x1f\x8b\x08"
_PRINTABLE_OF_TEN = 9
_ROT13 = str.maketrans("abcdefghijklmnopqrstuvwxyz", "nopqrstuvwxyzabcdefghijklm")


def rotated(words: Iterable[str]) -> list[str]:
    """Folded words with every Latin letter moved by 13 places; twice is the words again."""
    return [word.translate(_ROT13) for word in words]


def decoded_texts(text: str) -> list[tuple[Encoding, str]]:
    """What stands encoded in `text`, in order: all pieces of one encoding joined, an encoding inside it after it."""
    found: list[tuple[Encoding, str]] = []
    for encoding, pieces in _pieces(text):
        joined = "\n".join(pieces)
        found.append((encoding, joined))
        found += [(inner, "\n".join(deeper)) for inner, deeper in _pieces(joined)]
    return found


def _pieces(text: str) -> Iterator[tuple[Encoding, list[str]]]:
    binary = {Encoding.HEX: _unhexed(text), Encoding.BASE64: _unbased(text)}
    gzipped: list[str] = []
    for encoding, pieces in binary.items():
        texts = [found for piece in pieces if (found := _as_text(piece)) is not None]
        gzipped += [found for piece in pieces if (found := _as_text(_inflated(piece))) is not None]
        if texts:
            yield encoding, texts
    if gzipped:
        yield Encoding.GZIP, gzipped
    unquoted = [urllib.parse.unquote_plus(match.group(), errors="replace") for match in _URL.finditer(text)]
    if unquoted:
        yield Encoding.URL, unquoted


def _unhexed(text: str) -> list[bytes]:
    runs = (_BREAKS.sub("", match.group()) for match in _HEX.finditer(text))
    return [bytes.fromhex(run[: len(run) // 2 * 2]) for run in runs]


def _unbased(text: str) -> list[bytes]:
    pieces: list[bytes] = []
    for match in _BASE64.finditer(text):
        run = _BREAKS.sub("", match.group()).replace("-", "+").replace("_", "/")
        run = run[: len(run) - 1] if len(run) % 4 == 1 else run
        try:
            pieces.append(base64.b64decode(run + "=" * (-len(run) % 4)))
        except binascii.Error:
            continue
    return pieces


def _inflated(piece: bytes) -> bytes:
    """The unpacked bytes of a gzip member, as far as they go; empty for anything else."""
    if not piece.startswith(_GZIP_MAGIC):
        return b""
    try:
        return zlib.decompressobj(wbits=31).decompress(piece, MOST_INFLATED_BYTES)
    except zlib.error:
        return b""


def _as_text(piece: bytes) -> str | None:
    """The bytes as text, or None when they are not mostly printable: a decoder makes something of every run."""
    text = piece.decode("utf-8", "replace")
    if not text:
        return None
    shown = sum(character.isprintable() or character.isspace() for character in text) - text.count("\ufffd")
    return text if shown * 10 >= len(text) * _PRINTABLE_OF_TEN else None
