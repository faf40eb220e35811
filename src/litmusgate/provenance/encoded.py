"""Encodings in which a copy of a text may stand in a known document, and what a decoder finds in one.

Looked for: base64 (standard and URL-safe, over several lines, of UTF-8 or UTF-16), hexadecimal (in a row, or byte by byte
as `\\x41`, `0x41, ` or `41 `), percent-encoding, gzip and zlib inside the first two, and rot13. Only long runs count, only
what decodes to text is kept, and an encoding inside an encoding is followed one step. All of it takes time linear in the
text, whatever the text is.

A document may be passed over unread when it has no run of `LEAST_RUN` characters of base64 (hexadecimal included), no
`LEAST_ESCAPES` percent escapes, and no run of `LEAST_SPACED` characters that are hexadecimal digits or stand between two.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import re
import urllib.parse
import zlib
from collections.abc import Iterable, Iterator
from enum import StrEnum

LEAST_RUN = 48
"""Characters of an encoding's alphabet that must stand in a row; shorter runs are names, hashes and addresses."""
LEAST_ESCAPES = 4
"""Percent escapes that must stand in one address: as many as five words have between them."""
LEAST_SPACED = 71
"""Characters of 24 bytes written in hexadecimal one by one, the shortest way: two digits each, and one between."""
ADDRESS_MARKS = "._~+*'()!,/?:@&=$#;|-"
"""What stands in an address unescaped beside letters and digits."""
SPACED_MARKS = " ,:-x\\\r\n"
"""What stands between two bytes that are written in hexadecimal one by one."""
MOST_INFLATED_BYTES = 1 << 22
"""What is compressed in a document is read so far and no farther: a copy of an instance is smaller, a bomb larger."""


class Encoding(StrEnum):
    """How the words of a document were hidden from a plain reader."""

    BASE64 = "base64"
    HEX = "hex"
    ROT13 = "rot13"
    URL = "url"
    GZIP = "gzip"


# Possessive repeats (`++`, `*+`): what was taken is never given back, so that no text makes a search quadratic.
_LINE_END = r"(?:\r?\n|\\r\\n|\\n)[ \t]*+"
_HEX = re.compile(rf"[0-9a-fA-F]{{{LEAST_RUN},}}+(?:{_LINE_END}[0-9a-fA-F]++)*+")
_BASE64 = re.compile(rf"[A-Za-z0-9+/_-]{{{LEAST_RUN},}}+(?:{_LINE_END}[A-Za-z0-9+/_-]++)*+")
_LINE_ENDS = re.compile(_LINE_END)
_GAP = r"(?:,? |[,:-]|\r?\n)"
_BETWEEN = rf"(?:{_GAP}?(?:0x|\\{{1,2}}x)|{_GAP})"
_HEX_BYTES = re.compile(rf"[0-9a-fA-F]{{2}}(?:{_BETWEEN}[0-9a-fA-F]{{2}}){{{LEAST_RUN // 2 - 1},}}+")
_BETWEENS = re.compile(_BETWEEN)
_SPACED = re.compile(rf"[0-9a-fA-F{re.escape(SPACED_MARKS)}]{{{LEAST_SPACED},}}+")
_URL_PLAIN = rf"[A-Za-z0-9{ADDRESS_MARKS}]"
_URL_ESCAPE = "%[0-9a-fA-F]{2}"
_URL = re.compile(rf"{_URL_ESCAPE}(?:{_URL_PLAIN}*+{_URL_ESCAPE}){{{LEAST_ESCAPES - 1},}}+{_URL_PLAIN}*+")
_URL_REVERSED = re.compile(rf"{_URL_PLAIN}*+")
_CONTROLS = bytes({*range(32), 127} - set(b"\t\n\v\f\r"))
_HIDDEN = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\ue000-\uf8ff\ufffd]")
_GZIP_MAGIC = b"\x1f\x8b\x08"
_ZLIB_MAGIC = (b"\x78\x01", b"\x78\x5e", b"\x78\x9c", b"\x78\xda")
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
    room = MOST_INFLATED_BYTES
    for encoding, runs in binary.items():
        texts: list[str] = []
        for readings in runs:
            packed = next((piece for piece in readings if _is_packed(piece)), None)
            if packed is not None and room > 0:
                inflated = _inflated(packed, room)
                room -= len(inflated)
                gzipped += _first_text([inflated])
            else:
                texts += _first_text(readings)
        if texts:
            yield encoding, texts
    if gzipped:
        yield Encoding.GZIP, gzipped
    unquoted = [urllib.parse.unquote_plus(piece, errors="replace") for piece in _escaped(text)]
    if unquoted:
        yield Encoding.URL, unquoted


