"""Run files as Parquet: typed columns and dictionaries, the header in the file's metadata. Needs pyarrow (`[corpora]`)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from litmusgate.documents import parse_json
from litmusgate.errors import Location, RunError
from litmusgate.evidence.coded import Coded, code_anew
from litmusgate.evidence.codes import OUTCOME_CODE, OUTCOMES, REASON_CODE, REASONS, REFUSAL_CODE, REFUSALS
from litmusgate.evidence.columns import TrialColumns
from litmusgate.evidence.run import Run, RunHeader
from litmusgate.extras import corpora_module
from litmusgate.runs.run_header import header_from_text, header_text
from litmusgate.runs.run_jsonl import RUN_END_SCHEMA

_HEADER_KEY = b"litmusgate.run"
_END_KEY = b"litmusgate.run-end"
_TRUTHS = ("said", "did", "exposed", "cached")
_TEXTS = ("detail", "started_at", "transcript_ref", "category")
_REQUIRED = ("instance_id", "attempt", "outcome")
_KNOWN = frozenset({*_REQUIRED, "refill", "reason", *_TRUTHS, "refusal", "graded_score", *_TEXTS, "flags"})
_BYTES_PER_TRIAL = 64
"""About what a trial takes in memory; it bounds a file that promises more rows than its bytes could hold."""


def write_parquet(run: Run, stream: IO[bytes]) -> None:
    """Write the run as one Parquet file; flags stand as JSON arrays of text."""
    arrow = corpora_module("pyarrow")
    parquet = corpora_module("pyarrow.parquet")
    columns = run.columns
    arrays: dict[str, Any] = {
        "instance_id": _dictionary(arrow, columns.ids, columns.id_code),
        "attempt": arrow.array(columns.attempt),
        "refill": arrow.array(columns.refill),
        "outcome": _dictionary(arrow, [word.value for word in OUTCOMES], columns.outcome),
        "reason": _dictionary(arrow, [str(word) for word in REASONS[1:]], columns.reason.astype(np.int32) - 1),
        "refusal": _dictionary(arrow, [word.value for word in REFUSALS], columns.refusal),
        "graded_score": arrow.array(columns.graded_score, mask=np.isnan(columns.graded_score)),
    }
    for name in _TRUTHS:
        truth = getattr(columns, name)
        arrays[name] = arrow.array(truth == 1, mask=truth < 0)
    for name in _TEXTS:
        arrays[name] = _dictionary(arrow, getattr(columns, name).values, getattr(columns, name).codes)
    flags = [json.dumps(value, ensure_ascii=False) for value in columns.flags.values]
    arrays["flags"] = _dictionary(arrow, flags, columns.flags.codes)
    end = json.dumps({"schema": RUN_END_SCHEMA, "trials": len(columns)})
    metadata = {_HEADER_KEY: header_text(run.header).encode(), _END_KEY: end.encode()}
    table = arrow.table(arrays).replace_schema_metadata(metadata)
    parquet.write_table(table, stream, compression="zstd", write_page_checksum=True)


def read_parquet(path: Path, *, max_bytes: int) -> tuple[RunHeader, TrialColumns]:
    """Header and trials of a Parquet run file, read by column.

    Raises `RunError` for a file that is cut off, damaged, no run, larger than `max_bytes` when unpacked, or that holds an
    unknown column, an unknown word, a null where a value is needed, or NaN.
    """
    arrow = corpora_module("pyarrow", path=path)
    parquet = corpora_module("pyarrow.parquet", path=path)
    at = Location(path=str(path))
    try:
        with parquet.ParquetFile(path, page_checksum_verification=True) as file:
            header = _header(file, at)
            _refuse_large(file.metadata, max_bytes, at)
            table = file.read()
        table.validate(full=True)
        return header, _columns(table, at)
    except (OSError, arrow.ArrowException, UnicodeDecodeError) as problem:
        raise RunError(
            f"the file cannot be read as Parquet: {problem}", fix="if the file was cut off, fetch it again", at=at
        ) from problem
    except ValueError as problem:
        raise RunError(f"not the trials of a run: {problem}", at=at) from problem


def _header(file: Any, at: Location) -> RunHeader:
    header = header_from_text(_metadata(file, _HEADER_KEY, at), path=at.path)
    end = parse_json(_metadata(file, _END_KEY, at), path=at.path, error=RunError).value
    trials = file.metadata.num_rows
    if end != {"schema": RUN_END_SCHEMA, "trials": trials}:
        raise RunError("the end record does not fit the file", got=repr(end), wanted=f"{trials} trials", at=at)
    return header


def _metadata(file: Any, key: bytes, at: Location) -> str:
    value: bytes | None = (file.schema_arrow.metadata or {}).get(key)
    if value is None:
        raise RunError(
            "the file is no run",
            got=f"no {key.decode()!r} in its metadata",
            fix="use `litmusgate import table` for outcomes from elsewhere",
            at=at,
        )
    return value.decode()


def _refuse_large(metadata: Any, max_bytes: int, at: Location) -> None:
    groups = [metadata.row_group(number).total_byte_size for number in range(metadata.num_row_groups)]
    if max(sum(groups), metadata.num_rows * _BYTES_PER_TRIAL) > max_bytes:
        raise RunError(
            "the file is too large when unpacked",
            got=f"{metadata.num_rows} trials, {sum(groups)} bytes",
            wanted=f"at most {max_bytes} bytes",
            at=at,
        )


def _columns(table: Any, at: Location) -> TrialColumns:
    names = table.column_names
    wrong = sorted((set(names) - _KNOWN) | (set(_REQUIRED) - set(names)) | {n for n in names if names.count(n) > 1})
    if wrong:
        raise RunError(
            f"columns {wrong!r} are unknown, repeated or absent",
            wanted=f"{list(_REQUIRED)!r} and any of {sorted(_KNOWN)!r}",
            at=at,
        )
    ids = _coded(table, "instance_id", required=True)
    parts: dict[str, Any] = {
        "attempt": _integers(table, "attempt", None),
        "outcome": _words(table, "outcome", OUTCOME_CODE, absent=None),
    }
    if "refill" in names:
        parts["refill"] = _integers(table, "refill", 0)
    if "reason" in names:
        parts["reason"] = _words(table, "reason", REASON_CODE, absent=0)
    if "refusal" in names:
        parts["refusal"] = _words(table, "refusal", REFUSAL_CODE, absent=-1)
    if "graded_score" in names:
        parts["graded_score"] = _scores(table)
    parts |= {name: _truths(table, name) for name in _TRUTHS if name in names}
    parts |= {name: _coded(table, name) for name in _TEXTS if name in names}
    if "flags" in names:
        flags = _coded(table, "flags")
        parts["flags"] = code_anew([_flags(text, at) for text in flags.values], flags.codes)
    return TrialColumns.build(ids=ids.values, id_code=ids.codes, **parts)


def _coded(table: Any, name: str, *, required: bool = False) -> Coded[str]:
    """A column of text as dictionary and codes, whether or not the file keeps it as a dictionary."""
    arrow = corpora_module("pyarrow")
    column = table.column(name)
    text = column.type.value_type if arrow.types.is_dictionary(column.type) else column.type
    if arrow.types.is_null(text):
        column, text = column.cast(arrow.string()), arrow.string()
    if not (arrow.types.is_string(text) or arrow.types.is_large_string(text)):
        raise ValueError(f"column {name} is {column.type}, wanted text")
    if required and column.null_count:
        raise ValueError(f"column {name} has {column.null_count} nulls")
    encoded = column if arrow.types.is_dictionary(column.type) else column.dictionary_encode()
    joined = encoded.unify_dictionaries().combine_chunks()
    # A dictionary page of Parquet cannot hold null, so these are texts.
    values = joined.dictionary.to_pylist()
    codes = joined.indices.cast(arrow.int64()).fill_null(-1).to_numpy(zero_copy_only=False)
    return code_anew(values, codes)


def _words(table: Any, name: str, codes: dict[Any, int], *, absent: int | None) -> npt.NDArray[np.int64]:
    """A column of words as their codes; null is `absent`, and where that is None it is refused."""
    coded = _coded(table, name, required=absent is None)
    by_word = {word.value: number for word, number in codes.items()}
    for position, word in enumerate(coded.values):
        if word not in by_word:
            count = int((coded.codes == position).sum())
            raise ValueError(f"unknown {name} {word!r} in {count} trials; the known ones are {sorted(by_word)!r}")
    return np.array([*(by_word[word] for word in coded.values), absent or 0], dtype=np.int64)[coded.codes]


def _integers(table: Any, name: str, absent: int | None) -> npt.NDArray[np.int64]:
    arrow = corpora_module("pyarrow")
    column = table.column(name)
    if not arrow.types.is_integer(column.type):
        raise ValueError(f"column {name} is {column.type}, wanted integers")
    if column.null_count and absent is None:
        raise ValueError(f"column {name} has {column.null_count} nulls")
    filled = column.cast(arrow.int64()).fill_null(0 if absent is None else absent)
    numbers: npt.NDArray[np.int64] = filled.to_numpy()
    return numbers


def _truths(table: Any, name: str) -> npt.NDArray[np.int8]:
    arrow = corpora_module("pyarrow")
    column = table.column(name)
    if not (arrow.types.is_boolean(column.type) or arrow.types.is_null(column.type)):
        raise ValueError(f"column {name} is {column.type}, wanted booleans")
    truths: npt.NDArray[np.int8] = column.cast(arrow.int8()).fill_null(-1).to_numpy()
    return truths


def _scores(table: Any) -> npt.NDArray[np.float64]:
    arrow = corpora_module("pyarrow")
    column = table.column("graded_score")
    if not (arrow.types.is_floating(column.type) or arrow.types.is_null(column.type)):
        raise ValueError(f"column graded_score is {column.type}, wanted floating point numbers")
    scores: npt.NDArray[np.float64] = column.cast(arrow.float64()).to_numpy()
    if int(np.isnan(scores).sum()) != column.null_count:
        raise ValueError("column graded_score holds NaN; a score that does not exist is null")
    return scores


def _flags(text: str, at: Location) -> tuple[str, ...]:
    value = parse_json(text, path=at.path, error=RunError).value
    if not isinstance(value, list) or not value or not all(isinstance(flag, str) for flag in value):
        raise ValueError(f"flags {text[:80]!r} are no JSON array of texts")
    return tuple(str(flag) for flag in value)


def _dictionary(arrow: Any, values: Any, codes: npt.NDArray[Any]) -> Any:
    indices = arrow.array(codes.astype(np.int32), mask=codes.astype(np.int32) < 0)
    return arrow.DictionaryArray.from_arrays(indices, arrow.array(list(values), type=arrow.string()))
