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
_PLAIN_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")


def canonical_bytes(value: Json) -> bytes:
    """RFC 8785 bytes of `value`: equal values give equal bytes on every machine.

    Raises `ValueError` for NaN, infinities, integers beyond 2**53 - 1 and lone surrogates: none has a canonical form.
    """
    return _PLAIN_ENCODER.encode(value).encode("utf-8") if _is_plain(value) else rfc8785.dumps(value)


def _is_plain(value: Json) -> bool:
    """Whether the standard library writes `value` exactly as RFC 8785 does, many times faster: no floats, ASCII keys."""
    kind = type(value)
    if value is None or kind is str or kind is bool:
        return True
    if isinstance(value, dict):
        return all(type(key) is str and key.isascii() and _is_plain(child) for key, child in value.items())
    if isinstance(value, list | tuple):
        return all(map(_is_plain, value))
    return isinstance(value, int) and kind is int and -_LARGEST_INTEGER <= value <= _LARGEST_INTEGER


def digest_bytes(data: bytes) -> str:
    """`sha256:` and 64 lower-case hexadecimal digits of `data`."""
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def digest_json(value: Json) -> str:
    """Digest of the canonical bytes of `value`."""
    return digest_bytes(canonical_bytes(value))


def is_digest(text: str) -> bool:
    """Whether `text` is a complete digest as `digest_bytes` writes it."""
    return _DIGEST.fullmatch(text) is not None
