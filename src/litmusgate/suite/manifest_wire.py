"""Manifests as they stand in files: strict models of `suite.yaml`, of a pruned instance, and of a whole suite in JSON."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, FailFast, Field

from litmusgate.documents.wire_types import Digest, Name
from litmusgate.suite.category import Category, Kind, Severity
from litmusgate.suite.manifest import CorpusPin, Lineage, PrunedInstance
from litmusgate.suite.rubric_wire import STRICT
from litmusgate.suite.wire import InstanceEntry


class CategoryEntry(BaseModel):
    """A category under its name."""

    model_config = STRICT

    severity: Severity
    weight: Annotated[int, Field(ge=1, le=1_000_000)] = 1
    kind: Kind = Kind.ADVERSARIAL

    def build(self, name: str) -> Category:
        """The category called `name`."""
        return Category(name=name, severity=self.severity, weight=self.weight, kind=self.kind)


class CorpusEntry(BaseModel):
    """A known corpus the index must hold."""

    model_config = STRICT

    name: Name
    revision: Name


class PrunedEntry(BaseModel):
    """An instance that pruning removed; a line of `pruned.jsonl`."""

    model_config = STRICT

    id: Name
    category: Name
    digest: Digest
    reasons: Annotated[tuple[Name, ...], Field(min_length=1)]

    def build(self) -> PrunedInstance:
        """The removed instance."""
        return PrunedInstance(id=self.id, category=self.category, digest=self.digest, reasons=self.reasons)


class LineageEntry(BaseModel):
    """`pruned_from:` the parent's digest, the size of the unpruned root, and how many went for which reason."""

    model_config = STRICT

    digest: Digest
    root_instances: Annotated[int, Field(ge=1)]
    removed: dict[Name, int]
    accepted_loss: tuple[Name, ...] = ()

    def build(self, removed: tuple[PrunedInstance, ...]) -> Lineage:
        """The lineage with the removed instances of `pruned.jsonl`."""
        return Lineage(
            parent=self.digest,
            root_instances=self.root_instances,
            removed=removed,
            accepted_loss=self.accepted_loss,
        )


class ManifestEntry(BaseModel):
    """`suite.yaml`."""

    model_config = STRICT

    schema_: Literal["litmusgate/suite/1"] = Field(alias="schema")
    suite: Name
    version: Name
    categories: dict[Name, CategoryEntry]
    corpora: tuple[CorpusEntry, ...] = ()
    canary_guid: Name | None = None
    pruned_from: LineageEntry | None = None

    def build_corpora(self) -> tuple[CorpusPin, ...]:
        """The declared corpora."""
        return tuple(CorpusPin(name=item.name, revision=item.revision) for item in self.corpora)


class WholeLineageEntry(LineageEntry):
    """The lineage of a whole suite in one JSON file: the removed instances stand inside."""

    instances: Annotated[tuple[PrunedEntry, ...], FailFast()]


class WholeSuiteEntry(ManifestEntry):
    """A whole suite in one JSON file, as a store keeps it."""

    pruned_from: WholeLineageEntry | None = None
    instances: Annotated[tuple[InstanceEntry, ...], FailFast()]
