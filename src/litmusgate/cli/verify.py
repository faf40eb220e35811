"""`litmusgate verify`: is this verdict what its inputs give?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def verify(
    record: Annotated[Path, typer.Argument(help="The verdict.json, or a verdict record of a store.")],
    store: Annotated[Path | None, typer.Option(help="Folder of the records.", envvar="LITMUSGATE_STORE")] = None,
) -> None:
    """Compute a verdict again from the inputs it names and compare.

    Exit codes: 0 authentic (whatever its decision), 4 different, not verifiable, or not a verdict.
    """
    from litmusgate import api

    result = api.verify_record(record, store=store)
    typer.echo(api.render_verification(result), nl=False)
    if not result.authentic:
        raise typer.Exit(api.EXIT_INVALID)
