"""Canonical JSON (RFC 8785) and the sha256 digests that name everything."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias

import rfc8785

Json: TypeAlias = "None | bool | int | float | str | Sequence[Json] | Mapping[str, Json]"
"""A JSON value; never passed beyond a codec except as an opaque value of a suite's author."""

_DIGEST = re.compile(r"sha256:[0-9a-f]{64}")


def canonical_bytes(value: Json) -> bytes:
    """RFC 8785 bytes of `value`: equal values give equal bytes on every machine.

    Raises `ValueError` for NaN, infinities, integers beyond 2**53 - 1 and lone surrogates: none has a canonical form.
    """
    return rfc8785.dumps(value)


def digest_bytes(data: bytes) -> str:
    """`sha256:` and 64 lower-case hexadecimal digits of `data`."""
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def digest_json(value: Json) -> str:
    """Digest of the canonical bytes of `value`."""
    return digest_bytes(canonical_bytes(value))


def is_digest(text: str) -> bool:
    """Whether `text` is a complete digest as `digest_bytes` writes it."""
    return _DIGEST.fullmatch(text) is not None
