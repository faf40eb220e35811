"""Columns of Arrow arrays as texts and names: strings of every kind, lists of them, and chats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from litmusgate.corpora.json_rows import CONTENT_KEYS, PART_KEYS, no_text
from litmusgate.corpora.readers import MAX_DOCUMENT_NAME_CHARACTERS
from litmusgate.errors import CorpusError, Location
from litmusgate.extras import corpora_module


def texts_of(array: Any, column: str, at: Location) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The texts of `array` as bytes and offsets, not copied where Arrow keeps them so; null is the empty text.

    The meaning is that of `json_rows.text_of`; in a struct a key that is not there is null. `at` is the first row's
    place. Raises `CorpusError` for columns of other types and for what is not UTF-8.
    """
    pa = corpora_module("pyarrow")
    strings = _texts(pa, array, column, at)
    try:
        strings.validate(full=True)
    except pa.ArrowInvalid as problem:
        raise _not_utf8(strings, column, at) from problem
    _, offsets, data = strings.buffers()
    ends = np.frombuffer(offsets, np.int64)[strings.offset : strings.offset + len(strings) + 1]
    return np.frombuffer(data if data is not None else b"", np.uint8), ends


def row_bytes(array: Any) -> NDArray[np.int64]:
    """About how many bytes of text each row of `array` will have; exact for strings, an average for lists."""
    pa = corpora_module("pyarrow")
    pc = corpora_module("pyarrow.compute")
    if pa.types.is_dictionary(array.type):
        array.validate(full=True)
        lengths = pc.fill_null(pc.binary_length(array.dictionary), 0).to_numpy(zero_copy_only=False)
        indices = pc.fill_null(array.indices, 0).to_numpy(zero_copy_only=False)
        return lengths[indices].astype(np.int64) if len(lengths) else np.zeros(len(array), np.int64)
    if _is_string(pa, array.type) and not pa.types.is_null(array.type) and "view" not in str(array.type):
        lengths = pc.fill_null(pc.binary_length(array), 0).to_numpy(zero_copy_only=False)
        return np.asarray(lengths, np.int64)
    return np.full(len(array), array.nbytes // max(len(array), 1), np.int64)


@dataclass(frozen=True, slots=True)
class ArrowNames(Sequence[str]):
    """Names in a checked Arrow array; `otherwise` is the name of those that have none."""

    array: Any
    otherwise: str

    def __len__(self) -> int:
        return len(self.array)

    def __getitem__(self, number):  # type: ignore[no-untyped-def]
        value = self.array[number].as_py()
        return self.otherwise if value is None or value == "" else str(value)


def names_of(array: Any, column: str, at: Location, *, otherwise: str | None) -> ArrowNames:
    """The names in a column, checked; without `otherwise` every row must have one, and whole numbers are names too.

    `at` is the first row's place; raises `CorpusError` with the place of the first row that has no name, or one too long.
    """
    pa = corpora_module("pyarrow")
    pc = corpora_module("pyarrow.compute")
    names = _decoded(pa, array)
    if _is_string(pa, names.type):
        names = _strings(pa, names, column, at)
        try:
            names.validate(full=True)
        except pa.ArrowInvalid as problem:
            raise _not_utf8(names, column, at) from problem
        lengths = pc.utf8_length(names).to_numpy(zero_copy_only=False)
        blank = np.flatnonzero(lengths == 0)
        long = np.flatnonzero(lengths > MAX_DOCUMENT_NAME_CHARACTERS)
        if len(long):
            wanted = f"at most {MAX_DOCUMENT_NAME_CHARACTERS} characters"
            raise _no_name("holds a name that is too long to be quoted", column, wanted, at, int(long[0]))
    elif otherwise is None and pa.types.is_integer(names.type):
        blank = np.flatnonzero(names.is_null().to_numpy(zero_copy_only=False))
    else:
        raise _no_name("holds no names", column, f"texts or whole numbers, not {names.type}", at, 0)
    if otherwise is None and len(blank):
        raise _no_name("holds no name", column, "a text or a number", at, int(blank[0]))
    return ArrowNames(names, otherwise or "")


def _no_name(what: str, column: str, wanted: str, at: Location, row: int) -> CorpusError:
    return CorpusError(f"column {column!r} {what}", wanted=wanted, at=_row_place(at, row))


def _row_place(at: Location, row: int) -> Location:
    return Location(path=at.path, line=(at.line or 1) + row)


def _not_utf8(strings: Any, column: str, at: Location) -> CorpusError:
    for row in range(len(strings)):
        data = strings[row].as_buffer().to_pybytes()
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as problem:
            got = repr(data[problem.start : problem.start + 8])
            return CorpusError(f"column {column!r} is not UTF-8", got=got, at=_row_place(at, row))
    return CorpusError(f"column {column!r} is damaged", at=at)


def _is_string(pa: Any, kind: Any) -> bool:
    types = pa.types
    return bool(
        types.is_string(kind)
        or types.is_large_string(kind)
        or types.is_string_view(kind)
        or types.is_binary(kind)
        or types.is_large_binary(kind)
        or types.is_binary_view(kind)
        or types.is_null(kind)
    )


def _is_list(pa: Any, kind: Any) -> bool:
    types = pa.types
    return bool(
        types.is_list(kind)
        or types.is_large_list(kind)
        or types.is_fixed_size_list(kind)
        or types.is_list_view(kind)
        or types.is_large_list_view(kind)
    )


def _texts(pa: Any, array: Any, column: str, at: Location) -> Any:
    if not _is_list(pa, array.type):
        return _strings(pa, array, column, at)
    messages = _large_list(pa, array)
    values = messages.values
    if pa.types.is_struct(values.type):
        values = _contents(pa, values, column, at)
    return _joined(pa, messages, _strings(pa, values, column, at))


def _contents(pa: Any, messages: Any, column: str, at: Location) -> Any:
    """What was said in each message: a text, or the texts of its parts."""
    return _together(pa, [_content(pa, found, column, at) for found in _members(messages, CONTENT_KEYS, column, at)])


def _content(pa: Any, content: Any, column: str, at: Location) -> Any:
    if not _is_list(pa, content.type):
        return _nullable_strings(pa, content, column, at)
    parts = _large_list(pa, content)
    values = parts.values
    if pa.types.is_struct(values.type):
        members = _members(values, PART_KEYS, column, at)
        values = _together(pa, [_content(pa, found, column, at) for found in members])
    joined = _joined(pa, parts, _strings(pa, values, column, at))
    return corpora_module("pyarrow.compute").if_else(content.is_null(), None, joined) if content.null_count else joined


def _together(pa: Any, said: Sequence[Any]) -> Any:
    """What stands in any of several columns, joined by line feeds; null says nothing."""
    if len(said) == 1:
        return said[0]
    line_feed = pa.scalar("\n", pa.large_string())
    return corpora_module("pyarrow.compute").binary_join_element_wise(*said, line_feed, null_handling="skip")


def _members(structs: Any, keys: Sequence[str], column: str, at: Location) -> list[Any]:
    """The columns of `structs` named by `keys`, in that order; raises `CorpusError` where there is none."""
    pc = corpora_module("pyarrow.compute")
    present = [structs.type.field(number).name for number in range(structs.type.num_fields)]
    found = [pc.struct_field(structs, key) for key in keys if key in present]
    if not found:
        raise CorpusError(
            f"the messages in column {column!r} have no content",
            got=f"members {present!r}",
            wanted=f"one of {', '.join(keys)}",
            at=Location(path=at.path),
        )
    return found


def _strings(pa: Any, array: Any, column: str, at: Location) -> Any:
    """`array` as 64-bit strings without nulls; not validated."""
    strings = _nullable_strings(pa, array, column, at)
    if not strings.null_count:
        return strings
    return corpora_module("pyarrow.compute").fill_null(strings, pa.scalar("", pa.large_string()))


def _nullable_strings(pa: Any, array: Any, column: str, at: Location) -> Any:
    pc = corpora_module("pyarrow.compute")
    if isinstance(array.type, pa.BaseExtensionType):
        array = array.storage
    array = _decoded(pa, array)
    if not _is_string(pa, array.type):
        raise no_text(column, f"values of type {array.type}", Location(path=at.path))
    # a view need not be valid either: everything is validated once, at the end
    return pc.cast(array, options=pc.CastOptions(target_type=pa.large_string(), allow_invalid_utf8=True))


def _decoded(pa: Any, array: Any) -> Any:
    """`array` without a dictionary; a number that points outside its dictionary is an error, not a place in memory."""
    if not pa.types.is_dictionary(array.type):
        return array
    array.validate(full=True)
    return array.dictionary_decode()


def _large_list(pa: Any, array: Any) -> Any:
    return array.cast(pa.large_list(array.type.value_field))


def _joined(pa: Any, lists: Any, strings: Any) -> Any:
    """For each list its strings, joined by line feeds; nothing for null."""
    pc = corpora_module("pyarrow.compute")
    line_feed, nothing = pa.scalar("\n", pa.large_string()), pa.scalar("", pa.large_string())
    joined = pc.binary_join(pa.LargeListArray.from_arrays(lists.offsets, strings), line_feed)
    return pc.if_else(lists.is_null(), nothing, joined) if lists.null_count else joined
