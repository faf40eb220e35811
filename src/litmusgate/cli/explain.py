"""`litmusgate explain`: what a rule or a reason code means."""

from __future__ import annotations

from typing import Annotated

import typer


def explain(
    name: Annotated[
        str, typer.Argument(help="A rule like B5, or a reason code like not-exposed.", metavar="RULE|REASON")
    ],
) -> None:
    """Explain a rule or a reason code that stands behind a decision.

    Exit codes: 0 explained, 2 for a name that is neither, with the nearest ones.
    """
    from litmusgate import api

    typer.echo(api.explain(name), nl=False)
