"""Rubrics as they stand in a file: one key names the kind of a predicate, a list means all of it."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Mapping
from typing import Annotated, Any, TypeAlias

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    JsonValue,
    PrivateAttr,
    StringConstraints,
    Tag,
    model_validator,
)

from litmusgate.documents.wire_types import Name
from litmusgate.suite.rubric import (
    AllOf,
    AnyOf,
    Argument,
    Contains,
    Equals,
    External,
    Judge,
    Not,
    Predicate,
    Regex,
    Rubric,
    State,
    ToolCall,
)
from litmusgate.text import MAX_TEXT_CHARACTERS

STRICT = ConfigDict(strict=True, extra="forbid", frozen=True)

_LARGEST_INTEGER = 2**53 - 1


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("it is blank, so it would be found everywhere")
    return text


def _compiles(pattern: str) -> str:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # a pattern whose meaning Python is about to change is refused, too
            compiled = re.compile(pattern)
    except (re.error, RecursionError, OverflowError, Warning) as error:
        raise ValueError(f"the regular expression does not compile: {error}") from error
    if compiled.search("") is not None and compiled.search("litmusgate") is not None:
        raise ValueError("the regular expression also finds the empty text, so it would be found everywhere")
    return pattern


def _exact(value: JsonValue) -> JsonValue:
    """Refuse what has no exact canonical form, or is longer than any text may be; nesting is bounded by the parser."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, str) and len(value) > MAX_TEXT_CHARACTERS:
        raise ValueError(f"a text has {len(value)} characters, more than {MAX_TEXT_CHARACTERS}")
    if isinstance(value, int) and abs(value) > _LARGEST_INTEGER:
        raise ValueError(f"the integer {value} is beyond ±{_LARGEST_INTEGER}; quote it")
    if isinstance(value, dict):
        for child in value.values():
            _exact(child)
    elif isinstance(value, list):
        for child in value:
            _exact(child)
    return value


Text: TypeAlias = Annotated[str, StringConstraints(max_length=MAX_TEXT_CHARACTERS)]
Needle: TypeAlias = Annotated[Text, AfterValidator(_not_blank)]
Value: TypeAlias = Annotated[JsonValue, AfterValidator(_exact)]


class ArgumentEntry(BaseModel):
    """One condition on the arguments of a tool call."""

    model_config = STRICT

    path: Needle
    equals: Value = None
    contains: Needle | None = None

    @model_validator(mode="after")
    def _consistent(self) -> ArgumentEntry:
        self.build()
        return self

    def build(self) -> Argument:
        """The condition; `ValueError` unless exactly one of `equals` and `contains` is given."""
        return Argument(path=self.path, equals=self.equals, contains=self.contains)


class ToolCallEntry(BaseModel):
    """`tool_call:` the agent called this tool, with arguments meeting every condition."""

    model_config = STRICT

    tool: Name
    arguments: tuple[ArgumentEntry, ...] = ()


class StateEntry(BaseModel):
    """`state:` the final environment at a path."""

    model_config = STRICT

    path: Needle
    equals: Value = None
    changed: bool = False

    @model_validator(mode="after")
    def _consistent(self) -> StateEntry:
        self.build()
        return self

    def build(self) -> State:
        """The predicate; `ValueError` unless exactly one of `equals` and `changed: true` is given."""
        return State(path=self.path, equals=self.equals, changed=self.changed)


class JudgeEntry(BaseModel):
    """`judge:` a model answers a question about the conversation."""

    model_config = STRICT

    model: Name
    question: Needle


def _shape(value: object) -> str:
    return "list" if isinstance(value, list | tuple) else "predicate"


class PredicateEntry(BaseModel):
    """A predicate: exactly one key, which names its kind."""

    model_config = STRICT

    contains: Needle | None = None
    regex: Annotated[Needle, AfterValidator(_compiles)] | None = None
    equals: Needle | None = None
    tool_call: ToolCallEntry | None = None
    state: StateEntry | None = None
    judge: JudgeEntry | None = None
    external: Name | None = None
    all: Annotated[tuple[AnyPredicate, ...], Field(min_length=1)] | None = None
    any: Annotated[tuple[AnyPredicate, ...], Field(min_length=1)] | None = None
    not_: AnyPredicate | None = Field(default=None, alias="not")

    @model_validator(mode="after")
    def _one_kind(self) -> PredicateEntry:
        given = sorted(self.model_fields_set)
        if len(given) != 1 or getattr(self, given[0]) is None:
            listed = ", ".join(name.rstrip("_") for name in type(self).model_fields)
            raise ValueError(f"a predicate wants exactly one of the keys {listed}, with a value")
        return self


AnyPredicate: TypeAlias = Annotated[
    Annotated[PredicateEntry, Tag("predicate")]
    | Annotated[tuple[PredicateEntry, ...], Field(min_length=1), Tag("list")],
    Discriminator(_shape),
]
PredicateEntry.model_rebuild()


class RubricEntry(BaseModel):
    """`rubric:` of an instance; `external: NAME` is short for `violation: {external: NAME}`."""

    model_config = STRICT

    violation: AnyPredicate | None = None
    pass_: AnyPredicate | None = Field(default=None, alias="pass")
    external: Name | None = None
    _rubric: Rubric = PrivateAttr()

    @model_validator(mode="after")
    def _consistent(self) -> RubricEntry:
        if self.external is not None and (self.violation is not None or self.pass_ is not None):
            raise ValueError("external stands alone; it has violation or pass beside it")
        if self.external is not None:
            self._rubric = Rubric(violation=External(grader=self.external))
        else:
            self._rubric = Rubric(
                violation=None if self.violation is None else _predicate(self.violation),
                passes=None if self.pass_ is None else _predicate(self.pass_),
            )
        return self

    def build(self) -> Rubric:
        """The rubric; that something can be judged by it was checked when the entry was read."""
        return self._rubric


def _predicate(entry: PredicateEntry | tuple[PredicateEntry, ...]) -> Predicate:
    if isinstance(entry, tuple):
        return AllOf(of=tuple(_predicate(part) for part in entry))
    (kind,) = entry.model_fields_set
    return _BUILDERS[kind](getattr(entry, kind))


_BUILDERS: Mapping[str, Callable[[Any], Predicate]] = {
    "contains": lambda text: Contains(text=text),
    "regex": lambda pattern: Regex(pattern=pattern),
    "equals": lambda text: Equals(text=text),
    "tool_call": lambda call: ToolCall(tool=call.tool, arguments=tuple(item.build() for item in call.arguments)),
    "state": lambda state: state.build(),
    "judge": lambda judge: Judge(model=judge.model, question=judge.question),
    "external": lambda grader: External(grader=grader),
    "all": lambda parts: AllOf(of=tuple(_predicate(part) for part in parts)),
    "any": lambda parts: AnyOf(of=tuple(_predicate(part) for part in parts)),
    "not_": lambda part: Not(of=_predicate(part)),
}
