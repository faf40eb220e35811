"""The verdict file `litmusgate/verdict/1` at the wire: strict models, canonical bytes, and the reader (DESIGN §3).

`verdict.json` *is* the canonical bytes: its sha256 names the record. Shares are 0…1, counts are integers, and what was
not measurable is null with a phrase beside it (`absent` of a category, `reason` of the trend), never zero.
"""

from __future__ import annotations

import json
from typing import Annotated, Final, Literal

from pydantic import Field, ValidationError, model_validator

from litmusgate.digest import canonical_bytes
from litmusgate.errors import Location, RecordError
from litmusgate.gate.verdict import Decision, Lane
from litmusgate.report.shown import (
    AdmissionShown,
    CategoryShown,
    Count,
    CounterfactualShown,
    EvidenceShown,
    Inputs,
    Instant,
    Reason,
    Share,
    SuiteShown,
    TrendShown,
    Wire,
)

VERDICT_SCHEMA: Final = "litmusgate/verdict/1"


class VerdictDocument(Wire):
    """The verdict file. Categories are sorted by name; `suite`, `admission`, `counterfactual` are null when unreadable.

    `override` is reserved for signed overrides and is null. `synthetic`: at least one run came from scripted agents.
    """

    schema_: Annotated[Literal["litmusgate/verdict/1"], Field(alias="schema")] = VERDICT_SCHEMA
    decision: Decision
    reasons: tuple[Reason, ...]
    agent: str
    build: str
    evaluated_at: Instant
    synthetic: bool
    suite: SuiteShown | None
    inputs: Inputs
    earlier_verdicts: Count
    categories: tuple[CategoryShown, ...]
    checks: dict[str, str]
    admission: AdmissionShown | None
    counterfactual: CounterfactualShown | None
    trend: TrendShown
    evidence: EvidenceShown
    family_false_block: Share | None
    unsafe: tuple[str, ...]
    notes: dict[str, Count]
    override: None
    versions: dict[str, str]

    @model_validator(mode="after")
    def _not_a_pass_on_nothing(self) -> VerdictDocument:
        names = [category.name for category in self.categories]
        if names != sorted(set(names)):
            raise ValueError("the categories are not sorted by name, each once")
        gated = [category for category in self.categories if category.lane is not Lane.ADVISORY]
        if self.decision is Decision.PASS:
            if not any(category.lane is Lane.HARD_GATED for category in gated):
                raise ValueError("decision PASS without any hard-gated category")
            if any(category.decision is not Decision.PASS for category in gated):
                raise ValueError("decision PASS over a category that is not PASS")
            if any(reason.decision is not Decision.PASS for reason in self.reasons):
                raise ValueError("decision PASS over a reason that is not PASS")
        elif not self.reasons and all(category.decision is Decision.PASS for category in gated):
            raise ValueError(f"decision {self.decision.value} without a reason")
        return self


def verdict_bytes(document: VerdictDocument) -> bytes:
    """The canonical bytes of `document`: what `verdict.json` holds and what its digest is taken over."""
    return canonical_bytes(document.model_dump(mode="json", by_alias=True))


def read_verdict(data: bytes, *, path: str) -> VerdictDocument:
    """The verdict in `data`; white space and key order do not matter here (`verify` holds the bytes to be canonical).

    Raises `RecordError` for anything that is not exactly a verdict of this schema version: no JSON, a truncated file, a
    repeated or unknown key, NaN, another schema, counts that contradict each other, PASS with nothing behind it.
    """
    at = Location(path=path)
    try:
        value = json.loads(data, object_pairs_hook=_no_repeats, parse_constant=_no_constants)
    except (ValueError, RecursionError) as error:
        raise RecordError(
            "this is not a verdict: it is no strict JSON", got=str(error), wanted=f"a {VERDICT_SCHEMA} file", at=at
        ) from error
    schema = value.get("schema") if isinstance(value, dict) else None
    if schema != VERDICT_SCHEMA:
        raise RecordError(
            "this is not a verdict of a version that can be read",
            got=f"schema {schema!r}",
            wanted=f"schema {VERDICT_SCHEMA!r}",
            fix="give the verdict.json that `litmusgate gate --out` wrote",
            at=at,
        )
    try:
        return VerdictDocument.model_validate_json(data)
    except ValidationError as error:
        raise RecordError(
            "this verdict is malformed: no gate writes such a file",
            got=_first_problems(error),
            fix="take the unedited file, or the record of its name in the store",
            at=at,
        ) from error


def _first_problems(error: ValidationError) -> str:
    problems = [
        f"{'.'.join(str(part) for part in item['loc']) or 'document'}: {item['msg'].removeprefix('Value error, ')}"
        + (f" ({item['input']!r:.80})" if item["loc"] else "")
        for item in error.errors(include_url=False)
    ]
    return "; ".join(problems[:5]) + (f"; and {len(problems) - 5} more" if len(problems) > 5 else "")


def _no_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result = dict(pairs)
    if len(result) != len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"key {next(name for name in names if names.count(name) > 1)!r} stands twice")
    return result


def _no_constants(text: str) -> object:
    raise ValueError(f"{text} is not a JSON number")
