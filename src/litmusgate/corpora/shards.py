"""Shards: what of a corpus is read in one go, by one worker. A shard is read whole, or it is an error that names it.

A corpus that was read in part would make every instance look cleaner than it is; so everything that is unreadable,
empty, of an unknown format or other than it was listed raises `CorpusError` with file and line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import IO

from litmusgate.corpora.document_names import Origin
from litmusgate.corpora.files import CorpusFile, file_name, find_files, open_file, refuse_changed
from litmusgate.corpora.readers import Columns, format_of
from litmusgate.corpora.shard_jsonl import read_json_lines
from litmusgate.corpora.shard_parquet import PART_BYTES, read_parquet, row_group_parts
from litmusgate.corpora.shard_text import read_text
from litmusgate.errors import CorpusError, Location
from litmusgate.packed import UNREADABLE, unpacked, why_unreadable
from litmusgate.provenance.batch import DocumentBatch


@dataclass(frozen=True, slots=True, kw_only=True)
class Shard:
    """One file, or the row groups `part` (half-open) of a Parquet file. It can be sent to another process or machine.

    `size` is how many bytes on disk it covers; `etag` changes when the file does.
    """

    uri: str
    part: tuple[int, int] | None
    size: int
    etag: str


def list_shards(paths: Sequence[str]) -> tuple[Shard, ...]:
    """The shards of files, folders (with what is in them), patterns and addresses with a scheme; sorted, each once.

    Raises `CorpusError` for a path that does not exist and a folder without a corpus file. A file of an unknown format in
    a folder is a shard too: reading it fails, so that it is named and not left out.
    """
    files = {file.uri: file for path in paths for file in find_files(path)}
    return tuple(shard for uri in sorted(files) for shard in _shards(files[uri]))


def read_batches(shard: Shard, columns: Columns, *, corpus: str) -> Iterator[DocumentBatch]:
    """The documents of `shard` in order; only when the iterator ends without an error was it read whole.

    Documents without an id column are named `file:line` (of Parquet: `file:row`); without a source of their own they
    come from the corpus. `columns.corpus`, where declared, names the corpus of each row instead of `corpus`.
    """
    origin = Origin(path=shard.uri, file=file_name(shard.uri), corpus=corpus)
    form = format_of(PurePath(origin.file), at=shard.uri)
    documents = 0
    try:
        with open_file(shard.uri, etag=shard.etag, at_random=form == ".parquet") as stream:
            for batch in _batches(stream, shard, form, columns, origin):
                documents += len(batch)
                yield batch
            if form != ".parquet":
                _check_size(stream, shard)
        refuse_changed(shard.uri, etag=shard.etag)
    except UNREADABLE as problem:
        raise CorpusError(
            "the file cannot be read to its end",
            got=why_unreadable(problem),
            fix="fetch it again; a part of a corpus is no evidence",
            at=Location(path=shard.uri),
        ) from problem
    if not documents:
        raise CorpusError(
            "the file holds no document",
            fix="leave it out, or fetch it again; an empty file is no evidence",
            at=Location(path=shard.uri),
        )


def _shards(file: CorpusFile) -> Iterator[Shard]:
    """A large Parquet file in parts; where its footer cannot be read it stays whole, and reading it will say why."""
    parts: list[tuple[tuple[int, int], int]] = []
    if file.uri.endswith(".parquet") and file.size > 2 * PART_BYTES:
        try:
            with open_file(file.uri, etag=file.etag, at_random=True) as stream:
                parts = row_group_parts(stream, path=file.uri, size=file.size)
        except (CorpusError, OSError):
            parts = []
    if len(parts) < 2:
        yield Shard(uri=file.uri, part=None, size=file.size, etag=file.etag)
        return
    for part, size in parts:
        yield Shard(uri=file.uri, part=part, size=size, etag=file.etag)


def _batches(stream: IO[bytes], shard: Shard, form: str, columns: Columns, origin: Origin) -> Iterator[DocumentBatch]:
    if form == ".parquet":
        yield from read_parquet(stream, shard.part, columns, origin)
        return
    plain = unpacked(stream, PurePath(origin.file).suffix)
    if form != ".txt":
        yield from read_json_lines(plain, columns, origin)
        return
    if columns.corpus is not None:
        raise CorpusError(
            "a plain text file has no columns",
            got=repr(columns.corpus),
            fix="name the corpus with --name or --name-from file",
            at=Location(path=shard.uri),
        )
    yield from read_text(plain, origin)


def _check_size(stream: IO[bytes], shard: Shard) -> None:
    if stream.tell() != shard.size:
        raise CorpusError(
            "the file has other bytes than when it was listed",
            got=f"{stream.tell()} bytes",
            wanted=f"{shard.size} bytes",
            fix="scan again when nothing writes to the corpus",
            at=Location(path=shard.uri),
        )
