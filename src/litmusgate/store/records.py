"""The store: append-only records named by their sha256, and the inputs they were computed from.

    records/<kind>/<64 hex>.json    canonical JSON whose sha256 is its name
    inputs/<64 hex><suffix>         an input under its *content* digest (a run in any file format has one digest)
    inputs/<64 hex>.ref             JSON {path, digest, bytes} for an input too large to copy

Files are written beside their place, synced, then renamed, so that a reader sees all of a file or none and concurrent
writers of the same thing do not disturb each other. Nothing is ever changed in place or removed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from litmusgate.digest import Json, canonical_bytes, digest_bytes, is_digest
from litmusgate.errors import Location, RecordError
from litmusgate.store.files import read_whole, size_of, write_whole

COPY_LIMIT_BYTES = 64 * 1024 * 1024
"""Inputs up to this size are copied into the store, larger ones are referred to by path and digest."""

INPUT_SUFFIXES = (".jsonl.zst", ".jsonl", ".parquet", ".json", ".yaml", ".yml")
"""File name endings kept in the store, because readers choose the format by them. No other part of a name is kept (T5)."""

_RECORD_NAME = re.compile(r"([0-9a-f]{64})\.json")


class Kind(StrEnum):
    """What a record is; each kind has its folder."""

    VERDICT = "verdict"
    ADMISSION = "admission"
    POLICY = "policy"
    SUITE = "suite"
    RUN = "run"
    BASELINE = "baseline"


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierVerdict:
    """A verdict already given on a build and suite: its digest, when, what, and the digests of the runs it used (B15)."""

    digest: str
    evaluated_at: str
    decision: str
    runs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Store:
    """A store in the folder `path`, which is made on first writing. Reading an absent store finds nothing in it."""

    path: Path

    @property
    def exists(self) -> bool:
        """Whether anything was ever written here."""
        return self.path.is_dir()

    def put_record(self, kind: Kind, data: bytes) -> str:
        """Keep `data`, which must be canonical JSON, and return its digest; keeping it again changes nothing.

        Raises `RecordError` when it is not canonical, cannot be written, or stands there altered.
        """
        _refuse_loose_json(data)
        digest = digest_bytes(data)
        target = self._record(kind, digest)
        if target.exists():
            self.get_record(kind, digest)
        else:
            write_whole(target, data)
        return digest

    def get_record(self, kind: Kind, digest: str) -> bytes:
        """The record's bytes, whose sha256 is `digest`; `RecordError` when it is absent or was altered."""
        target = self._record(kind, digest)
        data = read_whole(target, what=f"{kind.value} record {digest}")
        if digest_bytes(data) != digest:
            raise RecordError(
                f"the {kind.value} record was altered after it was written",
                rule="T2",
                got=digest_bytes(data),
                wanted=digest,
                fix="restore the file from a backup; a record is never edited",
                at=Location(path=str(target)),
            )
        return data

    def has_record(self, kind: Kind, digest: str) -> bool:
        """Whether such a record is kept, intact or not."""
        return self._record(kind, digest).exists()

    def iter_records(self, kind: Kind) -> Iterator[tuple[str, bytes]]:
        """Every record of `kind` as (digest, bytes), sorted by digest, each one checked.

        Raises `RecordError` for an altered record and for a file that has no place here.
        """
        folder = self.path / "records" / kind.value
        if not folder.is_dir():
            return
        for entry in sorted(folder.iterdir()):
            if entry.name.startswith("."):
                continue  # a file being written by somebody else, or the system's own
            match = _RECORD_NAME.fullmatch(entry.name)
            if match is None:
                raise RecordError(
                    "this file is not a record", wanted="<64 hexadecimal digits>.json", at=Location(path=str(entry))
                )
            digest = f"sha256:{match.group(1)}"
            yield digest, self.get_record(kind, digest)

    def put_input(self, digest: str, source: bytes | Path, *, suffix: str | None = None) -> None:
        """Keep an input under its content digest; its reader must recompute it, because it is not that of the bytes.

        `suffix` is the file name ending for bytes (None: none); that of a path is taken from its name. An input already
        kept in that format stays as it is. A file above `COPY_LIMIT_BYTES` is referred to instead.
        """
        known = _known_suffix(source.name if isinstance(source, Path) else suffix or "")
        target = self._input(digest, known)
        if target.exists():
            return
        if isinstance(source, bytes):
            write_whole(target, source)
        elif size_of(source) <= COPY_LIMIT_BYTES:
            write_whole(target, read_whole(source, what=f"input {digest}"))
        else:
            self._refer(digest, source)

    def input_path(self, digest: str) -> Path:
        """Where the input is: its copy here, or the file it refers to. `RecordError` when neither is there."""
        for suffix in (*INPUT_SUFFIXES, ""):
            candidate = self._input(digest, suffix)
            if candidate.is_file():
                return candidate
        reference = self._input(digest, ".ref")
        if not reference.is_file():
            raise RecordError(
                "an input is not in the store",
                rule="T2",
                got=f"no file for {digest}",
                fix="gate with the same --store, or copy the store the verdict was made with",
                at=Location(path=str(self.path)),
            )
        return _referred(reference, digest)

    def earlier_verdicts(self, *, agent: str, build: str, suite_digest: str) -> tuple[EarlierVerdict, ...]:
        """Every verdict already given on this build and suite, oldest first (B15)."""
        found = []
        for digest, data in self.iter_records(Kind.VERDICT):
            try:
                value = json.loads(data)
                same_suite = value["suite"] is not None and value["suite"]["digest"] == suite_digest
                if same_suite and value["agent"] == agent and value["build"] == build:
                    found.append(
                        EarlierVerdict(
                            digest=digest,
                            evaluated_at=value["evaluated_at"],
                            decision=value["decision"],
                            runs=tuple(value["inputs"]["run"]),
                        )
                    )
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                raise RecordError(
                    "this verdict record lacks what a verdict has",
                    got=repr(error),
                    at=Location(path=str(self._record(Kind.VERDICT, digest))),
                ) from error
        return tuple(sorted(found, key=lambda item: (item.evaluated_at, item.digest)))

    def _record(self, kind: Kind, digest: str) -> Path:
        return self.path / "records" / kind.value / f"{_hex(digest)}.json"

    def _input(self, digest: str, suffix: str) -> Path:
        return self.path / "inputs" / f"{_hex(digest)}{suffix}"

    def _refer(self, digest: str, source: Path) -> None:
        reference = self._input(digest, ".ref")
        content: dict[str, Json] = {"path": str(source.resolve()), "digest": digest, "bytes": size_of(source)}
        if not reference.exists() or not _still_there(reference):
            write_whole(reference, canonical_bytes(content))


