"""Sixty-four bytes at a time: the few instructions that the compiler is not left to find by itself.

Each is one function of LLVM's own vectors, which it lowers to what the processor has. None checks bounds: the caller
makes sure that the bytes are there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

BLOCK = 64
Bytes: TypeAlias = NDArray[np.uint8]

_LANE = ir.IntType(64)
_BYTES = ir.VectorType(ir.IntType(8), BLOCK)
_CASE = 0x20
_APOSTROPHE, _AMPERSAND, _BACKSLASH, _PERCENT = (ord(character) for character in "'&\\%")


def _all(byte: int) -> Any:
    return ir.Constant(_BYTES, [byte] * BLOCK)


def _place(context: Any, builder: Any, array_type: Any, array: Any, index: Any, wanted: Any) -> Any:
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [index]), wanted.as_pointer())


def _read(context: Any, builder: Any, array_type: Any, array: Any, index: Any, wanted: Any) -> Any:
    value = builder.load(_place(context, builder, array_type, array, index, wanted))
    value.align = 1
    return value


def _lane_at(_typing: Any, source: Any, at: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _read(context, builder, signature.args[0], args[0], args[1], _LANE)

    return types.uint64(source, at), generate


def _lowest_bit(_typing: Any, _bits: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), generate


def _count_bits(_typing: Any, _bits: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), generate


def _bits_of(byte: int) -> Callable[..., Any]:
    def bits(_typing: Any, source: Any, at: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            block = _read(context, builder, signature.args[0], args[0], args[1], _BYTES)
            return builder.bitcast(builder.icmp_unsigned("==", block, _all(byte)), _LANE)

        return types.uint64(source, at), generate

    return bits


def _fold_block(_typing: Any, source: Any, at: Any, folded: Any, out: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        block = _read(context, builder, signature.args[0], args[0], args[1], _BYTES)
        lowered = builder.or_(block, _all(_CASE))
        ascii_ = builder.icmp_unsigned("<", block, _all(0x80))
        letter = builder.icmp_unsigned("<", builder.sub(lowered, _all(ord("a"))), _all(26))
        digit = builder.icmp_unsigned("<", builder.sub(block, _all(ord("0"))), _all(10))
        kept = builder.or_(digit, builder.icmp_unsigned("==", block, _all(_APOSTROPHE)))
        words = builder.select(builder.and_(letter, ascii_), lowered, builder.select(kept, block, _all(0)))
        target = _place(context, builder, signature.args[2], args[2], args[3], _BYTES)
        builder.store(words, target).align = 1
        escaping = builder.or_(
            builder.icmp_unsigned("==", block, _all(_AMPERSAND)), builder.icmp_unsigned("==", block, _all(_BACKSLASH))
        )
        return builder.bitcast(builder.or_(builder.not_(ascii_), escaping), _LANE)

    return types.uint64(source, at, folded, out), generate


lane_at = cast("Callable[[Bytes, int], np.uint64]", intrinsic(_lane_at))
"""The eight bytes from a place on, the first in the lowest bits."""

lowest_bit = cast("Callable[[np.uint64], int]", intrinsic(_lowest_bit))
"""Number of the lowest set bit, 64 when none is."""

count_bits = cast("Callable[[np.uint64], int]", intrinsic(_count_bits))
"""How many bits are set."""

gap_bits = cast("Callable[[Bytes, int], np.uint64]", intrinsic(_bits_of(0)))
"""Which of the 64 bytes from a place on are 0, the first in the lowest bit."""

apostrophe_bits = cast("Callable[[Bytes, int], np.uint64]", intrinsic(_bits_of(_APOSTROPHE)))
"""Which of the 64 bytes from a place on are apostrophes."""

percent_bits = cast("Callable[[Bytes, int], np.uint64]", intrinsic(_bits_of(_PERCENT)))
"""Which of the 64 bytes from a place on are percent signs."""

fold_block = cast("Callable[[Bytes, int, Bytes, int], np.uint64]", intrinsic(_fold_block))
"""Fold 64 bytes of the first array into the second: `a-z0-9` and apostrophes, all else 0.

The bits tell which bytes are not folded rightly so: those of characters beyond ASCII, `&` and the backslash.
"""
