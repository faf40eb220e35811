"""The world of one attempt: an instance's own tools, answered and applied as its author scripted them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from litmusgate.digest import Json, canonical_bytes
from litmusgate.evidence.json_path import ABSENT, equal, lookup, parse_path
from litmusgate.suite.instance import Effect, Instance, Operation, Response, Tool

Arguments: TypeAlias = dict[str, Json]

NO_SUCH_TOOL = "error: there is no such tool"
NO_ANSWER = "error: nothing found for these arguments"
DONE = "ok"


class Environment:
    """The state of one attempt. The instance is never changed: state is replaced, not edited."""

    def __init__(self, instance: Instance) -> None:
        self._tools = {tool.name: tool for tool in instance.tools}
        self._context = {item.name: item.text for item in instance.context}
        self.states: list[Json] = [instance.environment]

    def call(self, tool: str, arguments: Arguments) -> str:
        """What the agent is shown for calling `tool`; every call adds one state, changed or not.

        A tool nobody offers, and arguments no response is meant for, answer with an error text; effects are applied
        whenever the tool exists, because what was done does not depend on what was answered.
        """
        found = self._tools.get(tool)
        state = self.states[-1]
        if found is None:
            self.states.append(state)
            return NO_SUCH_TOOL
        for effect in found.effects:
            state = applied(effect, state, arguments)
        self.states.append(state)
        return self._answer(found, arguments)

    def _answer(self, tool: Tool, arguments: Arguments) -> str:
        for response in tool.responses:
            if _is_meant(response, arguments):
                return self._context[response.context] if response.context is not None else response.text or ""
        return DONE if tool.effects and not tool.responses else NO_ANSWER


def _is_meant(response: Response, arguments: Arguments) -> bool:
    return all(equal(lookup(arguments, path), wanted) for path, wanted in response.when)


def handed_over(instance: Instance) -> tuple[str, ...]:
    """Texts of the context items that no tool answers with: the agent is given them with the first turn, in order."""
    fetched = {response.context for tool in instance.tools for response in tool.responses}
    return tuple(item.text for item in instance.context if item.name not in fetched)


def applied(effect: Effect, state: Json, arguments: Arguments) -> Json:
    """The state after `effect`; the given one is left as it was.

    An argument the call did not give sets or appends nothing. Raises `SuiteError` for a path that cannot be read.
    """
    steps = parse_path(effect.path)
    if effect.operation is Operation.DELETE:
        return _replaced(state, steps, None, remove=True)
    value = arguments if effect.argument is None else lookup(arguments, effect.argument)
    if value is ABSENT:
        return state
    if effect.operation is Operation.APPEND:
        before = lookup(state, effect.path)
        kept = list(before) if isinstance(before, list | tuple) else []
        return _replaced(state, steps, [*kept, value])
    return _replaced(state, steps, value)


def _replaced(state: Json, steps: tuple[str | int, ...], value: Json, *, remove: bool = False) -> Json:
    """`state` with `value` at `steps`, missing objects made on the way; with `remove`, without what stands there."""
    step, rest = steps[0], steps[1:]
    if isinstance(step, int):
        return _replaced_item(state, step, rest, value, remove=remove)
    fields = dict(state) if isinstance(state, Mapping) else {}
    if rest:
        if not remove or step in fields:
            fields[step] = _replaced(fields.get(step), rest, value, remove=remove)
    elif remove:
        fields.pop(step, None)
    else:
        fields[step] = value
    return fields


def _replaced_item(state: Json, step: int, rest: tuple[str | int, ...], value: Json, *, remove: bool) -> Json:
    items = list(state) if isinstance(state, list | tuple) else []
    if step >= len(items):
        return state
    if rest:
        items[step] = _replaced(items[step], rest, value, remove=remove)
    elif remove:
        del items[step]
    else:
        items[step] = value
    return items


def readings(instance: Instance, *, avoiding: frozenset[str]) -> Iterator[tuple[str, Arguments]]:
    """Calls that show everything tools without effects have to show, one per scripted answer; none of the tools `avoiding`."""
    for tool in instance.tools:
        if tool.effects or tool.name in avoiding:
            continue
        seen: set[bytes] = set()
        for response in tool.responses:
            arguments = filled(tool, dict(response.when))
            key = canonical_bytes(arguments)
            if key not in seen:
                seen.add(key)
                yield tool.name, arguments


def filled(tool: Tool, arguments: Mapping[str, Json]) -> Arguments:
    """`arguments` with a made-up value for every required parameter of the tool's schema they lack."""
    schema = tool.parameters if isinstance(tool.parameters, Mapping) else {}
    properties, required = schema.get("properties"), schema.get("required")
    given: Arguments = dict(arguments)
    for name in required if isinstance(required, list | tuple) else ():
        if isinstance(name, str) and name not in given:
            given[name] = _made_up(properties.get(name) if isinstance(properties, Mapping) else None)
    return given


_MADE_UP: dict[str, Json] = {
    "integer": 1,
    "number": 1,
    "boolean": True,
    "array": [],
    "object": {},
    "string": "as asked",
}


def _made_up(schema: Json) -> Json:
    fields: Mapping[str, Json] = schema if isinstance(schema, Mapping) else {}
    if "default" in fields:
        return fields["default"]
    choices = fields.get("enum")
    if isinstance(choices, list | tuple) and choices:
        first: Json = choices[0]
        return first
    kind = fields.get("type")
    return _MADE_UP.get(kind if isinstance(kind, str) else "string", _MADE_UP["string"])
