"""`litmusgate init`: a commented policy that pins what it was shown."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def init(
    *,
    suite: Annotated[Path, typer.Option(help="The suite the policy is for.")],
    out: Annotated[Path, typer.Option(help="Where to write the policy.")] = Path("policy.yaml"),
    template: Annotated[
        Path | None, typer.Option("--from", help="A policy whose settings to keep; only its pins change.")
    ] = None,
    index: Annotated[Path | None, typer.Option(help="The provenance index to pin.")] = None,
    reference: Annotated[
        list[str] | None, typer.Option(help="ROLE=RUN to pin: unsafe, safe or canary.", metavar="ROLE=RUN")
    ] = None,
    run: Annotated[Path | None, typer.Option(help="A run whose importer, mapping and epochs to pin.")] = None,
    baseline: Annotated[list[Path] | None, typer.Option(help="A baseline run to pin (repeat for several).")] = None,
    anchor: Annotated[list[Path] | None, typer.Option(help="An anchor run to pin.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing policy.")] = False,
) -> None:
    """Write a commented gate policy that pins the suite, index, references and runs given here."""
    from litmusgate import api

    request = api.InitRequest(
        suite=suite,
        out=out,
        template=template,
        index=index,
        references=tuple(api.parse_reference(item) for item in reference or ()),
        run=run,
        baseline=tuple(baseline or ()),
        anchor=tuple(anchor or ()),
        force=force,
    )
    typer.echo(api.init_policy(request))
