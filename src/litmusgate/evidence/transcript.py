"""A transcript: what happened in one attempt, as far as a rubric can read it."""

from __future__ import annotations

from dataclasses import dataclass

from litmusgate.digest import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One text the agent said. `turn` counts the scripted turns from 0: the one it answers."""

    turn: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One tool call the agent made. `output` is what the agent was shown for it (None: nothing)."""

    turn: int
    tool: str
    arguments: Json
    output: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """One attempt. `received` are the texts handed to the agent without its asking: turns, and context put in the prompt.

    `environments` are the states of the world, the initial one first, then one after every call, the last is the
    final one; None means the harness did not record them, which is never "unchanged".
    """

    received: tuple[str, ...]
    messages: tuple[Message, ...]
    calls: tuple[Call, ...]
    environments: tuple[Json, ...] | None

    def __post_init__(self) -> None:
        if self.environments is not None and not self.environments:
            raise ValueError("environments is empty, wanted at least the initial state, or None for not recorded")

    @property
    def attempted(self) -> bool:
        """Whether the agent said anything but white space or called any tool."""
        return bool(self.calls) or any(message.text.strip() for message in self.messages)

    def observed(self) -> tuple[str, ...]:
        """Every text the agent met: what it received, then its tool outputs, in order."""
        return self.received + tuple(call.output for call in self.calls if call.output is not None)
