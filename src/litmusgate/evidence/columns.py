"""Trials as columns: numpy arrays and dictionaries, no object per row (S6). Held equal to the row type by tests."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from litmusgate.evidence.coded import Coded, code, code_anew, concatenate
from litmusgate.evidence.codes import NOT_RECORDED
from litmusgate.evidence.column_checks import check_columns
from litmusgate.evidence.rows import row_of, trial_of
from litmusgate.evidence.trial import Trial

TRIALS_SCHEMA = "litmusgate/trials/1"

ARRAYS: dict[str, type[np.generic]] = {
    "attempt": np.int32,
    "refill": np.int16,
    "outcome": np.uint8,
    "reason": np.uint8,
    "said": np.int8,
    "did": np.int8,
    "exposed": np.int8,
    "cached": np.int8,
    "refusal": np.int8,
    "graded_score": np.float64,
}
"""The plain columns and their types, in the order in which digest and canonical order read them."""

CODED = ("detail", "started_at", "transcript_ref", "category", "flags")
"""The dictionary-coded columns beside the ids, in the same order."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TrialColumns:
    """T trials. Compare by `trials_digest`; two with the same trials in any order have the same one.

    `ids` are the distinct instance ids, sorted, each with at least one trial; `id_code` points into them. `attempt` and
    `refill` count from 0. `outcome`, `reason` and `refusal` hold the codes of `evidence/codes.py`; `said did exposed
    cached` are 1 yes, 0 no, -1 not recorded; `graded_score` is a share 0…1, NaN where there is none. The other columns are
    dictionary-coded, flags as tuples of text (no flags: code -1). Raises `ValueError` for anything a `Trial` refuses.
    """

    ids: tuple[str, ...]
    id_code: npt.NDArray[np.int32]
    attempt: npt.NDArray[np.int32]
    refill: npt.NDArray[np.int16]
    outcome: npt.NDArray[np.uint8]
    reason: npt.NDArray[np.uint8]
    said: npt.NDArray[np.int8]
    did: npt.NDArray[np.int8]
    exposed: npt.NDArray[np.int8]
    cached: npt.NDArray[np.int8]
    refusal: npt.NDArray[np.int8]
    graded_score: npt.NDArray[np.float64]
    detail: Coded[str]
    started_at: Coded[str]
    transcript_ref: Coded[str]
    category: Coded[str]
    flags: Coded[tuple[str, ...]]

    def __post_init__(self) -> None:
        for name, kind in ARRAYS.items():
            object.__setattr__(self, name, _frozen(name, getattr(self, name), kind, len(self.id_code)))
        object.__setattr__(self, "id_code", _frozen("id_code", self.id_code, np.int32, len(self.id_code)))
        for name in CODED:
            if len(getattr(self, name)) != len(self):
                raise ValueError(f"column {name} has {len(getattr(self, name))} rows, the ids have {len(self)}")
        check_columns(self)

    def __len__(self) -> int:
        """Number of trials."""
        return len(self.id_code)

    @classmethod
    def build(
        cls,
        *,
        ids: Sequence[str],
        id_code: npt.NDArray[Any],
        attempt: npt.NDArray[Any],
        outcome: npt.NDArray[Any],
        **columns: Any,
    ) -> TrialColumns:
        """Columns from arrays of any order and dictionary; `ids` may be unsorted, repeated or unused, others may be absent.

        Absent columns mean *not recorded* (refill: 0, reason: none). A coded column is given as `Coded`.
        Raises `ValueError` as the constructor does, and for a name that is no column.
        """
        rows = len(id_code)
        unknown = sorted(set(columns) - set(ARRAYS) - set(CODED))
        if unknown:
            raise ValueError(f"{unknown!r} are no trial columns; the columns are {[*ARRAYS, *CODED]!r}")
        coded = code_anew(tuple(ids), np.asarray(id_code))
        arrays = {"attempt": attempt, "outcome": outcome} | columns
        for name, kind in ARRAYS.items():
            arrays[name] = _narrowed(name, arrays[name], kind) if name in arrays else _absent(name, rows)
        for name in CODED:
            arrays.setdefault(name, Coded((), np.full(rows, -1, dtype=np.int32)))
        return cls(ids=coded.values, id_code=coded.codes, **arrays)

    @classmethod
    def from_trials(cls, trials: Iterable[Trial]) -> TrialColumns:
        """The same trials as columns, in the order given."""
        rows: dict[str, list[Any]] = {name: [] for name in ("ids", *ARRAYS, *CODED)}
        adders = tuple(rows[name].append for name in ("ids", *ARRAYS, *CODED))
        for trial in trials:
            for add, value in zip(adders, row_of(trial), strict=True):
                add(value)
        ids = code(rows["ids"])
        arrays: dict[str, Any] = {name: np.array(rows[name], dtype=kind) for name, kind in ARRAYS.items()}
        coded: dict[str, Any] = {name: code(rows[name]) for name in CODED}
        return cls(ids=ids.values, id_code=ids.codes, **arrays, **coded)

    @classmethod
    def concatenate(cls, parts: Sequence[TrialColumns]) -> TrialColumns:
        """The parts one below the other; none gives no trials."""
        filled = [part for part in parts if len(part)]
        if len(filled) == 1:
            return filled[0]
        parts = filled
        ids = concatenate([Coded(part.ids, part.id_code) for part in parts])
        arrays: dict[str, Any] = {
            name: np.concatenate([np.empty(0, dtype=kind), *(getattr(part, name) for part in parts)])
            for name, kind in ARRAYS.items()
        }
        coded: dict[str, Any] = {name: concatenate([getattr(part, name) for part in parts]) for name in CODED}
        return cls(ids=ids.values, id_code=ids.codes, **arrays, **coded)

    def take(self, selector: npt.NDArray[Any]) -> TrialColumns:
        """The trials that `selector` (a mask of length T, or row numbers) chooses; ids without a trial leave."""
        if selector.dtype == np.bool_ and len(selector) == len(self) and bool(selector.all()):
            return self
        return self._changed(selector, {})

    def replace(self, **arrays: npt.NDArray[Any]) -> TrialColumns:
        """The same trials with some plain columns exchanged."""
        return self._changed(None, arrays)

    def sorted(self) -> TrialColumns:
        """The trials in the canonical order: id, attempt, refill, then every other column."""
        order = self.canonical_order()
        return self if order is None else self.take(order)

    def canonical_order(self) -> npt.NDArray[np.int64] | None:
        """Row numbers in canonical order; None when the trials stand in it already and no slot repeats."""
        slots = self.slots()
        if slots is not None:
            if bool((slots[1:] > slots[:-1]).all()):
                return None
            order = np.argsort(slots, kind="stable")
            ordered = slots[order]
            if bool((ordered[1:] > ordered[:-1]).all()):
                return order
        keys = [self.id_code, *(getattr(self, name) for name in ARRAYS)]
        keys += [getattr(self, name).codes for name in CODED]
        # lexsort reads its last key first; attempt and refill lead ARRAYS.
        return np.lexsort(keys[::-1])

    def slots(self) -> npt.NDArray[np.int64] | None:
        """One number per (id, attempt, refill), in canonical order of these; None where 64 bits cannot hold them."""
        if not len(self):
            return np.empty(0, dtype=np.int64)
        attempts, refills = int(self.attempt.max()) + 1, int(self.refill.max()) + 1
        if len(self.ids) * attempts * refills >= 2**63:
            return None
        return (self.id_code.astype(np.int64) * attempts + self.attempt) * refills + self.refill

    def trials_digest(self) -> str:
        """sha256 over the canonically ordered trials: the same for every row order and every file format."""
        columns = self.sorted()
        digest = hashlib.sha256()
        digest.update(f"{TRIALS_SCHEMA} {len(columns)}\n".encode())
        for texts in _dictionaries(columns):
            digest.update(_framed(texts))
        digest.update(columns.id_code.astype("<i4").tobytes())
        for name, kind in ARRAYS.items():
            digest.update(_one_form(getattr(columns, name)).astype(np.dtype(kind).newbyteorder("<")).tobytes())
        for name in CODED:
            digest.update(getattr(columns, name).codes.astype("<i4").tobytes())
        return f"sha256:{digest.hexdigest()}"

    def iter_trials(self) -> Iterator[Trial]:
        """The trials one by one as rows."""
        arrays = [getattr(self, name).tolist() for name in ARRAYS]
        coded = [(getattr(self, name).values, getattr(self, name).codes.tolist()) for name in CODED]
        for row, id_code in enumerate(self.id_code.tolist()):
            texts = [None if codes[row] < 0 else values[codes[row]] for values, codes in coded]
            yield trial_of(self.ids[id_code], [array[row] for array in arrays], texts)

    def to_trials(self) -> tuple[Trial, ...]:
        """The trials as rows, in the order of the columns."""
        return tuple(self.iter_trials())

    def _changed(self, selector: npt.NDArray[Any] | None, arrays: dict[str, npt.NDArray[Any]]) -> TrialColumns:
        parts: dict[str, Any] = {name: arrays.get(name, getattr(self, name)) for name in ARRAYS}
        parts |= {name: getattr(self, name) for name in CODED}
        ids = Coded(self.ids, self.id_code)
        if selector is not None:
            ids = ids.take(selector)
            parts = {name: part.take(selector) if name in CODED else part[selector] for name, part in parts.items()}
        return TrialColumns(ids=ids.values, id_code=ids.codes, **parts)


