"""Suite files to a `Suite` and back, and a whole suite as one canonical JSON.

A folder holds `suite.yaml`, then `instances/*.yaml` (an instance or a list of them each), `instances.jsonl`, or both,
and `pruned.jsonl` where the manifest says `pruned_from`. The digest does not depend on the layout.
"""

from __future__ import annotations

from collections.abc import Mapping

from litmusgate.digest import Json, canonical_bytes
from litmusgate.documents import Document, decode_utf8, parse_json, validate
from litmusgate.errors import SuiteError
from litmusgate.suite.instance import Instance
from litmusgate.suite.manifest import (
    SUITE_SCHEMA,
    Lineage,
    PrunedInstance,
    Suite,
    category_document,
    lineage_document,
    lineage_problem,
)
from litmusgate.suite.manifest_wire import ManifestEntry, WholeSuiteEntry
from litmusgate.suite.reading import (
    LINES_FILE,
    MANIFEST_FILE,
    PRUNED_FILE,
    place,
    placed_instances,
    pruned_instances,
    read_manifest,
    refuse_other_canary,
    refuse_undeclared,
    refuse_unknown_files,
    unique,
)
from litmusgate.text import yaml_quoted


def suite_from_files(files: Mapping[str, bytes], *, path: str) -> Suite:
    """The suite in `files`, a mapping from file name within the folder `path` (`instances/a.yaml`) to its bytes.

    An instance file without instances is an error; a suite without instances is not (it is INVALID evidence, A8).
    Raises `SuiteError` with path, line and column: text that does not parse, unknown or missing keys, ids that stand
    twice, undeclared categories, a canary GUID that is missing or differs, a lineage that contradicts `pruned.jsonl`.
    """
    refuse_unknown_files(files, path)
    manifest = read_manifest(files, path)
    entry = validate(ManifestEntry, manifest, what="suite manifest", error=SuiteError)
    placed = unique(placed_instances(files, path))
    refuse_undeclared(placed, entry)
    refuse_other_canary(files, placed, entry, path)
    removed = pruned_instances(files, path, entry)
    _refuse_other_counts(entry, removed, manifest)
    return _assemble(entry, [item.instance for item in placed], removed, manifest)


def canonical_suite_bytes(suite: Suite) -> bytes:
    """The whole suite as one canonical JSON; `suite_from_canonical` gives it back with the same digest."""
    document: dict[str, Json] = {
        "schema": SUITE_SCHEMA,
        "suite": suite.name,
        "version": suite.version,
        "categories": {item.name: category_document(item) for item in suite.categories},
        "corpora": [{"name": pin.name, "revision": pin.revision} for pin in suite.corpora],
        "pruned_from": lineage_document(suite.pruned_from),
        "instances": [instance.definition() for instance in suite.instances],
    }
    if suite.canary_guid is not None:
        document["canary_guid"] = suite.canary_guid
    return canonical_bytes(document)


def suite_from_canonical(data: bytes, *, path: str = "suite.json") -> Suite:
    """The suite that `canonical_suite_bytes` wrote; `path` is its name in errors. Raises `SuiteError`."""
    document = parse_json(decode_utf8(data, path=path, error=SuiteError), path=path, error=SuiteError)
    entry = validate(WholeSuiteEntry, document, what="suite", error=SuiteError)
    placed = [place(item, document.part(("instances", number))) for number, item in enumerate(entry.instances)]
    refuse_undeclared(unique(iter(placed)), entry)
    removed: tuple[PrunedInstance, ...] = ()
    if entry.pruned_from is not None:
        removed = tuple(item.build() for item in entry.pruned_from.instances)
        _refuse_other_counts(entry, removed, document)
    return _assemble(entry, [item.instance for item in placed], removed, document)


