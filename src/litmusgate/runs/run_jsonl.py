"""Run files as JSON lines: header, one trial a line, and an end line that a truncated file does not have."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Any, TypeVar

from litmusgate.digest import Json
from litmusgate.documents import decode_utf8, parse_json
from litmusgate.errors import Location, RunError
from litmusgate.evidence.codes import OUTCOMES, REASONS, REFUSALS
from litmusgate.evidence.columns import TrialColumns
from litmusgate.evidence.outcome import Outcome, Reason
from litmusgate.evidence.run import Run, RunHeader
from litmusgate.evidence.trial import Refusal, Trial
from litmusgate.runs.run_header import header_from_text, header_text

RUN_END_SCHEMA = "litmusgate/run-end/1"

MAX_LINE_BYTES = 10 * 1024 * 1024
"""Longest trial line, in bytes."""

MAX_HEADER_BYTES = 64 * 1024 * 1024
"""Longest header line, in bytes: it holds one digest per instance of the suite, so half a million of them."""

_NONE = type(None)
_TYPES: dict[str, tuple[type, ...]] = {
    "instance_id": (str,),
    "attempt": (int,),
    "outcome": (str,),
    "refill": (int,),
    "reason": (str, _NONE),
    "said": (bool, _NONE),
    "did": (bool, _NONE),
    "exposed": (bool, _NONE),
    "cached": (bool, _NONE),
    "refusal": (str, _NONE),
    "graded_score": (float, int, _NONE),
    "detail": (str, _NONE),
    "started_at": (str, _NONE),
    "transcript_ref": (str, _NONE),
    "category": (str, _NONE),
    "flags": (list,),
}
_REQUIRED = ("instance_id", "attempt", "outcome")

Word = TypeVar("Word", bound=StrEnum)


def run_lines(run: Run) -> Iterator[str]:
    """The lines of the file, each with its line end: header, trials in canonical order, end."""
    yield header_text(run.header) + "\n"
    yield from _trial_lines(run.columns)
    yield json.dumps({"schema": RUN_END_SCHEMA, "trials": len(run.columns)}, separators=(",", ":")) + "\n"


def run_from_chunks(chunks: Iterable[bytes], *, path: str) -> tuple[RunHeader, TrialColumns]:
    """Header and trials of a file that comes in pieces.

    Raises `RunError` with path and line for a file that ends before its end line or goes on after it, and for any line that is
    not strict JSON, not UTF-8, longer than its limit, or no trial.
    """
    lines = _lines(chunks, path)
    first = next(lines, None)
    if first is None:
        raise RunError(
            "the file is empty", wanted="a run header, trials and an end line", at=Location(path=path, line=1)
        )
    return header_from_text(first[1], path=path), TrialColumns.from_trials(_trials(lines, path))


def _trials(lines: Iterator[tuple[int, str]], path: str) -> Iterator[Trial]:
    number = 1
    for count, (number, line) in enumerate(lines):
        at = Location(path=path, line=number)
        value = parse_json(line, path=path, error=RunError, first_line=number).value
        if not isinstance(value, dict):
            raise RunError("the line is no trial", got=repr(line[:40]), wanted="a JSON object", at=at)
        if "schema" in value:
            _check_end(value, count, at)
            break
        yield _trial(value, at)
    else:
        raise _truncated(path, number, "trials and no end line")
    following = next(lines, None)
    if following is not None:
        at = Location(path=path, line=following[0])
        raise RunError("the file goes on after its end line", got=repr(following[1][:40]), at=at)


def _check_end(value: dict[str, Json], count: int, at: Location) -> None:
    wanted: dict[str, Json] = {"schema": RUN_END_SCHEMA, "trials": count}
    # A bool equals an integer in Python, but not here.
    if value != wanted or isinstance(value["trials"], bool):
        raise RunError(
            "the end line does not fit the file",
            got=repr(value)[:200],
            wanted=f"{wanted!r} after {count} trials",
            fix="if trials were lost, write or import the run again",
            at=at,
        )


def _trial(value: dict[str, Any], at: Location) -> Trial:
    for key in _REQUIRED:
        if key not in value:
            raise RunError(f"the trial has no {key!r}", wanted=f"the keys {list(_REQUIRED)!r}", at=at)
    for key, item in value.items():
        if key not in _TYPES:
            raise RunError(f"unknown key {key!r}", wanted=f"one of {sorted(_TYPES)!r}", at=at)
        if type(item) not in _TYPES[key]:
            names = " or ".join(kind.__name__ for kind in _TYPES[key])
            raise RunError(f"{key} has the wrong type", got=repr(item)[:80], wanted=names, at=at)
    flags = value.get("flags", [])
    if not all(type(flag) is str for flag in flags):
        raise RunError("flags holds something else than text", got=repr(flags)[:80], at=at)
    words = {
        "outcome": _word(Outcome, value["outcome"], "outcome", at),
        "reason": _word(Reason, value.get("reason"), "reason", at),
        "refusal": _word(Refusal, value.get("refusal"), "refusal", at),
        "flags": tuple(flags),
    }
    try:
        return Trial(**(value | words))
    except ValueError as problem:
        raise RunError(f"not a trial: {problem}", at=at) from problem


def _word(words: type[Word], value: str | None, key: str, at: Location) -> Word | None:
    if value is None:
        return None
    try:
        return words(value)
    except ValueError as problem:
        known = ", ".join(sorted(word.value for word in words))
        raise RunError(f"unknown {key}", rule="E1", got=repr(value)[:80], wanted=known, at=at) from problem


def _lines(chunks: Iterable[bytes], path: str) -> Iterator[tuple[int, str]]:
    """Number (from 1) and text of every line; the last one must end with a line end, or the file was cut."""
    pending: list[bytes] = []
    pending_bytes, number = 0, 1
    for chunk in chunks:
        *whole, rest = chunk.split(b"\n")
        for piece in whole:
            line = b"".join([*pending, piece])
            yield number, _text(line, number, path)
            pending, pending_bytes, number = [], 0, number + 1
        pending.append(rest)
        pending_bytes += len(rest)
        _refuse_long(pending_bytes, number, path)
    if pending_bytes:
        raise _truncated(path, number, "a last line without its line end")


def _text(line: bytes, number: int, path: str) -> str:
    _refuse_long(len(line), number, path)
    if number == 1:
        if line.startswith(b"\xef\xbb\xbf"):
            raise RunError(
                "the file begins with a byte order mark", wanted="a JSON object", at=Location(path=path, line=1)
            )
        return decode_utf8(line, path=path, error=RunError)
    try:
        return line.decode()
    except UnicodeDecodeError as problem:
        at = Location(path=path, line=number, column=problem.start + 1)
        raise RunError("the line is not valid UTF-8", got=f"byte 0x{line[problem.start]:02x}", at=at) from problem


def _refuse_long(size: int, number: int, path: str) -> None:
    limit = MAX_HEADER_BYTES if number == 1 else MAX_LINE_BYTES
    if size > limit:
        raise RunError("the line is too long", wanted=f"at most {limit} bytes", at=Location(path=path, line=number))


def _truncated(path: str, line: int, got: str) -> RunError:
    return RunError(
        "the file ends before its end line: it was cut off",
        got=got,
        wanted=f'a last line {{"schema":"{RUN_END_SCHEMA}","trials":N}}',
        fix="fetch the file again, or import the log again",
        at=Location(path=path, line=line),
    )


def _trial_lines(columns: TrialColumns) -> Iterator[str]:
    """One line per trial, put together from a fragment per distinct value; what is not recorded is left out."""
    truths = ["false", "true", ""]
    pieces = [
        [f'{{"instance_id":{_json(columns.ids[code])}' for code in columns.id_code.tolist()],
        [f',"attempt":{attempt}' for attempt in columns.attempt.tolist()],
        [f',"refill":{refill}' if refill else "" for refill in columns.refill.tolist()],
        _chosen("outcome", [_json(word) for word in OUTCOMES], columns.outcome.tolist()),
        _chosen("reason", ["", *(_json(word) for word in REASONS[1:])], columns.reason.tolist()),
        *(_chosen(name, truths, getattr(columns, name).tolist()) for name in ("said", "did", "exposed", "cached")),
        _chosen("refusal", [*(_json(word) for word in REFUSALS), ""], columns.refusal.tolist()),
        ["" if score != score else f',"graded_score":{score!r}' for score in columns.graded_score.tolist()],  # noqa: PLR0124 NaN
    ]
    for name in ("detail", "started_at", "transcript_ref", "category", "flags"):
        coded = getattr(columns, name)
        pieces.append(_chosen(name, [*(_json(value) for value in coded.values), ""], coded.codes.tolist()))
    for parts in zip(*pieces, strict=True):
        yield "".join(parts) + "}\n"


def _chosen(key: str, values: Sequence[str], codes: Sequence[int]) -> list[str]:
    """Per row the fragment of its code; the empty value is left out, and code -1 takes the last one."""
    fragments = [f',"{key}":{value}' if value else "" for value in values]
    return [fragments[code] for code in codes]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
