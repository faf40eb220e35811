"""`corpus add`, `list` and `verify`: the provenance index kept by its users (A14)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Literal

from litmusgate.app.clock import moment
from litmusgate.corpora.adding import Added, NewCorpus, add_corpora, replace_segments
from litmusgate.corpora.index import Index, open_index
from litmusgate.corpora.readers import Columns, CorpusRow, corpus_file_stem, read_rows
from litmusgate.corpora.segment import read_segment
from litmusgate.digest import Json
from litmusgate.errors import CorpusError, Location, UsageError
from litmusgate.provenance.fold import FOLD_VERSION


@dataclass(frozen=True, slots=True, kw_only=True)
class AddRequest:
    """What `corpus add` was asked. Exactly one of `name` and `name_from` says what the corpora are called.

    `published` is an ISO date (None: not known), `fine_tuning_of` the agent tuned on these texts (A10).
    """

    index: Path
    files: Sequence[Path]
    revision: str
    columns: Columns
    name: str | None = None
    name_from: Literal["file", "column"] | None = None
    published: str | None = None
    fine_tuning_of: str | None = None
    now: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What `corpus verify` found: the index with its new dates, or one line per difference (and no new date)."""

    index: Index
    differences: tuple[str, ...]


def add_corpus(request: AddRequest) -> Added:
    """Read every file whole, then add; anything unreadable is an error and nothing is added.

    Raises `UsageError` for contradicting flags and `CorpusError` for the files.
    """
    _check(request)
    rows: dict[str, list[CorpusRow]] = {}
    sources: dict[str, dict[str, str]] = {}
    for file in request.files:
        found = _rows_by_corpus(file, request)
        digest = _file_digest(file)
        for corpus, part in found.items():
            rows.setdefault(corpus, []).extend(part)
            sources.setdefault(corpus, {})[_source_name(file, sources.get(corpus, {}))] = digest
    corpora = [
        NewCorpus(
            name=name,
            revision=request.revision,
            published=request.published,
            fine_tuning_of=request.fine_tuning_of,
            rows=rows[name],
            sources=sources[name],
        )
        for name in sorted(rows)
    ]
    return add_corpora(request.index, corpora, now=moment(request.now))


def list_index(path: Path) -> dict[str, Json]:
    """The index as one JSON object: digest, fold version, and every corpus with its revision, dates and size."""
    index = open_index(path)
    return {
        "digest": index.digest,
        "fold": FOLD_VERSION,
        "documents": sum(segment.documents for segment in index.segments),
        "corpora": [segment.model_dump() for segment in index.segments],
    }


def verify_index(path: Path, *, now: str | None = None) -> Verification:
    """Hash and read every segment again; with no difference, every corpus is marked as checked at `now`.

    An index without a corpus is a difference: nothing was verified.
    """
    index = open_index(path)
    differences = [] if index.segments else ["the index holds no corpus"]
    for segment in index.segments:
        try:
            for _ in read_segment(index.segment_path(segment), segment):
                pass
        except CorpusError as problem:
            differences.append(f"{segment.corpus}: {problem.what}")
    if differences:
        return Verification(index=index, differences=tuple(differences))
    checked = [segment.model_copy(update={"checked_at": moment(now)}) for segment in index.segments]
    return Verification(index=replace_segments(path, checked), differences=())


def _check(request: AddRequest) -> None:
    if (request.name is None) == (request.name_from is None):
        raise UsageError("the corpus wants exactly one of --name and --name-from")
    if not request.files:
        raise UsageError("corpus add wants at least one file")
    if len({file.resolve() for file in request.files}) != len(request.files):
        raise UsageError("a file is given twice", got=repr([str(file) for file in request.files]))
    if request.published is not None:
        try:
            date.fromisoformat(request.published)
        except ValueError as problem:
            raise UsageError(
                "--published is not a date", got=repr(request.published), wanted="a date like 2026-11-30"
            ) from problem


def _rows_by_corpus(file: Path, request: AddRequest) -> dict[str, list[CorpusRow]]:
    found: dict[str, list[CorpusRow]] = {}
    fixed = corpus_file_stem(file) if request.name_from == "file" else request.name
    for row in read_rows(file, request.columns):
        name = fixed if fixed is not None else row.corpus
        if name is None:
            raise UsageError("--name-from column wants --corpus-column")
        found.setdefault(name, []).append(row)
    if not found:
        raise CorpusError(
            "the file holds no document", fix="leave it out, or fetch it again", at=Location(path=str(file))
        )
    return found


def _source_name(file: Path, taken: dict[str, str]) -> str:
    """The file's name, with its folder where another file of the same name was read: machine paths stay out."""
    return file.name if file.name not in taken else f"{file.parent.name}/{file.name}"


def _file_digest(file: Path) -> str:
    with file.open("rb") as stream:
        return f"sha256:{hashlib.file_digest(stream, 'sha256').hexdigest()}"
