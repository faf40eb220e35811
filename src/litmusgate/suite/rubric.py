"""Rubrics: what counts as a violation and what counts as required behaviour, as predicates with polarity.

A predicate reads a finished conversation: what the agent *said* (assistant text) and what it *did* (tool calls and
the final state). `violation` firing in any turn is a violation (E4); a `pass` predicate is required behaviour whose
absence is a violation. Grading itself is in `evidence/grade.py`; this module only says what a rubric is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from litmusgate.digest import Json, canonical_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Contains:
    """The agent said `text` (case-insensitive substring of one assistant message)."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Regex:
    """The agent said something that `pattern` finds (Python `re`, IGNORECASE unless the pattern says otherwise)."""

    pattern: str

    def __post_init__(self) -> None:
        try:
            re.compile(self.pattern)
        except re.error as error:
            raise ValueError(f"regex {self.pattern!r} does not compile: {error}") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class Equals:
    """One assistant message, stripped of surrounding white space, is exactly `text`."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """One condition on the arguments of a tool call: the value at JSON path `path` equals or contains `value`.

    `path` is dotted keys and `[index]` from the arguments object (`to`, `items[0].sku`). `contains` needs a string.
    """

    path: str
    equals: Json = None
    contains: str | None = None

    def __post_init__(self) -> None:
        if (self.equals is None) == (self.contains is None):
            raise ValueError(f"argument {self.path!r} wants exactly one of equals and contains")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """The agent called `tool` with arguments that meet every condition (none: any call of that tool)."""

    tool: str
    arguments: tuple[Argument, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The final environment at JSON path `path`: equals `equals`, or differs from the initial one (`changed`)."""

    path: str
    equals: Json = None
    changed: bool = False

    def __post_init__(self) -> None:
        if (self.equals is None) != self.changed:
            raise ValueError(f"state {self.path!r} wants exactly one of equals and changed: true")


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """A model reads the conversation and answers `question` with yes or no; pinned by model and prompt."""

    model: str
    question: str


@dataclass(frozen=True, slots=True, kw_only=True)
class External:
    """Somebody else's grader decided, before we saw the log; `grader` names it and its version."""

    grader: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AllOf:
    """Every predicate holds."""

    of: tuple[Predicate, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnyOf:
    """At least one predicate holds."""

    of: tuple[Predicate, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Not:
    """The predicate does not hold."""

    of: Predicate


Leaf: TypeAlias = Contains | Regex | Equals | ToolCall | State | Judge | External
Predicate: TypeAlias = Leaf | AllOf | AnyOf | Not


@dataclass(frozen=True, slots=True, kw_only=True)
class Rubric:
    """Both polarities of one instance; at least one is declared, and `External` stands alone.

    `passes` is the document's `pass:`; the word is reserved in Python.
    """

    violation: Predicate | None = None
    passes: Predicate | None = None

    def __post_init__(self) -> None:
        if self.violation is None and self.passes is None:
            raise ValueError("a rubric wants violation, pass or external; it has none, so nothing could be judged")
        leaves = tuple(leaf for leaf, _ in self.leaves())
        alone = isinstance(self.violation, External) and self.passes is None
        if any(isinstance(leaf, External) for leaf in leaves) and not alone:
            raise ValueError(
                "external stands alone as the violation; nothing beside, above or under it is graded by us"
            )

    @property
    def external_graders(self) -> tuple[str, ...]:
        """Names of the external graders this rubric relies on, sorted; empty when we can grade it ourselves."""
        return tuple(sorted({leaf.grader for leaf, _ in self.leaves() if isinstance(leaf, External)}))

    def leaves(self) -> Iterator[tuple[Leaf, bool]]:
        """Every leaf with its polarity: True where the leaf holding speaks for a violation."""
        if self.violation is not None:
            yield from _leaves(self.violation, towards_violation=True)
        if self.passes is not None:
            yield from _leaves(self.passes, towards_violation=False)


def _leaves(predicate: Predicate, *, towards_violation: bool) -> Iterator[tuple[Leaf, bool]]:
    if isinstance(predicate, Not):
        yield from _leaves(predicate.of, towards_violation=not towards_violation)
    elif isinstance(predicate, AllOf | AnyOf):
        for part in predicate.of:
            yield from _leaves(part, towards_violation=towards_violation)
    else:
        yield predicate, towards_violation


def predicate_document(predicate: Predicate) -> dict[str, Json]:
    """The predicate as the JSON the codec reads, one key naming the kind; part of the instance's digest."""
    match predicate:
        case Contains(text=text):
            return {"contains": text}
        case Regex(pattern=pattern):
            return {"regex": pattern}
        case Equals(text=text):
            return {"equals": text}
        case ToolCall(tool=tool, arguments=arguments):
            return {"tool_call": {"tool": tool, "arguments": [_argument_document(item) for item in arguments]}}
        case State(path=path, equals=None):
            return {"state": {"path": path, "changed": True}}
        case State(path=path, equals=value):
            return {"state": {"path": path, "equals": value}}
        case Judge(model=model, question=question):
            return {"judge": {"model": model, "question": question}}
        case External(grader=grader):
            return {"external": grader}
        case AllOf(of=parts):
            return {"all": [predicate_document(part) for part in parts]}
        case AnyOf(of=parts):
            return {"any": [predicate_document(part) for part in parts]}
        case Not(of=part):
            return {"not": predicate_document(part)}


def _argument_document(argument: Argument) -> dict[str, Json]:
    if argument.contains is not None:
        return {"path": argument.path, "contains": argument.contains}
    return {"path": argument.path, "equals": argument.equals}


def rubric_document(rubric: Rubric) -> dict[str, Json]:
    """The rubric as the JSON the codec reads; absent polarities are absent keys."""
    document: dict[str, Json] = {}
    if rubric.violation is not None:
        document["violation"] = predicate_document(rubric.violation)
    if rubric.passes is not None:
        document["pass"] = predicate_document(rubric.passes)
    return document


def grader_identity(rubric: Rubric) -> frozenset[bytes]:
    """What judged: our predicate engine, each judge (model and question), each external grader, as canonical bytes."""
    identities: set[bytes] = set()
    for leaf, _ in rubric.leaves():
        match leaf:
            case External(grader=grader):
                identities.add(canonical_bytes({"external": grader}))
            case Judge(model=model, question=question):
                identities.add(canonical_bytes({"judge": model, "question": question}))
            case _:
                identities.add(canonical_bytes({"predicates": "litmusgate/predicates/1"}))
    return frozenset(identities)
