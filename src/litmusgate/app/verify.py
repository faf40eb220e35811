"""Verifying a verdict: computing it again from the records it names, and comparing."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from litmusgate.app.files import MAX_RECORD_BYTES, read_bytes
from litmusgate.digest import digest_bytes
from litmusgate.errors import LitmusGateError, RecordError
from litmusgate.gate.verdict import Decision
from litmusgate.report.document import VerdictDocument, read_verdict, verdict_bytes
from litmusgate.report.layout import inert_line
from litmusgate.store.location import STORE_FOLDER, STORE_VARIABLE, default_store
from litmusgate.store.records import Kind, Store
from litmusgate.text import visible

FLOAT_TOLERANCE = 1e-9
"""Largest absolute difference of two floats that still counts as the same number."""


class Authenticity(StrEnum):
    """What verification found out. *Could not be verified* is not *is false*: an input is missing or unreadable."""

    AUTHENTIC = "authentic"
    DIFFERENT = "different"
    UNVERIFIABLE = "could not be verified"


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One place where record and recomputation differ: a JSON path, and both values as `repr`."""

    path: str
    recorded: str
    recomputed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyResult:
    """The outcome for one record; `why` explains anything but AUTHENTIC. `versions` lists libraries that differ, which alone
    does not make a verdict different.
    """

    authenticity: Authenticity
    decision: Decision
    digest: str
    differences: tuple[Difference, ...] = ()
    versions: tuple[Difference, ...] = ()
    why: str | None = None

    @property
    def authentic(self) -> bool:
        """Whether the record is what its inputs give; False also where that could not be found out."""
        return self.authenticity is Authenticity.AUTHENTIC


def verify_record(record: Path, *, store: Path | None = None) -> VerifyResult:
    """`verify` against the store `store`, else that of the environment, else the one `record` lies in, beside or below."""
    holder = _holder(record.absolute())
    named = store if store is not None or os.environ.get(STORE_VARIABLE) else holder
    return verify(record, default_store(named, beside=record, environment=os.environ))


def verify(record: Path, store: Store) -> VerifyResult:
    """T2: recompute the verdict in `record` from the inputs whose digests it names, kept in `store`, and compare.

    Decision, integers and texts must be equal, floats to 1e-9 (absolute); library versions are compared and reported only.
    The file must be the canonical bytes, or else its own digest would not name it. A missing, altered or unreadable input
    makes the record UNVERIFIABLE, never authentic. Raises `RecordError` when `record` itself is not a verdict.
    """
    data = read_bytes(record, what="the record", error=RecordError, max_bytes=MAX_RECORD_BYTES)
    document = read_verdict(data, path=str(record))
    digest = digest_bytes(data)
    try:
        recomputed = _recompute(document, digest, store)
    except LitmusGateError as error:
        return VerifyResult(
            authenticity=Authenticity.UNVERIFIABLE, decision=document.decision, digest=digest, why=error.render()
        )
    differences = compare(document, recomputed)
    if data != verdict_bytes(document):
        loose = Difference(path="$", recorded="bytes that are not canonical JSON", recomputed="canonical JSON")
        differences = (loose, *differences)
    return VerifyResult(
        authenticity=Authenticity.DIFFERENT if differences else Authenticity.AUTHENTIC,
        decision=document.decision,
        digest=digest,
        differences=differences,
        versions=_version_differences(document.versions, recomputed.versions),
        why=f"{len(differences)} places differ from what the inputs give" if differences else None,
    )


def compare(recorded: VerdictDocument, recomputed: VerdictDocument) -> tuple[Difference, ...]:
    """Every place where two verdicts differ, library versions aside, in the order of their paths."""
    left = recorded.model_dump(mode="json", by_alias=True, exclude={"versions"})
    right = recomputed.model_dump(mode="json", by_alias=True, exclude={"versions"})
    return tuple(_differences(left, right, "$"))


def render_verification(result: VerifyResult) -> str:
    """The result for people, ending in a newline; hostile text as visible escapes."""
    lines = [f"{result.authenticity.value}: verdict {result.decision.value}, {result.digest}"]
    if result.why is not None:
        lines += [f"  {line}" for line in result.why.split("\n")]
    lines += [f"  {item.path}: recorded {item.recorded}, recomputed {item.recomputed}" for item in result.differences]
    lines += [
        f"  note: {item.path}: recorded {item.recorded}, now {item.recomputed} (another version alone is no difference)"
        for item in result.versions
    ]
    return "\n".join(inert_line(visible(line)) for line in lines) + "\n"


def _holder(record: Path) -> Path | None:
    """The store that `record` is a verdict record of, else the nearest `.litmusgate` in its folder or one above it, as
    `--out verdict` beside a policy leaves them; None where there is none.
    """
    if record.parent.name == Kind.VERDICT.value and record.parent.parent.name == "records":
        return record.parent.parent.parent
    return next((folder / STORE_FOLDER for folder in record.parents if (folder / STORE_FOLDER).is_dir()), None)


def _recompute(document: VerdictDocument, digest: str, store: Store) -> VerdictDocument:
    from litmusgate.app.decide import decide
    from litmusgate.app.history import unnamed_verdicts
    from litmusgate.app.replay import load_from_store

    if not store.exists:
        raise RecordError(
            "there is no store to verify from",
            rule="T2",
            got=repr(str(store.path)),
            fix="name the store the verdict was made with: --store DIR",
        )
    inputs = load_from_store(document, store)
    unnamed = unnamed_verdicts(store, document, digest, inputs.suite)
    if unnamed:
        raise RecordError(
            "the store holds verdicts on this build and suite that this one does not know",
            rule="B15",
            got=f"{len(unnamed)}, among them {unnamed[0]}",
            wanted="a verdict that names every earlier one",
            fix="gate again with the same --store",
        )
    return decide(inputs)


def _differences(left: object, right: object, path: str) -> Iterator[Difference]:
    if isinstance(left, dict) and isinstance(right, dict):
        yield from _mapping_differences(left, right, path)
    elif isinstance(left, list) and isinstance(right, list) and len(left) == len(right):
        for number, (one, other) in enumerate(zip(left, right, strict=True)):
            yield from _differences(one, other, f"{path}[{number}]")
    elif not _same(left, right):
        yield Difference(path=path, recorded=repr(left), recomputed=repr(right))


def _mapping_differences(left: Mapping[str, object], right: Mapping[str, object], path: str) -> Iterator[Difference]:
    for key in sorted(left.keys() | right.keys()):
        place = f"{path}.{key}"
        if key not in left:
            yield Difference(path=place, recorded="absent", recomputed=repr(right[key]))
        elif key not in right:
            yield Difference(path=place, recorded=repr(left[key]), recomputed="absent")
        else:
            yield from _differences(left[key], right[key], place)


def _same(left: object, right: object) -> bool:
    """Equal in type and value; two floats within `FLOAT_TOLERANCE`."""
    if isinstance(left, float) and isinstance(right, float):
        return math.isclose(left, right, rel_tol=0.0, abs_tol=FLOAT_TOLERANCE)
    return type(left) is type(right) and left == right


def _version_differences(recorded: Mapping[str, str], current: Mapping[str, str]) -> tuple[Difference, ...]:
    return tuple(_mapping_differences(recorded, current, "$.versions"))
