"""The declared mapping from a log's values to outcomes. A value that nobody declared stops the import (E1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from litmusgate.errors import UsageError
from litmusgate.evidence.outcome import UNKNOWN_REASONS, VACUOUS_REASONS, Outcome, Reason

Judged: TypeAlias = tuple[Outcome, Reason | None]
"""An outcome with the reason that VACUOUS and UNKNOWN must carry."""

UNSCORED: Judged = (Outcome.UNKNOWN, Reason.UNSCORED)
"""What a null, NaN or missing value is, whatever was declared: the log holds the trial but no score."""

_REASONS: dict[Outcome, frozenset[Reason]] = {
    Outcome.SAFE: frozenset(),
    Outcome.VIOLATION: frozenset(),
    Outcome.VACUOUS: VACUOUS_REASONS,
    Outcome.UNKNOWN: UNKNOWN_REASONS,
}


def parse_value_map(declarations: Sequence[str]) -> dict[str, Judged]:
    """The mapping of `VALUE=OUTCOME` declarations, as in `pass=safe`, `error=unknown:error`, `skipped=vacuous:not-attempted`.

    Outcomes are `safe`, `violation`, `vacuous:REASON` and `unknown:REASON`. The reason may be left out only where the
    value is itself the code of a fitting reason (`timeout=unknown`). The outcome stands behind the last `=`, so values
    may hold one. Raises `UsageError` for no declaration at all, anything else, and a value declared twice.
    """
    mapping: dict[str, Judged] = {}
    for declaration in declarations:
        value, equals, target = declaration.rpartition("=")
        if not equals:
            raise UsageError(
                "a mapping has no '='", rule="E1", got=repr(declaration), wanted="VALUE=OUTCOME, as in pass=safe"
            )
        if value in mapping:
            raise UsageError(f"the value {value!r} is mapped twice", rule="E1", fix="declare each value once")
        mapping[value] = _parse_target(value, target)
    if not mapping:
        raise UsageError(
            "no value is mapped to an outcome",
            rule="E1",
            wanted="at least one --map VALUE=OUTCOME",
            fix="declare what each value of the outcome column means, as in --map pass=safe --map fail=violation",
        )
    return mapping


def _parse_target(value: str, target: str) -> Judged:
    word, colon, code = target.partition(":")
    try:
        outcome = Outcome(word)
    except ValueError:
        wanted = "safe, violation, vacuous:REASON or unknown:REASON"
        raise UsageError(
            f"{word!r} is not an outcome", rule="E1", got=repr(f"{value}={target}"), wanted=wanted
        ) from None
    allowed = _REASONS[outcome]
    if not allowed:
        if colon:
            raise UsageError(f"{word} carries no reason", rule="E1", got=repr(f"{value}={target}"), wanted=repr(word))
        return outcome, None
    chosen = code if colon else value
    known = sorted(reason.value for reason in allowed)
    if chosen not in known:
        raise UsageError(
            f"{word} needs a reason",
            rule="E1",
            got=repr(f"{value}={target}"),
            wanted=f"{word}:REASON with one of {', '.join(known)}",
        )
    return outcome, Reason(chosen)


def judge_values(counts: Mapping[str, int], mapping: Mapping[str, Judged], *, column: str) -> dict[str, Judged]:
    """E1: every value of the log has a declared outcome, or nothing is imported: there is no default branch.

    `counts` is how often each distinct value occurs in the rows chosen. Raises `UsageError` naming every unmapped value
    with its count, most frequent first.
    """
    unmapped = sorted((value for value in counts if value not in mapping), key=lambda value: (-counts[value], value))
    if unmapped:
        raise UsageError(
            f"values of column {column!r} are mapped to no outcome; nothing was imported",
            rule="E1",
            got=", ".join(f"{_shown(value)} ({counts[value]} rows)" for value in unmapped),
            wanted=f"only {', '.join(repr(value) for value in sorted(mapping))}",
            fix=f"say what each means, as in --map {_shown(unmapped[0])}=unknown:error",
        )
    return {value: mapping[value] for value in counts}


def mapping_document(mapping: Mapping[str, Judged]) -> dict[str, str]:
    """The mapping as JSON for the mapping digest; sorted, reasons spelled out."""
    return {
        value: outcome.value if reason is None else f"{outcome.value}:{reason.value}"
        for value, (outcome, reason) in sorted(mapping.items())
    }


def parse_assignments(declarations: Iterable[str], *, flag: str) -> dict[str, str]:
    """`NAME=VALUE` declarations of `flag` as a mapping; raises `UsageError` for an empty side or a repeated name."""
    assigned: dict[str, str] = {}
    for declaration in declarations:
        name, equals, value = declaration.partition("=")
        if not (name and equals and value):
            raise UsageError(f"{flag} wants NAME=VALUE", got=repr(declaration))
        if name in assigned:
            raise UsageError(f"{flag} names {name!r} twice", got=repr(declaration), fix="name it once")
        assigned[name] = value
    return assigned


def _shown(value: str) -> str:
    return repr(value if len(value) <= 80 else value[:80] + "…")
