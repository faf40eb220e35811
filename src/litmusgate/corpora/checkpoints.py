"""Finished shards on disk, so that an interrupted scan goes on where it was.

One file per shard: a line of JSON that says what it is of, then the packed reading. A file is used only when it is of the
same plan and the same, unchanged shard, and its bytes are the ones that were written; else the shard is scanned again.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from litmusgate.corpora.shard_scan import ShardReading
from litmusgate.corpora.shards import Shard
from litmusgate.digest import Json, canonical_bytes, digest_bytes, digest_json
from litmusgate.durable import write_durably
from litmusgate.errors import CorpusError, Location
from litmusgate.packed import UNREADABLE, unpacked, zstd_writer
from litmusgate.provenance.encoded import Encoding
from litmusgate.provenance.reading import Reading, TouchedDocument

CHECKPOINT_SCHEMA = "litmusgate/finished-shard/1"
_ENDING = ".shard"
_DAMAGED: tuple[type[Exception], ...] = (ValueError, *UNREADABLE)
"""What reading a damaged file raises; the errors of pydantic and of JSON are ValueErrors."""

_Count = Annotated[int, Field(ge=0)]


class _Wire(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class _WireDocument(_Wire):
    corpus: str
    id: str
    source: str
    encoding: Encoding | None
    short_texts: tuple[_Count, ...]
    words: _Count
    grams: _Count
    text: _Count


class _WireReading(_Wire):
    documents: _Count
    blank: _Count
    text_bytes: _Count
    met_bytes: _Count
    left_documents: tuple[tuple[_Count, _Count], ...]
    left_sources: tuple[tuple[_Count, tuple[str, ...]], ...]
    touched: tuple[_WireDocument, ...]


class _WireHeader(_Wire):
    schema_: Annotated[Literal["litmusgate/finished-shard/1"], Field(alias="schema")]
    key: str
    digest: str


class Checkpoints:
    """The finished shards of one plan in a folder that several plans may share. `notes` tells what could not be used."""

    def __init__(self, folder: Path, plan_digest: str) -> None:
        self._folder = folder
        self._plan = plan_digest
        self._notes: list[str] = []
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise _unwritable(folder, problem) from problem

    @property
    def notes(self) -> tuple[str, ...]:
        """Finished shards that were damaged, and are scanned again."""
        return tuple(self._notes)

    def keep(self, item: ShardReading) -> None:
        """Write a shard that was read to its end; raises `CorpusError` where the disk refuses, `ValueError` for a problem."""
        if item.problem is not None:
            raise ValueError(f"{item.shard.uri} was not read to its end")
        key = self._key(item.shard)
        body = _packed(_written(item.reading))
        header = canonical_bytes({"schema": CHECKPOINT_SCHEMA, "key": key, "digest": digest_bytes(body)})
        try:
            write_durably(self._path(key), header + b"\n" + body)
        except OSError as problem:
            raise _unwritable(self._folder, problem) from problem

    def find(self, shard: Shard) -> ShardReading | None:
        """The reading of `shard`, when this very shard was finished under this plan."""
        key = self._key(shard)
        try:
            data = self._path(key).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as problem:
            self._notes.append(f"{self._path(key)}: {problem.strerror}; scanned again")
            return None
        try:
            return ShardReading(shard=shard, reading=_read(data, key))
        except _DAMAGED:
            self._notes.append(f"{self._path(key)} is damaged; {shard.uri} is scanned again")
            return None

    def _key(self, shard: Shard) -> str:
        part = None if shard.part is None else list(shard.part)
        return digest_json({"plan": self._plan, "uri": shard.uri, "part": part, "size": shard.size, "etag": shard.etag})

    def _path(self, key: str) -> Path:
        return self._folder / f"{key.removeprefix('sha256:')}{_ENDING}"


def _unwritable(folder: Path, problem: OSError) -> CorpusError:
    return CorpusError(
        "finished shards cannot be kept",
        got=problem.strerror or str(problem),
        fix="make room, or scan without --resume",
        at=Location(path=str(folder)),
    )


def _packed(pieces: Iterator[bytes]) -> bytes:
    packed = io.BytesIO()
    with zstd_writer(packed) as stream:
        for piece in pieces:
            stream.write(piece)
    return packed.getvalue()


def _written(reading: Reading) -> Iterator[bytes]:
    head: dict[str, Json] = {
        "documents": reading.documents,
        "blank": reading.blank,
        "text_bytes": reading.text_bytes,
        "met_bytes": reading.met_bytes,
        "left_documents": [[gram, count] for gram, count in sorted(reading.left_documents.items())],
        "left_sources": [[gram, sorted(sources)] for gram, sources in sorted(reading.left_sources.items())],
        "touched": [
            {
                "corpus": item.corpus,
                "id": item.id,
                "source": item.source,
                "encoding": None if item.encoding is None else item.encoding.value,
                "short_texts": list(item.short_texts),
                "words": len(item.words),
                "grams": len(item.grams),
                "text": len(item.text),
            }
            for item in reading.touched
        ],
    }
    yield json.dumps(head, sort_keys=True, separators=(",", ":")).encode() + b"\n"
    for item in reading.touched:
        yield item.words.astype("<u4").tobytes()
        yield item.grams.astype("<u4").tobytes()
        yield item.text


def _read(data: bytes, key: str) -> Reading:
    line, _, body = data.partition(b"\n")
    header = _WireHeader.model_validate_json(line)
    if header.key != key or header.digest != f"sha256:{hashlib.sha256(body).hexdigest()}":
        raise ValueError("not the file that was written")
    head, _, arrays = unpacked(io.BytesIO(body), ".zst").read().partition(b"\n")
    wire = _WireReading.model_validate_json(head)
    touched: list[TouchedDocument] = []
    at = 0
    for item in wire.touched:
        words = np.frombuffer(arrays, "<u4", item.words, at).astype(np.uint32)
        grams = np.frombuffer(arrays, "<u4", item.grams, at + 4 * item.words).astype(np.uint32)
        at += 4 * (item.words + item.grams)
        text = arrays[at : at + item.text]
        at += item.text
        touched.append(
            TouchedDocument(
                corpus=item.corpus,
                id=item.id,
                source=item.source,
                encoding=item.encoding,
                words=words,
                grams=grams,
                short_texts=item.short_texts,
                text=text,
            )
        )
    if at != len(arrays):
        raise ValueError("other sizes than its head says")
    return Reading(
        documents=wire.documents,
        blank=wire.blank,
        text_bytes=wire.text_bytes,
        touched=touched,
        met_bytes=wire.met_bytes,
        kept_bytes=sum(item.kept_bytes for item in touched),
        left_documents=dict(wire.left_documents),
        left_sources={gram: frozenset(sources) for gram, sources in wire.left_sources},
    )
