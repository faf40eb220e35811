"""Libraries of optional extras, imported only where they are needed."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from litmusgate.errors import LitmusGateError, Location, UsageError


def corpora_module(name: str, *, path: Path | None = None, error: type[LitmusGateError] = UsageError) -> Any:
    """Module `name` of the extra `corpora`, needed for the file `path`; raises `error` naming the extra when it is absent."""
    try:
        return importlib.import_module(name)
    except ImportError as problem:
        raise error(
            f"this file format needs {name.partition('.')[0]}, which is not installed",
            wanted="the extra `corpora`",
            fix="pip install 'litmusgate[corpora]', or use JSON lines",
            at=None if path is None else Location(path=str(path)),
        ) from problem
