"""Files without a name for what does not fit into memory: they vanish with the process, however it ends."""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path
from types import TracebackType
from typing import IO, cast

_IN_MEMORY_BYTES = 1 << 18


class Scratch:
    """Nameless files in `folder`, all closed at the end of a `with` block. Small ones stay in memory."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stack = contextlib.ExitStack()

    def __enter__(self) -> Scratch:
        """The block begins."""
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        """Every file is closed."""
        self._stack.close()

    def small_file(self) -> IO[bytes]:
        """A file that may stay small."""
        file = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY_BYTES, dir=str(self._folder))  # noqa: SIM115 - see below
        return cast("IO[bytes]", self._stack.enter_context(file))

    def large_file(self) -> IO[bytes]:
        """A file that is on disk from the beginning, so that it can be mapped. Raises `OSError` where the disk refuses."""
        return self._stack.enter_context(tempfile.TemporaryFile(dir=self._folder))