def suite_files(suite: Suite) -> dict[str, bytes]:
    """The suite as the files of a folder: manifest, one instance per line, and the pruned ones where there are any.

    `suite_from_files` gives the suite back with the same digest; equal suites give equal bytes.
    """
    files = {MANIFEST_FILE: _manifest_yaml(suite).encode("utf-8")}
    canary: dict[str, Json] = {} if suite.canary_guid is None else {"canary_guid": suite.canary_guid}
    lines = [canonical_bytes({**instance.definition(), **canary}) + b"\n" for instance in suite.instances]
    files[LINES_FILE] = b"".join(lines)
    if suite.pruned_from is not None:
        files[PRUNED_FILE] = b"".join(canonical_bytes(item) + b"\n" for item in _removed_documents(suite.pruned_from))
    return files


def _removed_documents(lineage: Lineage) -> list[Json]:
    return [
        {"id": item.id, "category": item.category, "digest": item.digest, "reasons": list(item.reasons)}
        for item in lineage.removed
    ]


def _manifest_yaml(suite: Suite) -> str:
    lines = [f"schema: {SUITE_SCHEMA}", f"suite: {yaml_quoted(suite.name)}", f"version: {yaml_quoted(suite.version)}"]
    if suite.canary_guid is not None:
        lines.append(f"canary_guid: {yaml_quoted(suite.canary_guid)}")
    lines.append("corpora:" if suite.corpora else "corpora: []")
    lines += [f"  - {{name: {yaml_quoted(pin.name)}, revision: {yaml_quoted(pin.revision)}}}" for pin in suite.corpora]
    lines.append("categories:" if suite.categories else "categories: {}")
    for item in suite.categories:
        settings = f"{{severity: {item.severity.value}, weight: {item.weight}, kind: {item.kind.value}}}"
        lines.append(f"  {yaml_quoted(item.name)}: {settings}")
    lines += _lineage_yaml(suite.pruned_from)
    return "\n".join(lines) + "\n"


def _lineage_yaml(lineage: Lineage | None) -> list[str]:
    if lineage is None:
        return ["pruned_from: null"]
    removed = ", ".join(f"{yaml_quoted(reason)}: {count}" for reason, count in lineage.removed_by_reason().items())
    return [
        "pruned_from:",
        f"  digest: {yaml_quoted(lineage.parent)}",
        f"  root_instances: {lineage.root_instances}",
        f"  removed: {{{removed}}}",
        f"  accepted_loss: [{', '.join(yaml_quoted(name) for name in lineage.accepted_loss)}]",
    ]


def _refuse_other_counts(manifest: ManifestEntry, removed: tuple[PrunedInstance, ...], document: Document) -> None:
    if manifest.pruned_from is None:
        return
    counts: dict[str, int] = {}
    for item in removed:
        for reason in item.reasons:
            counts[reason] = counts.get(reason, 0) + 1
    if counts != manifest.pruned_from.removed:
        raise SuiteError(
            f"removed in pruned_from does not count what {PRUNED_FILE} lists",
            rule="A8",
            got=repr(dict(sorted(manifest.pruned_from.removed.items()))),
            wanted=repr(dict(sorted(counts.items()))),
            fix="take both from the suite that `litmusgate suite prune` wrote",
            at=document.at(("pruned_from", "removed")),
        )


def _assemble(
    manifest: ManifestEntry, instances: list[Instance], removed: tuple[PrunedInstance, ...], document: Document
) -> Suite:
    try:
        suite = Suite(
            name=manifest.suite,
            version=manifest.version,
            categories=tuple(entry.build(name) for name, entry in manifest.categories.items()),
            instances=tuple(instances),
            corpora=manifest.build_corpora(),
            canary_guid=manifest.canary_guid,
            pruned_from=None if manifest.pruned_from is None else manifest.pruned_from.build(removed),
        )
    except ValueError as problem:
        raise SuiteError(f"not a suite: {problem}", at=document.at()) from problem
    contradiction = lineage_problem(suite)
    if contradiction is not None:
        raise SuiteError(
            f"the lineage contradicts the instances: {contradiction}", rule="A8", at=document.at(("pruned_from",))
        )
    return suite
