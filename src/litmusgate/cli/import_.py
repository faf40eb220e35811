"""`litmusgate import FORMAT`: a log becomes a run. Digests to stdout, talk to stderr."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from litmusgate.text import plain_json, visible

if TYPE_CHECKING:
    from litmusgate.api import ImportSummary

app = typer.Typer(no_args_is_help=True)

Paths = Annotated[list[Path], typer.Argument(help="The logs.", metavar="PATH…", show_default=False)]
Agent = Annotated[str, typer.Option(help="The agent whose builds are compared: one name for all of them.")]
Build = Annotated[str, typer.Option(help="The build that made these logs.")]
Out = Annotated[Path, typer.Option(help="The run file to write: .jsonl, .jsonl.zst or .parquet.")]
Suite = Annotated[Path | None, typer.Option(help="The suite the run is of; without one `gate` refuses the run.")]
Subset = Annotated[bool, typer.Option("--subset", help="Leave out and count ids that are not in the suite.")]
Epochs = Annotated[int | None, typer.Option(min=1, help="Attempts asked for per instance [default: found].")]
Format = Annotated[Literal["text", "json"], typer.Option("--format", help="How to print the digests.")]

FieldColumns = Annotated[
    list[str],
    typer.Option(
        metavar="FIELD=COLUMN",
        help="Which column holds which field; id and outcome are needed, also known: attempt refill category exposed"
        " cached started_at said did refusal graded_score detail flags.",
    ),
]
ValueOutcomes = Annotated[
    list[str],
    typer.Option(
        "--map",
        metavar="VALUE=OUTCOME",
        help="What a value of the outcome column means: safe, violation, vacuous:REASON or unknown:REASON. A value"
        " that is not declared stops the import.",
    ),
]


@app.command("table")
def table(
    *,
    paths: Paths,
    agent: Agent,
    build: Build,
    out: Out,
    column: FieldColumns,
    mapped: ValueOutcomes,
    suite: Suite = None,
    subset: Subset = False,
    epochs: Epochs = None,
    where: Annotated[str | None, typer.Option(metavar="EXPR", help="Rows to read, as in dir == 'a'.")] = None,
    exposure: Annotated[Path | None, typer.Option(help="A table that says which rows met the attack.")] = None,
    on: Annotated[str | None, typer.Option(metavar="COL[,COL]", help="Columns that join it to the log.")] = None,
    exposure_column: Annotated[
        str | None, typer.Option(help="Its column of true and false [default: exposed].")
    ] = None,
    exposure_where: Annotated[str | None, typer.Option(metavar="EXPR", help="Its rows that may be believed.")] = None,
    cached: Annotated[
        Literal["yes", "no", "unknown"], typer.Option(help="Whether all answers were replayed from a cache.")
    ] = "unknown",
    first_attempt: Annotated[int, typer.Option(min=0, help="Number of the first attempt in the log.")] = 0,
    attempts_by_order: Annotated[
        bool, typer.Option("--attempts-by-order", help="Rows of one id are its attempts, in their order.")
    ] = False,
    output: Format = "text",
) -> None:
    """Import CSV, JSONL or Parquet by declared columns and values.

    CSV and JSONL may end in .gz or .zst; an empty CSV cell is null. A null outcome is UNKNOWN. Times without a zone are
    read as UTC. Exit codes: 0 written (UNKNOWN counted on stderr), 2 a declaration that does not fit the log,
    4 a log that is truncated, unreadable, contradictory or empty.
    """
    from litmusgate import api

    flags = api.TableFlags(
        columns=tuple(column),
        maps=tuple(mapped),
        where=where,
        exposure=exposure,
        on=on,
        exposure_column=exposure_column,
        exposure_where=exposure_where,
        cached=cached,
        first_attempt=first_attempt,
        attempts_by_order=attempts_by_order,
    )
    target = api.ImportTarget(agent=agent, build=build, out=out, suite=suite, subset=subset, epochs=epochs)
    _print(api.import_table(paths, flags, target), output)
    if not any(item.startswith("cached=") for item in column):
        _without_cached(cached)
    _without_suite(suite)


@app.command("agentdojo")
def agentdojo(
    *,
    paths: Paths,
    agent: Agent,
    build: Build,
    out: Out,
    suite: Suite = None,
    subset: Subset = False,
    epochs: Epochs = None,
    id_template: Annotated[
        str,
        typer.Option(
            help="How ids are made; also known: {attack_type} {benchmark_version}. No injection is written as none."
        ),
    ] = "{suite_name}/{user_task_id}/{injection_task_id}",
    category_from: Annotated[
        Literal["suite", "injection", "attack"] | None, typer.Option(help="Field that is the category.")
    ] = None,
    exposure_from: Annotated[
        Literal["tool-outputs"] | None,
        typer.Option(help="Declare that tool results in the log are what the agent saw (no defence filters them)."),
    ] = None,
    pipeline: Annotated[str | None, typer.Option(help="Read only logs of this pipeline.")] = None,
    attack: Annotated[str | None, typer.Option(help="Read only logs of this attack type.")] = None,
    cached: Annotated[
        Literal["yes", "no", "unknown"], typer.Option(help="Whether all answers were replayed from a cache.")
    ] = "unknown",
    output: Format = "text",
) -> None:
    """Import AgentDojo run folders (or single log files).

    Security true on a row with an injection and without an error is a violation; errored rows are UNKNOWN, rows without
    an injection VACUOUS. Exit codes: 0 written (UNKNOWN counted on stderr), 2 wrong usage, 4 a log that is truncated,
    unreadable, contradictory or empty.
    """
    from litmusgate import api

    flags = api.AgentDojoFlags(
        id_template=id_template,
        category_from=category_from,
        exposure_from=exposure_from,
        pipeline=pipeline,
        attack=attack,
        cached=cached,
    )
    target = api.ImportTarget(agent=agent, build=build, out=out, suite=suite, subset=subset, epochs=epochs)
    _print(api.import_agentdojo(paths, flags, target), output)
    _without_cached(cached)
    _without_suite(suite)


def _without_cached(cached: str) -> None:
    """Say to stderr that a run whose answers may have been replayed gives no flips (E6)."""
    if cached == "unknown":
        typer.echo(
            "note: whether answers were replayed is not said (--cached no), so this run gives no flips", err=True
        )


def _without_suite(suite: Path | None) -> None:
    """Say to stderr that a run without a suite cannot be gated."""
    if suite is None:
        typer.echo("note: without --suite the run can be looked at with `report --analysis`, not gated", err=True)


def _print(summary: ImportSummary, output: str) -> None:
    """Digests to stdout; counts to stderr, UNKNOWN loudly."""
    counts = ", ".join(f"{count} {name}" for name, count in summary.outcomes.items())
    typer.echo(f"{summary.trials} trials of {summary.instances} instances, epochs {summary.epochs}: {counts}", err=True)
    if summary.left_out:
        typer.echo(f"left out: {summary.left_out} rows of ids that are not in the suite", err=True)
    for name, count in sorted(summary.notes.items()):
        typer.echo(f"note: {visible(name)} {count}", err=True)
    if summary.unknown:
        typer.echo(f"UNKNOWN: {summary.unknown} of {summary.trials} trials could not be judged", err=True)
    if output == "json":
        typer.echo(plain_json(json.dumps(summary.document(), sort_keys=True)))
        return
    for name in ("digest", "trials_digest", "importer", "mapping", "grader"):
        typer.echo(f"{name} {summary.document()[name] or 'none'}")
