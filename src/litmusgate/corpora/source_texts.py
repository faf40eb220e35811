"""Source files at hand: recognised by their digest, they stand in for the fingerprints that were made of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

from litmusgate.corpora.files import open_file
from litmusgate.corpora.manifest import Segment, SourceFile
from litmusgate.corpora.readers import Columns
from litmusgate.corpora.shards import Shard, list_shards, read_batches
from litmusgate.errors import CorpusError, Location
from litmusgate.packed import UNREADABLE, why_unreadable
from litmusgate.provenance.batch import DocumentBatch

_CHUNK = 1 << 20


class SourceTexts:
    """The files, folders and addresses `paths`, by the sha256 of each file. Raises `CorpusError` for what cannot be read."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._shards: dict[str, list[Shard]] = {}
        for shards in shards_by_file(paths).values():
            self._shards[file_digest(shards[0])] = shards

    def has_all(self, segment: Segment) -> bool:
        """Whether every file that `segment` was made of is here."""
        return bool(segment.sources) and not self.missing(segment)

    def missing(self, segment: Segment) -> tuple[SourceFile, ...]:
        """The files that `segment` was made of and that are not here: none of these has their sha256."""
        return tuple(source for source in segment.sources if source.digest not in self._shards)

    def batches(self, segment: Segment) -> Iterator[DocumentBatch]:
        """The documents of `segment` in the files that are here, read by the columns it was added with."""
        columns = Columns(
            text=segment.columns.text,
            id=segment.columns.id,
            corpus=segment.columns.corpus,
            source=segment.columns.source,
        )
        for digest in sorted({source.digest for source in segment.sources}):
            for shard in self._shards.get(digest, ()):
                for batch in read_batches(shard, columns, corpus=segment.corpus):
                    if batch.corpus == segment.corpus:
                        yield batch


def shards_by_file(paths: Sequence[str]) -> dict[str, list[Shard]]:
    """The shards of `paths` by the address of their file, in order."""
    found: dict[str, list[Shard]] = {}
    for shard in list_shards(paths):
        found.setdefault(shard.uri, []).append(shard)
    return found


def file_digest(shard: Shard) -> str:
    """The sha256 of the whole file of a shard; raises `CorpusError` where it cannot be read or has changed."""
    digest = hashlib.sha256()
    try:
        with open_file(shard.uri, etag=shard.etag) as stream:
            while chunk := stream.read(_CHUNK):
                digest.update(chunk)
    except UNREADABLE as problem:
        raise CorpusError(
            "the file cannot be read to its end", got=why_unreadable(problem), at=Location(path=shard.uri)
        ) from problem
    return f"sha256:{digest.hexdigest()}"
