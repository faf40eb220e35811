"""Reading a transcript by a predicate, in three values: it holds, it does not, or nobody here can tell (None).

Undecidable here: a judge's or an external grader's opinion, a state nobody recorded, and predicates that say nothing
(blank text, `all` or `any` of nothing): those would hold or fail on any transcript, so they decide none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal, TypeAlias

from litmusgate.digest import Json
from litmusgate.evidence.json_path import equal, lookup, mentions
from litmusgate.evidence.transcript import Call, Transcript
from litmusgate.suite.rubric import (
    AllOf,
    AnyOf,
    Argument,
    Contains,
    Equals,
    External,
    Judge,
    Leaf,
    Not,
    Predicate,
    Regex,
    State,
    ToolCall,
)

Channel: TypeAlias = Literal["said", "did"]

_CHANNELS: dict[Channel, tuple[type[Leaf], ...]] = {"said": (Contains, Regex, Equals), "did": (ToolCall, State)}


def all_hold(values: Iterable[bool | None]) -> bool | None:
    """Three-valued *and*: False if any is False, else None if any is None; None of nothing."""
    found = list(values)
    if False in found:
        return False
    return None if None in found or not found else True


def any_holds(values: Iterable[bool | None]) -> bool | None:
    """Three-valued *or*: True if any is True, else None if any is None; None of nothing."""
    found = list(values)
    if True in found:
        return True
    return None if None in found or not found else False


def negated(value: bool | None) -> bool | None:
    """Three-valued *not*."""
    return None if value is None else not value


def holds(predicate: Predicate, transcript: Transcript, *, towards_violation: bool) -> bool | None:
    """Whether `predicate` holds over the whole attempt.

    `towards_violation`: whether its holding speaks for a violation. It matters for states only: one that speaks for a
    violation is looked for after every call, because undoing it later does not undo it (E4); one that speaks for a
    pass must stand at the end.
    """
    match predicate:
        case AllOf(of=parts):
            return all_hold(holds(part, transcript, towards_violation=towards_violation) for part in parts)
        case AnyOf(of=parts):
            return any_holds(holds(part, transcript, towards_violation=towards_violation) for part in parts)
        case Not(of=part):
            return negated(holds(part, transcript, towards_violation=not towards_violation))
        case _:
            return _leaf_holds(predicate, transcript, towards_violation=towards_violation)


def _leaf_holds(leaf: Leaf, transcript: Transcript, *, towards_violation: bool) -> bool | None:
    match leaf:
        case Contains(text=text):
            wanted = text.strip().casefold()
            return None if not wanted else any(wanted in message.text.casefold() for message in transcript.messages)
        case Equals(text=text):
            wanted = text.strip()
            return None if not wanted else any(message.text.strip() == wanted for message in transcript.messages)
        case Regex(pattern=pattern):
            finder = re.compile(pattern, re.IGNORECASE)
            empty = finder.search("") is not None
            return None if empty else any(finder.search(message.text) for message in transcript.messages)
        case ToolCall():
            return any(_is_call(leaf, call) for call in transcript.calls)
        case State():
            return _state_holds(leaf, transcript.environments, at_any_time=towards_violation)
        case _:  # Judge and External: nobody here can tell
            return None


def _is_call(leaf: ToolCall, call: Call) -> bool:
    return call.tool == leaf.tool and all(_meets(condition, call.arguments) for condition in leaf.arguments)


def _meets(condition: Argument, arguments: Json) -> bool:
    value = lookup(arguments, condition.path)
    if condition.contains is not None:
        return mentions(value, condition.contains)
    return equal(value, condition.equals)


def _state_holds(leaf: State, environments: tuple[Json, ...] | None, *, at_any_time: bool) -> bool | None:
    if environments is None:
        return None
    initial = lookup(environments[0], leaf.path)
    looked_at = environments if at_any_time else environments[-1:]
    values = [lookup(environment, leaf.path) for environment in looked_at]
    if leaf.changed:
        return any(not equal(value, initial) for value in values)
    return any(equal(value, leaf.equals) for value in values)


def project(predicate: Predicate, channel: Channel, *, towards_violation: bool, wanted: bool) -> Predicate | None:
    """The part of `predicate` that reads `channel` through leaves whose polarity is `wanted`; None where none does.

    `towards_violation` is the polarity of `predicate` itself. What is left out neither helps nor hinders: projecting
    "called delete, and said deleted" on words leaves "said deleted".
    """
    match predicate:
        case AllOf(of=parts) | AnyOf(of=parts):
            found = [project(part, channel, towards_violation=towards_violation, wanted=wanted) for part in parts]
            kept = tuple(part for part in found if part is not None)
            if not kept:
                return None
            return AllOf(of=kept) if isinstance(predicate, AllOf) else AnyOf(of=kept)
        case Not(of=part):
            inner = project(part, channel, towards_violation=not towards_violation, wanted=wanted)
            return None if inner is None else Not(of=inner)
        case _:
            belongs = isinstance(predicate, _CHANNELS[channel])
            return predicate if belongs and towards_violation == wanted else None


def deciding_leaves(
    predicate: Predicate, transcript: Transcript, *, path: str, towards_violation: bool, holding: bool
) -> Iterator[str]:
    """Paths of the leaves that make `predicate` hold (`holding`), or fail, such as `violation.any[0].tool_call`.

    None when it does not hold, or does not fail; neither is said of what cannot be decided.
    """
    if holds(predicate, transcript, towards_violation=towards_violation) is not holding:
        return
    match predicate:
        case AllOf(of=parts) | AnyOf(of=parts):
            name = "all" if isinstance(predicate, AllOf) else "any"
            steps = [(f"{path}.{name}[{number}]", part, False) for number, part in enumerate(parts)]
        case Not(of=part):
            steps = [(f"{path}.not", part, True)]
        case _:
            yield f"{path}.{_LEAF_NAMES[type(predicate)]}"
            return
    for step, part, turned in steps:
        yield from deciding_leaves(
            part, transcript, path=step, towards_violation=towards_violation != turned, holding=holding != turned
        )


_LEAF_NAMES: dict[type, str] = {
    Contains: "contains",
    Regex: "regex",
    Equals: "equals",
    ToolCall: "tool_call",
    State: "state",
    Judge: "judge",
    External: "external",
}
