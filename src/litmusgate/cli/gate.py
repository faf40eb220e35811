"""`litmusgate gate`: may this build ship? The exit code is the decision."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from litmusgate.text import plain_json


def gate(
    *,
    policy: Annotated[Path, typer.Option(help="The gate policy (YAML).")],
    suite: Annotated[Path, typer.Option(help="The suite the policy pins.")],
    run: Annotated[list[Path], typer.Option(help="A run of the candidate build (repeat for several).")],
    admission: Annotated[Path, typer.Option(help="The admission record of this suite, index and agent.")],
    baseline: Annotated[list[Path] | None, typer.Option(help="A run of the pinned baseline build (repeat).")] = None,
    anchor: Annotated[list[Path] | None, typer.Option(help="A run of the pinned anchor build (repeat).")] = None,
    now: Annotated[str | None, typer.Option(help="Evaluate as of this time (RFC 3339) instead of the clock's.")] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder for verdict.json, verdict.txt, verdict.md, junit.xml.")
    ] = None,
    store: Annotated[Path | None, typer.Option(help="Folder of the records.", envvar="LITMUSGATE_STORE")] = None,
    first: Annotated[bool, typer.Option("--first", help="First build, no baseline yet: REVIEW by design.")] = False,
    output: Annotated[
        Literal["text", "markdown", "json", "junit"], typer.Option("--format", help="What to print.")
    ] = "text",
) -> None:
    """Decide whether a build may ship.

    Exit codes: 0 PASS, 1 BLOCK, 2 wrong usage or a policy or suite that does not parse, 3 REVIEW due,
    4 INVALID evidence, 70 a bug in litmusgate, 130 interrupted.
    """
    from litmusgate import api

    outcome = api.gate_files(
        api.GateFiles(
            policy=policy,
            suite=suite,
            runs=tuple(run),
            admission=admission,
            baseline=tuple(baseline or ()),
            anchor=tuple(anchor or ()),
            now=now,
            out=out,
            store=store,
            first=first,
        )
    )
    shown = api.render(outcome.document, output)
    typer.echo(plain_json(shown) if output == "json" else shown, nl=False)
    kept = "record" if outcome.kept else "no record was kept: not written:"
    decided = f"{outcome.document.decision.value}, exit code {outcome.exit_code}"
    typer.echo(f"{decided}; {kept} {outcome.digest} in {api.visible(str(outcome.store))}", err=True)
    raise typer.Exit(outcome.exit_code)