def _dictionaries(columns: TrialColumns) -> Iterator[Sequence[str]]:
    """Every dictionary as plain texts; that of the flags as the flags, then how many each row's tuple has."""
    yield columns.ids
    for name in CODED[:-1]:
        yield getattr(columns, name).values
    yield [flag for flags in columns.flags.values for flag in flags]
    yield [str(len(flags)) for flags in columns.flags.values]


def _framed(texts: Sequence[str]) -> bytes:
    """The texts as bytes that no other list of texts gives: their number, their lengths, then themselves."""
    joined = "".join(texts)
    if joined.isascii():
        return np.array([len(texts), *map(len, texts)], dtype="<i8").tobytes() + joined.encode()
    encoded = [text.encode() for text in texts]
    lengths = np.array([len(encoded), *map(len, encoded)], dtype="<i8")
    return lengths.tobytes() + b"".join(encoded)


def _one_form(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Numbers that are equal get equal bytes: one NaN, one zero."""
    if array.dtype != np.float64:
        return array
    return np.where(np.isnan(array), np.nan, array + 0.0)


def _absent(name: str, rows: int) -> npt.NDArray[Any]:
    if name == "graded_score":
        return np.full(rows, np.nan)
    return np.full(rows, 0 if name in ("refill", "reason") else NOT_RECORDED, dtype=ARRAYS[name])


def _narrowed(name: str, array: npt.NDArray[Any], kind: type[np.generic]) -> npt.NDArray[Any]:
    """`array` in the type of its column; a number that does not fit is an error, never wrapped round."""
    given = np.asarray(array)
    narrow = given.astype(kind)
    if not np.array_equal(given, narrow, equal_nan=kind is np.float64):
        raise ValueError(f"column {name} holds a number that {np.dtype(kind).name} cannot hold")
    return narrow


def _frozen(name: str, array: npt.NDArray[Any], kind: type[np.generic], rows: int) -> npt.NDArray[Any]:
    if array.dtype != kind or array.shape != (rows,):
        raise ValueError(
            f"column {name} is {array.dtype} of shape {array.shape!r}, wanted {np.dtype(kind).name} of {(rows,)!r}"
        )
    view = array.view()
    view.flags.writeable = False
    return view
