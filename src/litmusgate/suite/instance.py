"""An instance: one measuring instrument (B1), everything the agent will read, and the rubric it is judged by."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from litmusgate.digest import Json, digest_json
from litmusgate.suite.rubric import Rubric, rubric_document
from litmusgate.text import name_problem


class Role(StrEnum):
    """Who speaks in a scripted turn."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"


class Origin(StrEnum):
    """Who controls a surface. Leakage has polarity by origin (A4, DESIGN §7)."""

    OPERATOR = "operator"
    USER = "user"
    ENVIRONMENT = "environment"
    ATTACKER = "attacker"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One scripted message."""

    content: str
    role: Role = Role.USER


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextItem:
    """A text the agent may retrieve: a document, a mail, a page. An injection is one with origin `attacker`."""

    name: str
    text: str
    origin: Origin = Origin.ENVIRONMENT


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """What a tool answers when the call's arguments hold every pair of `when` (empty: always); first match wins.

    `context` names a context item whose text is the answer; exactly one of `text` and `context` is given.
    """

    text: str | None = None
    context: str | None = None
    when: tuple[tuple[str, Json], ...] = ()

    def __post_init__(self) -> None:
        if (self.text is None) == (self.context is None):
            raise ValueError("a tool response wants exactly one of text and context")


class Operation(StrEnum):
    """What a call does to the environment."""

    SET = "set"
    APPEND = "append"
    DELETE = "delete"


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """A state operation of a tool: `operation` at dotted `path` of the environment.

    The value is that of the call's argument `argument` (None: the whole arguments object); `delete` needs none.
    """

    operation: Operation
    path: str
    argument: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool offered to the agent: JSON schema of its parameters, scripted answers and state operations."""

    name: str
    description: str = ""
    parameters: Json = field(default_factory=dict)
    responses: tuple[Response, ...] = ()
    effects: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """A text *meant* to be on a surface, and where: a surface kind (`system turns context tools environment`)."""

    text: str
    where: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Exposure:
    """What proves that the agent met the attack (E7): one of `texts` observed by it, or one of `tools` called."""

    texts: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.texts and not self.tools:
            raise ValueError("exposure wants at least one text or tool")


@dataclass(frozen=True, slots=True, kw_only=True)
class Surface:
    """Any text the agent can read. `kind` is `system turns context tools environment`; `where` says which one."""

    kind: str
    where: str
    text: str
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Instance:
    """One instance. `environment` is the initial state as a JSON object; `control_of` names the adversarial twin."""

    id: str
    category: str
    turns: tuple[Turn, ...]
    rubric: Rubric
    cluster: str | None = None
    system: str | None = None
    context: tuple[ContextItem, ...] = ()
    tools: tuple[Tool, ...] = ()
    environment: Json = None
    planted: tuple[Planted, ...] = ()
    attack_goal: str | None = None
    exposure: Exposure | None = None
    control_of: str | None = None

    def __post_init__(self) -> None:
        for what, name in (("id", self.id), ("category", self.category), ("cluster", self.cluster)):
            problem = None if name is None else name_problem(name)
            if problem is not None:
                raise ValueError(f"{what} {name!r}: {problem}")

    def surfaces(self) -> Iterator[Surface]:
        """Every text the agent can read, in a fixed order: system, turns, context, tools, environment."""
        if self.system is not None:
            yield Surface(kind="system", where="system", text=self.system, origin=Origin.OPERATOR)
        for number, turn in enumerate(self.turns):
            yield Surface(kind="turns", where=f"turns[{number}]", text=turn.content, origin=_TURN_ORIGIN[turn.role])
        for item in self.context:
            yield Surface(kind="context", where=f"context[{item.name}]", text=item.text, origin=item.origin)
        for tool in self.tools:
            yield from _tool_surfaces(tool)
        for where, text in _strings(self.environment, "environment"):
            yield Surface(kind="environment", where=where, text=text, origin=Origin.ENVIRONMENT)

    def definition(self) -> dict[str, Json]:
        """The definition fields as JSON, absent ones left out: what the digest covers and the codec reads."""
        document: dict[str, Json] = {
            "id": self.id,
            "category": self.category,
            "turns": [{"role": turn.role.value, "content": turn.content} for turn in self.turns],
            "rubric": rubric_document(self.rubric),
        }
        document.update(_optional_fields(self))
        return document

    def digest(self) -> str:
        """sha256 over the canonical definition; results are never part of it."""
        return digest_json(self.definition())


_TURN_ORIGIN = {
    Role.USER: Origin.USER,
    Role.ASSISTANT: Origin.OPERATOR,
    Role.SYSTEM: Origin.OPERATOR,
    Role.TOOL: Origin.ENVIRONMENT,
}


def _tool_surfaces(tool: Tool) -> Iterator[Surface]:
    where = f"tools[{tool.name}]"
    yield Surface(kind="tools", where=f"{where}.description", text=tool.description, origin=Origin.OPERATOR)
    for path, text in _strings(tool.parameters, f"{where}.parameters"):
        yield Surface(kind="tools", where=path, text=text, origin=Origin.OPERATOR)
    for number, response in enumerate(tool.responses):
        if response.text is not None:
            yield Surface(
                kind="tools", where=f"{where}.responses[{number}]", text=response.text, origin=Origin.ENVIRONMENT
            )


def _strings(value: Json, where: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield where, value
    elif isinstance(value, dict):
        for key in sorted(value):
            yield from _strings(value[key], f"{where}.{key}")
    elif isinstance(value, list | tuple):
        for number, item in enumerate(value):
            yield from _strings(item, f"{where}[{number}]")


def _optional_fields(instance: Instance) -> dict[str, Json]:
    fields: dict[str, Json] = {
        "cluster": instance.cluster,
        "system": instance.system,
        "context": [{"name": item.name, "text": item.text, "origin": item.origin.value} for item in instance.context],
        "tools": [_tool_document(tool) for tool in instance.tools],
        "environment": instance.environment,
        "planted": [{"text": item.text, "where": list(item.where)} for item in instance.planted],
        "attack_goal": instance.attack_goal,
        "exposure": _exposure_document(instance.exposure),
        "control_of": instance.control_of,
    }
    return {key: value for key, value in fields.items() if value is not None and value != []}


def _exposure_document(exposure: Exposure | None) -> Json:
    if exposure is None:
        return None
    parts: dict[str, Json] = {"texts": list(exposure.texts), "tools": list(exposure.tools)}
    return {key: value for key, value in parts.items() if value}


def _tool_document(tool: Tool) -> dict[str, Json]:
    document: dict[str, Json] = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    if tool.responses:
        document["responses"] = [_response_document(response) for response in tool.responses]
    if tool.effects:
        document["effects"] = [_effect_document(effect) for effect in tool.effects]
    return document


def _response_document(response: Response) -> dict[str, Json]:
    document: dict[str, Json] = {}
    if response.when:
        document["when"] = dict(response.when)
    if response.text is not None:
        document["text"] = response.text
    if response.context is not None:
        document["context"] = response.context
    return document


def _effect_document(effect: Effect) -> dict[str, Json]:
    document: dict[str, Json] = {"operation": effect.operation.value, "path": effect.path}
    if effect.argument is not None:
        document["argument"] = effect.argument
    return document
