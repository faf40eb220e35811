"""The verdict as JSON: exactly the canonical bytes of the verdict file, so that its digest can be taken."""

from __future__ import annotations

from litmusgate.report.document import VerdictDocument, verdict_bytes


def render_json(document: VerdictDocument) -> str:
    """The canonical JSON of `document` as text, without a newline at its end."""
    return verdict_bytes(document).decode("utf-8")
