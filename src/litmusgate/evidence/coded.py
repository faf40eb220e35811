"""Dictionary-coded columns: each distinct value once, and one small code per row."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

Codes = npt.NDArray[np.int32]
"""Row → position in the dictionary; -1 means that the row has no value."""


class Sortable(Hashable, Protocol):
    """A value that can stand in a dictionary: hashable, with a total order."""

    def __lt__(self, other: Any, /) -> bool:
        """Whether it sorts before `other`."""
        ...


T = TypeVar("T", bound=Sortable)


@dataclass(frozen=True, slots=True, eq=False)
class Coded(Generic[T]):
    """One column. `values` are sorted, distinct and each one used, so equal columns have equal parts.

    Raises `ValueError` where they are not, or where a code points outside.
    """

    values: tuple[T, ...]
    codes: Codes

    def __post_init__(self) -> None:
        if self.codes.dtype != np.int32 or self.codes.ndim != 1:
            raise ValueError(f"codes are {self.codes.dtype} of {self.codes.ndim} dimensions, wanted int32 of one")
        if not ascending(self.values):
            raise ValueError("the values of a coded column are not sorted and distinct")
        if not bool(_used(len(self.values), self.codes).all()):
            raise ValueError("the dictionary of a coded column holds a value that no row uses")

    def __len__(self) -> int:
        return len(self.codes)

    def value(self, row: int) -> T | None:
        """The value of `row`; None when it has none."""
        code = int(self.codes[row])
        return None if code < 0 else self.values[code]

    def take(self, selector: npt.NDArray[Any]) -> Coded[T]:
        """The rows that `selector` (mask or row numbers) chooses, with a dictionary of their own."""
        return code_anew(self.values, self.codes[selector])


def code(values: Iterable[T | None]) -> Coded[T]:
    """Code one value per row; None means none."""
    seen: dict[T, int] = {}
    codes = [-1 if value is None else seen.setdefault(value, len(seen)) for value in values]
    return code_anew(tuple(seen), np.array(codes, dtype=np.int32))


def code_anew(values: Sequence[T], codes: npt.NDArray[Any]) -> Coded[T]:
    """Bring any dictionary into the one form: unused values dropped, equal values joined, sorted.

    Raises `ValueError` for a code outside -1 … len(values) - 1.
    """
    used = _used(len(values), codes)
    kept = tuple(values) if bool(used.all()) else tuple(itertools.compress(values, used.tolist()))
    places = np.cumsum(used, dtype=np.int64) - 1
    if not ascending(kept):
        found, kept = kept, tuple(sorted(set(kept)))
        position = {value: number for number, value in enumerate(kept)}
        places = np.array([*map(position.__getitem__, found), -1], dtype=np.int64)[places]
    elif len(kept) == len(values):
        return Coded(kept, np.ascontiguousarray(codes, dtype=np.int32))
    # The last entry is what code -1 points at: no value stays no value. Where a value is unused, no code points.
    return Coded(kept, np.append(places, -1).astype(np.int32)[codes])


def concatenate(parts: Sequence[Coded[T]]) -> Coded[T]:
    """The columns one below the other, over one dictionary."""
    values = tuple(sorted({value for part in parts for value in part.values}))
    position = {value: number for number, value in enumerate(values)}
    pieces = [np.array([*(position[value] for value in part.values), -1], dtype=np.int32)[part.codes] for part in parts]
    return Coded(values, np.concatenate(pieces) if pieces else np.empty(0, dtype=np.int32))


def ascending(values: Sequence[Sortable]) -> bool:
    """Whether every value sorts before the next one: sorted, and none twice."""
    return all(map(operator.lt, values, itertools.islice(values, 1, None)))


def _used(size: int, codes: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    if codes.size and (int(codes.min()) < -1 or int(codes.max()) >= size):
        raise ValueError(f"a code is outside -1…{size - 1}")
    return np.bincount(codes.astype(np.int64) + 1, minlength=size + 1)[1:] > 0
