"""A document held against a model: every problem with its place, what stood there, and what to write instead."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from litmusgate.digest import Json
from litmusgate.documents.document import Document, KeyPath
from litmusgate.errors import LitmusGateError, Location

Model = TypeVar("Model", bound=BaseModel)

_LISTED = 20
_SHOWN = 80


def validate(model: type[Model], document: Document, *, what: str, error: type[LitmusGateError]) -> Model:
    """The document as a `model`, read strictly as JSON: no number becomes a string, no unknown key is ignored.

    `what` names the thing in messages ("gate policy"). Raises `error` at the first problem in the document's order of
    validation, unknown keys before the rest; its message lists the others with their places, at most 20.
    """
    try:
        return model.model_validate_json(
            json.dumps(document.value) if document.json_text is None else document.json_text
        )
    except ValidationError as problem:
        # a misspelt key is also a missing one: the first tells what to do
        details = sorted(problem.errors(include_url=False), key=lambda detail: detail["type"] != "extra_forbidden")
    first, *others = [_describe(model, document, detail) for detail in details[:_LISTED]]
    message = f"{what}: {first.message}"
    if others:
        listed = "; ".join(f"{item.place}: {item.message}" for item in others)
        unlisted = f"; and {len(details) - _LISTED} more" if len(details) > _LISTED else ""
        message = f"{message} (also {listed}{unlisted})"
    raise error(message, got=first.got, wanted=first.wanted, fix=first.fix, at=first.place)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Problem:
    """One pydantic finding in our words."""

    place: Location
    message: str
    got: str | None = None
    wanted: str | None = None
    fix: str | None = None


def _describe(model: type[BaseModel], document: Document, detail: ErrorDetails) -> _Problem:
    kind, location = detail["type"], detail["loc"]
    keys = _keys_in(document, location)
    name = str(location[-1]) if location else ""
    if kind == "missing":
        message = f"key {_short(name)} is missing{_inside(keys)}"
        return _Problem(place=document.at(keys), message=message, fix=f"add {name}: …")
    if kind == "extra_forbidden":
        return _unknown_key(model, document, keys, name)
    hint = _quoting_hint(document, keys, kind, detail["input"])
    shown = _short_value(detail["input"])
    where = _dotted(keys)
    return _Problem(
        place=document.at(keys, key=name == "[key]"),
        message=f"{where}: {_sentence(detail)}" if where else _sentence(detail),
        got=shown if hint is None else document.source(keys) or shown,
        fix=hint,
    )


def _unknown_key(model: type[BaseModel], document: Document, keys: KeyPath, name: str) -> _Problem:
    known = sorted(_known_keys(model, keys[:-1]))
    near = difflib.get_close_matches(name, known, n=1)
    return _Problem(
        place=document.at(keys, key=True),
        message=f"unknown key {_short(name)}{_inside(keys[:-1])}",
        wanted=f"one of {', '.join(known)}" if known else None,
        fix=f"did you mean {near[0]!r}?" if near else "remove it",
    )


def _sentence(detail: ErrorDetails) -> str:
    return detail["msg"].removeprefix("Value error, ").removeprefix("Input ")


def _quoting_hint(document: Document, keys: KeyPath, kind: str, value: object) -> str | None:
    if kind != "string_type" or not isinstance(value, int | float):
        return None
    return f'quote it: "{document.source(keys) or json.dumps(value)}"'


def _keys_in(document: Document, location: Sequence[int | str]) -> KeyPath:
    """The part of a pydantic location that exists in the document; union tags and field names that do not are skipped."""
    keys: list[str | int] = []
    value: Json = document.value
    for part in location:
        children = _children(value)
        if part in children:
            keys.append(part)
            value = children[part]
    return tuple(keys)


def _children(value: Json) -> dict[str | int, Json]:
    if isinstance(value, dict):
        return dict(value)
    return dict(enumerate(value)) if isinstance(value, list) else {}


def _known_keys(model: type[BaseModel], keys: KeyPath) -> set[str]:
    models = {model}
    for key in keys:
        annotations = [
            field.annotation
            for candidate in models
            for name, field in candidate.model_fields.items()
            if key in {field.alias or name, field.validation_alias, name}
        ]
        if annotations:
            models = {found for annotation in annotations for found in _models_in(annotation)}
    return {field.alias or name for candidate in models for name, field in candidate.model_fields.items()}


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _models_in(part)


def _dotted(keys: KeyPath) -> str:
    text = ""
    for key in keys:
        text += f"[{key}]" if isinstance(key, int) else f".{key}" if key.isidentifier() else f"[{_short(key)}]"
    return text.removeprefix(".")


def _inside(keys: KeyPath) -> str:
    where = _dotted(keys)
    return f" in {where}" if where else ""


def _short(text: str) -> str:
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


def _short_value(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= _SHOWN else shown[:_SHOWN] + "…"
