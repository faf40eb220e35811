"""`litmusgate corpus scan`: does any of this suite stand in these texts?"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from litmusgate.errors import UsageError
from litmusgate.text import plain_json, shown_line, visible

if TYPE_CHECKING:
    from litmusgate.api import CorpusScan, ScanProgress

_MEGABYTE = 1_000_000


Paths = Annotated[
    list[str], typer.Argument(metavar="PATH…", help="Corpus files, folders and URIs (s3://…), each scanned once.")
]
SuiteOption = Annotated[
    Path, typer.Option(help="The suite: its folder, or JSON lines of {id, category?, turns[{role, content}]}.")
]
Out = Annotated[Path | None, typer.Option(help="Where to write the result (JSON); `admit --scan` reads it.")]
Column = Annotated[str, typer.Option(help="Column that holds the text, or the turns of a chat.")]
IdColumn = Annotated[str | None, typer.Option(help="Column that names a document; without it `id`, else file:row.")]
SourceColumn = Annotated[str | None, typer.Option(help="Column saying where the corpus has a text from.")]
CorpusName = Annotated[str, typer.Option(help="What the evidence calls the scanned texts.")]
Tau = Annotated[str, typer.Option(help="Share of an instance's own words that makes it contaminated.")]
Encoded = Annotated[bool, typer.Option(help="Look for copies in base64, hex, rot13 … too.")]
Allow = Annotated[Path | None, typer.Option(help="Texts that are common property, each with a reason (YAML).")]
WorkersOption = Annotated[
    str | None, typer.Option(help="threads:N, processes:N, ray[:ADDRESS] or dask[:ADDRESS]; a thread for each core.")
]
Resume = Annotated[
    Path | None, typer.Option(help="Folder for finished shards: an interrupted scan goes on where it was.")
]
Embed = Annotated[
    Path | None, typer.Option(help="Folder of a local model: also look for texts near in meaning, for review.")
]
EmbedTau = Annotated[str | None, typer.Option(help="The model's own threshold (a cosine), calibrated.")]
ShowText = Annotated[
    bool, typer.Option("--show-text", help="Write the matching texts themselves, not only their hashes.")
]
Format = Annotated[Literal["text", "json"], typer.Option("--format", help="What to print.")]


def scan(
    *,
    paths: Paths,
    suite: SuiteOption,
    out: Out = None,
    column: Column = "text",
    id_column: IdColumn = None,
    source_column: SourceColumn = None,
    name: CorpusName = "scanned",
    tau: Tau = "0.85",
    encoded: Encoded = True,
    allow: Allow = None,
    workers: WorkersOption = None,
    resume: Resume = None,
    embed: Embed = None,
    embed_tau: EmbedTau = None,
    show_text: ShowText = False,
    output: Format = "text",
) -> None:
    """Look for every instance in the texts. Every document is read; what cannot be read makes the result unknown.

    Exit codes: 0 nothing was found, 1 an instance is contaminated or suspect, 4 any instance is unknown or not
    assessable; 2 wrong usage.
    """
    from litmusgate import api

    request = api.ScanRequest(
        suite=suite,
        paths=tuple(paths),
        columns=api.Columns(text=column, id=id_column, source=source_column),
        corpus=name,
        tau=tau,
        encoded=encoded,
        workers=workers,
        resume=resume,
        allow=allow,
        embed=embed,
        embed_tau=embed_tau,
    )
    _refuse_lost_output(out, show_text=show_text, output=output)
    started = time.monotonic()
    with _progress() as on_progress, _told_how_to_go_on(resume):
        found = api.scan_corpus(request, on_progress=on_progress, on_note=_note)
    _tell(found, time.monotonic() - started)
    if out is not None:
        api.write_scan(out, found.result, show_text=show_text)
    elif output == "json":
        typer.echo(plain_json(api.scan_bytes(found.result, show_text=show_text).decode("utf-8")))
    if output == "text":
        typer.echo(api.scan_text(found.result), nl=False)
    raise typer.Exit(api.scan_exit_code(found.result))


def _refuse_lost_output(out: Path | None, *, show_text: bool, output: str) -> None:
    """Flags that would lose the result are known before anything is read. Raises `UsageError`."""
    if out is not None and (out.is_dir() or (out.exists() and not out.is_file())):
        raise UsageError("--out is a folder or a device", got=repr(str(out)), wanted="a file")
    if show_text and out is None and output == "text":
        raise UsageError("--show-text writes into the result", fix="give --out FILE or --format json as well")


def _note(text: str) -> None:
    typer.echo(f"note: {text}", err=True)


@contextmanager
def _told_how_to_go_on(resume: Path | None) -> Iterator[None]:
    """Whoever interrupts a scan is told what is kept of it."""
    try:
        yield
    except KeyboardInterrupt:
        kept = f"finished shards are kept in {visible(str(resume))}" if resume else "nothing is kept; see --resume"
        _note(f"interrupted: {kept}; the same command goes on" if resume else f"interrupted: {kept}")
        raise


def _tell(found: CorpusScan, seconds: float) -> None:
    """What happened, on stderr: how much was read how fast, and everything that was not."""
    megabytes = found.result.text_bytes / _MEGABYTE
    reused = f", {found.reused} of them from an earlier scan" if found.reused else ""
    typer.echo(
        f"read {found.result.documents} documents, {megabytes:.1f} MB of text, in {found.result.shards} shards{reused}: "
        f"{seconds:.1f} s, {megabytes / max(seconds, 1e-9):.0f} MB/s ({found.engine} engine)",
        err=True,
    )
    if found.result.blank:
        _note(f"{found.result.blank} more documents hold no word")
    if found.slow:
        typer.echo("note: for a fast scan: pip install 'litmusgate[corpora]'", err=True)
    if found.unread_keys:
        typer.echo(f"note: keys of the suite's rows not looked at: {visible(', '.join(found.unread_keys))}", err=True)
    for note in found.notes:
        typer.echo(f"note: {shown_line(note)}", err=True)
    for _, problem in found.result.problems:
        for line in problem.splitlines():
            typer.echo(shown_line(line), err=True)


@contextmanager
def _progress() -> Iterator[Callable[[ScanProgress], None] | None]:
    """A bar with speed and time left where somebody watches; nothing in a log."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.fields[shards]} shards"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[text]:.0f} MB, {task.fields[speed]:.0f} MB/s"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("scan", total=None, shards="0", text=0.0, speed=0.0)
        started = time.monotonic()

        def show(progress: ScanProgress) -> None:
            megabytes = progress.text_bytes / _MEGABYTE
            bar.update(
                task,
                total=progress.disk,
                completed=progress.disk_done,
                shards=f"{progress.shards_done}/{progress.shards}",
                text=megabytes,
                speed=megabytes / max(time.monotonic() - started, 1e-9),
            )

        yield show
