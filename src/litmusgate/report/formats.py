"""The formats a verdict can be reported in."""

from __future__ import annotations

from collections.abc import Callable

from litmusgate.errors import UsageError
from litmusgate.report.document import VerdictDocument
from litmusgate.report.json import render_json
from litmusgate.report.junit import render_junit
from litmusgate.report.markdown import render_markdown
from litmusgate.report.text import render_text

FORMATS: dict[str, Callable[[VerdictDocument], str]] = {
    "text": render_text,
    "markdown": render_markdown,
    "json": render_json,
    "junit": render_junit,
}
"""Renderer by the name `--format` takes."""


def render(document: VerdictDocument, form: str) -> str:
    """`document` in the format called `form`; `UsageError` for a name that is no format, listing those there are."""
    renderer = FORMATS.get(form)
    if renderer is None:
        raise UsageError("unknown report format", got=repr(form), wanted=f"one of {', '.join(FORMATS)}")
    return renderer(document)