def _hex(digest: str) -> str:
    if not is_digest(digest):
        raise RecordError("this is not a digest", got=repr(digest), wanted="sha256: and 64 hexadecimal digits")
    return digest.removeprefix("sha256:")


def _known_suffix(name: str) -> str:
    return next((suffix for suffix in INPUT_SUFFIXES if name.endswith(suffix)), "")


def _refuse_loose_json(data: bytes) -> None:
    try:
        canonical = canonical_bytes(json.loads(data))
    except (ValueError, RecursionError) as error:
        raise RecordError("a record must be JSON", got=str(error)) from error
    if canonical != data:
        raise RecordError("a record must be canonical JSON", wanted="RFC 8785 bytes", rule="T2")


def _referred(reference: Path, digest: str) -> Path:
    at = Location(path=str(reference))
    try:
        content = json.loads(read_whole(reference, what=f"reference to input {digest}"))
        path, named = Path(content["path"]), content["digest"]
    except (ValueError, KeyError, TypeError) as error:
        raise RecordError("this reference to a large input is malformed", got=repr(error), at=at) from error
    if named != digest:
        raise RecordError(
            "this reference names another input than its file name", got=repr(named), wanted=digest, at=at
        )
    if not path.is_file():
        raise RecordError("the large input this refers to is gone", got=repr(str(path)), wanted=digest, at=at)
    return path


def _still_there(reference: Path) -> bool:
    try:
        return Path(json.loads(reference.read_bytes())["path"]).is_file()
    except (OSError, ValueError, KeyError, TypeError):
        return False
