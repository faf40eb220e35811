"""Names of documents, their sources and corpora, made when somebody asks: few documents of a corpus are ever named."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from litmusgate.provenance.batch import DocumentBatch, SameForAll


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Where documents come from: `path` for errors, `file` for names, and the corpus of those that name none."""

    path: str
    file: str
    corpus: str


@dataclass(frozen=True, slots=True)
class LineNames(Sequence[str]):
    """`file:number` for documents without a name of their own; numbers count from 1."""

    file: str
    numbers: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, number):  # type: ignore[no-untyped-def]
        return f"{self.file}:{self.numbers[number]}"


@dataclass(frozen=True, slots=True)
class WrittenNames(Sequence[str]):
    """Names that stand as JSON texts or numbers in a block: `spans[i]` from where to where, -1 for those in `told`.

    `otherwise` is the name of those that have none, or their names.
    """

    block: NDArray[np.uint8]
    spans: NDArray[np.int64]
    otherwise: str | Sequence[str]
    told: Mapping[int, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.spans)

    def __getitem__(self, number):  # type: ignore[no-untyped-def]
        start, end = self.spans[number].tolist()
        if start < 0:
            told = self.told.get(number)
            if told is None:
                told = self.otherwise if isinstance(self.otherwise, str) else self.otherwise[number]
            return told
        return str(json.loads(self.block[start:end].tobytes()))


def split_by_corpus(batch: DocumentBatch, corpora: Sequence[str], *, own_sources: bool) -> Iterator[DocumentBatch]:
    """One batch for each corpus named in `corpora`, which has a name for each document; without `own_sources` it is the source."""
    rows: dict[str, list[int]] = {}
    for number in range(len(batch)):
        rows.setdefault(corpora[number], []).append(number)
    for corpus, numbers in rows.items():
        texts = [batch.text(number) for number in numbers]
        yield DocumentBatch(
            corpus=corpus,
            data=np.frombuffer(b"".join(texts), np.uint8),
            offsets=np.concatenate([[0], np.cumsum([len(text) for text in texts])]).astype(np.int64),
            ids=[batch.ids[number] for number in numbers],
            sources=[batch.sources[number] or corpus for number in numbers]
            if own_sources
            else SameForAll(corpus, len(numbers)),
        )
