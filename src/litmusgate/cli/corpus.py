"""`litmusgate corpus`: the provenance index a suite is checked against."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from litmusgate.cli import corpus_scan
from litmusgate.errors import EXIT_INVALID
from litmusgate.text import inert_line, plain_json, shown_line, visible

if TYPE_CHECKING:
    from litmusgate.api import Retired, Segment

app = typer.Typer(no_args_is_help=True)
app.command("scan")(corpus_scan.scan)


@app.command("add")
def add(
    *,
    index: Annotated[Path, typer.Argument(help="Folder of the index; made if it is absent.")],
    files: Annotated[
        list[str],
        typer.Argument(help="Files, folders or addresses (s3://…): .jsonl .ndjson .txt (also .gz, .zst), .parquet."),
    ],
    revision: Annotated[str, typer.Option(help="Which state of the corpus this is; a suite declares it.")],
    name: Annotated[str | None, typer.Option(help="Name of the corpus; all files are parts of it.")] = None,
    name_from: Annotated[
        Literal["file", "column"] | None,
        typer.Option(help="Many corpora at once: each file's name, or each value of --corpus-column."),
    ] = None,
    published: Annotated[
        str | None, typer.Option(help="Date of publication; without it the corpus always counts.")
    ] = None,
    fine_tuning_of: Annotated[
        str | None, typer.Option(help="Agent that was tuned on these texts: they count whatever their date.")
    ] = None,
    keep: Annotated[
        Literal["text", "hashes"],
        typer.Option(help="What to keep: the texts, or only fingerprints, which can be shared and find less."),
    ] = "text",
    text_column: Annotated[str, typer.Option(help="Column that holds the text.")] = "text",
    id_column: Annotated[
        str | None, typer.Option(help="Column that names a document; without it `id`, else file:line.")
    ] = None,
    corpus_column: Annotated[str, typer.Option(help="Column read by --name-from column.")] = "corpus",
    source_column: Annotated[str | None, typer.Option(help="Column saying where the corpus has a text from.")] = None,
    now: Annotated[str | None, typer.Option(help="Stamp this time (RFC 3339) instead of the clock's.")] = None,
) -> None:
    """Add known corpora. All files are read to their end first; if anything is unreadable, nothing is added (exit 4)."""
    from litmusgate import api

    done = api.add_corpus(
        api.AddRequest(
            index=index,
            files=tuple(files),
            revision=revision,
            name=name,
            name_from=name_from,
            published=published,
            fine_tuning_of=fine_tuning_of,
            keep=keep,
            columns=api.Columns(
                text=text_column,
                id=id_column,
                corpus=corpus_column if name_from == "column" else None,
                source=source_column,
            ),
            now=now,
        )
    )
    for segment in done.added:
        typer.echo(f"added {_described(segment)}", err=True)
    for segment in done.unchanged:
        typer.echo(f"already there, unchanged: {_described(segment)}", err=True)
    typer.echo(done.index.digest)


@app.command("list")
def list_(
    index: Annotated[Path, typer.Argument(help="Folder of the index.")],
    output: Annotated[Literal["text", "json"], typer.Option("--format", help="What to print.")] = "text",
) -> None:
    """Print the digest a policy pins, then every corpus with its revision and dates."""
    from litmusgate import api

    listed = api.list_index(index)
    if output == "json":
        typer.echo(plain_json(json.dumps(listed, sort_keys=True, separators=(",", ":"))))
        return
    typer.echo(listed["digest"])
    corpora = listed["corpora"]
    for entry in corpora if isinstance(corpora, list) else []:
        typer.echo(inert_line(_described(api.Segment.model_validate(entry))))
    retired = listed["retired"]
    for entry in retired if isinstance(retired, list) else []:
        typer.echo(inert_line(_described_retired(api.Retired.model_validate(entry))))


@app.command("verify")
def verify(
    index: Annotated[Path, typer.Argument(help="Folder of the index.")],
    now: Annotated[str | None, typer.Option(help="Stamp this time (RFC 3339) instead of the clock's.")] = None,
) -> None:
    """Hash everything again and stamp the index as checked; exit 4 on any difference, and nothing is stamped."""
    from litmusgate import api

    found = api.verify_index(index, now=now)
    for line in found.differences:
        typer.echo(shown_line(line), err=True)
    if found.differences:
        raise typer.Exit(EXIT_INVALID)
    segments = found.index.segments
    corpora = len({segment.corpus for segment in segments})
    typer.echo(f"{len(segments)} segments of {corpora} corpora verified", err=True)
    typer.echo(found.index.digest)


@app.command("retire")
def retire(
    index: Annotated[Path, typer.Argument(help="Folder of the index.")],
    corpus: Annotated[str, typer.Argument(help="The corpus that shall no longer count.")],
    *,
    reason: Annotated[str, typer.Option(help="Why; it stays on the list.")],
    revision: Annotated[str | None, typer.Option(help="Only this revision of it.")] = None,
    now: Annotated[str | None, typer.Option(help="Stamp this time (RFC 3339) instead of the clock's.")] = None,
) -> None:
    """Take a corpus out of the index. It stays listed as retired, and the digest that a policy pins changes."""
    from litmusgate import api

    done = api.retire_corpus(index, corpus, revision=revision, reason=reason, now=now)
    for entry in done.retired:
        typer.echo(inert_line(_described_retired(entry)), err=True)
    typer.echo("the digest is another one: pin it in the policy anew (admission.index), then admit again", err=True)
    typer.echo(done.index.digest)


@app.command("compact")
def compact(index: Annotated[Path, typer.Argument(help="Folder of the index.")]) -> None:
    """Put small segments together and delete files that nothing refers to; the digest stays."""
    from litmusgate import api

    done = api.compact_index(index)
    typer.echo(f"{done.moved} segments put together, {len(done.deleted)} files deleted", err=True)
    typer.echo(done.index.digest)


def _described(segment: Segment) -> str:
    blank = f", {segment.blank} blank rows left out" if segment.blank else ""
    tuned = f", fine-tuning data of {visible(segment.fine_tuning_of)}" if segment.fine_tuning_of else ""
    kept = ", hashes only" if segment.keep == "hashes" else ""
    return (
        f"{visible(segment.corpus)} {visible(segment.revision)}: {segment.documents} documents{blank}{kept}, "
        f"published {segment.published or 'unknown'}{tuned}, checked {segment.checked_at}"
    )


def _described_retired(entry: Retired) -> str:
    return (
        f"retired {visible(entry.corpus)} {visible(entry.revision)}: {entry.documents} documents, "
        f"{entry.retired_at}: {visible(entry.reason)}"
    )
