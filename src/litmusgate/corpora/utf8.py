"""Whether bytes are UTF-8: the texts of a batch must be, and their readers do not look."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

_ASCII_END = 0x80


def is_utf8(data: NDArray[np.uint8]) -> bool:
    """Whether the whole of `data` is valid UTF-8; with pyarrow some ten times as fast."""
    if not len(data) or int(data.max()) < _ASCII_END:
        return True
    arrow = _arrow()
    if arrow is None:
        try:
            data.tobytes().decode("utf-8")
        except UnicodeDecodeError:
            return False
        return True
    ends = np.array([0, len(data)], np.int64)
    text = arrow.Array.from_buffers(arrow.large_string(), 1, [None, arrow.py_buffer(ends), arrow.py_buffer(data)])
    try:
        text.validate(full=True)
    except arrow.ArrowInvalid:
        return False
    return True


@cache
def _arrow() -> ModuleType | None:
    try:
        return import_module("pyarrow")
    except ImportError:
        return None
