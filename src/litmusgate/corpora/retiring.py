"""Retiring a corpus: it no longer counts, and the index says so and why."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from litmusgate.corpora.index import Index, open_index
from litmusgate.corpora.index_writing import only_writer, write_manifest
from litmusgate.corpora.manifest import Retired
from litmusgate.errors import CorpusError, Location


@dataclass(frozen=True, slots=True, kw_only=True)
class Retirement:
    """The index without what was retired, and what that was, in order."""

    index: Index
    retired: tuple[Retired, ...]


def retire_segments(path: Path, corpus: str, *, revision: str | None, reason: str, now: str) -> Retirement:
    """Take every segment of `corpus` (of `revision` alone, if given) out of the index in the folder `path`.

    Its digest changes, since less is known; the files stay until `compact_segments`. Raises `CorpusError` where the index
    holds no such corpus.
    """
    open_index(path)  # so that no folder is made where there is no index
    with only_writer(path):
        index = open_index(path)
        gone = [
            segment
            for segment in index.segments
            if segment.corpus == corpus and (revision is None or segment.revision == revision)
        ]
        if not gone:
            held = sorted({f"{segment.corpus} {segment.revision}" for segment in index.segments})
            raise CorpusError(
                "the index holds no such corpus",
                got=repr(corpus if revision is None else f"{corpus} {revision}"),
                wanted=f"one of {held!r}",
                at=Location(path=str(path)),
            )
        retired = [
            Retired(
                corpus=segment.corpus,
                revision=segment.revision,
                keep=segment.keep,
                documents=segment.documents,
                digest=segment.digest,
                reason=reason,
                retired_at=now,
            )
            for segment in gone
        ]
        left = [segment for segment in index.segments if segment not in gone]
        after = write_manifest(path, left, [*index.retired, *retired])
        return Retirement(index=after, retired=tuple(retired))
