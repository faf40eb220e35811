"""`litmusgate demo`: the whole path on bundled, made-up material, offline."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Annotated

import typer


def demo(
    out: Annotated[
        Path | None, typer.Option(help="An empty folder for suite, runs, records and reports; it is kept.")
    ] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Keep the temporary folder that is used without --out.")] = False,
    now: Annotated[str | None, typer.Option(help="Play as of this time (RFC 3339) instead of the clock's.")] = None,
) -> None:
    """Play four gates on synthetic runs of a made-up agent: one PASS, one BLOCK, one INVALID, one REVIEW.

    Exit codes: 0 all four decided as they should, 2 wrong usage, 70 a bug in litmusgate.
    """
    folder = Path(tempfile.mkdtemp(prefix="litmusgate-demo-")) if out is None else out
    try:
        as_expected = _play(folder, now)
    finally:
        if out is None and not keep:
            shutil.rmtree(folder, ignore_errors=True)
    if out is not None or keep:
        from litmusgate import api

        typer.echo(f"Everything is in {api.visible(str(folder))}; the commands above work there.")
    else:
        typer.echo("Nothing was kept. `litmusgate demo --out FOLDER` keeps the reports, and what the commands need.")
    raise typer.Exit(0 if as_expected else 70)


def _play(folder: Path, now: str | None) -> bool:
    """Play and print scene by scene; whether every gate decided as it should."""
    from litmusgate import api

    scenes: list[api.Scene] = []
    for scene in api.play_demo(folder, now=now):
        scenes.append(scene)
        typer.echo(api.scene_text(scene, len(scenes)))
    typer.echo(api.closing_text(scenes), nl=False)
    return bool(scenes) and all(scene.as_expected for scene in scenes)
