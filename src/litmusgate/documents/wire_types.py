"""Types that every wire model shares: names and digests, refused with a reason where they are none."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import AfterValidator

from litmusgate.digest import is_digest
from litmusgate.text import name_problem


def _name(text: str) -> str:
    problem = name_problem(text)
    if problem is not None:
        raise ValueError(f"this cannot be a name: {problem}")
    return text


def _digest(text: str) -> str:
    if not is_digest(text):
        raise ValueError("wanted a digest: `sha256:` and 64 lower-case hexadecimal digits")
    return text


Name: TypeAlias = Annotated[str, AfterValidator(_name)]
"""An id, or the name of a category, agent, build, corpus … (T5)."""

Digest: TypeAlias = Annotated[str, AfterValidator(_digest)]
"""A complete sha256 digest, as `digest_bytes` writes it."""
