"""Tokens: the texts of a rubric that a surface must not give away (A4), with what each speaks for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from litmusgate.admission.normal_forms import Occurrence, is_blank, occurrences, spellings
from litmusgate.digest import Json
from litmusgate.suite.rubric import Contains, Equals, Judge, Regex, Rubric, State, ToolCall

_WINDOW_CHARACTERS = 1_000
_WINDOW_OVERLAP_CHARACTERS = 500
_LEADING_ANYTHING = re.compile(r"^(?:\.\*\??(?!\+))+")  # a search needs no `.*` in front; it only costs a square


class Speaks(StrEnum):
    """What a token on a surface would tell the agent."""

    PASS = "pass"
    VIOLATION = "violation"


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """One text or pattern of a rubric. `kind` is the predicate it stands in, for the message."""

    text: str
    kind: str
    speaks: Speaks
    is_pattern: bool = False

    @property
    def blank(self) -> bool:
        """Whether anything at all meets it: nothing but white space, or a pattern that matches the empty text."""
        if self.is_pattern:
            return re.search(self.text, "", re.IGNORECASE) is not None
        return is_blank(self.text)

    @property
    def uncheckable(self) -> bool:
        """Whether searching for the pattern could take for ever."""
        return self.is_pattern and is_slow(self.text)

    def found_in(self, text: str) -> tuple[Occurrence, ...]:
        """Where the token stands in `text`, in any normal form; nowhere for a blank or uncheckable one.

        A pattern is also searched as the text it is written in, punctuation included. Patterns run over windows of 1,000 characters that
        overlap by 500; a match longer than the overlap may be missed.
        """
        if self.blank or self.uncheckable:
            return ()
        if not self.is_pattern:
            return occurrences(self.text, text)
        quoted = (found for found in occurrences(self.text, text) if found.spelling == "plain")
        return (*_matches(self.text, text), *quoted)


def rubric_tokens(rubric: Rubric) -> tuple[Token, ...]:
    """Every token of `rubric`, each once, in the rubric's order.

    A judge's question gives the criterion away whichever way it is asked. The argument and state values of *required*
    behaviour are the task itself (a request to book a room names the room), so only those of a violation are tokens.
    Tool names, paths and numbers are no texts of a criterion; an external grader has none that we know.
    """
    return tuple(dict.fromkeys(_tokens(rubric)))


def _tokens(rubric: Rubric) -> Iterator[Token]:
    for leaf, towards_violation in rubric.leaves():
        speaks = Speaks.VIOLATION if towards_violation else Speaks.PASS
        match leaf:
            case Contains(text=text):
                yield Token(text=text, kind="contains", speaks=speaks)
            case Equals(text=text):
                yield Token(text=text, kind="equals", speaks=speaks)
            case Regex(pattern=pattern):
                yield Token(text=pattern, kind="regex", speaks=speaks, is_pattern=True)
            case Judge(question=question):
                yield Token(text=question, kind="judge", speaks=Speaks.PASS)
            case ToolCall(arguments=arguments) if towards_violation:
                for argument in arguments:
                    for text in (*_strings(argument.equals), *_strings(argument.contains)):
                        yield Token(text=text, kind=f"tool_call argument {argument.path}", speaks=speaks)
            case State(path=path, equals=value) if towards_violation:
                for text in _strings(value):
                    yield Token(text=text, kind=f"state {path}", speaks=speaks)
            case _:
                continue


def _strings(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key in sorted(value):
            yield from _strings(value[key])
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _strings(item)


def _matches(pattern: str, text: str) -> Iterator[Occurrence]:
    """Non-empty matches in every decoding, as it is written and folded; found twice in an overlap counts once."""
    compiled = re.compile(_LEADING_ANYTHING.sub("", pattern), re.IGNORECASE)
    for surface in spellings(text):
        for spelling, spelt in (("text", surface.text), ("plain", surface.plain)):
            count = len({span for span in _spans(compiled, spelt) if span[0] < span[1]})
            if count:
                yield Occurrence(form=surface.form, spelling=f"pattern {spelling}", count=count)


def _spans(pattern: re.Pattern[str], text: str) -> Iterator[tuple[int, int]]:
    step = _WINDOW_CHARACTERS - _WINDOW_OVERLAP_CHARACTERS
    for start in range(0, max(1, len(text) - _WINDOW_OVERLAP_CHARACTERS), step):
        yield from (found.span() for found in pattern.finditer(text, start, start + _WINDOW_CHARACTERS))


def is_slow(pattern: str) -> bool:
    """Whether a group that holds an unbounded repeat is itself repeated without bound (`(a+)+`), or `.*` follows `.*`.

    Read from the pattern's text. Other slow patterns (`(a|a)*`) are not recognised; the windows bound what most can cost.
    """
    bare = re.sub(r"\\.", "x", pattern, flags=re.DOTALL)
    bare = re.sub(r"\[\^?\]?[^\]]*\]", "x", bare)
    return re.search(r"\.[*+]\??\.[*+]", bare) is not None or _has_nested_repeats(bare)


def _has_nested_repeats(bare: str) -> bool:
    repeats_inside = [False]
    for position, character in enumerate(bare, start=1):
        if character == "(":
            repeats_inside.append(False)
            continue
        closed = repeats_inside.pop() if character == ")" and len(repeats_inside) > 1 else False
        unbounded = re.match(r"[*+]|\{\d*,\}", bare[position : position + 12]) is not None
        if closed and unbounded:
            return True
        repeats_inside[-1] = repeats_inside[-1] or closed or unbounded
    return False
