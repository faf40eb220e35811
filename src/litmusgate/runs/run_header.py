"""The header of a run file: strict wire model to `RunHeader` and back (schema `litmusgate/run/1`)."""

from __future__ import annotations

import json
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from litmusgate.documents import parse_json, validate
from litmusgate.documents.wire_types import Digest, Name
from litmusgate.errors import RunError
from litmusgate.evidence.run import RunHeader, SuiteStamp

_Count = Annotated[int, Field(ge=0, le=2**40)]
"""A verdict adds the counts of its runs, and integers from 2**53 on have no canonical JSON form, so no digest."""


class _Wire(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class _SuiteWire(_Wire):
    name: Name
    version: Name
    digest: Digest
    instances: dict[Name, Digest]


class _HeaderWire(_Wire):
    """The first line. `suite` must be written even when it is null: a run without a suite says so."""

    schema_version: Literal["litmusgate/run/1"] = Field(alias="schema")
    agent: Name
    build: Name
    suite: _SuiteWire | None
    epochs: Annotated[int, Field(ge=1, le=2**31)]
    engine: Name
    grader: Digest | None = None
    importer: Digest | None = None
    mapping: Digest | None = None
    started: str | None = None
    left_out: _Count = 0
    selection: str | None = None
    synthetic: bool = False
    notes: dict[str, _Count] = Field(default_factory=dict)


def header_text(header: RunHeader) -> str:
    """The header as one line of JSON, without the line end."""
    return json.dumps(header.document(), ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def header_from_text(text: str, *, path: str) -> RunHeader:
    """The header in `text`; raises `RunError` with path, line and column for an unknown key, version or type."""
    document = parse_json(text, path=path, error=RunError)
    wire = validate(_HeaderWire, document, what="run header", error=RunError)
    fields = wire.model_dump(exclude={"schema_version", "suite"})
    stamp = None if wire.suite is None else SuiteStamp(**wire.suite.model_dump())
    return RunHeader(suite=stamp, **fields)
