"""Segment files: the documents of one corpus at one revision, as JSON lines under a header that says whose they are."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from litmusgate.corpora.manifest import SEGMENT_SCHEMA, Segment
from litmusgate.corpora.readers import CorpusRow
from litmusgate.digest import Json, canonical_bytes
from litmusgate.documents.json_text import parse_json
from litmusgate.errors import CorpusError, Location
from litmusgate.provenance.known import KnownDocument


def segment_bytes(
    rows: Sequence[CorpusRow], *, corpus: str, revision: str, published: str | None, fine_tuning_of: str | None
) -> tuple[bytes, int]:
    """The bytes of a segment file and the number of its documents; the order of `rows` changes nothing.

    Rows equal in everything are one document; another text under an id already taken gets `#2`, `#3` … after its id,
    because the id is only the name of the evidence and the text is the evidence.
    """
    distinct = sorted({(row.id, row.text, row.source or "") for row in rows})
    taken: dict[str, int] = {}
    lines: list[bytes] = []
    for name, text, source in distinct:
        taken[name] = taken.get(name, 0) + 1
        document: dict[str, Json] = {"id": name if taken[name] == 1 else f"{name}#{taken[name]}", "text": text}
        if source:
            document["source"] = source
        lines.append(canonical_bytes(document))
    header: dict[str, Json] = {
        "schema": SEGMENT_SCHEMA,
        "corpus": corpus,
        "revision": revision,
        "published": published,
        "fine_tuning_of": fine_tuning_of,
        "documents": len(lines),
    }
    return b"\n".join([canonical_bytes(header), *lines, b""]), len(lines)


def read_segment(path: Path, segment: Segment) -> Iterator[KnownDocument]:
    """The documents of a segment; raises `CorpusError` at the latest when its last line was read and its digest differs.

    A document without a source of its own comes from its corpus.
    """
    digest = hashlib.sha256()
    documents = -1
    for number, line in _lines(path):
        digest.update(line)
        documents += 1
        document = _parsed(line, path, number)
        if number == 1:
            _check_header(document, segment, path)
            continue
        name, text, source = document.get("id"), document.get("text"), document.get("source", segment.corpus)
        if not isinstance(name, str) or not isinstance(text, str) or not isinstance(source, str):
            raise _altered(path, number)
        yield KnownDocument(corpus=segment.corpus, id=name, text=text, source=source)
    if f"sha256:{digest.hexdigest()}" != segment.digest or documents != segment.documents:
        raise _altered(path, None)


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    try:
        with path.open("rb") as stream:
            yield from enumerate(stream, start=1)
    except OSError as problem:
        raise CorpusError(
            "a segment of the index cannot be read",
            got=problem.strerror or str(problem),
            fix="restore the index, or build it again",
            at=Location(path=str(path)),
        ) from problem


def _parsed(line: bytes, path: Path, number: int) -> dict[str, Json]:
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as problem:
        raise _altered(path, number) from problem
    value = parse_json(text, path=str(path), error=CorpusError, first_line=number).value
    if not isinstance(value, dict):
        raise _altered(path, number)
    return value


def _check_header(header: dict[str, Json], segment: Segment, path: Path) -> None:
    wanted: dict[str, Json] = {
        "schema": SEGMENT_SCHEMA,
        "corpus": segment.corpus,
        "revision": segment.revision,
        "published": segment.published,
        "fine_tuning_of": segment.fine_tuning_of,
        "documents": segment.documents,
    }
    if header != wanted:
        raise CorpusError(
            "a segment of the index is not the one its manifest describes",
            got=repr(header),
            wanted=repr(wanted),
            at=Location(path=str(path), line=1),
        )


def _altered(path: Path, line: int | None) -> CorpusError:
    return CorpusError(
        "a segment of the index was altered",
        fix="restore the index, or build it again",
        at=Location(path=str(path), line=line),
    )
