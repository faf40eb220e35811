"""The header of a run file: strict wire model to `RunHeader` and back (schema `litmusgate/run/1`)."""

from __future__ import annotations

import json
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from litmusgate.digest import is_digest
from litmusgate.documents import parse_json, validate
from litmusgate.errors import RunError
from litmusgate.evidence.run import RunHeader, SuiteStamp
from litmusgate.text import name_problem


def _digest(text: str) -> str:
    if not is_digest(text):
        raise ValueError("wanted `sha256:` and 64 lower-case hexadecimal digits")
    return text


def _name(text: str) -> str:
    problem = name_problem(text)
    if problem is not None:
        raise ValueError(problem)
    return text


_Digest = Annotated[str, AfterValidator(_digest)]
_Name = Annotated[str, AfterValidator(_name)]
_Count = Annotated[int, Field(ge=0, le=2**40)]
"""A verdict adds the counts of its runs, and integers from 2**53 on have no canonical JSON form, so no digest."""


class _Wire(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class _SuiteWire(_Wire):
    name: _Name
    version: _Name
    digest: _Digest
    instances: dict[_Name, _Digest]


class _HeaderWire(_Wire):
    """The first line. `suite` must be written even when it is null: a run without a suite says so."""

    schema_version: Literal["litmusgate/run/1"] = Field(alias="schema")
    agent: _Name
    build: _Name
    suite: _SuiteWire | None
    epochs: Annotated[int, Field(ge=1, le=2**31)]
    engine: _Name
    grader: _Digest | None = None
    importer: _Digest | None = None
    mapping: _Digest | None = None
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
