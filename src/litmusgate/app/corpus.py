"""`corpus add`, `list`, `verify`, `retire` and `compact`: the provenance index kept by its users (A14)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Literal

import numpy as np

from litmusgate.app.clock import moment
from litmusgate.corpora.adding import Added, Addition, CorpusAdding
from litmusgate.corpora.compacting import Compacted, compact_segments
from litmusgate.corpora.engines import engine_for
from litmusgate.corpora.files import file_name
from litmusgate.corpora.index import Index, open_index
from litmusgate.corpora.index_writing import stamp_checked
from litmusgate.corpora.manifest import Keep, Segment
from litmusgate.corpora.readers import Columns, corpus_file_stem
from litmusgate.corpora.retiring import Retirement, retire_segments
from litmusgate.corpora.segment_lookup import look_up
from litmusgate.corpora.shards import Shard, read_batches
from litmusgate.corpora.source_texts import file_digest, shards_by_file
from litmusgate.digest import Json
from litmusgate.errors import CorpusError, UsageError
from litmusgate.provenance.fold import FOLD_VERSION
from litmusgate.provenance.hashing import HASH_VERSION


@dataclass(frozen=True, slots=True, kw_only=True)
class AddRequest:
    """What `corpus add` was asked. Exactly one of `name` and `name_from` says what the corpora are called.

    `files` are paths of files and folders or addresses with a scheme. `published` is an ISO date (None: not known),
    `fine_tuning_of` the agent tuned on these texts (A10). `keep` says whether texts are kept or only fingerprints.
    """

    index: Path
    files: Sequence[Path | str]
    revision: str
    columns: Columns
    name: str | None = None
    name_from: Literal["file", "column"] | None = None
    published: str | None = None
    fine_tuning_of: str | None = None
    keep: Keep = "text"
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
    addition = Addition(
        revision=request.revision,
        published=request.published,
        fine_tuning_of=request.fine_tuning_of,
        keep=request.keep,
        columns=request.columns,
    )
    files = shards_by_file([str(file) for file in request.files])
    stored = sum(shard.size for shards in files.values() for shard in shards)
    with CorpusAdding(request.index, addition, engine=engine_for(stored)) as adding:
        for uri, shards in files.items():
            corpora = _add_file(adding, shards, request)
            digest = file_digest(shards[0])
            for corpus in corpora:
                adding.add_source(corpus, _source_name(uri, adding.sources(corpus)), digest)
        return adding.finish(now=moment(request.now))


def list_index(path: Path) -> dict[str, Json]:
    """The index as one JSON object: digest, versions, every segment with its revision, dates and size, and what was retired."""
    index = open_index(path)
    return {
        "digest": index.digest,
        "fold": FOLD_VERSION,
        "hash": HASH_VERSION,
        "documents": sum(segment.documents for segment in index.segments),
        "corpora": [segment.model_dump() for segment in index.segments],
        "retired": [entry.model_dump() for entry in index.retired],
    }


def verify_index(path: Path, *, now: str | None = None) -> Verification:
    """Hash and read every segment again; with no difference, every corpus is marked as checked at `now`.

    An index without a corpus is a difference: nothing was verified.
    """
    index = open_index(path)
    differences = [] if index.segments else ["the index holds no corpus"]
    for segment in index.segments:
        try:
            _read_through(index, segment)
        except CorpusError as problem:
            differences.append(_difference(segment, problem))
    if differences:
        return Verification(index=index, differences=tuple(differences))
    checked = {segment.digest for segment in index.segments}
    return Verification(index=stamp_checked(path, checked, now=moment(now)), differences=())


def retire_corpus(
    path: Path, corpus: str, *, revision: str | None = None, reason: str, now: str | None = None
) -> Retirement:
    """Take `corpus`, or one revision of it, out of the index: it no longer counts, and stays listed with `reason`.

    Raises `UsageError` for a blank reason and `CorpusError` where the index holds no such corpus.
    """
    if not reason.strip():
        raise UsageError("--reason is blank", wanted="why the corpus no longer counts")
    return retire_segments(path, corpus, revision=revision, reason=reason, now=moment(now))


def compact_index(path: Path) -> Compacted:
    """Put small segments together and delete files that the index no longer names; its digest stays."""
    return compact_segments(path)


def _check(request: AddRequest) -> None:
    if (request.name is None) == (request.name_from is None):
        raise UsageError("the corpus wants exactly one of --name and --name-from")
    if request.name_from == "column" and request.columns.corpus is None:
        raise UsageError("--name-from column wants --corpus-column")
    if not request.files:
        raise UsageError("corpus add wants at least one file")
    if len({_resolved(file) for file in request.files}) != len(request.files):
        raise UsageError("a file is given twice", got=repr([str(file) for file in request.files]))
    if request.published is not None:
        try:
            date.fromisoformat(request.published)
        except ValueError as problem:
            raise UsageError(
                "--published is not a date", got=repr(request.published), wanted="a date like 2026-11-30"
            ) from problem


def _difference(segment: Segment, problem: CorpusError) -> str:
    """What is wrong with which segment and file, and what to do, on one line."""
    fix = problem.fix or "restore the index, or build it again"
    return f"{segment.corpus} {segment.revision} in {segment.file}: {problem.what}; fix: {fix}"


def _read_through(index: Index, segment: Segment) -> None:
    """Read everything of `segment`, so that anything altered raises."""
    if segment.keep == "hashes":
        look_up(index.segment_path(segment), segment, (), np.zeros(0, np.uint64))
    for _ in index.batches(segment):
        pass


def _resolved(file: Path | str) -> str:
    return str(file.resolve()) if isinstance(file, Path) else file


def _add_file(adding: CorpusAdding, shards: Sequence[Shard], request: AddRequest) -> set[str]:
    """Add what stands in one file; the names of the corpora it was of."""
    uri = shards[0].uri
    name = corpus_file_stem(Path(file_name(uri))) if request.name_from == "file" else request.name
    found: set[str] = set()
    for shard in shards:
        for batch in read_batches(shard, request.columns, corpus=name or ""):
            adding.add(batch)
            found.add(batch.corpus)
    return found


def _source_name(uri: str, taken: Mapping[str, str]) -> str:
    """The file's name, with its folder where another file of the same name was read: machine paths stay out."""
    name = file_name(uri)
    return name if name not in taken else f"{Path(uri).parent.name}/{name}"
