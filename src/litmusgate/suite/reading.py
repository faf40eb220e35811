"""The files of a suite's folder, one reader per kind of file, every problem with its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from litmusgate.documents import Document, decode_utf8, parse_json, parse_yaml, validate
from litmusgate.errors import Location, SuiteError
from litmusgate.suite.instance import Instance
from litmusgate.suite.manifest import PrunedInstance
from litmusgate.suite.manifest_wire import ManifestEntry, PrunedEntry
from litmusgate.suite.wire import InstanceEntry

MANIFEST_FILE = "suite.yaml"
LINES_FILE = "instances.jsonl"
PRUNED_FILE = "pruned.jsonl"
INSTANCE_FOLDER = "instances/"

MAX_LINE_BYTES = 32 * 1024 * 1024
"""Longest line of a JSONL file, in bytes: several texts of the longest kind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """An instance, the canary GUID written beside it, and where it stands; `document` keeps places, not values."""

    instance: Instance
    canary_guid: str | None
    document: Document

    def at(self, *keys: str) -> Location:
        """The place of the value at `keys` within the instance."""
        return self.document.at(keys)


def refuse_unknown_files(files: Mapping[str, bytes], path: str) -> None:
    """Refuse a name that the layout does not know. Raises `SuiteError`."""
    for name in sorted(files):
        instance_file = name.startswith(INSTANCE_FOLDER) and name.endswith(".yaml") and name.count("/") == 1
        if not instance_file and name not in {MANIFEST_FILE, LINES_FILE, PRUNED_FILE}:
            raise SuiteError(
                "a file that a suite does not have",
                got=repr(name),
                wanted=f"{MANIFEST_FILE}, {LINES_FILE}, {PRUNED_FILE} or {INSTANCE_FOLDER}*.yaml",
                fix="rename or remove it",
                at=Location(path=f"{path}/{name}"),
            )


def read_manifest(files: Mapping[str, bytes], path: str) -> Document:
    """The parsed `suite.yaml`. Raises `SuiteError` when there is none or it does not parse."""
    if MANIFEST_FILE not in files:
        raise SuiteError(
            f"the suite has no {MANIFEST_FILE}", fix="name the folder that holds it", at=Location(path=path)
        )
    where = f"{path}/{MANIFEST_FILE}"
    text = decode_utf8(files[MANIFEST_FILE], path=where, error=SuiteError)
    return parse_yaml(text, path=where, error=SuiteError)


def placed_instances(files: Mapping[str, bytes], path: str) -> Iterator[Placed]:
    """Every instance of every instance file, in the order of file names and then lines. Raises `SuiteError`."""
    names = sorted(name for name in files if name.startswith(INSTANCE_FOLDER))
    if not names and LINES_FILE not in files:
        raise SuiteError(
            "the suite has no instance file",
            wanted=f"{INSTANCE_FOLDER}*.yaml or {LINES_FILE}",
            fix="add the instances; an empty suite decides nothing",
            at=Location(path=path),
        )
    for name in names:
        where = f"{path}/{name}"
        document = parse_yaml(decode_utf8(files[name], path=where, error=SuiteError), path=where, error=SuiteError)
        yield from _instances_in(document)
    if LINES_FILE in files:
        for line in json_lines(files[LINES_FILE], f"{path}/{LINES_FILE}"):
            yield _instance(line)


def _instances_in(document: Document) -> Iterator[Placed]:
    if not isinstance(document.value, list):
        yield _instance(document)
        return
    if not document.value:
        raise SuiteError("the file holds no instance", fix="add one, or remove the file", at=document.at())
    for number in range(len(document.value)):
        yield _instance(document.part((number,)))


def _instance(document: Document) -> Placed:
    return place(validate(InstanceEntry, document, what="instance", error=SuiteError), document)


def place(entry: InstanceEntry, document: Document) -> Placed:
    """The instance of `entry`, which stands at the root of `document`."""
    return Placed(instance=entry.build(), canary_guid=entry.canary_guid, document=replace(document, value=None))


