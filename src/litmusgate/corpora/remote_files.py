"""Files of object stores and other file systems through fsspec (extra `[corpora]`, and the store's own library)."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import IO, Any, cast

from litmusgate.errors import CorpusError, Location
from litmusgate.extras import corpora_module

_BLOCK_BYTES = 8 << 20
"""How much is fetched at once where a file is read from its beginning to its end."""

_TAGS = ("ETag", "etag", "md5Hash", "content_md5", "mtime", "LastModified", "last_modified", "updated", "created")
"""What stores call the thing that changes with a file's content, the best first."""


def find(uri: str, is_passed_over: Callable[[str], bool]) -> list[tuple[str, int, str]]:
    """Address, size and tag of the file at `uri`, of the files under it, or of those its pattern stands for.

    Raises `CorpusError` for a scheme that is not known, a store that does not answer, and a file that tells no size.
    """
    system, path = _system(uri)
    try:
        return sorted(_found(system, path, uri, is_passed_over))
    except CorpusError:
        raise
    except Exception as problem:  # each store has errors of its own
        raise CorpusError(
            "the store cannot be listed", got=_told(problem), fix="check address and access", at=Location(path=uri)
        ) from problem


def open_remote(uri: str, *, at_random: bool) -> IO[bytes]:
    """The bytes at `uri`; whatever its library raises while opening or reading comes as `OSError`."""
    system, path = _system(uri)
    # Parquet asks for what it needs in large pieces; any cache would only fetch more
    cache = "none" if at_random else "readahead"
    try:
        stream = system.open(path, "rb", block_size=_BLOCK_BYTES, cache_type=cache)
    except Exception as problem:  # each store has errors of its own
        raise OSError(_told(problem)) from problem
    return cast("IO[bytes]", _Remote(stream))


class _Remote:
    """A stream of a store, whose failures are `OSError`s like those of any file."""

    mode = "rb"

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __enter__(self) -> _Remote:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def closed(self) -> bool:
        """Whether the connection was given back."""
        return cast("bool", self._stream.closed)

    def readable(self) -> bool:
        """Always."""
        return True

    def seekable(self) -> bool:
        """Always."""
        return True

    def writable(self) -> bool:
        """Never."""
        return False

    def read(self, size: int = -1) -> bytes:
        """Up to `size` bytes; none at the end."""
        return cast("bytes", self._asked(self._stream.read, size))

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go to a place."""
        return cast("int", self._asked(self._stream.seek, offset, whence))

    def tell(self) -> int:
        """The place."""
        return cast("int", self._stream.tell())

    def close(self) -> None:
        """Give the connection back."""
        self._stream.close()

    def _asked(self, ask: Callable[..., object], *arguments: int) -> object:
        try:
            return ask(*arguments)
        except Exception as problem:  # each store has errors of its own
            raise OSError(_told(problem)) from problem


def _system(uri: str) -> tuple[Any, str]:
    core = corpora_module("fsspec.core", path=uri, error=CorpusError)
    try:
        system, path = core.url_to_fs(uri)
    except Exception as problem:  # an unknown scheme, a library that is not there, credentials that are refused
        raise CorpusError(
            "the address cannot be opened",
            got=_told(problem),
            wanted="a path, or an address of a store whose library is installed",
            fix="pip install 'litmusgate[s3]' for s3://; for others see the documentation of fsspec",
            at=Location(path=uri),
        ) from problem
    return system, cast("str", path)


def _found(system: Any, path: str, uri: str, is_passed_over: Callable[[str], bool]) -> Iterator[tuple[str, int, str]]:
    system.invalidate_cache()  # a listing of before says nothing about now
    if system.isdir(path):
        if "::" in uri:
            raise CorpusError("a folder inside a chain of addresses cannot be listed", at=Location(path=uri))
        files = system.find(path, detail=True)
        for file, told in files.items():
            if not any(is_passed_over(name) for name in file[len(path) :].split("/") if name):
                yield _file(system.unstrip_protocol(file), told)
        return
    if not system.exists(path) and any(mark in path for mark in "*?["):
        for file, told in system.glob(path, detail=True).items():
            if told["type"] == "file":
                yield _file(system.unstrip_protocol(file), told)
        return
    yield _file(uri, system.info(path))


def _file(uri: str, told: dict[str, Any]) -> tuple[str, int, str]:
    size = told.get("size")
    if not isinstance(size, int):
        raise CorpusError("the store does not tell the size of the file", got=repr(size), at=Location(path=uri))
    tag = next((str(told[name]) for name in _TAGS if told.get(name)), "")
    return uri, size, f"{tag}-{size}"


def _told(problem: Exception) -> str:
    return f"{type(problem).__name__}: {problem}"
