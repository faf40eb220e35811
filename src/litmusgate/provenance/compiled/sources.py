"""Texts as the kernels take them: one piece of read-only memory whose offsets are sure to lie inside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from litmusgate.provenance.compiled.vectors import Bytes

Number = TypeVar("Number", bound=np.integer[Any])

_MOST_BYTES = 1 << 28


def checked(data: NDArray[np.uint8], offsets: NDArray[np.int64]) -> tuple[Bytes, NDArray[np.int64]]:
    """`data` and `offsets`, contiguous and read-only; raises `ValueError` for offsets that do not rise inside `data`.

    Kernels check no bounds, and are compiled anew for arrays of another kind.
    """
    data = _frozen(np.ascontiguousarray(data, np.uint8))
    offsets = _frozen(np.ascontiguousarray(offsets, np.int64))
    lengths = np.diff(offsets)
    if offsets.ndim != 1 or data.ndim != 1 or not len(offsets):
        raise ValueError(
            f"texts of shape {data.shape} with offsets of shape {offsets.shape}, wanted one dimension each"
        )
    if offsets[0] < 0 or offsets[-1] > len(data) or lengths.min(initial=0) < 0:
        raise ValueError(f"offsets from {offsets[0]} to {offsets[-1]} do not rise within {len(data)} bytes")
    if lengths.max(initial=0) > _MOST_BYTES:
        raise ValueError(f"a document of {lengths.max()} bytes, wanted at most {_MOST_BYTES}: cut it with in_parts")
    return data, offsets


def packed(texts: Sequence[bytes]) -> tuple[Bytes, NDArray[np.int64]]:
    """`texts` one after another."""
    offsets = np.concatenate([[0], np.cumsum([len(text) for text in texts])]).astype(np.int64)
    return checked(np.frombuffer(b"".join(texts), np.uint8), offsets)


def _frozen(array: NDArray[Number]) -> NDArray[Number]:
    view = array.view()
    view.flags.writeable = False
    return view
