"""How functions are compiled: to machine code without the interpreter lock, kept on disk between processes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

import numba
import numpy as np

Function = TypeVar("Function", bound=Callable[..., object])


def whole(value: int) -> int:
    """`value` as kernels count. What is written as a figure has a type of its own there, and makes them compile twice."""
    return cast("int", np.int64(value))


ZERO = whole(0)


def compiled(function: Function) -> Function:
    """`function` as machine code, compiled at its first call with new types; several threads may run it at once.

    Where no folder can be written to, it is compiled by every process.
    """
    try:
        return cast("Function", numba.njit(nogil=True, cache=True)(function))
    except RuntimeError:
        return cast("Function", numba.njit(nogil=True)(function))


def inlined(function: Function) -> Function:
    """`function` as a part of the compiled functions that call it: for small ones, and for those called in one place.

    A compiled function is optimised once by itself and again in everything that calls it; this one only there.
    """
    return cast("Function", numba.njit(nogil=True, inline="always")(function))
