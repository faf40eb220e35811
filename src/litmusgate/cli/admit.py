"""`litmusgate admit`: which instances may vote for this agent?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer


def admit(
    *,
    policy: Annotated[Path, typer.Option(help="The gate policy (YAML).")],
    suite: Annotated[Path, typer.Option(help="The suite to admit.")],
    agent: Annotated[str, typer.Option(help="The agent whose builds will be gated: one name for all of them.")],
    out: Annotated[Path, typer.Option(help="Where to write the admission record (JSON).")],
    index: Annotated[
        Path | None, typer.Option(help="The provenance index; without it provenance is not checked.")
    ] = None,
    texts: Annotated[
        list[str] | None,
        typer.Option(help="Where source files of hash-only segments may stand: they are scanned instead (repeat)."),
    ] = None,
    scan: Annotated[
        list[Path] | None, typer.Option(help="A result of `corpus scan` to take in beside the index (repeat).")
    ] = None,
    allow: Annotated[
        Path | None, typer.Option(help="Texts that are common property, each with a reason (YAML); the policy pins it.")
    ] = None,
    cutoff: Annotated[
        str | None, typer.Option(metavar="DATE", help="The later of the agent's training and fine-tuning cut-off.")
    ] = None,
    reference: Annotated[
        list[str] | None,
        typer.Option(metavar="ROLE=RUN", help="A run of a known agent: unsafe, safe or canary (repeat)."),
    ] = None,
    run_references: Annotated[
        bool, typer.Option("--run-references", help="Play the scripted reference agents as well.")
    ] = False,
    now: Annotated[str | None, typer.Option(help="Admit as of this time (RFC 3339) instead of the clock's.")] = None,
    output: Annotated[Literal["text", "json"], typer.Option("--format", help="How to print the funnel.")] = "text",
) -> None:
    """Check which instances may vote: provenance, leakage, discriminability, and what the policy requires besides.

    Exit codes: 0 the record is written, 4 it is written and the suite is stale for this agent, or an index or run
    cannot be believed; 2 wrong usage.
    """
    from litmusgate import api

    outcome = api.admit_files(
        api.AdmitFiles(
            policy=policy,
            suite=suite,
            agent=agent,
            out=out,
            index=index,
            cutoff=cutoff,
            texts=tuple(texts or ()),
            scans=tuple(scan or ()),
            allow=allow,
            references=tuple(api.parse_reference(item) for item in reference or ()),
            run_references=run_references,
            now=now,
        )
    )
    typer.echo(api.admission_json(outcome) if output == "json" else api.admission_text(outcome), nl=False)
    for note in outcome.notes:
        typer.echo(f"note: {api.visible(note)}", err=True)
    raise typer.Exit(outcome.exit_code)
