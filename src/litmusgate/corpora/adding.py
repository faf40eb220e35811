"""Adding corpora to an index: all of one call or none, durable before the manifest names them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from litmusgate.corpora.index import MANIFEST, Index, open_index
from litmusgate.corpora.index_writing import only_writer, write_manifest, writing_errors
from litmusgate.corpora.manifest import Keep, Segment, SourceColumns, SourceFile
from litmusgate.corpora.readers import Columns
from litmusgate.corpora.scratch import Scratch
from litmusgate.corpora.segment import Draft, Identity, write_draft
from litmusgate.corpora.segment_building import SegmentBuilder
from litmusgate.durable import replaced
from litmusgate.errors import CorpusError, Location
from litmusgate.provenance.batch import DocumentBatch
from litmusgate.provenance.engine import Engine
from litmusgate.text import name_problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Addition:
    """How corpora are added. Dates are ISO, None where not known. `keep` says whether their texts are kept."""

    revision: str
    published: str | None
    fine_tuning_of: str | None
    keep: Keep
    columns: Columns


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """What an `add` did: the index afterwards, and the segments that are new and those that were there already."""

    index: Index
    added: tuple[Segment, ...]
    unchanged: tuple[Segment, ...]


class CorpusAdding:
    """Corpora being read on their way into the index in the folder `path`, in a `with` block. Before `finish` nothing there
    has a name.

    Raises `CorpusError` for a name that may not be one, for a corpus without a word, and where the disk refuses.
    """

    def __init__(self, path: Path, addition: Addition, *, engine: Engine) -> None:
        self._path = path
        self._addition = addition
        self._engine = engine
        self._scratch = Scratch(_standing(path))
        self._builders: dict[str, SegmentBuilder] = {}
        self._sources: dict[str, dict[str, str]] = {}
        for what, name in (("revision", addition.revision), ("agent", addition.fine_tuning_of)):
            _check_name(what, name, path)

    def __enter__(self) -> CorpusAdding:
        """The block begins."""
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        """What was not finished is forgotten."""
        self._scratch.__exit__(kind, value, at)

    def add(self, batch: DocumentBatch) -> None:
        """Take in documents of the corpus that `batch` names."""
        with writing_errors(self._path):
            if batch.corpus not in self._builders:
                _check_name("corpus", batch.corpus, self._path)
                self._builders[batch.corpus] = SegmentBuilder(
                    keep=self._addition.keep, scratch=self._scratch, engine=self._engine
                )
            self._builders[batch.corpus].add(batch)

    def add_source(self, corpus: str, name: str, digest: str) -> None:
        """Note that documents of `corpus` were read from the file `name`."""
        self._sources.setdefault(corpus, {})[name] = digest

    def sources(self, corpus: str) -> Mapping[str, str]:
        """The files noted for `corpus`, with their digests."""
        return self._sources.get(corpus, {})

    def finish(self, *, now: str) -> Added:
        """Write what is new. The same documents of the same corpus, revision and dates again are no change; others are a
        further part of it.

        Raises `CorpusError`, and adds nothing, where the index holds this revision with other dates.
        """
        with writing_errors(self._path):
            drafts = [self._drafted(corpus, now) for corpus in sorted(self._builders)]
        with only_writer(self._path):
            index = open_index(self._path) if (self._path / MANIFEST).exists() else Index(path=self._path, segments=())
            present = {segment.digest: segment for segment in index.segments}
            new = [(segment, draft) for segment, draft in drafts if segment.digest not in present]
            for segment, draft in new:
                _refuse_other_dates(segment, index.segments, self._path)
                with replaced(self._path / segment.file) as stream:
                    write_draft(draft, stream)
            added = tuple(segment for segment, _ in new)
            if new:
                index = write_manifest(self._path, (*index.segments, *added), index.retired)
        unchanged = tuple(present[segment.digest] for segment, _ in drafts if segment.digest in present)
        return Added(index=index, added=added, unchanged=unchanged)

    def _drafted(self, corpus: str, now: str) -> tuple[Segment, Draft]:
        addition = self._addition
        sources = self._sources.get(corpus, {})
        columns = SourceColumns(
            text=addition.columns.text,
            id=addition.columns.id,
            corpus=addition.columns.corpus,
            source=addition.columns.source,
        )
        identity = Identity(
            corpus=corpus,
            revision=addition.revision,
            published=addition.published,
            fine_tuning_of=addition.fine_tuning_of,
            keep=addition.keep,
            columns=columns,
            sources=tuple(sources.values()),
        )
        draft = self._builders[corpus].finish(identity, files=", ".join(sorted(sources)))
        segment = Segment(
            corpus=corpus,
            revision=addition.revision,
            published=addition.published,
            fine_tuning_of=addition.fine_tuning_of,
            keep=addition.keep,
            documents=draft.documents,
            blank=draft.blank,
            digest=draft.digest,
            file=f"{draft.digest.removeprefix('sha256:')}.{addition.keep}",
            start=0,
            length=draft.length,
            added_at=now,
            checked_at=now,
            columns=columns,
            sources=[SourceFile(name=name, digest=digest) for name, digest in sorted(sources.items())],
        )
        return segment, draft


def _check_name(what: str, name: str | None, path: Path) -> None:
    problem = None if name is None else name_problem(name)
    if problem is not None:
        raise CorpusError(f"the {what} name may not be used: {problem}", got=repr(name), at=Location(path=str(path)))


def _standing(path: Path) -> Path:
    """The folder itself or the nearest one above it that is there: on the same disk, as a rule."""
    return next(folder for folder in (path.absolute(), *path.absolute().parents) if folder.exists())


def _refuse_other_dates(segment: Segment, present: Sequence[Segment], path: Path) -> None:
    """A revision is published once, and tuned on or not: its parts may not say different things."""
    for other in present:
        same = (other.corpus, other.revision) == (segment.corpus, segment.revision)
        if same and (other.published, other.fine_tuning_of) != (segment.published, segment.fine_tuning_of):
            raise CorpusError(
                f"the index holds corpus {segment.corpus!r} revision {segment.revision!r} with other dates",
                got=f"published {segment.published}, fine-tuning data of {segment.fine_tuning_of}",
                wanted=f"published {other.published}, fine-tuning data of {other.fine_tuning_of}",
                fix="give the changed corpus a revision of its own, or retire the other first",
                at=Location(path=str(path)),
            )