def json_lines(data: bytes, where: str) -> Iterator[Document]:
    """Every line of JSONL that is not blank, as a document that knows its line of the file `where`. Raises `SuiteError`."""
    _refuse_long_lines(data, where)
    text = decode_utf8(data, path=where, error=SuiteError)
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield parse_json(line, path=where, error=SuiteError, first_line=number)


def _refuse_long_lines(data: bytes, where: str) -> None:
    start, number = 0, 1
    while len(data) - start > MAX_LINE_BYTES:
        end = data.rfind(b"\n", start, start + MAX_LINE_BYTES + 1)
        if end < 0:
            raise SuiteError(
                "the line is too long",
                wanted=f"at most {MAX_LINE_BYTES} bytes",
                at=Location(path=where, line=number),
            )
        number += data.count(b"\n", start, end + 1)
        start = end + 1


def unique(placed: Iterator[Placed]) -> list[Placed]:
    """The instances, when no id stands twice; else `SuiteError` with both places."""
    seen: dict[str, Placed] = {}
    for item in placed:
        earlier = seen.setdefault(item.instance.id, item)
        if earlier is not item:
            raise SuiteError(
                f"instance id {item.instance.id!r} stands twice",
                got=f"first at {earlier.at('id')}",
                wanted="unique ids",
                fix="rename or remove one of them",
                at=item.at("id"),
            )
    return list(seen.values())


def refuse_undeclared(placed: list[Placed], manifest: ManifestEntry) -> None:
    """Refuse an instance in a category that the manifest does not declare (B4). Raises `SuiteError`."""
    for item in placed:
        if item.instance.category not in manifest.categories:
            raise SuiteError(
                f"category {item.instance.category!r} of instance {item.instance.id!r} is not declared",
                rule="B4",
                wanted=f"one of {', '.join(map(repr, sorted(manifest.categories)))}",
                fix=f"declare it in {MANIFEST_FILE} with its severity",
                at=item.at("category"),
            )


def refuse_other_canary(files: Mapping[str, bytes], placed: list[Placed], manifest: ManifestEntry, path: str) -> None:
    """Refuse a canary GUID that differs from the manifest's, and an instance file without it. Raises `SuiteError`."""
    for item in placed:
        if item.canary_guid not in {None, manifest.canary_guid}:
            raise SuiteError(
                f"the canary GUID of instance {item.instance.id!r} is not the manifest's",
                got=repr(item.canary_guid),
                wanted=repr(manifest.canary_guid),
                fix=f"write the GUID of {MANIFEST_FILE}",
                at=item.at("canary_guid"),
            )
    if manifest.canary_guid is None:
        return
    wanted = manifest.canary_guid.encode("utf-8")
    names = [name for name in sorted(files) if name == LINES_FILE or name.startswith(INSTANCE_FOLDER)]
    for name in names:
        if files[name].strip() and wanted not in files[name]:
            raise SuiteError(
                "the file does not hold the suite's canary GUID, so trainers cannot filter it",
                wanted=repr(manifest.canary_guid),
                fix="add it as the field canary_guid, or in YAML as a comment",
                at=Location(path=f"{path}/{name}"),
            )


def pruned_instances(files: Mapping[str, bytes], path: str, manifest: ManifestEntry) -> tuple[PrunedInstance, ...]:
    """The instances of `pruned.jsonl`; it and the manifest's `pruned_from` go together (A8). Raises `SuiteError`."""
    where = f"{path}/{PRUNED_FILE}"
    if (manifest.pruned_from is None) != (PRUNED_FILE not in files):
        raise SuiteError(
            f"{PRUNED_FILE} and pruned_from in {MANIFEST_FILE} go together, and one of them is missing",
            rule="A8",
            fix="take both from the suite that `litmusgate suite prune` wrote",
            at=Location(path=where),
        )
    if manifest.pruned_from is None:
        return ()
    documents = list(json_lines(files[PRUNED_FILE], where))
    entries = [validate(PrunedEntry, document, what="pruned instance", error=SuiteError) for document in documents]
    return tuple(entry.build() for entry in entries)
