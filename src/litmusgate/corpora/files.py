"""Files of a corpus wherever they are: paths without any extra, and addresses with a scheme through fsspec."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from litmusgate.corpora import remote_files
from litmusgate.errors import CorpusError, Location
from litmusgate.text import has_lone_surrogate

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*(::|://)")
_PASSED_OVER = re.compile(r"[._].*|(README|LICENSE)([._-].*)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusFile:
    """One file: its address as it is opened, its size in bytes, and what changes when its content does."""

    uri: str
    size: int
    etag: str


def is_remote(uri: str) -> bool:
    """Whether `uri` names a scheme, so that fsspec opens it."""
    return _SCHEME.match(uri) is not None


def file_name(uri: str) -> str:
    """The last part of a path or address: what names its documents, because a folder's place is nobody's business."""
    return PurePosixPath(uri.partition("::")[0]).name if is_remote(uri) else Path(uri).name


def find_files(path: str) -> list[CorpusFile]:
    """The file `path`, the files under the folder `path`, or those a pattern with `*`, `?` or `[` stands for; sorted.

    In folders, names that begin with `.` or `_`, and read-mes and licences, are passed over. Raises `CorpusError` where
    there is nothing, where a folder cannot be listed, and for what is no regular file.
    """
    found = (
        [CorpusFile(uri=uri, size=size, etag=etag) for uri, size, etag in remote_files.find(path, is_passed_over)]
        if is_remote(path)
        else _find_local(path)
    )
    if not found:
        raise CorpusError("there is no corpus file here", fix="check the path", at=Location(path=path))
    return sorted(found, key=lambda file: file.uri)


def open_file(uri: str, *, etag: str, at_random: bool = False) -> IO[bytes]:
    """The bytes of a file that was found before; `at_random` where it is not read from its beginning to its end.

    Raises `CorpusError` for a local file that has changed since, and `OSError` where it cannot be opened.
    """
    if is_remote(uri):
        return remote_files.open_remote(uri, at_random=at_random)
    stream = Path(uri).open("rb", buffering=-1 if at_random else 0)  # noqa: SIM115 - the caller closes it
    status = os.fstat(stream.fileno())
    if _etag(status) != etag:
        stream.close()
        raise _changed(uri, _etag(status), etag)
    return stream


def refuse_changed(uri: str, *, etag: str) -> None:
    """Raise `CorpusError` for a local file that is no longer the one that was found; of stores the reader takes care."""
    if is_remote(uri):
        return
    now = _etag(Path(uri).stat())
    if now != etag:
        raise _changed(uri, now, etag)


def _changed(uri: str, now: str, etag: str) -> CorpusError:
    return CorpusError(
        "the file has changed since it was listed",
        got=repr(now),
        wanted=f"{etag!r} (file, times and size)",
        fix="scan again when nothing writes to the corpus",
        at=Location(path=uri),
    )


def is_passed_over(name: str) -> bool:
    """Whether a file or folder of this name, met in a folder, is no part of a corpus."""
    return _PASSED_OVER.fullmatch(name) is not None


def _find_local(path: str) -> list[CorpusFile]:
    place = Path(path)
    try:
        if place.is_dir():
            return [_local_file(file) for file in _walk(place, set())]
        if not place.exists() and any(mark in path for mark in "*?["):
            matches = Path(place.anchor).glob(str(place.relative_to(place.anchor)))
            return [_local_file(match) for match in matches if not match.is_dir()]
        return [_local_file(place)]
    except OSError as problem:
        raise CorpusError(
            "the corpus cannot be listed",
            got=problem.strerror or str(problem),
            at=Location(path=str(problem.filename or path)),
        ) from problem


def _walk(folder: Path, entered: set[tuple[int, int]]) -> Iterator[Path]:
    """Files under `folder`; links are followed, but no folder is entered twice."""
    status = folder.stat()
    if (status.st_dev, status.st_ino) in entered:
        return
    entered.add((status.st_dev, status.st_ino))
    for path in sorted(folder.iterdir()):
        if is_passed_over(path.name):
            continue
        if path.is_dir():
            yield from _walk(path, entered)
        else:
            yield path


def _local_file(path: Path) -> CorpusFile:
    if has_lone_surrogate(str(path)):
        raise CorpusError(
            "the name of a file is not UTF-8",
            got=ascii(str(path)),
            fix="rename it: a result must be able to name it",
            at=Location(path=ascii(str(path.parent))),
        )
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise CorpusError("this is no regular file", wanted="a file or a folder", at=Location(path=str(path)))
    return CorpusFile(uri=str(path), size=status.st_size, etag=_etag(status))


def _etag(status: os.stat_result) -> str:
    """Of a local file: which file it is, when it and its name were last changed, and its size. A copy has another one."""
    return f"{status.st_dev}-{status.st_ino}-{status.st_mtime_ns}-{status.st_ctime_ns}-{status.st_size}"
