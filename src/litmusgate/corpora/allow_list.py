"""The allow-list as a file: a YAML list of texts with name and reason, the text in place or in a file beside it."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, RootModel

from litmusgate.documents import Document, decode_utf8, parse_yaml, validate
from litmusgate.documents.wire_types import Name
from litmusgate.errors import Location, UsageError
from litmusgate.provenance.allowed import AllowedText

MOST_BYTES = 32 * 1024**2
"""Largest allow-list, and largest file of one text, in bytes."""


class _Item(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    name: Name
    reason: str
    text: str | None = None
    file: str | None = None


class _List(RootModel[tuple[_Item, ...]]):
    model_config = ConfigDict(strict=True, frozen=True)


def read_allow_list(path: Path) -> tuple[AllowedText, ...]:
    """The allowed texts of the file `path`, in its order.

    A `file` is a path relative to the folder of the list, read as UTF-8. Raises `UsageError` with file and line: for what
    is no list of `name`, `reason` and one of `text` and `file`, for an unknown key, a name that stands twice, a blank
    reason, a text of fewer than 5 words, and a file that cannot be read.
    """
    document = parse_yaml(_read(path, at=Location(path=str(path))), path=str(path), error=UsageError)
    items = validate(_List, document, what="allow-list", error=UsageError).root
    if not items:
        raise UsageError("the allow-list is empty", fix="add a text, or leave the list out", at=document.at())
    seen: set[str] = set()
    allowed: list[AllowedText] = []
    for number, item in enumerate(items):
        if item.name in seen:
            raise UsageError("the name stands twice in the allow-list", got=repr(item.name), at=document.at((number,)))
        seen.add(item.name)
        allowed.append(_allowed(item, path.parent, document, number))
    return tuple(allowed)


def _allowed(item: _Item, folder: Path, document: Document, number: int) -> AllowedText:
    at = document.at((number,))
    text = item.text
    if (text is None) == (item.file is None):
        got = "neither" if text is None else "both"
        raise UsageError("an allowed text needs its words", got=got, wanted="one of text and file", at=at)
    if text is None:
        text = _read(folder / str(item.file), at=document.at((number, "file")))
    try:
        return AllowedText(name=item.name, text=text, reason=item.reason)
    except ValueError as problem:
        raise UsageError(str(problem), at=at) from problem


def _read(path: Path, *, at: Location) -> str:
    """The text of a file; problems of reading it are told `at` the place that named it."""
    try:
        with path.open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except OSError as problem:
        raise UsageError(f"{path} cannot be read", got=problem.strerror or str(problem), at=at) from problem
    if len(data) > MOST_BYTES:
        raise UsageError(f"{path} is too large", wanted=f"at most {MOST_BYTES} bytes", at=at)
    return decode_utf8(data, path=str(path), error=UsageError)
