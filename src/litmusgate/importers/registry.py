"""The formats that `litmusgate import` reads, by the name the user must give. Nothing registers itself."""

from __future__ import annotations

from litmusgate.importers.agentdojo import AgentDojoImporter
from litmusgate.importers.imported import Importer
from litmusgate.importers.table import TableImporter

IMPORTERS: dict[str, type[Importer]] = {
    AgentDojoImporter.name: AgentDojoImporter,
    TableImporter.name: TableImporter,
}
"""Format name → importer class, whose fields are the options of the format."""
