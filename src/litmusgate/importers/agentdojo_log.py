"""One AgentDojo log file: the fields that matter, checked, whatever the version of the tool that wrote it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from litmusgate.documents import decode_utf8
from litmusgate.errors import ImportFormatError, Location
from litmusgate.importers.log_json import parse_log_json
from litmusgate.importers.streams import unreadable

MAX_LOG_BYTES = 256_000_000
"""Largest log file that is read, in bytes."""

MAX_ERROR_CHARACTERS = 2_000
"""How much of an error text is kept as the trial's detail."""

_NOT_LETTERS = re.compile(r"\\[nrt]|[\s\\\"']+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """One run of one task. None means null or, for the score, absent.

    `ended` is whether the log shows a run that came to its end: messages, and an `error` key or, in logs of defences
    that keep their own format and no such key, both scores. The tool writes a log as it goes, so one without is the
    beginning of a run. `injections` and `tool_outputs` are None where the log has none to show.
    """

    path: str
    suite_name: str
    pipeline_name: str
    user_task_id: str
    injection_task_id: str | None
    attack_type: str | None
    benchmark_version: str | None
    evaluation_timestamp: str | None
    ended: bool
    has_error_key: bool
    error: str | None
    security: bool | None
    messages: int
    injections: tuple[str, ...] | None
    tool_outputs: tuple[str, ...]


def read_log(path: Path) -> Log:
    """The log at `path`; raises `ImportFormatError` for a file that is no whole AgentDojo log."""
    try:
        if path.stat().st_size > MAX_LOG_BYTES:
            raise ImportFormatError(f"the file is larger than {MAX_LOG_BYTES} bytes", at=Location(path=str(path)))
        data = path.read_bytes()
    except OSError as problem:
        raise unreadable(path, problem) from problem
    text = decode_utf8(data, path=str(path), error=ImportFormatError)
    value = parse_log_json(text, path=str(path))
    if not isinstance(value, dict):
        raise _wrong(str(path), "the file", value, "an object")
    return _log(_Fields(path=str(path), values=value))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fields:
    """The keys of one log with the checks they need."""

    path: str
    values: dict[str, Any]

    def required(self, name: str) -> str:
        value = self._present(name)
        if not isinstance(value, str):
            raise _wrong(self.path, f"{name!r}", value, "a text")
        return value

    def nullable(self, name: str) -> str | None:
        """A text or null; the key itself must be there, because its absence could mean either."""
        value = self._present(name)
        if value is not None and not isinstance(value, str):
            raise _wrong(self.path, f"{name!r}", value, "a text or null")
        return value

    def optional(self, name: str) -> str | None:
        return self.nullable(name) if name in self.values else None

    def truth(self, name: str) -> bool | None:
        value = self.values.get(name)
        if value is not None and not isinstance(value, bool):
            raise _wrong(self.path, f"{name!r}", value, "true, false or null")
        return value

    def _present(self, name: str) -> Any:
        if name not in self.values:
            raise ImportFormatError(
                f"not an AgentDojo log: it has no {name!r}",
                got=f"the keys {', '.join(repr(key) for key in sorted(self.values)[:20]) or 'none'}",
                at=Location(path=self.path),
            )
        return self.values[name]


def _log(fields: _Fields) -> Log:
    messages = fields.values.get("messages")
    if messages is not None and not isinstance(messages, list):
        raise _wrong(fields.path, "'messages'", messages, "a list")
    outputs = tuple(_tool_outputs(fields.path, messages or []))
    error = fields.optional("error")
    return Log(
        path=fields.path,
        suite_name=fields.required("suite_name"),
        pipeline_name=fields.required("pipeline_name"),
        user_task_id=fields.required("user_task_id"),
        injection_task_id=_injection(fields),
        attack_type=fields.optional("attack_type"),
        benchmark_version=fields.optional("benchmark_version"),
        evaluation_timestamp=fields.optional("evaluation_timestamp"),
        ended=messages is not None and ("error" in fields.values or _scored(fields)),
        has_error_key="error" in fields.values,
        error=None if error is None else _writable(error[:MAX_ERROR_CHARACTERS]),
        security=fields.truth("security"),
        messages=len(messages or []),
        injections=_injections(fields),
        tool_outputs=outputs,
    )


def exposure_in_tool_outputs(log: Log) -> bool | None:
    """Whether an injected text stands in a tool result of the log (E7); None where the log cannot say.

    White space, quotes and escapes are ignored, because tools print injected texts inside YAML and JSON. It cannot say
    without injected texts or without messages.
    """
    wanted = [folded for folded in map(_folded, log.injections or ()) if folded]
    if not wanted or not log.messages:
        return None
    outputs = [_folded(output) for output in log.tool_outputs]
    return any(text in output for text in wanted for output in outputs)


def _scored(fields: _Fields) -> bool:
    return fields.truth("utility") is not None and fields.truth("security") is not None


def _injection(fields: _Fields) -> str | None:
    """The injection task; a text that spells its absence is refused, because it would pass for an attack withstood."""
    injection = fields.nullable("injection_task_id")
    if injection is not None and injection.strip().lower() in ("", "none", "null"):
        raise _wrong(fields.path, "'injection_task_id'", injection, "the name of a task, or null")
    return injection


def _injections(fields: _Fields) -> tuple[str, ...] | None:
    injections = fields.values.get("injections")
    if injections is None:
        return None
    if not isinstance(injections, dict) or not all(isinstance(text, str) for text in injections.values()):
        raise _wrong(fields.path, "'injections'", injections, "an object of texts")
    return tuple(injections[name] for name in sorted(injections))


def _tool_outputs(path: str, messages: list[Any]) -> Iterator[str]:
    for message in messages:
        if not isinstance(message, dict) or not isinstance(message.get("role"), str):
            raise _wrong(path, "a message", message, "an object with a role")
        texts = list(_content_texts(path, message.get("content")))
        if message["role"] == "tool":
            yield "\n".join(texts)


def _content_texts(path: str, content: Any) -> Iterator[str]:
    """The texts of a message: null, one text (older versions) or blocks `{type, content}` (newer ones)."""
    if content is None:
        return
    if isinstance(content, str):
        yield content
        return
    if not isinstance(content, list):
        raise _wrong(path, "the content of a message", content, "null, a text or a list of blocks")
    for block in content:
        text = block.get("content", block.get("text")) if isinstance(block, dict) else block
        if text is not None and not isinstance(text, str):
            raise _wrong(path, "a content block", block, "an object with a text")
        if text is not None:
            yield text


def _folded(text: str) -> str:
    return _NOT_LETTERS.sub("", text)


def _writable(text: str) -> str:
    """The text with lone surrogates as visible escapes: a strange error message must not stop the import."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _wrong(path: str, what: str, got: Any, wanted: str) -> ImportFormatError:
    shown = repr(got)
    return ImportFormatError(
        f"not an AgentDojo log: {what} is of another type",
        got=shown if len(shown) <= 80 else f"{shown[:80]}…",
        wanted=wanted,
        at=Location(path=path),
    )
