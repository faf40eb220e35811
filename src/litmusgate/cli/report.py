"""`litmusgate report`: a verdict in another format, or one run explored without a decision."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from litmusgate.text import plain_json


def report(
    verdict: Annotated[Path | None, typer.Argument(help="The verdict.json to report.", show_default=False)] = None,
    analysis: Annotated[Path | None, typer.Option(help="Explore this run instead: counts, no decision.")] = None,
    suite: Annotated[
        Path | None, typer.Option(help="With --analysis: the suite that says which category an id has.")
    ] = None,
    output: Annotated[
        Literal["text", "markdown", "json", "junit"], typer.Option("--format", help="What to print.")
    ] = "text",
) -> None:
    """Show a verdict again in any format, or explore one run.

    Exit codes: 0 whatever the verdict says, 2 wrong usage, 4 when the file is not a verdict or not a run.
    """
    from litmusgate import api

    if (verdict is None) == (analysis is None):
        raise api.UsageError("report wants exactly one of a verdict.json and --analysis RUN")
    if verdict is not None:
        if suite is not None:
            raise api.UsageError("--suite belongs to --analysis; a verdict names its own suite")
        _print(api.report_verdict(verdict, output), output)
    elif analysis is not None:
        _print(api.report_analysis(analysis, output, suite=suite), output)


def _print(text: str, output: str) -> None:
    typer.echo(plain_json(text) if output == "json" else text, nl=False)
