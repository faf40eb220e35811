"""The provenance index: a folder with a manifest and segments of known corpora (A14).

Segments are written before the manifest that names them, which is replaced in one step: a change killed half-way leaves
the old index, and at worst a file nobody refers to. Every segment counts, of several revisions of a corpus each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

from litmusgate.admission.record import IndexUse
from litmusgate.corpora.manifest import Retired, Segment, index_digest, read_manifest
from litmusgate.corpora.segment_text import read_text_segment
from litmusgate.errors import CorpusError, Location
from litmusgate.provenance.batch import DocumentBatch
from litmusgate.provenance.cutoff import DatedCorpus, corpora_that_count
from litmusgate.provenance.fold import FOLD_VERSION
from litmusgate.provenance.known import KnownDocument

MANIFEST = "index.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    """An open index: its folder, its segments by corpus and revision, and what was retired from it."""

    path: Path
    segments: tuple[Segment, ...]
    retired: tuple[Retired, ...] = ()

    @property
    def digest(self) -> str:
        """What a policy pins: versions and contents, never when they were added or checked nor in which files they stand."""
        return index_digest(self.segments)

    @property
    def stored_bytes(self) -> int:
        """Size of the segments on disk."""
        return sum(self.segment_path(segment).stat().st_size for segment in self.segments)

    def segment_path(self, segment: Segment) -> Path:
        """The file the segment stands in."""
        return self.path / segment.file

    def counting(self, cutoff: date | None = None, *, agent: str | None = None) -> tuple[Segment, ...]:
        """The segments that count for `agent` with this training cut-off (A10)."""
        dated = [
            DatedCorpus(
                name=segment.digest,
                published=None if segment.published is None else date.fromisoformat(segment.published),
                fine_tuning_of=segment.fine_tuning_of,
            )
            for segment in self.segments
        ]
        found = set(corpora_that_count(dated, cutoff=cutoff, agent=agent).counting)
        return tuple(segment for segment in self.segments if segment.digest in found)

    def documents(self, cutoff: date | None = None, *, agent: str | None = None) -> Iterator[KnownDocument]:
        """Every document whose text is kept, of the corpora that count for `agent` with this training cut-off (A10).

        Raises `CorpusError` where a segment is missing or altered; documents of it may already have been given by then, so a
        result counts only when the stream ended.
        """
        for segment in self.counting(cutoff, agent=agent):
            for batch in self.batches(segment):
                for number in range(len(batch)):
                    text = batch.text(number).decode("utf-8")
                    source = batch.sources[number]
                    yield KnownDocument(corpus=segment.corpus, id=batch.ids[number], text=text, source=source)

    def batches(self, segment: Segment) -> Iterator[DocumentBatch]:
        """The documents of `segment`, as `documents` gives them; none for one whose texts are not kept."""
        if segment.keep == "text":
            yield from read_text_segment(self.segment_path(segment), segment)

    def use(
        self, cutoff: date | None = None, *, agent: str | None = None, declared: Mapping[str, str] | None = None
    ) -> IndexUse:
        """What an admission record says about this index. Raises `CorpusError` for an index without a corpus.

        `documents` counts those of the segments that count; `corpora` names all corpora, the ignored ones too, of several
        revisions the one `declared` by the suite, else the newest; `ignored` names a corpus, or with its revision where
        another one counts; `checked_at` is the oldest check of any.
        """
        if not self.segments:
            raise CorpusError(
                "the index holds no corpus",
                rule="A14",
                fix="litmusgate corpus add",
                at=Location(path=str(self.path)),
            )
        counting = self.counting(cutoff, agent=agent)
        return IndexUse(
            digest=self.digest,
            fold=FOLD_VERSION,
            documents=sum(segment.documents for segment in counting),
            corpora=_revisions(self.segments, declared or {}),
            checked_at=min((segment.checked_at for segment in self.segments), key=datetime.fromisoformat),
            ignored=_ignored(self.segments, counting),
        )


def open_index(path: Path) -> Index:
    """The index in the folder `path`; raises `CorpusError` unless its manifest is whole and every segment is there.

    Segments are hashed when they are read (`Index.batches`, `corpus verify`), not here.
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
    found = read_manifest(data, path=str(manifest))
    index = Index(path=path, segments=tuple(found.segments), retired=tuple(found.retired))
    for segment in index.segments:
        if not index.segment_path(segment).is_file():
            raise CorpusError(
                f"the segment of corpus {segment.corpus!r} is missing",
                fix="restore the index, or build it again",
                at=Location(path=str(index.segment_path(segment))),
            )
    return index


def _revisions(segments: Sequence[Segment], declared: Mapping[str, str]) -> dict[str, str]:
    """For each corpus the revision it is known under: the declared one if it is held, else the one added last."""
    found: dict[str, str] = {}
    for segment in sorted(segments, key=lambda item: (datetime.fromisoformat(item.added_at), item.revision)):
        if found.get(segment.corpus) is None or found[segment.corpus] != declared.get(segment.corpus):
            found[segment.corpus] = segment.revision
    return dict(sorted(found.items()))


def _ignored(segments: Sequence[Segment], counting: Sequence[Segment]) -> tuple[str, ...]:
    left = {(segment.corpus, segment.revision) for segment in segments} - {
        (segment.corpus, segment.revision) for segment in counting
    }
    partly = {segment.corpus for segment in counting}
    return tuple(sorted({f"{corpus} {revision}" if corpus in partly else corpus for corpus, revision in left}))
