"""Where the store is when nobody says (DESIGN §3, Records)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from litmusgate.store.records import Store

STORE_VARIABLE = "LITMUSGATE_STORE"
"""Environment variable that names the store for every command."""

STORE_FOLDER = ".litmusgate"
"""Name of the store's folder beside a policy or a record."""


def default_store(given: Path | None, *, beside: Path, environment: Mapping[str, str]) -> Store:
    """The store of `--store` if `given`, else of `$LITMUSGATE_STORE`, else `.litmusgate` in the folder of the file `beside`.

    `beside` is the policy, or the record for commands without a policy. An empty variable counts as not set.
    """
    if given is not None:
        return Store(given)
    named = environment.get(STORE_VARIABLE)
    return Store(Path(named) if named else beside.parent / STORE_FOLDER)