def _unhexed(text: str) -> Iterator[list[bytes]]:
    """For each run of hexadecimal digits its bytes, read from the first digit and from the second."""
    for match in _HEX.finditer(text):
        for run in _unwrapped(match.group()):
            yield [bytes.fromhex(run[start : start + (len(run) - start) // 2 * 2]) for start in (0, 1)]
    for stretch in _SPACED.finditer(text):
        for match in _HEX_BYTES.finditer(text, stretch.start(), stretch.end()):
            digits = _BETWEENS.sub("", match.group())
            yield [bytes.fromhex(digits[: len(digits) // 2 * 2])]


def _unbased(text: str) -> Iterator[list[bytes]]:
    """For each run of base64 its bytes, read from each of the first four characters: what stands before may be a path."""
    for match in _BASE64.finditer(text):
        for run in _unwrapped(match.group()):
            standard = run.replace("-", "+").replace("_", "/")
            yield [_unbased_run(standard[start:]) for start in range(4)]


def _unbased_run(run: str) -> bytes:
    run = run[: len(run) - 1] if len(run) % 4 == 1 else run
    try:
        return base64.b64decode(run + "=" * (-len(run) % 4))
    except binascii.Error:
        return b""


def _unwrapped(run: str) -> Iterator[str]:
    """What stands in the lines of a run: lines as wide as the first belong to it, and one shorter one that ends it."""
    joined: list[str] = []
    for line in _LINE_ENDS.split(run):
        if joined and (len(line) > len(joined[0]) or len(joined[-1]) < len(joined[0])):
            yield "".join(joined)
            joined = []
        if joined or len(line) >= LEAST_RUN:
            joined.append(line)
    if joined:
        yield "".join(joined)


def _escaped(text: str) -> Iterator[str]:
    """The percent-encoded pieces of `text`, each from where its unescaped beginning starts."""
    end = 0
    for match in _URL.finditer(text) if text.count("%") >= LEAST_ESCAPES else ():
        before = _URL_REVERSED.match(text[end : match.start()][::-1])
        yield text[match.start() - (before.end() if before else 0) : match.end()]
        end = match.end()


def _is_packed(piece: bytes) -> bool:
    return piece.startswith(_GZIP_MAGIC) or piece.startswith(_ZLIB_MAGIC)


def _inflated(piece: bytes, most: int) -> bytes:
    """The unpacked bytes of a gzip or zlib stream, as far as they go but at most so many; empty for anything else."""
    try:
        return zlib.decompressobj(wbits=47).decompress(piece, most)
    except zlib.error:
        return b""


def _first_text(readings: Iterable[bytes]) -> list[str]:
    """The first of several readings that is text; a decoder makes something of every run."""
    for piece in readings:
        text = _as_text(piece)
        if text is not None:
            return [text]
    return []


def _as_text(piece: bytes) -> str | None:
    """The bytes as text, or None when they are not mostly printable."""
    wide = _wide(piece)
    if wide is not None:
        text = piece.decode(wide, "replace")
    elif (len(piece) - len(piece.translate(None, _CONTROLS))) * 10 > len(piece):
        return None
    else:
        text = piece.decode("utf-8", "replace")
    if not text:
        return None
    shown = len(text) - len(_HIDDEN.findall(text))
    return text if shown * 10 >= len(text) * _PRINTABLE_OF_TEN else None


def _wide(piece: bytes) -> str | None:
    """Which UTF-16 the bytes are in: by their mark, or because nearly every other one is zero."""
    if piece.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if piece.count(0) * 10 < len(piece) * 4:
        return None
    return "utf-16-le" if piece[1::2].count(0) >= piece[::2].count(0) else "utf-16-be"
