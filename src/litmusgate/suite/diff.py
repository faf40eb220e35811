"""What changed between two versions of a suite: instances, categories, graders, and counts per category."""

from __future__ import annotations

from dataclasses import dataclass

from litmusgate.digest import Json
from litmusgate.suite.instance import Instance
from litmusgate.suite.manifest import Suite, category_document
from litmusgate.suite.rubric import grader_identity


@dataclass(frozen=True, slots=True, kw_only=True)
class InstanceChange:
    """An instance in both suites whose definition differs, and the definition fields that do (sorted)."""

    id: str
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryChange:
    """A category whose declaration or number of instances differs.

    `old_settings` and `new_settings` are its declarations in words (None: not declared); counts are of instances.
    """

    name: str
    old_settings: str | None
    new_settings: str | None
    old_instances: int
    new_instances: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteDiff:
    """Everything that differs, sorted. Ids in `added`, `removed`; graders as canonical JSON; corpora as name@revision.

    `lineage_changed` says that the record of what was pruned differs. Equal digests give an empty diff (`same`).
    """

    old_digest: str
    new_digest: str
    old_label: str
    new_label: str
    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[InstanceChange, ...]
    categories: tuple[CategoryChange, ...]
    graders_added: tuple[str, ...]
    graders_removed: tuple[str, ...]
    corpora_added: tuple[str, ...]
    corpora_removed: tuple[str, ...]
    lineage_changed: bool

    @property
    def same(self) -> bool:
        """Whether the two suites are one: equal digests."""
        return self.old_digest == self.new_digest


def diff_suites(old: Suite, new: Suite) -> SuiteDiff:
    """What `new` changes against `old`. Order of instances, files and keys is no change."""
    before, after = old.instance_digests, new.instance_digests
    altered = sorted(name for name in before.keys() & after.keys() if before[name] != after[name])
    old_by_id = {item.id: item for item in old.instances}
    new_by_id = {item.id: item for item in new.instances}
    old_graders, new_graders = _graders(old), _graders(new)
    old_corpora, new_corpora = _corpora(old), _corpora(new)
    return SuiteDiff(
        old_digest=old.digest,
        new_digest=new.digest,
        old_label=f"{old.name} {old.version}",
        new_label=f"{new.name} {new.version}",
        added=tuple(sorted(after.keys() - before.keys())),
        removed=tuple(sorted(before.keys() - after.keys())),
        changed=tuple(
            InstanceChange(id=name, fields=_changed_fields(old_by_id[name], new_by_id[name])) for name in altered
        ),
        categories=_category_changes(old, new),
        graders_added=tuple(sorted(new_graders - old_graders)),
        graders_removed=tuple(sorted(old_graders - new_graders)),
        corpora_added=tuple(sorted(new_corpora - old_corpora)),
        corpora_removed=tuple(sorted(old_corpora - new_corpora)),
        lineage_changed=old.pruned_from != new.pruned_from,
    )


def diff_document(diff: SuiteDiff) -> dict[str, Json]:
    """The diff as JSON."""
    return {
        "old": {"label": diff.old_label, "digest": diff.old_digest},
        "new": {"label": diff.new_label, "digest": diff.new_digest},
        "same": diff.same,
        "added": list(diff.added),
        "removed": list(diff.removed),
        "changed": [{"id": item.id, "fields": list(item.fields)} for item in diff.changed],
        "categories": [
            {
                "name": item.name,
                "old": item.old_settings,
                "new": item.new_settings,
                "old_instances": item.old_instances,
                "new_instances": item.new_instances,
            }
            for item in diff.categories
        ],
        "graders": {"added": list(diff.graders_added), "removed": list(diff.graders_removed)},
        "corpora": {"added": list(diff.corpora_added), "removed": list(diff.corpora_removed)},
        "lineage_changed": diff.lineage_changed,
    }


def _changed_fields(old: Instance, new: Instance) -> tuple[str, ...]:
    before, after = old.definition(), new.definition()
    return tuple(sorted(key for key in before.keys() | after.keys() if before.get(key) != after.get(key)))


def _category_changes(old: Suite, new: Suite) -> tuple[CategoryChange, ...]:
    old_settings, new_settings = _settings(old), _settings(new)
    old_counts, new_counts = instance_counts(old), instance_counts(new)
    changes = [
        CategoryChange(
            name=name,
            old_settings=old_settings.get(name),
            new_settings=new_settings.get(name),
            old_instances=old_counts.get(name, 0),
            new_instances=new_counts.get(name, 0),
        )
        for name in sorted(old_settings.keys() | new_settings.keys())
    ]
    return tuple(
        item for item in changes if item.old_settings != item.new_settings or item.old_instances != item.new_instances
    )


def instance_counts(suite: Suite) -> dict[str, int]:
    """Number of instances per declared category, 0 for an empty one."""
    counts = {category.name: 0 for category in suite.categories}
    for instance in suite.instances:
        counts[instance.category] += 1
    return counts


def _settings(suite: Suite) -> dict[str, str]:
    return {
        category.name: ", ".join(f"{key} {value}" for key, value in sorted(category_document(category).items()))
        for category in suite.categories
    }


def _graders(suite: Suite) -> set[str]:
    return {identity.decode("utf-8") for instance in suite.instances for identity in grader_identity(instance.rubric)}


def _corpora(suite: Suite) -> set[str]:
    return {f"{pin.name}@{pin.revision}" for pin in suite.corpora}
