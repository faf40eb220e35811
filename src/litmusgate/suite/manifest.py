"""A suite: categories and instances under one version and one digest (B2)."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field

from litmusgate.digest import Json, digest_json
from litmusgate.suite.category import Category
from litmusgate.suite.instance import Instance
from litmusgate.suite.rubric import grader_identity
from litmusgate.text import name_problem

SUITE_SCHEMA = "litmusgate/suite/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusPin:
    """A known corpus the provenance index must hold, at this revision (A14)."""

    name: str
    revision: str

    def __post_init__(self) -> None:
        for name in (self.name, self.revision):
            problem = name_problem(name)
            if problem is not None:
                raise ValueError(f"corpus {self.name!r} at revision {self.revision!r}: {problem}")


@dataclass(frozen=True, slots=True, kw_only=True)
class PrunedInstance:
    """An instance that pruning removed: enough to keep its old evidence from hiding (A13)."""

    id: str
    category: str
    digest: str
    reasons: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.reasons:
            raise ValueError(f"pruned instance {self.id!r} has no reason")
        object.__setattr__(self, "reasons", tuple(sorted(set(self.reasons))))


@dataclass(frozen=True, slots=True, kw_only=True)
class Lineage:
    """Where a pruned suite comes from (A8): parent digest, all removals since the unpruned root, accepted losses.

    `root_instances` is the number of instances of the unpruned root; `accepted_loss` names the categories whose
    loss was accepted by `suite prune --accept-loss`. Removals are sorted by id and unique, losses by name.
    """

    parent: str
    root_instances: int
    removed: tuple[PrunedInstance, ...]
    accepted_loss: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "removed", tuple(sorted(self.removed, key=lambda item: item.id)))
        object.__setattr__(self, "accepted_loss", tuple(sorted(set(self.accepted_loss))))
        _refuse_repeated("pruned instance", [item.id for item in self.removed])

    def removed_by_reason(self) -> dict[str, int]:
        """Number of removed instances per reason code; an instance with two reasons counts under both."""
        counts: dict[str, int] = {}
        for instance in self.removed:
            for reason in instance.reasons:
                counts[reason] = counts.get(reason, 0) + 1
        return dict(sorted(counts.items()))


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """A whole suite. Instances are sorted by id, categories and corpora by name; all are unique; every category is declared.

    `canary_guid` lets trainers filter the suite out of their data. `instance_digests` is computed once.
    """

    name: str
    version: str
    categories: tuple[Category, ...]
    instances: tuple[Instance, ...]
    corpora: tuple[CorpusPin, ...] = ()
    canary_guid: str | None = None
    pruned_from: Lineage | None = None
    instance_digests: Mapping[str, str] = field(init=False, repr=False, compare=False)
    digest: str = field(init=False, compare=False)

    def __post_init__(self) -> None:
        for what, name in (("name", self.name), ("version", self.version), ("canary_guid", self.canary_guid)):
            problem = None if name is None else name_problem(name)
            if problem is not None:
                raise ValueError(f"{what} of the suite {name!r}: {problem}")
        object.__setattr__(self, "categories", tuple(sorted(self.categories, key=lambda item: item.name)))
        object.__setattr__(self, "instances", tuple(sorted(self.instances, key=lambda item: item.id)))
        object.__setattr__(self, "corpora", tuple(sorted(self.corpora, key=lambda item: item.name)))
        _refuse_repeated("corpus", [pin.name for pin in self.corpora])
        _refuse_repeated("category", [category.name for category in self.categories])
        _refuse_repeated("instance id", [instance.id for instance in self.instances])
        undeclared = {instance.category for instance in self.instances} - {
            category.name for category in self.categories
        }
        if undeclared:
            raise ValueError(f"instances stand in undeclared categories {sorted(undeclared)!r}")
        object.__setattr__(self, "instance_digests", {item.id: item.digest() for item in self.instances})
        object.__setattr__(self, "digest", digest_json(self.definition()))

    def category(self, name: str) -> Category:
        """The declared category `name`; `KeyError` when there is none."""
        for category in self.categories:
            if category.name == name:
                return category
        raise KeyError(name)

    def category_of(self) -> dict[str, str]:
        """Category name by instance id."""
        return {instance.id: instance.category for instance in self.instances}

    def grader_digest(self) -> str:
        """Digest of everything that judges: equal for a suite and its pruned version while the graders are equal."""
        identities: set[bytes] = set()
        for instance in self.instances:
            identities |= grader_identity(instance.rubric)
        return digest_json(sorted(identity.decode() for identity in identities))

    def definition(self) -> dict[str, Json]:
        """What the suite digest covers: manifest fields, lineage, and every instance by id and digest."""
        return {
            "schema": SUITE_SCHEMA,
            "suite": self.name,
            "version": self.version,
            "categories": {item.name: category_document(item) for item in self.categories},
            "corpora": [{"name": pin.name, "revision": pin.revision} for pin in self.corpora],
            "pruned_from": lineage_document(self.pruned_from),
            "instances": dict(self.instance_digests),
        }


def category_document(category: Category) -> dict[str, Json]:
    """The category as it stands under its name in `suite.yaml`."""
    return {"severity": category.severity.value, "weight": category.weight, "kind": category.kind.value}


def lineage_document(lineage: Lineage | None) -> Json:
    """The lineage as JSON; None for a suite that was never pruned."""
    if lineage is None:
        return None
    removed = [
        {"id": item.id, "category": item.category, "digest": item.digest, "reasons": list(item.reasons)}
        for item in lineage.removed
    ]
    return {
        "digest": lineage.parent,
        "root_instances": lineage.root_instances,
        "removed": lineage.removed_by_reason(),
        "accepted_loss": list(lineage.accepted_loss),
        "instances": removed,
    }


def lineage_problem(suite: Suite) -> str | None:
    """Why the lineage of `suite` contradicts its instances; None when it does not, or there is none.

    Every instance of the unpruned root is either still there or removed, from a category that is declared, and accepted losses are of categories that
    lost something.
    """
    lineage = suite.pruned_from
    if lineage is None:
        return None
    back = sorted({item.id for item in lineage.removed} & {item.id for item in suite.instances})
    if back:
        return f"pruned instances stand in the suite: {back[:5]!r}"
    if lineage.root_instances != len(lineage.removed) + len(suite.instances):
        return (
            f"root_instances is {lineage.root_instances}, but {len(suite.instances)} instances remain "
            f"and {len(lineage.removed)} were removed"
        )
    undeclared = sorted({item.category for item in lineage.removed} - {item.name for item in suite.categories})
    if undeclared:
        return f"pruned instances stand in undeclared categories, where their violations would not show: {undeclared!r}"
    unlost = sorted(set(lineage.accepted_loss) - {item.category for item in lineage.removed})
    if unlost:
        return f"accepted_loss names categories of which no instance was removed: {unlost!r}"
    return None


def _refuse_repeated(what: str, names: list[str]) -> None:
    for earlier, later in itertools.pairwise(names):
        if earlier == later:
            raise ValueError(f"{what} {later!r} stands twice")
