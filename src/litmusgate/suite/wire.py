"""Instances as they stand in files: a strict model of each part."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, Discriminator, Field, Tag, model_validator

from litmusgate.documents.wire_types import Name
from litmusgate.suite.instance import (
    ContextItem,
    Effect,
    Exposure,
    Instance,
    Operation,
    Origin,
    Planted,
    Response,
    Role,
    Tool,
    Turn,
)
from litmusgate.suite.rubric_wire import STRICT, Needle, RubricEntry, Text, Value

SurfaceKind: TypeAlias = Literal["system", "turns", "context", "tools", "environment"]


class TurnEntry(BaseModel):
    """A turn with its role; a plain string is a user turn."""

    model_config = STRICT

    content: Text
    role: Role = Role.USER


class ContextEntry(BaseModel):
    """A text the agent may retrieve."""

    model_config = STRICT

    name: Name
    text: Text
    origin: Origin = Origin.ENVIRONMENT


class ResponseEntry(BaseModel):
    """A scripted answer of a tool."""

    model_config = STRICT

    when: dict[str, Value] = {}
    text: Text | None = None
    context: Name | None = None

    @model_validator(mode="after")
    def _consistent(self) -> ResponseEntry:
        self.build()
        return self

    def build(self) -> Response:
        """The answer; `ValueError` unless exactly one of `text` and `context` is given."""
        return Response(text=self.text, context=self.context, when=tuple(sorted(self.when.items())))


class EffectEntry(BaseModel):
    """A state operation of a tool."""

    model_config = STRICT

    operation: Operation
    path: Needle
    argument: Needle | None = None


class ToolEntry(BaseModel):
    """A tool offered to the agent."""

    model_config = STRICT

    name: Name
    description: Text = ""
    parameters: dict[str, Value] = {}
    responses: tuple[ResponseEntry, ...] = ()
    effects: tuple[EffectEntry, ...] = ()

    def build(self) -> Tool:
        """The tool."""
        return Tool(
            name=self.name,
            description=self.description,
            parameters=self.parameters,
            responses=tuple(item.build() for item in self.responses),
            effects=tuple(
                Effect(operation=item.operation, path=item.path, argument=item.argument) for item in self.effects
            ),
        )


class PlantedEntry(BaseModel):
    """A text meant to be on a surface."""

    model_config = STRICT

    text: Needle
    where: Annotated[tuple[SurfaceKind, ...], Field(min_length=1)]


class ExposureEntry(BaseModel):
    """What proves that the agent met the attack."""

    model_config = STRICT

    texts: tuple[Needle, ...] = ()
    tools: tuple[Name, ...] = ()

    @model_validator(mode="after")
    def _consistent(self) -> ExposureEntry:
        self.build()
        return self

    def build(self) -> Exposure:
        """The exposure; `ValueError` when it states neither a text nor a tool."""
        return Exposure(texts=self.texts, tools=self.tools)


def _shape(value: object) -> str:
    return "message" if isinstance(value, dict | TurnEntry) else "text"


AnyTurn: TypeAlias = Annotated[
    Annotated[Text, Tag("text")] | Annotated[TurnEntry, Tag("message")], Discriminator(_shape)
]


class InstanceEntry(BaseModel):
    """One instance. `canary_guid` is for trainers' filters; it is compared with the manifest's and not kept."""

    model_config = STRICT

    id: Name
    category: Name
    turns: tuple[AnyTurn, ...]
    rubric: RubricEntry
    cluster: Name | None = None
    system: Text | None = None
    context: tuple[ContextEntry, ...] = ()
    tools: tuple[ToolEntry, ...] = ()
    environment: dict[str, Value] | None = None
    planted: tuple[PlantedEntry, ...] = ()
    attack_goal: Text | None = None
    exposure: ExposureEntry | None = None
    control_of: Name | None = None
    canary_guid: Name | None = None

    @model_validator(mode="after")
    def _consistent(self) -> InstanceEntry:
        _refuse_repeated("context item", [item.name for item in self.context])
        _refuse_repeated("tool", [tool.name for tool in self.tools])
        known = {item.name for item in self.context}
        for tool in self.tools:
            for response in tool.responses:
                if response.context is not None and response.context not in known:
                    raise ValueError(
                        f"tool {tool.name!r} answers with context {response.context!r}, which is not there"
                    )
        return self

    def build(self) -> Instance:
        """The instance."""
        return Instance(
            id=self.id,
            category=self.category,
            turns=tuple(
                Turn(content=turn) if isinstance(turn, str) else Turn(content=turn.content, role=turn.role)
                for turn in self.turns
            ),
            rubric=self.rubric.build(),
            cluster=self.cluster,
            system=self.system,
            context=tuple(ContextItem(name=item.name, text=item.text, origin=item.origin) for item in self.context),
            tools=tuple(tool.build() for tool in self.tools),
            environment=self.environment,
            planted=tuple(Planted(text=item.text, where=item.where) for item in self.planted),
            attack_goal=self.attack_goal,
            exposure=None if self.exposure is None else self.exposure.build(),
            control_of=self.control_of,
        )


def _refuse_repeated(what: str, names: list[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ValueError(f"{what} {name!r} stands twice")
        seen.add(name)
