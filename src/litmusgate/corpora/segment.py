"""What every segment has, texts or fingerprints: a header that says whose it is, and a body whose digest the header tells.

The digest of a segment is that of its header, so the same documents have the same digest in whatever file they stand and
however they were packed there.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from litmusgate.corpora.manifest import Keep, Segment, SourceColumns
from litmusgate.digest import Json, canonical_bytes, digest_bytes
from litmusgate.documents.json_text import parse_json
from litmusgate.errors import CorpusError, Location
from litmusgate.provenance.fold import FOLD_VERSION
from litmusgate.provenance.hashing import HASH_VERSION

SEGMENT_SCHEMA = "litmusgate/segment/2"
ALIGNED = 64
"""Headers and segments are padded to multiples of so many bytes, so that numbers in a body lie on their boundaries."""

_CHUNK = 1 << 20
_MOST_HEADER_BYTES = 1 << 26


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Whose documents a segment holds. `published` is an ISO date or None (not known)."""

    corpus: str
    revision: str
    published: str | None
    fine_tuning_of: str | None
    keep: Keep
    columns: SourceColumns
    sources: tuple[str, ...] = ()

    def header(self) -> dict[str, Json]:
        """What the header says of it. Only of fingerprints are the digests of the source files (`sources`) and their
        columns a part: whoever holds those files may put the texts in the place of the fingerprints.
        """
        found: dict[str, Json] = {
            "schema": SEGMENT_SCHEMA,
            "corpus": self.corpus,
            "revision": self.revision,
            "published": self.published,
            "fine_tuning_of": self.fine_tuning_of,
            "keep": self.keep,
        }
        if self.keep == "hashes":
            kept: dict[str, Json] = {"columns": self.columns.model_dump(), "sources": sorted(self.sources)}
            found |= {"fold": FOLD_VERSION, "hash": HASH_VERSION, **kept}
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A segment that is ready to be written: its header and the nameless file with its body."""

    header: bytes
    body: IO[bytes]
    body_bytes: int
    documents: int
    blank: int

    @property
    def digest(self) -> str:
        """The digest of the segment."""
        return digest_bytes(self.header)

    @property
    def length(self) -> int:
        """Bytes it will take."""
        return _padded(len(self.header) + 1) + _padded(self.body_bytes)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenSegment:
    """The header of a segment on disk, and where its body begins and ends at most, in bytes of its file."""

    header: dict[str, Json]
    body: int
    end: int


def make_draft(
    identity: Identity, body: IO[bytes], *, counts: dict[str, Json], content: str, body_bytes: int, blank: int
) -> Draft:
    """A draft of `body`; `counts` are the sizes the header tells, "documents" among them, `content` the digest of the content."""
    documents = counts["documents"]
    if not isinstance(documents, int):
        raise TypeError("a header tells the number of documents")
    header = canonical_bytes({**identity.header(), **counts, "content": content})
    return Draft(header=header, body=body, body_bytes=body_bytes, documents=documents, blank=blank)


def write_draft(draft: Draft, stream: IO[bytes]) -> None:
    """Write the segment to `stream`, padded at its end."""
    stream.write(draft.header.ljust(_padded(len(draft.header) + 1) - 1) + b"\n")
    draft.body.seek(0)
    while chunk := draft.body.read(_CHUNK):
        stream.write(chunk)
    stream.write(b"\0" * (_padded(draft.body_bytes) - draft.body_bytes))


def open_segment(stream: IO[bytes], segment: Segment, path: Path) -> OpenSegment:
    """The header of `segment` in its file; raises `CorpusError` unless it is the one the manifest names."""
    if stream.seek(0, os.SEEK_END) < segment.start + segment.length:
        raise altered(path)
    stream.seek(segment.start)
    line = stream.readline(min(segment.length, _MOST_HEADER_BYTES))
    text = line.rstrip(b" \n")
    if digest_bytes(text) != segment.digest:
        raise altered(path)
    header = parse_json(text.decode("utf-8"), path=str(path), error=CorpusError).value
    identity = Identity(
        corpus=segment.corpus,
        revision=segment.revision,
        published=segment.published,
        fine_tuning_of=segment.fine_tuning_of,
        keep=segment.keep,
        columns=segment.columns,
        sources=tuple(source.digest for source in segment.sources),
    )
    wanted = {**identity.header(), "documents": segment.documents}
    if not isinstance(header, dict) or {name: header.get(name) for name in wanted} != wanted:
        raise CorpusError(
            "a segment of the index is not the one its manifest describes",
            got=repr(header),
            wanted=repr(wanted),
            at=Location(path=str(path)),
        )
    return OpenSegment(header=header, body=segment.start + len(line), end=segment.start + segment.length)


def body_digest(stream: IO[bytes], start: int, length: int) -> str:
    """The sha256 of `length` bytes of `stream` from `start` on."""
    digest = hashlib.sha256()
    stream.seek(start)
    for chunk in _chunks(stream, length):
        digest.update(chunk)
    return f"sha256:{digest.hexdigest()}"


def altered(path: Path) -> CorpusError:
    """The error for a segment that is not what it was."""
    return CorpusError(
        "a segment of the index was altered",
        fix="restore the index, or build it again",
        at=Location(path=str(path)),
    )


def unreadable(problem: OSError, path: Path) -> CorpusError:
    """The error for a segment that cannot be read."""
    return CorpusError(
        "a segment of the index cannot be read",
        got=problem.strerror or str(problem),
        fix="restore the index, or build it again",
        at=Location(path=str(path)),
    )


def _chunks(stream: IO[bytes], length: int) -> Iterator[bytes]:
    while length and (chunk := stream.read(min(_CHUNK, length))):
        yield chunk
        length -= len(chunk)


def _padded(length: int) -> int:
    return -(-length // ALIGNED) * ALIGNED
