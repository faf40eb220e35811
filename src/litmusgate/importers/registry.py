"""The formats that `litmusgate import` reads, by the name the user must give. Nothing registers itself."""

from __future__ import annotations

from litmusgate.errors import UsageError
from litmusgate.importers.agentdojo import AgentDojoImporter
from litmusgate.importers.imported import Importer
from litmusgate.importers.table import TableImporter

IMPORTERS: dict[str, type[Importer]] = {
    AgentDojoImporter.name: AgentDojoImporter,
    TableImporter.name: TableImporter,
}
"""Format name → importer class, whose fields are the options of the format."""


def importer_named(name: str) -> type[Importer]:
    """The importer of format `name`; raises `UsageError` with the known names for any other."""
    if name not in IMPORTERS:
        raise UsageError("unknown log format", got=repr(name), wanted=f"one of {sorted(IMPORTERS)!r}")
    return IMPORTERS[name]
