"""Libraries of optional extras, imported only where they are needed."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from litmusgate.errors import LitmusGateError, Location, UsageError


def corpora_module(name: str, *, path: Path | str | None = None, error: type[LitmusGateError] = UsageError) -> Any:
    """Module `name` of the extra `corpora`, needed for the file `path`; raises `error` naming the extra when it is absent."""
    return _extra_module(
        name,
        "this file format",
        "corpora",
        fix="pip install 'litmusgate[corpora]', or use JSON lines",
        path=path,
        error=error,
    )


def embed_module(name: str, *, path: Path | str | None = None) -> Any:
    """Module `name` of the extra `embed`, needed for the model's file `path`; raises `UsageError` naming it when absent."""
    return _extra_module(
        name, "an embedding model", "embed", fix="pip install 'litmusgate[embed]'", path=path, error=UsageError
    )


def _extra_module(
    name: str, what: str, extra: str, *, fix: str, path: Path | str | None, error: type[LitmusGateError]
) -> Any:
    """Module `name`, which `what` needs and `extra` brings."""
    try:
        return importlib.import_module(name)
    except ImportError as problem:
        raise error(
            f"{what} needs {name.partition('.')[0]}, which is not installed",
            wanted=f"the extra `{extra}`",
            fix=fix,
            at=None if path is None else Location(path=str(path)),
        ) from problem
