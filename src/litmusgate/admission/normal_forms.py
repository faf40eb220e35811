"""Normal forms: whether a text stands on a surface although it was respelt or encoded (A4).

A surface is read in layers. First it is *decoded*: as it is, and out of URL, HTML and backslash escapes, hexadecimal,
base64 (any alignment, line breaks removed) and rot13, two layers deep. Then each decoded text is *spelt* in four ways:
`plain` (compatibility forms, case, marks, zero-width characters, look-alike letters, white space), `words`
(punctuation as blanks), `joined` (s p e l t letters drawn together) and `squeezed` (letters and digits only).
A token is searched in each pair; how often it stands there is counted, so that a declaration can cover one occurrence.
"""

from __future__ import annotations

import base64
import codecs
import html
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote_plus

from litmusgate.provenance.fold_table import fold_table

WHOLE_WORD_BELOW = 4
"""Tokens with fewer letters and digits than this count only as whole words, and only unencoded."""

SQUEEZED_FROM = 8
"""Tokens with at least this many letters and digits are also searched across blanks and punctuation."""

_LAYERS = 2
_BASE64_LINE_END = re.compile(r"(?<=[A-Za-z0-9+/])\r?\n[ \t]*(?=[A-Za-z0-9+/=])")
_BASE64_RUN = re.compile(r"[A-Za-z0-9+/]{6,}")
_HEX_RUN = re.compile(r"(?:[0-9a-fA-F][\s:,-]?){7,}[0-9a-fA-F]")
_HEX_PREFIX = re.compile(r"\\x|0x", re.IGNORECASE)
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})|\\U(0010[0-9a-fA-F]{4}|000[0-9a-fA-F]{5})")
_READABLE = re.compile(r"[^\x00-\x08\x0e-\x1f\x7f-\x9f\ufffd]{4,}")
_READABLE_LENGTH = 6
_SPELT_OUT = re.compile(r"(?<![^\W_])(?:[^\W_][\s._\-*]){2,}[^\W_](?![^\W_])")
_BLANKS = re.compile(r"\s+")
_NOT_ALPHANUMERIC = re.compile(r"[\W_]+")
_UNSPACED_SCRIPT_FROM = "\u2e80"
_UNENCODED = frozenset({"raw", "escapes"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Spelling:
    """One text in four spellings; `form` names the decoding that led to it (`raw`, `base64`, `rot13/hex`, …)."""

    form: str
    text: str
    plain: str
    words: str
    joined: str
    squeezed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Occurrence:
    """A token on a surface: `count` times in the spelling `spelling` of the decoding `form`."""

    form: str
    spelling: str
    count: int


@lru_cache(maxsize=1024)
def spellings(text: str) -> tuple[Spelling, ...]:
    """Every decoding of `text` in every spelling, `raw` first; equal decodings stand once."""
    return tuple(_spelt(form, decoded) for form, decoded in _decodings(text))


def is_blank(token: str) -> bool:
    """Whether `token` is nothing but white space, marks and invisible characters; it then stands nowhere, not everywhere."""
    return not _plain(token)


def occurrences(token: str, text: str) -> tuple[Occurrence, ...]:
    """Where `token` stands in `text`, in any normal form; empty for a blank token or text.

    Words end at anything that is not a letter or digit; scripts written without blanks have no word ends.
    """
    if is_blank(token) or not text:
        return ()
    wanted = _spelt("raw", token)
    return tuple(found for surface in spellings(text) for found in _in_spelling(wanted, surface))


def _in_spelling(wanted: Spelling, surface: Spelling) -> Iterator[Occurrence]:
    length = len(wanted.squeezed)
    short = length < WHOLE_WORD_BELOW and not _is_unspaced(wanted.plain)
    if short and surface.form not in _UNENCODED:
        return
    whole_word = short or "rot13" in surface.form
    pairs = [("plain", wanted.plain, surface.plain, whole_word)]
    if length >= WHOLE_WORD_BELOW:
        pairs.append(("words", wanted.words, surface.words, True))
        pairs.append(("joined", wanted.joined, surface.joined, whole_word))
    if length >= SQUEEZED_FROM:
        pairs.append(("squeezed", wanted.squeezed, surface.squeezed, False))
    for spelling, token, text, at_word_ends in pairs:
        count = _count(token, text, whole_word=at_word_ends)
        if count:
            yield Occurrence(form=surface.form, spelling=spelling, count=count)


def _count(token: str, text: str, *, whole_word: bool) -> int:
    count = text.count(token)
    if not whole_word or not count:
        return count
    return len(re.findall(rf"(?<![^\W_]){re.escape(token)}(?![^\W_])", text))


def _is_unspaced(text: str) -> bool:
    return any(character >= _UNSPACED_SCRIPT_FROM for character in text)


def _spelt(form: str, text: str) -> Spelling:
    plain = _plain(text)
    words = _NOT_ALPHANUMERIC.sub(" ", plain).strip()
    joined = _SPELT_OUT.sub(lambda run: _NOT_ALPHANUMERIC.sub("", run.group()), plain)
    return Spelling(
        form=form, text=text, plain=plain, words=words, joined=joined, squeezed=_NOT_ALPHANUMERIC.sub("", plain)
    )


def _plain(text: str) -> str:
    """`text` folded, with white space as single blanks."""
    compatible = unicodedata.normalize("NFKC", text)
    table = fold_table().covering(compatible)
    letters = {ord(character): _letter(character, table[ord(character)]) for character in set(compatible)}
    return _BLANKS.sub(" ", compatible.translate(letters)).strip()


def _letter(character: str, folded: str) -> str:
    """What `character` is searched as: the letters it folds to, nothing for a mark, itself where it separates words."""
    return folded.strip() or (character if folded else "")


def _decodings(text: str) -> Iterator[tuple[str, str]]:
    seen = {text}
    yield "raw", text
    layer = [("", text)]
    for _ in range(_LAYERS):
        deeper: list[tuple[str, str]] = []
        for outer, current in layer:
            for form, decoded in _one_layer(current):
                if not decoded or decoded in seen:
                    continue
                seen.add(decoded)
                deeper.append((f"{outer}{form}/", decoded))
                yield f"{outer}{form}", decoded
        layer = [(form, decoded) for form, decoded in deeper if not form.endswith("rot13/")]


def _one_layer(text: str) -> Iterator[tuple[str, str]]:
    yield "escapes", _unescaped(text)
    yield "hex", "\n".join(_hex_texts(text))
    yield "base64", "\n".join(_base64_texts(text))
    yield "rot13", codecs.encode(text, "rot13")


def _unescaped(text: str) -> str:
    text = unquote_plus(text) if "%" in text else text
    text = html.unescape(text) if "&" in text else text
    return _ESCAPE.sub(lambda escape: chr(int(next(filter(None, escape.groups())), 16)), text)


def _hex_texts(text: str) -> Iterator[str]:
    for run in _HEX_RUN.findall(_HEX_PREFIX.sub("", text)):
        digits = re.sub(r"[^0-9a-fA-F]", "", run)
        for start in (0, 1):
            usable = digits[start : start + (len(digits) - start) // 2 * 2]
            yield from _readable(bytes.fromhex(usable))


def _base64_texts(text: str) -> Iterator[str]:
    unwrapped = _BASE64_LINE_END.sub("", text).replace("-", "+").replace("_", "/")
    for run in _BASE64_RUN.findall(unwrapped):
        for start in range(4):
            digits = run[start:]
            usable = digits[:-1] if len(digits) % 4 == 1 else digits
            yield from _readable(base64.b64decode(usable + "=" * (-len(usable) % 4)))


def _readable(data: bytes) -> Iterator[str]:
    """The stretches of `data` that read as text: chance produces short ones, so those must be all there is."""
    text = data.decode("utf-8", "replace")
    for stretch in _READABLE.findall(text):
        if len(stretch) >= _READABLE_LENGTH or stretch == text:
            yield stretch
