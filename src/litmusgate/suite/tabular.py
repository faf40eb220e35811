"""A suite from the rows of a table, by a declared mapping: nothing is guessed from the names of columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from litmusgate.digest import Json
from litmusgate.documents import Document, validate
from litmusgate.errors import SuiteError, UsageError
from litmusgate.suite.category import Category, Kind
from litmusgate.suite.instance import Instance
from litmusgate.suite.manifest import CorpusPin, Suite
from litmusgate.suite.table_mapping import TableMapping, severities_of
from litmusgate.suite.table_values import named_texts, texts, turns
from litmusgate.suite.wire import InstanceEntry
from litmusgate.where import compile_where

_PLAIN_TEXT = ("id", "category", "cluster", "system", "attack_goal", "control_of")


def suite_from_rows(
    rows: Iterable[Document],
    mapping: TableMapping,
    *,
    name: str,
    version: str,
    corpora: tuple[CorpusPin, ...] = (),
    canary_guid: str | None = None,
) -> Suite:
    """The suite of the rows that `mapping` keeps, with graders declared external.

    Raises `SuiteError` with path and line for a row that is no object, lacks a needed value, has a value of another
    shape, or repeats an id; for columns that no row has; for a category without one severity; and when no row is kept.
    """
    kept = _kept(list(rows), mapping)
    instances: dict[str, Instance] = {}
    for document, row in kept:
        instance = _instance(document, row, mapping)
        if instance.id in instances:
            raise SuiteError(
                f"instance id {instance.id!r} stands twice", fix="map a column that is unique", at=document.at()
            )
        instances[instance.id] = instance
    severities = severities_of(kept, mapping)
    try:
        return Suite(
            name=name,
            version=version,
            categories=tuple(
                Category(name=item, severity=severity, kind=mapping.kinds.get(item, Kind.ADVERSARIAL))
                for item, severity in severities.items()
            ),
            instances=tuple(instances.values()),
            corpora=corpora,
            canary_guid=canary_guid,
        )
    except ValueError as problem:
        raise SuiteError(f"not a suite: {problem}") from problem


def _kept(rows: list[Document], mapping: TableMapping) -> list[tuple[Document, dict[str, Json]]]:
    objects: list[tuple[Document, dict[str, Json]]] = []
    for document in rows:
        if not isinstance(document.value, dict):
            raise SuiteError("a row is not an object", got=repr(document.value)[:80], at=document.at())
        objects.append((document, document.value))
    known = {column for _, row in objects for column in row}
    unknown = sorted(mapping.named_columns() - known)
    if unknown:
        raise UsageError(
            f"no row has the column {unknown[0]!r}",
            wanted=f"one of {', '.join(map(repr, sorted(known)[:50]))}" if known else "rows",
            fix="correct the mapping",
        )
    keeps = None if mapping.where is None else compile_where(mapping.where, known=known)
    blank: dict[str, Json] = dict.fromkeys(known)
    kept = [(document, row) for document, row in objects if keeps is None or keeps({**blank, **row})]
    if not kept:
        raise SuiteError(
            "no row is kept, so the suite would be empty",
            rule="A8",
            got=f"{len(objects)} rows" if mapping.where is None else f"{len(objects)} rows, --where {mapping.where!r}",
            fix="correct --where, or name the right file",
        )
    return kept


def _instance(document: Document, row: dict[str, Json], mapping: TableMapping) -> Instance:
    definition: dict[str, Json] = {}
    for target in _PLAIN_TEXT:
        value = mapping.value(row, target)
        if value is not None:
            definition[target] = value
    for target in ("id", "category", "turns"):
        if mapping.value(row, target) is None:
            raise SuiteError(
                f"the row has no {target}", got=f"column {mapping.columns[target]!r} absent or null", at=document.at()
            )
    definition["turns"] = turns(mapping.value(row, "turns"), mapping.columns["turns"], document)
    injections = _named(row, mapping, "injections", document)
    context = _named(row, mapping, "context", document)
    items: list[Json] = [{"name": f"context:{label}", "text": text, "origin": "environment"} for label, text in context]
    items += [{"name": f"injection:{label}", "text": text, "origin": "attacker"} for label, text in injections]
    definition["context"] = items
    proof = _proof(row, mapping, document, {"injections": injections, "context": context})
    if proof:
        definition["exposure"] = {"texts": list(proof)}
    definition["rubric"] = {"violation": {"external": _grader(row, mapping, document)}}
    written = Document(value=definition, path=document.path, first_line=document.first_line)
    return validate(InstanceEntry, written, what="row", error=SuiteError).build()


def _named(row: dict[str, Json], mapping: TableMapping, target: str, document: Document) -> tuple[tuple[str, str], ...]:
    value = mapping.value(row, target)
    return () if value is None else named_texts(value, mapping.columns[target], document)


def _proof(
    row: dict[str, Json],
    mapping: TableMapping,
    document: Document,
    named: Mapping[str, tuple[tuple[str, str], ...]],
) -> tuple[str, ...]:
    source = mapping.exposure_from
    if source is None:
        return ()
    if source in named:
        return tuple(dict.fromkeys(text for _, text in named[source]))
    value = row.get(source)
    return () if value is None else tuple(dict.fromkeys(texts(value, source, document)))


def _grader(row: dict[str, Json], mapping: TableMapping, document: Document) -> str:
    if mapping.grader is not None:
        return mapping.grader
    value = row.get(mapping.grader_column or "")
    if not isinstance(value, str):
        raise SuiteError(
            "the row does not name its grader",
            got=f"{mapping.grader_column!r} is {value!r}"[:80],
            wanted="a string",
            at=document.at(),
        )
    return value
