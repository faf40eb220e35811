"""Libraries of the extra `corpora`, imported only where they are needed."""

from __future__ import annotations

import importlib
from typing import Any

from litmusgate.errors import UsageError


def extra_module(name: str) -> Any:
    """Module `name`; raises `UsageError` naming the extra when it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError as problem:
        raise UsageError(
            f"this file format needs {name.partition('.')[0]}, which is not installed",
            wanted="the extra `corpora`",
            fix="install `litmusgate[corpora]`, or use a .jsonl file",
        ) from problem
