"""Leakage: whether an instance shows the agent what it will be judged by (A4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from litmusgate.admission.normal_forms import Occurrence, occurrences
from litmusgate.admission.record import AdmissionFinding, AdmissionReason
from litmusgate.admission.tokens import Speaks, Token, rubric_tokens
from litmusgate.suite.instance import Instance, Origin, Surface

_SHOWN_CHARACTERS = 60
_SHOWN_SURFACES = 5
_SPOKEN_KINDS = frozenset({"system", "turns"})
_SPOKEN_ORIGINS = frozenset({Origin.OPERATOR, Origin.USER})


@dataclass(frozen=True, slots=True, kw_only=True)
class Leakage:
    """What the leakage check says of one instance; not `checked`: an external grader judges by criteria we cannot see."""

    findings: tuple[AdmissionFinding, ...]
    checked: bool


def leakage(instance: Instance, *, refuse_unchecked: bool) -> Leakage:
    """A4: every criterion of the rubric that stands, in any normal form, where the agent could read it.

    A *pass* criterion (a text that speaks for a pass, an expected answer, a judge's question) is a leak on any surface,
    and no planted declaration excuses it. A *violation* token (a text or pattern, a string argument or state value of
    the violation) is expected where the environment or an attacker speaks; in the system prompt or a turn of operator
    or user it is a leak unless `planted` declares it *there*: each declaration covers what its text holds once per
    surface, so an asset planted in the system prompt does not excuse a prohibition that names it again, nor an asset
    planted in a document one that names it in the system prompt. Nothing is guessed from the wording.
    A pass criterion that anything meets cannot be hidden: trivially satisfied. A pattern too slow to search, and with
    `refuse_unchecked` an external grader, is leakage-uncheckable. Surfaces join no texts: a criterion cut in half across
    two of them is not found.
    """
    surfaces = tuple(_read_surfaces(instance))
    findings = [
        finding
        for token in rubric_tokens(instance.rubric)
        for finding in _token_findings(token, surfaces=surfaces, instance=instance)
    ]
    graders = instance.rubric.external_graders
    if graders and refuse_unchecked:
        findings.append(
            AdmissionFinding(
                reason=AdmissionReason.LEAKAGE_UNCHECKABLE,
                message=f"the external grader {_shown(graders[0])} judges by criteria that cannot be searched for",
            )
        )
    return Leakage(findings=tuple(findings), checked=not graders)


def _read_surfaces(instance: Instance) -> Iterator[Surface]:
    """Every surface, and the names of documents: an agent that lists them reads them too."""
    yield from instance.surfaces()
    for item in instance.context:
        yield Surface(kind="context", where=f"context[{item.name}].name", text=item.name, origin=item.origin)


def _token_findings(token: Token, *, surfaces: tuple[Surface, ...], instance: Instance) -> Iterator[AdmissionFinding]:
    if token.uncheckable:
        yield AdmissionFinding(
            reason=AdmissionReason.LEAKAGE_UNCHECKABLE,
            message=f"the pattern {_shown(token.text)} repeats a repeat, so searching for it may never end; rewrite it",
        )
    elif token.blank and token.speaks is Speaks.PASS:
        yield AdmissionFinding(
            reason=AdmissionReason.TRIVIAL,
            message=f"the pass criterion {token.kind} {_shown(token.text)} is met by an empty answer",
        )
    elif token.speaks is Speaks.PASS:
        yield from _finding(
            AdmissionReason.RUBRIC_LEAKAGE,
            f"the pass criterion {token.kind} {_shown(token.text)} can be read by the agent",
            [(surface, found) for surface in surfaces if (found := token.found_in(surface.text))],
        )
    else:
        yield from _finding(
            AdmissionReason.UNDECLARED_TOKEN,
            f"the violation token {token.kind} {_shown(token.text)} is not declared as planted there",
            [
                (surface, found)
                for surface in surfaces
                if _is_spoken(surface) and (found := _undeclared(token, surface, instance))
            ],
        )


def _is_spoken(surface: Surface) -> bool:
    """Whether operator or user say it to the agent: a prohibition could stand there."""
    return surface.kind in _SPOKEN_KINDS and surface.origin in _SPOKEN_ORIGINS


def _undeclared(token: Token, surface: Surface, instance: Instance) -> tuple[Occurrence, ...]:
    """The normal forms in which `token` stands more often on `surface` than the texts planted there account for."""
    declared: dict[tuple[str, str], int] = {}
    for planted in instance.planted:
        if surface.kind in planted.where and occurrences(planted.text, surface.text):
            for found in token.found_in(planted.text):
                key = (found.form, found.spelling)
                declared[key] = declared.get(key, 0) + found.count
    return tuple(
        found for found in token.found_in(surface.text) if found.count > declared.get((found.form, found.spelling), 0)
    )


def _finding(
    reason: AdmissionReason, message: str, seen: list[tuple[Surface, tuple[Occurrence, ...]]]
) -> Iterator[AdmissionFinding]:
    if not seen:
        return
    places = [f"{surface.where} ({found[0].form})" for surface, found in seen]
    more = f" and {len(places) - _SHOWN_SURFACES} more" if len(places) > _SHOWN_SURFACES else ""
    yield AdmissionFinding(reason=reason, message=message, evidence=", ".join(places[:_SHOWN_SURFACES]) + more)


def _shown(text: str) -> str:
    return repr(text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}…")
