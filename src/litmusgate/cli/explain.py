"""`litmusgate explain`: what a rule, a reason code or a provenance status means."""

from __future__ import annotations

from typing import Annotated

import typer


def explain(
    name: Annotated[
        str,
        typer.Argument(
            help="A rule like B5, a reason code like not-exposed, or a status like suspect.",
            metavar="RULE|REASON|STATUS",
        ),
    ],
) -> None:
    """Explain a rule, a reason code or a provenance status that stands behind a decision.

    Exit codes: 0 explained, 2 for a name that is none of these, with the nearest ones.
    """
    from litmusgate import api

    typer.echo(api.explain(name), nl=False)
