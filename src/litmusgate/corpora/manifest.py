"""`index.json`: what the provenance index holds, and the digest that pins it (A14)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from litmusgate.digest import Json, canonical_bytes, digest_json
from litmusgate.documents.json_text import parse_json
from litmusgate.documents.wire_types import Digest, Name
from litmusgate.errors import CorpusError, Location
from litmusgate.provenance.fold import FOLD_VERSION

INDEX_SCHEMA = "litmusgate/index/1"
SEGMENT_SCHEMA = "litmusgate/segment/1"


def _day(text: str) -> str:
    date.fromisoformat(text)
    return text


def _moment(text: str) -> str:
    datetime.fromisoformat(text)
    return text


Day = Annotated[str, AfterValidator(_day)]
Moment = Annotated[str, AfterValidator(_moment)]


class _Wire(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class SourceFile(_Wire):
    """A file a corpus was read from: its name and digest, so that somebody can ask for the same one."""

    name: str
    digest: Digest


class Segment(_Wire):
    """One corpus at one revision.

    `digest` is that of the segment's file, which states corpus, revision, dates and documents itself. `published` is a
    date or null (not known), `fine_tuning_of` the agent tuned on it (A10). `documents` > 0; `blank` rows had no word
    in them and are left out.
    """

    corpus: Name
    revision: Name
    published: Day | None
    fine_tuning_of: Name | None
    documents: Annotated[int, Field(ge=1)]
    blank: Annotated[int, Field(ge=0)]
    digest: Digest
    added_at: Moment
    checked_at: Moment
    sources: list[SourceFile]

    @property
    def file(self) -> str:
        """Name of the segment's file in the index folder: its digest, so that no corpus can name a path."""
        return f"{self.digest.removeprefix('sha256:')}.jsonl"


class IndexFile(_Wire):
    """The whole manifest. `digest` is over fold version and segment digests; dates of adding and checking are not in it."""

    schema_: Annotated[Literal["litmusgate/index/1"], Field(alias="schema")]
    fold: str
    digest: Digest
    segments: list[Segment]


def index_digest(segments: Iterable[Segment]) -> str:
    """The digest that pins an index: fold version and the segment digests in order of corpus and revision."""
    ordered = sorted(segments, key=lambda item: (item.corpus, item.revision))
    return digest_json({"fold": FOLD_VERSION, "segments": [segment.digest for segment in ordered]})


def manifest_bytes(segments: Iterable[Segment]) -> bytes:
    """The canonical bytes of the manifest of `segments`."""
    ordered = sorted(segments, key=lambda item: (item.corpus, item.revision))
    document: dict[str, Json] = {
        "schema": INDEX_SCHEMA,
        "fold": FOLD_VERSION,
        "digest": index_digest(ordered),
        "segments": [segment.model_dump() for segment in ordered],
    }
    return canonical_bytes(document)


def read_manifest(data: bytes, *, path: str) -> tuple[Segment, ...]:
    """The segments of a manifest, sorted; raises `CorpusError` where it is altered or made with another fold version.

    Two fold versions are never compared: their words differ, and a text would seem absent.
    """
    at = Location(path=path)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as problem:
        raise CorpusError("the index manifest is not UTF-8", at=at) from problem
    try:
        manifest = IndexFile.model_validate(parse_json(text, path=path, error=CorpusError).value)
    except ValidationError as problem:
        first = problem.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise CorpusError(f"the index manifest is not valid at {where!r}: {first['msg']}", at=at) from problem
    if manifest.fold != FOLD_VERSION:
        raise CorpusError(
            "the index was made with another fold version",
            got=repr(manifest.fold),
            wanted=repr(FOLD_VERSION),
            fix="build the index again from its corpora",
            at=at,
        )
    segments = tuple(sorted(manifest.segments, key=lambda item: (item.corpus, item.revision)))
    if len({segment.corpus for segment in segments}) != len(segments):
        raise CorpusError("the index manifest names a corpus twice", at=at)
    if index_digest(segments) != manifest.digest:
        raise CorpusError(
            "the index manifest does not match its digest",
            got=repr(manifest.digest),
            wanted=repr(index_digest(segments)),
            fix="build the index again, or restore it",
            at=at,
        )
    return segments
