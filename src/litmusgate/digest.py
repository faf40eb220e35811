"""Canonical JSON (RFC 8785) and the sha256 digests that name everything."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias

import rfc8785

Json: TypeAlias = "None | bool | int | float | str | Sequence[Json] | Mapping[str, Json]"
"""A JSON value; never passed beyond a codec except as an opaque value of a suite's author."""

_LARGEST_INTEGER = 2**53 - 1
_SMALLEST_DECIMAL = 1e-4
_PLAIN_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
_WRITTEN_ALIKE = frozenset({str, bool, type(None)})
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")


def canonical_bytes(value: Json) -> bytes:
    """RFC 8785 bytes of `value`: equal values give equal bytes on every machine.

    Raises `ValueError` for NaN, infinities, integers beyond 2**53 - 1 and lone surrogates: none has a canonical form.
    """
    try:
        return _PLAIN_ENCODER.encode(_plain(value)).encode("utf-8")
    except _NotPlain:
        return rfc8785.dumps(value)


class _NotPlain(Exception):  # noqa: N818 - a signal between the two functions here, never seen outside
    """The value holds something that the standard library writes otherwise than RFC 8785 does, or not at all."""


def _plain(value: Json) -> Json:
    """`value` in a form that the standard library writes exactly as RFC 8785 does, many times faster.

    Raises `_NotPlain` for keys that are not ASCII text, integers beyond the doubles, and floats outside 0.0001 … 2**53,
    where the two write differently.
    """
    kind = type(value)
    if kind is str or value is None or kind is bool:
        return value
    if isinstance(value, dict):
        if not _are_ascii(value):
            raise _NotPlain
        if _WRITTEN_ALIKE.issuperset(map(type, value.values())):
            return value
        return dict(zip(value, map(_plain, value.values()), strict=True))
    if isinstance(value, list | tuple):
        return value if _WRITTEN_ALIKE.issuperset(map(type, value)) else [*map(_plain, value)]
    if isinstance(value, int) and kind is int and -_LARGEST_INTEGER <= value <= _LARGEST_INTEGER:
        return value
    if isinstance(value, float) and (value == 0 or _SMALLEST_DECIMAL <= abs(value) <= _LARGEST_INTEGER):
        return int(value) if value.is_integer() else value
    raise _NotPlain


def _are_ascii(keys: Mapping[str, Json]) -> bool:
    try:
        return "".join(keys).isascii()
    except TypeError:  # a key that is no text
        return False


def digest_bytes(data: bytes) -> str:
    """`sha256:` and 64 lower-case hexadecimal digits of `data`."""
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def digest_json(value: Json) -> str:
    """Digest of the canonical bytes of `value`."""
    return digest_bytes(canonical_bytes(value))


def is_digest(text: str) -> bool:
    """Whether `text` is a complete digest as `digest_bytes` writes it."""
    return _DIGEST.fullmatch(text) is not None
