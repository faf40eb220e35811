"""Rows of a Parquet file by declared columns (extra `[corpora]`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from litmusgate.errors import CorpusError, Location
from litmusgate.extras import corpora_module

_BATCH_ROWS = 4096


def read_parquet_rows(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, dict[str, object]]]:
    """Rows with their number from 1; raises `CorpusError` where the file, a column or a row is missing."""
    pa = corpora_module("pyarrow", path=path, error=CorpusError)
    pq = corpora_module("pyarrow.parquet", path=path, error=CorpusError)
    number = 0
    try:
        with pq.ParquetFile(path) as file:
            _check_columns(file.schema_arrow.names, columns, path)
            for batch in file.iter_batches(batch_size=_BATCH_ROWS, columns=list(dict.fromkeys(columns))):
                for row in batch.to_pylist():
                    number += 1
                    yield number, row
            promised = file.metadata.num_rows
    except (OSError, pa.ArrowException, UnicodeDecodeError) as problem:
        raise CorpusError(
            "the Parquet file cannot be read to its end",
            got=str(problem),
            fix="fetch it again; a part of a corpus is no evidence",
            at=Location(path=str(path), line=number + 1),
        ) from problem
    if number != promised:
        raise CorpusError(
            "the Parquet file holds other rows than its footer says",
            got=f"{number} rows",
            wanted=f"{promised} rows",
            at=Location(path=str(path)),
        )


def _check_columns(present: Sequence[str], wanted: Sequence[str], path: Path) -> None:
    missing = sorted(set(wanted) - set(present))
    if missing:
        raise CorpusError(
            f"the file has no column {missing[0]!r}",
            got=f"columns {sorted(present)!r}",
            fix="declare the columns",
            at=Location(path=str(path)),
        )
