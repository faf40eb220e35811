"""The texts of an instance that are looked for in known corpora, one by one.

Scored: every turn that is not a system message, all turns joined (so that a conversation of short turns is still a
text), every context item, every tool response, every long enough text of the environment, and the attack goal where it
stands on one of these. Not scored: the system prompt and tool descriptions. They are the operator's deployment and not
the test: a suite of 500 instances under one published system prompt is not 500 published instances.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from litmusgate.provenance.fold import fold_words
from litmusgate.suite.instance import Instance, Origin, Role, Surface

JOINED_TURNS = "turns"
"""`where` of the field that joins all scored turns of an instance."""


class TextKind(StrEnum):
    """What a text is for. Boilerplate is counted among texts of one kind: an attack that stands inside forty retrieved
    pages is not boilerplate among attacks, and a stock phrase that opens half the conversations is among conversations.
    """

    ASKED = "asked"
    JOINED = "joined"
    MATERIAL = "material"


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One scored text, also as folded words. `derived` fields repeat words of others of their kind and are not counted."""

    where: str
    text: str
    words: tuple[str, ...]
    kind: TextKind
    derived: bool = False

    @property
    def asks(self) -> bool:
        """Whether the text is put to the agent (turns, attacks): it is scored even when short."""
        return self.kind is not TextKind.MATERIAL


def instance_fields(instance: Instance) -> tuple[Field, ...]:
    """The scored fields of `instance` in a fixed order, those without any word left out."""
    fields = [found for found in (*_turn_fields(instance), *_surface_fields(instance)) if found.words]
    goal = _goal_field(instance, fields)
    return tuple(fields if goal is None else [*fields, goal])


def field_texts(instance: Instance) -> dict[str, str]:
    """The texts of `instance_fields` by where they stand, and some that have no word; nothing is folded."""
    texts = {
        f"turns[{number}]": turn.content for number, turn in enumerate(instance.turns) if turn.role is not Role.SYSTEM
    }
    texts[JOINED_TURNS] = _joined_text(instance)
    texts |= {surface.where: surface.text for surface in instance.surfaces() if _is_scored(surface)}
    if instance.attack_goal is not None:
        texts["attack_goal"] = instance.attack_goal
    return texts


def _joined_text(instance: Instance) -> str:
    return "\n".join(turn.content for turn in instance.turns if turn.role is not Role.SYSTEM)


def _is_scored(surface: Surface) -> bool:
    return surface.kind not in ("system", "turns") and surface.origin is not Origin.OPERATOR


def _turn_fields(instance: Instance) -> Iterator[Field]:
    turns = [
        Field(where=f"turns[{number}]", text=turn.content, words=tuple(fold_words(turn.content)), kind=TextKind.ASKED)
        for number, turn in enumerate(instance.turns)
        if turn.role is not Role.SYSTEM
    ]
    yield from turns
    spoken = [turn for turn in turns if turn.words]
    if len(spoken) > 1:
        joined = tuple(word for turn in spoken for word in turn.words)
        yield Field(where=JOINED_TURNS, text=_joined_text(instance), words=joined, kind=TextKind.JOINED)


def _surface_fields(instance: Instance) -> Iterator[Field]:
    for surface in instance.surfaces():
        if not _is_scored(surface):
            continue
        kind = TextKind.MATERIAL if surface.origin is Origin.ENVIRONMENT else TextKind.ASKED
        yield Field(where=surface.where, text=surface.text, words=tuple(fold_words(surface.text)), kind=kind)


def _goal_field(instance: Instance, fields: list[Field]) -> Field | None:
    if instance.attack_goal is None:
        return None
    words = tuple(fold_words(instance.attack_goal))
    if not words or not any(_stands_in(words, field.words) for field in fields):
        return None
    return Field(where="attack_goal", text=instance.attack_goal, words=words, kind=TextKind.ASKED, derived=True)


def _stands_in(part: tuple[str, ...], whole: tuple[str, ...]) -> bool:
    return any(whole[at : at + len(part)] == part for at in range(len(whole) - len(part) + 1))
