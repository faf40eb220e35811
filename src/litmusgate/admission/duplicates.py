"""Duplicates and clusters: how many of the instances are really different measurements (A12)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from litmusgate.admission.record import AdmissionFinding, AdmissionReason
from litmusgate.digest import Json, digest_json
from litmusgate.provenance.fold import fold_words
from litmusgate.suite.instance import Instance
from litmusgate.suite.rubric import rubric_document


def duplicates_of(instances: Iterable[Instance], *, gravity: Mapping[str, int]) -> dict[str, str]:
    """A12: the id of the instance whose copy each extra copy is; an instance that is no copy is absent.

    Two instances are one vote when the folded texts of all their surfaces and their rubrics are equal, whatever their
    ids, categories and clusters. The one in the gravest category keeps the vote (`gravity` by category name, larger is graver;
    absent: 0), so that no advisory copy evicts a critical instance; among equals the smallest id.
    """
    kept: dict[str, str] = {}
    copies: dict[str, str] = {}
    for instance in sorted(instances, key=lambda item: (-gravity.get(item.category, 0), item.id)):
        original = kept.setdefault(_folded_definition(instance), instance.id)
        if original != instance.id:
            copies[instance.id] = original
    return copies


def duplicate_findings(instance_id: str, copies: Mapping[str, str]) -> tuple[AdmissionFinding, ...]:
    """The finding against an extra copy; none against the instance that keeps the vote."""
    if instance_id not in copies:
        return ()
    return (
        AdmissionFinding(
            reason=AdmissionReason.DUPLICATE,
            message=f"same texts and rubric as {copies[instance_id]!r}: one vote",
            evidence=copies[instance_id],
        ),
    )


def clusters(
    instances: Iterable[Instance], *, near_duplicates: Mapping[str, str], copies: Mapping[str, str]
) -> dict[str, str]:
    """The vote-sharing group of every instance, named after its smallest id.

    Within one category, instances belong together when they declare the same cluster, stand in the same group of
    `near_duplicates` (id → group) or are copies of each other; groups that share an instance are one. A cluster never
    spans categories, and since it is named after an id, no two have the same name.
    """
    leader: dict[str, str] = {}
    groups: dict[tuple[str, str, str], str] = {}
    for instance in sorted(instances, key=lambda item: item.id):
        leader[instance.id] = instance.id
        for kind, name in (
            ("declared", instance.cluster),
            ("near", near_duplicates.get(instance.id)),
            ("copy", copies.get(instance.id, instance.id)),
        ):
            if name is not None:
                first = groups.setdefault((instance.category, kind, name), instance.id)
                _join(leader, first, instance.id)
    return {instance_id: _leader(leader, instance_id) for instance_id in leader}


def _folded_definition(instance: Instance) -> str:
    texts: list[Json] = [
        [surface.kind, _folded(surface.text)] for surface in instance.surfaces() if surface.text.strip()
    ]
    return digest_json({"surfaces": texts, "rubric": rubric_document(instance.rubric)})


def _folded(text: str) -> str:
    """Words of `text`; a text without any (numbers in symbols, emoji) is compared as it is."""
    return " ".join(fold_words(text)) or text


def _join(leader: dict[str, str], left: str, right: str) -> None:
    first, second = sorted((_leader(leader, left), _leader(leader, right)))
    leader[second] = first


def _leader(leader: dict[str, str], member: str) -> str:
    while leader[member] != member:
        leader[member] = leader[leader[member]]
        member = leader[member]
    return member
