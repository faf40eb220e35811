"""`litmusgate calibrate`: find the one threshold on your own suite and corpora."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

app = typer.Typer(no_args_is_help=True)

Corpus: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        metavar="PATH", help="Known texts: a file, a folder or an address, in any format of corpus add (repeat)."
    ),
]
Canaries: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(metavar="canary=RUN", help="A run of a canary, whose passes are labels (repeat)."),
]
HardNegatives: TypeAlias = Annotated[
    Path | None, typer.Option(help="Texts that look like the suite and are not; without it they are made.")
]
Known: TypeAlias = Annotated[
    Path | None, typer.Option(help="File of instance ids, one a line, that stand in the corpora: no negatives.")
]
Clean: TypeAlias = Annotated[
    Path | None, typer.Option(help="File of instance ids, one a line, whose similar texts are no copies.")
]
Allowed: TypeAlias = Annotated[
    Path | None, typer.Option(help="File of allowed texts, as in corpus scan: their words are nobody's own.")
]

Embed: TypeAlias = Annotated[
    Path | None,
    typer.Option(metavar="FOLDER", help="A local embedding model: find the embedding channel's own tau too."),
]
EmbedMegabytes: TypeAlias = Annotated[
    int, typer.Option("--embed-mb", help="Megabytes of the sample that the embedding model reads at most.")
]


@app.callback()
def _calibrate() -> None:
    """Find the one threshold on your own suite and corpora."""


@app.command("tau")
def tau(
    *,
    suite: Annotated[Path, typer.Option(help="The suite whose instances are planted.")],
    out: Annotated[Path, typer.Option(help="Where to write the calibration (JSON); without a tau it says so.")],
    corpus: Corpus = None,
    index: Annotated[Path | None, typer.Option(help="The provenance index, instead of --corpus.")] = None,
    column: Annotated[str, typer.Option(help="Column that holds the text.")] = "text",
    reference: Canaries = None,
    hard_negatives: HardNegatives = None,
    allow: Allowed = None,
    known: Known = None,
    clean: Clean = None,
    html: Annotated[Path | None, typer.Option(help="Write the report as an HTML page too.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of the sample and of the plants.")] = 0,
    sample_mb: Annotated[int, typer.Option(help="Megabytes of corpus text to draw at most.")] = 20,
    planted: Annotated[int, typer.Option(help="Instances to plant at most.")] = 100,
    max_false: Annotated[
        str, typer.Option(help="Share of false positives that must be excluded with 95 % confidence.")
    ] = "0.05",
    min_recall: Annotated[str, typer.Option(help="Share of each kind of copy that must be found.")] = "0.9",
    embed: Embed = None,
    embed_mb: EmbedMegabytes = 2,
) -> None:
    """Plant perturbed copies of the suite into a sample of the corpus, and find the lowest tau with few false positives.

    Exit codes: 0 a tau was found (with --embed two), 4 none, or a corpus or canary cannot be believed; 2 wrong usage.
    """
    from litmusgate import api

    outcome = api.calibrate_files(
        api.CalibrateFiles(
            suite=suite,
            out=out,
            corpus=tuple(corpus or ()),
            index=index,
            column=column,
            references=tuple(api.parse_reference(item) for item in reference or ()),
            hard_negatives=hard_negatives,
            allow=allow,
            known=known,
            clean=clean,
            html=html,
            seed=seed,
            sample_mb=sample_mb,
            planted=planted,
            max_false=max_false,
            min_recall=min_recall,
            embed=embed,
            embed_mb=embed_mb,
        )
    )
    for note in outcome.notes:
        typer.echo(f"note: {api.visible(note)}", err=True)
    typer.echo(f"calibration {outcome.digest}")
    typer.echo(outcome.text, nl=False)
    raise typer.Exit(outcome.exit_code)
