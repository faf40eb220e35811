"""Vectors of texts: what an embedding model must give, and the grid on which they are compared.

Similarities are cosines of vectors rounded to a grid of whole numbers. On the grid every sum of products is exact in
32-bit floats, so the same vectors give the same bytes in any order, any batch and any matrix library.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from litmusgate.errors import CorpusError

Vectors: TypeAlias = NDArray[np.float32]
"""Rows of float32, one vector a row."""

GRID = 4000
"""Length of a unit vector on the grid. By Cauchy and Schwarz no sum of products exceeds the product of the lengths, here
at most 4096 * 4096 = 2**24, up to which float32 holds every whole number. Costs a cosine about 0.0001."""

MOST_DIMENSIONS = 32_768
"""Rounding to the grid adds at most half the root of the dimensions to a length: 4000 + 90.5 stays below 4096."""


class Embedder(Protocol):
    """A local model that gives texts their vectors. `digest` names the weights and the tokenizer, `dimensions` ≥ 1."""

    @property
    def name(self) -> str:
        """What a report calls the model."""
        ...

    @property
    def digest(self) -> str:
        """`sha256:` and 64 digits over every file that is used."""
        ...

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row of length 1 for each text, which depends on that text alone. Raises `CorpusError` where there is none."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Vectors as whole numbers (texts x dimensions), and one over the length of each."""

    rows: Vectors
    inverse_lengths: Vectors


def unit_rows(rows: Vectors, *, texts: int, dimensions: int) -> Vectors:
    """`rows` brought to length 1; raises `CorpusError` for another shape, for NaN and infinities, and for a zero row."""
    if rows.shape != (texts, dimensions):
        raise CorpusError(
            "the embedding model gave vectors of another shape",
            got=str(rows.shape),
            wanted=f"{texts} texts of {dimensions} numbers",
        )
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1)
    bad = np.flatnonzero(~(np.isfinite(lengths) & (lengths > 0)))
    if len(bad):
        raise CorpusError(
            "the embedding model has no vector for a text",
            got=f"a vector of length {lengths[bad[0]]} for text {bad[0] + 1} of {texts}",
            fix="use a model whose vocabulary covers the language of these texts",
        )
    return np.asarray(rows / lengths[:, None], dtype=np.float32)


def on_grid(embedder: Embedder, texts: Sequence[str], where: str) -> Grid:
    """The vectors of `texts` on the grid; none are asked for where there is no text.

    Raises `CorpusError`, which says `where` the texts are from, for vectors that cannot be used.
    """
    if embedder.dimensions > MOST_DIMENSIONS:
        raise CorpusError(
            "the embedding model's vectors are too long",
            got=f"{embedder.dimensions} numbers",
            wanted=f"at most {MOST_DIMENSIONS}",
        )
    if not texts:
        return Grid(rows=np.zeros((0, embedder.dimensions), np.float32), inverse_lengths=np.zeros(0, np.float32))
    try:
        unit = unit_rows(embedder.embed(texts), texts=len(texts), dimensions=embedder.dimensions)
    except CorpusError as problem:
        what = f"{where}: {problem.what}"
        raise CorpusError(what, got=problem.got, wanted=problem.wanted, fix=problem.fix) from problem
    rows = np.rint(unit * np.float32(GRID)).astype(np.float32)
    lengths = np.sqrt(np.square(rows, dtype=np.float64).sum(axis=1))
    return Grid(rows=rows, inverse_lengths=(1 / lengths).astype(np.float32))
