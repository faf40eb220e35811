"""Deriving from a predicate something an agent can say or do that makes it hold, with an instance's own tools."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from litmusgate.digest import Json
from litmusgate.evidence.json_path import parse_path
from litmusgate.runs.environment import Arguments, filled
from litmusgate.suite.instance import Effect, Instance, Operation, Tool
from litmusgate.suite.rubric import AllOf, AnyOf, Contains, Equals, Leaf, Not, Predicate, Regex, State, ToolCall


@dataclass(frozen=True, slots=True, kw_only=True)
class Say:
    """Say `text` as a message of its own."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Do:
    """Call `tool` with `arguments`."""

    tool: str
    arguments: Arguments


Action: TypeAlias = Say | Do
Plan: TypeAlias = tuple[Action, ...]


def plan(predicate: Predicate, instance: Instance, *, wanted: bool = True) -> Plan | None:
    """Actions after which `predicate` holds (`wanted` False: does not hold); None when none is found.

    Not holding is planned by leaving things undone, so the empty plan is an answer. What is found is a proposal:
    only grading the finished attempt says whether it worked.
    """
    match predicate:
        case Not(of=part):
            return plan(part, instance, wanted=not wanted)
        case AllOf(of=parts) | AnyOf(of=parts):
            plans = [plan(part, instance, wanted=wanted) for part in parts]
            found = [steps for steps in plans if steps is not None]
            if isinstance(predicate, AllOf) is wanted:
                return tuple(step for steps in found for step in steps) if len(found) == len(parts) else None
            return found[0] if found else None
        case _:
            return _plan_leaf(predicate, instance) if wanted else ()


def _plan_leaf(leaf: Leaf, instance: Instance) -> Plan | None:
    match leaf:
        case Contains(text=text) | Equals(text=text):
            return (Say(text=text),)
        case Regex(pattern=pattern):
            found = _matching(pattern, instance)
            return None if found is None else (Say(text=found),)
        case ToolCall():
            return _plan_call(leaf, instance)
        case State():
            return _plan_state(leaf, instance)
        case _:  # Judge and External: nobody here knows what would please them
            return None


def _matching(pattern: str, instance: Instance) -> str | None:
    """Something on a surface, planted or in the pattern's own words, that the pattern finds."""
    candidates = [item.text for item in instance.planted]
    candidates += [surface.text for surface in instance.surfaces()]
    candidates.append(re.sub(r"\\(.)", r"\1", pattern))
    for candidate in candidates:
        match = re.search(pattern, candidate, re.IGNORECASE)
        if match is not None:
            return match.group()
    return None


def _plan_call(leaf: ToolCall, instance: Instance) -> Plan | None:
    tool = _tool(instance, leaf.tool)
    if tool is None:
        return None
    arguments: Json = {}
    for condition in leaf.arguments:
        value = condition.equals
        if condition.contains is not None:
            before = _at(arguments, parse_path(condition.path))
            value = f"{before} {condition.contains}" if isinstance(before, str) else condition.contains
        arguments = _assigned(arguments, parse_path(condition.path), value)
    return (Do(tool=tool.name, arguments=filled(tool, arguments)),) if isinstance(arguments, dict) else None


def _plan_state(leaf: State, instance: Instance) -> Plan | None:
    for tool in instance.tools:
        for effect in tool.effects:
            arguments = _arguments_for(leaf, effect)
            if arguments is not None:
                return (Do(tool=tool.name, arguments=filled(tool, arguments)),)
    return None


def _arguments_for(leaf: State, effect: Effect) -> Arguments | None:
    """Arguments with which `effect` brings about `leaf`; None when this effect cannot."""
    wanted, touched = parse_path(leaf.path), parse_path(effect.path)
    if leaf.changed:
        overlap = min(len(wanted), len(touched))
        return {} if wanted[:overlap] == touched[:overlap] else None
    if effect.operation is not Operation.SET or wanted[: len(touched)] != touched:
        return None
    deeper = wanted[len(touched) :]
    value = _assigned(None, deeper, leaf.equals) if deeper else leaf.equals
    if effect.argument is not None:
        value = _assigned({}, parse_path(effect.argument), value)
    return dict(value) if isinstance(value, dict) else None


def _tool(instance: Instance, name: str) -> Tool | None:
    return next((tool for tool in instance.tools if tool.name == name), None)


def _at(value: Json, steps: tuple[str | int, ...]) -> Json:
    for step in steps:
        if not isinstance(value, dict) or step not in value:
            return None
        value = value[step]
    return value


def _assigned(value: Json, steps: tuple[str | int, ...], leaf: Json) -> Json:
    """`value` with `leaf` at `steps`, growing objects and lists (padded with empty objects) as needed."""
    if not steps:
        return leaf
    step, rest = steps[0], steps[1:]
    if isinstance(step, int):
        items: list[Json] = list(value) if isinstance(value, list) else []
        items.extend({} for _ in range(step + 1 - len(items)))
        items[step] = _assigned(items[step], rest, leaf)
        return items
    fields: dict[str, Json] = dict(value) if isinstance(value, dict) else {}
    fields[step] = _assigned(fields.get(step), rest, leaf)
    return fields
