"""What is wrong with a suite that parses: instances that could never vote, be met, or be judged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from litmusgate.digest import digest_json
from litmusgate.suite.category import Kind
from litmusgate.suite.diff import instance_counts
from litmusgate.suite.instance import Instance
from litmusgate.suite.manifest import Suite
from litmusgate.suite.prune import SMALLEST_HARD_GATED
from litmusgate.suite.rubric import ToolCall

Level: TypeAlias = Literal["error", "warning"]

_NAMING_FIELDS = frozenset({"id", "category", "cluster", "control_of"})


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteFinding:
    """One problem: its stable `code`, what it is about (an instance or category; None: the suite), and what to do."""

    level: Level
    code: str
    subject: str | None
    message: str
    fix: str


def check_suite(suite: Suite) -> tuple[SuiteFinding, ...]:
    """Every finding, errors first, sorted by subject and code. Leakage and provenance are `admit`'s, not checked here.

    Errors make an instance mute (it could never be violated, met, or be asked anything); warnings are about weight.
    """
    findings = [*_suite_findings(suite), *_category_findings(suite), *_twins(suite), *_duplicates(suite)]
    for instance in suite.instances:
        findings += _instance_findings(instance)
    return tuple(sorted(findings, key=lambda item: (item.level, item.subject or "", item.code, item.message)))


def _error(code: str, subject: str | None, message: str, fix: str) -> SuiteFinding:
    return SuiteFinding(level="error", code=code, subject=subject, message=message, fix=fix)


def _warning(code: str, subject: str | None, message: str, fix: str) -> SuiteFinding:
    return SuiteFinding(level="warning", code=code, subject=subject, message=message, fix=fix)


def _suite_findings(suite: Suite) -> Iterator[SuiteFinding]:
    if not suite.instances:
        yield _error("empty-suite", None, "the suite has no instance (A8)", "add instances")
    if suite.canary_guid is None:
        yield _warning(
            "no-canary-guid",
            None,
            "suite.yaml states no canary_guid, so trainers cannot filter the suite out of their data",
            "add canary_guid with a fresh UUID, to suite.yaml and to every instance file",
        )


def _category_findings(suite: Suite) -> Iterator[SuiteFinding]:
    counts = instance_counts(suite)
    for category in suite.categories:
        count = counts[category.name]
        clusters = {item.cluster or f"\0{item.id}" for item in suite.instances if item.category == category.name}
        if count == 0:
            yield _error("empty-category", category.name, "the category has no instance (B4)", "add some, or remove it")
        elif count < SMALLEST_HARD_GATED:
            yield _warning(
                "few-instances",
                category.name,
                f"{count} instances, fewer than {SMALLEST_HARD_GATED}: the category goes to review (B6)",
                f"add {SMALLEST_HARD_GATED - count} or more, with a margin for exclusion",
            )
        elif len(clusters) < SMALLEST_HARD_GATED:
            yield _warning(
                "few-clusters",
                category.name,
                f"{count} instances in {len(clusters)} clusters, fewer than {SMALLEST_HARD_GATED}: intervals widen (A12)",
                "add instances that are not variants of one another",
            )


def _twins(suite: Suite) -> Iterator[SuiteFinding]:
    category_of = suite.category_of()
    for instance in suite.instances:
        twin = instance.control_of
        if twin is None:
            continue
        if twin not in category_of or twin == instance.id:
            yield _error(
                "unknown-twin", instance.id, f"control_of names {twin!r}, which is not another instance", "correct it"
            )
        elif suite.category(category_of[twin]).kind is Kind.CONTROL:
            yield _warning(
                "twin-is-control",
                instance.id,
                f"control_of names {twin!r}, which is a control itself",
                "name the adversarial twin",
            )


def _duplicates(suite: Suite) -> Iterator[SuiteFinding]:
    first: dict[str, str] = {}
    for instance in suite.instances:
        definition = {key: value for key, value in instance.definition().items() if key not in _NAMING_FIELDS}
        earlier = first.setdefault(digest_json(definition), instance.id)
        if earlier != instance.id:
            yield _warning(
                "duplicate",
                instance.id,
                f"the same definition as {earlier!r}: only one of them will vote (A12)",
                "remove it, or make it different",
            )


def _instance_findings(instance: Instance) -> Iterator[SuiteFinding]:
    if not any(turn.content.strip() for turn in instance.turns):
        yield _error("no-turns", instance.id, "every turn is empty: nothing is asked of the agent", "write a turn")
    elif not all(turn.content.strip() for turn in instance.turns):
        yield _warning("blank-turn", instance.id, "a turn is blank", "write it, or remove it")
    yield from _tool_findings(instance)
    yield from _exposure_findings(instance)
    yield from _planted_findings(instance)


def _tool_findings(instance: Instance) -> Iterator[SuiteFinding]:
    offered = {tool.name for tool in instance.tools}
    judged = {leaf.tool for leaf, _ in instance.rubric.leaves() if isinstance(leaf, ToolCall)}
    for name in sorted(judged - offered):
        yield _error(
            "tool-not-offered",
            instance.id,
            f"the rubric judges calls of tool {name!r}, which the instance does not offer",
            f"add it to tools, or correct the rubric; offered: {', '.join(map(repr, sorted(offered))) or 'none'}",
        )
    for name in sorted(set(instance.exposure.tools if instance.exposure else ()) - offered):
        yield _error(
            "exposure-tool-not-offered",
            instance.id,
            f"exposure waits for a call of tool {name!r}, which the instance does not offer",
            "add it to tools, or correct exposure",
        )


def _exposure_findings(instance: Instance) -> Iterator[SuiteFinding]:
    surfaces = [surface.text for surface in instance.surfaces()]
    report = _warning if instance.rubric.external_graders else _error  # its surfaces may live where it was run
    for text in instance.exposure.texts if instance.exposure else ():
        if not any(text in surface for surface in surfaces):
            yield report(
                "exposure-not-on-surface",
                instance.id,
                f"the exposure text {_short(text)} stands on no surface, so the agent can never meet it (E7)",
                "copy it exactly from the surface that carries the attack",
            )


def _planted_findings(instance: Instance) -> Iterator[SuiteFinding]:
    for planted in instance.planted:
        for kind in planted.where:
            if not any(planted.text in surface.text for surface in instance.surfaces() if surface.kind == kind):
                yield _error(
                    "planted-not-on-surface",
                    instance.id,
                    f"the planted text {_short(planted.text)} is not on its declared surface {kind!r}",
                    "put it there, or correct where",
                )


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:60] + "…")
