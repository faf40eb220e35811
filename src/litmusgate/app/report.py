"""Reporting: a verdict file in another format, or one run explored without any decision."""

from __future__ import annotations

from pathlib import Path

from litmusgate.app.files import MAX_RECORD_BYTES, read_bytes
from litmusgate.errors import RecordError
from litmusgate.report.document import VerdictDocument, read_verdict
from litmusgate.report.formats import render


def load_verdict(path: Path | str) -> VerdictDocument:
    """The verdict file at `path`; `RecordError` when it is absent or not a verdict."""
    path = Path(path)
    return read_verdict(
        read_bytes(path, what="the verdict", error=RecordError, max_bytes=MAX_RECORD_BYTES), path=str(path)
    )


def report_verdict(path: Path, form: str) -> str:
    """The verdict file at `path` in the format called `form`; nothing is decided anew."""
    return render(load_verdict(path), form)


def report_analysis(run: Path, form: str, *, suite: Path | None = None) -> str:
    """Counts of the run at `run`, without a decision (E11); `suite` supplies the categories of a run that names none."""
    from litmusgate.report.analysis import analyse, render_analysis
    from litmusgate.runs.files import read_run

    category_of = None
    if suite is not None:
        from litmusgate.app.suites import load_suite

        category_of = load_suite(suite).category_of()
    return render_analysis(analyse(read_run(run), category_of=category_of), form)
