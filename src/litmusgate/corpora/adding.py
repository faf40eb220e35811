"""Adding corpora to an index: all of one call or none, durable before the manifest names them."""

from __future__ import annotations

import contextlib
import fcntl
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from litmusgate.corpora.index import MANIFEST, Index, open_index
from litmusgate.corpora.manifest import Segment, SourceFile, manifest_bytes
from litmusgate.corpora.readers import CorpusRow
from litmusgate.corpora.segment import segment_bytes
from litmusgate.digest import digest_bytes
from litmusgate.durable import write_durably
from litmusgate.errors import CorpusError, Location
from litmusgate.provenance.fold import fold_words
from litmusgate.text import name_problem


@dataclass(frozen=True, slots=True, kw_only=True)
class NewCorpus:
    """A corpus to be added: its rows and the files they were read from. Dates are ISO, None where not known."""

    name: str
    revision: str
    published: str | None
    fine_tuning_of: str | None
    rows: Sequence[CorpusRow]
    sources: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """What an `add` did: the index afterwards, and the corpora that are new and those that were there already."""

    index: Index
    added: tuple[Segment, ...]
    unchanged: tuple[Segment, ...]


def add_corpora(path: Path, corpora: Sequence[NewCorpus], *, now: str) -> Added:
    """Add `corpora` to the index in the folder `path`, which is made if it is absent.

    The same corpus with the same revision and content again is no change. Raises `CorpusError`, and adds nothing, for a
    corpus without a document, a name that may not be one, and a name the index holds with other content or revision.
    """
    built = [_built(corpus, path, now) for corpus in sorted(corpora, key=lambda item: item.name)]
    with _only_writer(path):
        present = {item.corpus: item for item in open_index(path).segments} if (path / MANIFEST).exists() else {}
        new = [(segment, data) for segment, data in built if _is_new(segment, present.get(segment.corpus), path)]
        for segment, data in new:
            write_durably(path / segment.file, data)
        segments = [*present.values(), *(segment for segment, _ in new)]
        if new:
            write_durably(path / MANIFEST, manifest_bytes(segments))
    added = {segment.corpus for segment, _ in new}
    return Added(
        index=open_index(path),
        added=tuple(segment for segment, _ in built if segment.corpus in added),
        unchanged=tuple(present[segment.corpus] for segment, _ in built if segment.corpus not in added),
    )


def replace_segments(path: Path, segments: Sequence[Segment]) -> Index:
    """Write a manifest of `segments` (after a check), whose files must be there already."""
    with _only_writer(path):
        write_durably(path / MANIFEST, manifest_bytes(segments))
    return open_index(path)


def _built(corpus: NewCorpus, path: Path, now: str) -> tuple[Segment, bytes]:
    for what, name in (("corpus", corpus.name), ("revision", corpus.revision), ("agent", corpus.fine_tuning_of)):
        problem = None if name is None else name_problem(name)
        if problem is not None:
            raise CorpusError(
                f"the {what} name may not be used: {problem}", got=repr(name), at=Location(path=str(path))
            )
    told = [row for row in corpus.rows if fold_words(row.text)]
    if not told:
        raise CorpusError(
            f"corpus {corpus.name!r} holds no text",
            got=f"{len(corpus.rows)} rows without a word",
            wanted="at least one document",
            fix="name the column that holds the text, or leave the corpus out",
            at=Location(path=", ".join(sorted(corpus.sources))),
        )
    data, documents = segment_bytes(
        told,
        corpus=corpus.name,
        revision=corpus.revision,
        published=corpus.published,
        fine_tuning_of=corpus.fine_tuning_of,
    )
    segment = Segment(
        corpus=corpus.name,
        revision=corpus.revision,
        published=corpus.published,
        fine_tuning_of=corpus.fine_tuning_of,
        documents=documents,
        blank=len(corpus.rows) - len(told),
        digest=digest_bytes(data),
        added_at=now,
        checked_at=now,
        sources=[SourceFile(name=name, digest=digest) for name, digest in sorted(corpus.sources.items())],
    )
    return segment, data


def _is_new(segment: Segment, present: Segment | None, path: Path) -> bool:
    """Whether `segment` has to be added; raises when its name is taken by something else."""
    if present is None:
        return True
    if present.revision != segment.revision:
        raise CorpusError(
            f"the index already holds corpus {segment.corpus!r} at another revision",
            got=repr(segment.revision),
            wanted=repr(present.revision),
            fix="build a new index, or give the corpus another name; two revisions of one name would be ambiguous",
            at=Location(path=str(path)),
        )
    if present.digest != segment.digest:
        raise CorpusError(
            f"the index holds corpus {segment.corpus!r} revision {segment.revision!r} with other content or dates",
            got=repr(segment.digest),
            wanted=repr(present.digest),
            fix="give the changed corpus a revision of its own",
            at=Location(path=str(path)),
        )
    return False


@contextlib.contextmanager
def _only_writer(path: Path) -> Iterator[None]:
    """One writer at a time; the lock dies with its process, so a killed one blocks nobody. The folder is made if absent."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        with (path / ".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
    except OSError as problem:
        raise CorpusError(
            "the index cannot be written", got=problem.strerror or str(problem), at=Location(path=str(path))
        ) from problem
