"""The provenance index: a folder with a manifest and one segment per known corpus (A14).

Segments are named by their digest and written before the manifest, which is replaced in one step: an `add` killed
half-way leaves the old index, and at worst a file nobody refers to.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

from litmusgate.admission.record import IndexUse
from litmusgate.corpora.manifest import Segment, index_digest, read_manifest
from litmusgate.corpora.segment import read_segment
from litmusgate.errors import CorpusError, Location
from litmusgate.provenance.cutoff import CutoffSplit, DatedCorpus, corpora_that_count
from litmusgate.provenance.fold import FOLD_VERSION
from litmusgate.provenance.known import KnownDocument

MANIFEST = "index.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    """An open index: its folder and its segments, sorted by corpus."""

    path: Path
    segments: tuple[Segment, ...]

    @property
    def digest(self) -> str:
        """What a policy pins: fold version and the contents, never when they were added or checked."""
        return index_digest(self.segments)

    def segment_path(self, segment: Segment) -> Path:
        """Where the segment's file is."""
        return self.path / segment.file

    def documents(self, cutoff: date | None = None, *, agent: str | None = None) -> Iterator[KnownDocument]:
        """Every document of the corpora that count for `agent` with this training cut-off (A10).

        Raises `CorpusError` where a segment is missing or altered; the last document of a segment may already have been
        given by then, so a result counts only when the stream ended.
        """
        counting = set(self._split(cutoff, agent).counting)
        for segment in self.segments:
            if segment.corpus in counting:
                yield from read_segment(self.segment_path(segment), segment)

    def use(self, cutoff: date | None = None, *, agent: str | None = None) -> IndexUse:
        """What an admission record says about this index. Raises `CorpusError` for an index without a corpus.

        `documents` counts those of the corpora that count; `corpora` names all, the ignored ones too; `checked_at` is the
        oldest check of any.
        """
        if not self.segments:
            raise CorpusError(
                "the index holds no corpus",
                rule="A14",
                fix="litmusgate corpus add",
                at=Location(path=str(self.path)),
            )
        split = self._split(cutoff, agent)
        counting = set(split.counting)
        return IndexUse(
            digest=self.digest,
            fold=FOLD_VERSION,
            documents=sum(segment.documents for segment in self.segments if segment.corpus in counting),
            corpora={segment.corpus: segment.revision for segment in self.segments},
            checked_at=min((segment.checked_at for segment in self.segments), key=datetime.fromisoformat),
            ignored=split.ignored,
        )

    def _split(self, cutoff: date | None, agent: str | None) -> CutoffSplit:
        dated = [
            DatedCorpus(
                name=segment.corpus,
                published=None if segment.published is None else date.fromisoformat(segment.published),
                fine_tuning_of=segment.fine_tuning_of,
            )
            for segment in self.segments
        ]
        return corpora_that_count(dated, cutoff=cutoff, agent=agent)


def open_index(path: Path) -> Index:
    """The index in the folder `path`; raises `CorpusError` unless its manifest is whole and every segment is there.

    Segments are hashed when they are read (`Index.documents`, `corpus verify`), not here.
    """
    manifest = path / MANIFEST
    try:
        data = manifest.read_bytes()
    except OSError as problem:
        raise CorpusError(
            "there is no provenance index here",
            got=problem.strerror or str(problem),
            fix="litmusgate corpus add",
            at=Location(path=str(manifest)),
        ) from problem
    index = Index(path=path, segments=read_manifest(data, path=str(manifest)))
    for segment in index.segments:
        if not index.segment_path(segment).is_file():
            raise CorpusError(
                f"the segment of corpus {segment.corpus!r} is missing",
                fix="restore the index, or build it again",
                at=Location(path=str(index.segment_path(segment))),
            )
    return index
