"""A static table of token vectors: a text's vector is the mean of its tokens' (extra `[embed]`).

Quick and blind to the order of words. Special tokens are not added; unknown tokens count with the row the table has.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from litmusgate.errors import Location, UsageError
from litmusgate.extras import embed_module
from litmusgate.provenance.vectors import Vectors, unit_rows

MOST_PADDING_ROWS = 1024
"""Rows a model may have beyond its tokens: vocabularies are filled up to round numbers. More is another vocabulary."""

OTHER_TOKENIZER = "put the tokenizer.json of this very model beside it"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableEmbedder:
    """An embedder by table: `table` has one row per token, all finite."""

    name: str
    digest: str
    tokenizer: Any
    table: Vectors

    @classmethod
    def load(cls, data: bytes, tokenizer: Any, *, name: str, digest: str, path: Path) -> TableEmbedder:
        """The table in `data`, a .safetensors or .npz file with exactly one array; raises `UsageError` for any other."""
        arrays = _npz_arrays(data, path) if path.suffix == ".npz" else _safetensors_arrays(data, path)
        shapes = {key: tuple(array.shape) for key, array in sorted(arrays.items())}
        if len(arrays) != 1 or [len(shape) for shape in shapes.values()] != [2] or 0 in next(iter(shapes.values())):
            raise UsageError(
                "the file does not hold one table of token vectors",
                got=", ".join(f"{key} {shape}" for key, shape in shapes.items())[:200] or "no array",
                wanted="one array of tokens by dimensions",
                fix="the weights of a transformer have to be exported to ONNX",
                at=Location(path=str(path)),
            )
        (table,) = arrays.values()
        if table.dtype.kind != "f" or not np.isfinite(table).all():
            got = f"{table.dtype}" if table.dtype.kind != "f" else "NaN or infinities"
            raise UsageError("the table holds other than finite floats", got=got, at=Location(path=str(path)))
        _check_vocabulary(len(table), highest_token(tokenizer), path)
        return cls(name=name, digest=digest, tokenizer=tokenizer, table=np.ascontiguousarray(table, dtype=np.float32))

    @property
    def dimensions(self) -> int:
        """Length of a row of the table."""
        return int(self.table.shape[1])

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row of length 1 for each text. Raises `CorpusError` for a text without a token and for a zero mean."""
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            ids = self.tokenizer.encode(text, add_special_tokens=False).ids
            if ids:
                row[:] = self.table[ids].mean(axis=0)
        return unit_rows(rows, texts=len(texts), dimensions=self.dimensions)


def highest_token(tokenizer: Any) -> int:
    """The highest number the tokenizer gives a token; -1 for an empty vocabulary."""
    return max(tokenizer.get_vocab(with_added_tokens=True).values(), default=-1)


def _check_vocabulary(rows: int, last: int, path: Path) -> None:
    if not 0 <= last < rows <= last + 1 + MOST_PADDING_ROWS:
        raise UsageError(
            "the model and the tokenizer have different vocabularies",
            got=f"{rows} token vectors",
            wanted=f"{last + 1}, one for each of the tokenizer's tokens, and at most {MOST_PADDING_ROWS} to fill up",
            fix=OTHER_TOKENIZER,
            at=Location(path=str(path)),
        )


def _npz_arrays(data: bytes, path: Path) -> Mapping[str, Any]:
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            return dict(file)
    except (ValueError, OSError, EOFError, zipfile.BadZipFile, AttributeError, TypeError) as problem:
        raise _unreadable(problem, path) from problem


def _safetensors_arrays(data: bytes, path: Path) -> Mapping[str, Any]:
    library = embed_module("safetensors", path=path)
    tensors = embed_module("safetensors.numpy", path=path)
    try:
        return dict(tensors.load(data))
    except (library.SafetensorError, ValueError, KeyError, TypeError) as problem:  # KeyError: a type numpy has not
        raise _unreadable(problem, path) from problem


def _unreadable(problem: Exception, path: Path) -> UsageError:
    return UsageError(
        "the table of the embedding model cannot be read",
        got=f"{type(problem).__name__}: {problem}"[:200],
        wanted="a whole .safetensors or .npz file of float16, float32 or float64",
        at=Location(path=str(path)),
    )
