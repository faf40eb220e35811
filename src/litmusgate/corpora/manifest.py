"""`index.json`: what the provenance index holds, what was retired from it, and the digest that pins it (A14)."""

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
from litmusgate.provenance.hashing import HASH_VERSION

INDEX_SCHEMA = "litmusgate/index/2"
OLD_SCHEMAS = ("litmusgate/index/1",)


def _day(text: str) -> str:
    date.fromisoformat(text)
    return text


def _moment(text: str) -> str:
    datetime.fromisoformat(text)
    return text


Day = Annotated[str, AfterValidator(_day)]
Moment = Annotated[str, AfterValidator(_moment)]
Keep = Literal["text", "hashes"]
Count = Annotated[int, Field(ge=0)]


class _Wire(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class SourceFile(_Wire):
    """A file a corpus was read from: its name and digest, so that somebody can ask for the same one."""

    name: str
    digest: Digest


class SourceColumns(_Wire):
    """The columns a corpus was read by, so that its files can be read again in the same way."""

    text: str
    id: str | None
    corpus: str | None
    source: str | None


class Segment(_Wire):
    """A part of one corpus at one revision, as it was added by one call.

    `keep` says whether its texts are kept or only their fingerprints. `digest` is that of its content, whatever file holds
    it: corpus, revision, dates and documents, for fingerprints also the digests of the source files. It stands in `file`
    from byte `start`, `length` bytes long. `published` is a date or null (not known), `fine_tuning_of` the agent tuned on it
    (A10). `documents` > 0; `blank` rows had no word in them and are left out.
    """

    corpus: Name
    revision: Name
    published: Day | None
    fine_tuning_of: Name | None
    keep: Keep
    documents: Annotated[int, Field(ge=1)]
    blank: Count
    digest: Digest
    file: Annotated[str, Field(pattern=r"^[0-9a-f]{64}\.(text|hashes|pack)$")]
    start: Count
    length: Annotated[int, Field(ge=1)]
    added_at: Moment
    checked_at: Moment
    columns: SourceColumns
    sources: list[SourceFile]


class Retired(_Wire):
    """A segment that no longer counts: which, how many documents, why, and since when."""

    corpus: Name
    revision: Name
    keep: Keep
    documents: Annotated[int, Field(ge=1)]
    digest: Digest
    reason: str
    retired_at: Moment


class IndexFile(_Wire):
    """The whole manifest. `digest` is over versions and segment digests; files, dates of adding and checking are not in it."""

    schema_: Annotated[Literal["litmusgate/index/2"], Field(alias="schema")]
    fold: str
    hash: str
    digest: Digest
    segments: list[Segment]
    retired: list[Retired]


def index_digest(segments: Iterable[Segment]) -> str:
    """The digest that pins an index: fold and hash version and the segment digests in order of corpus and revision."""
    digests: list[Json] = [segment.digest for segment in in_order(segments)]
    return digest_json({"fold": FOLD_VERSION, "hash": HASH_VERSION, "segments": digests})


def in_order(segments: Iterable[Segment]) -> tuple[Segment, ...]:
    """Segments by corpus, revision and digest."""
    return tuple(sorted(segments, key=lambda item: (item.corpus, item.revision, item.digest)))


def manifest_bytes(segments: Iterable[Segment], retired: Iterable[Retired]) -> bytes:
    """The canonical bytes of the manifest of `segments` and of what was `retired`."""
    ordered = in_order(segments)
    gone = sorted(retired, key=lambda item: (item.corpus, item.revision, item.digest, item.retired_at))
    document: dict[str, Json] = {
        "schema": INDEX_SCHEMA,
        "fold": FOLD_VERSION,
        "hash": HASH_VERSION,
        "digest": index_digest(ordered),
        "segments": [segment.model_dump() for segment in ordered],
        "retired": [entry.model_dump() for entry in gone],
    }
    return canonical_bytes(document)


def read_manifest(data: bytes, *, path: str) -> IndexFile:
    """The manifest with its segments in order; raises `CorpusError` where it is altered or of another version.

    Two versions of fold or hash are never compared: their words differ, and a text would seem absent.
    """
    at = Location(path=path)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as problem:
        raise CorpusError("the index manifest is not UTF-8", at=at) from problem
    value = parse_json(text, path=path, error=CorpusError).value
    _refuse_old(value, at)
    try:
        manifest = IndexFile.model_validate(value)
    except ValidationError as problem:
        first = problem.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise CorpusError(f"the index manifest is not valid at {where!r}: {first['msg']}", at=at) from problem
    for what, got, wanted in (("fold", manifest.fold, FOLD_VERSION), ("hash", manifest.hash, HASH_VERSION)):
        if got != wanted:
            raise CorpusError(
                f"the index was made with another {what} version",
                got=repr(got),
                wanted=repr(wanted),
                fix="build the index again from its corpora",
                at=at,
            )
    segments = in_order(manifest.segments)
    if len({segment.digest for segment in segments}) != len(segments):
        raise CorpusError("the index manifest names a segment twice", at=at)
    if index_digest(segments) != manifest.digest:
        raise CorpusError(
            "the index manifest does not match its digest",
            got=repr(manifest.digest),
            wanted=repr(index_digest(segments)),
            fix="build the index again, or restore it",
            at=at,
        )
    return manifest.model_copy(update={"segments": list(segments)})


def _refuse_old(value: object, at: Location) -> None:
    schema = value.get("schema") if isinstance(value, dict) else None
    if schema in OLD_SCHEMAS:
        raise CorpusError(
            "the index was made by an earlier version and holds no fingerprints",
            got=repr(schema),
            wanted=repr(INDEX_SCHEMA),
            fix="add its corpora to a new index: litmusgate corpus add",
            at=at,
        )
