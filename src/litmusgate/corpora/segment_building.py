"""Documents of one corpus on their way into a segment, texts or fingerprints; blank ones are counted and left out."""

from __future__ import annotations

import re

import numpy as np

from litmusgate.corpora.manifest import Keep
from litmusgate.corpora.scratch import Scratch
from litmusgate.corpora.segment import Draft, Identity
from litmusgate.corpora.segment_hashes import HashBuilder
from litmusgate.corpora.segment_text import TextBuilder
from litmusgate.errors import CorpusError, Location
from litmusgate.provenance.batch import DocumentBatch
from litmusgate.provenance.engine import Engine
from litmusgate.provenance.fold import fold_words

_PLAIN_WORD = re.compile(rb"[^&\\A-Za-z0-9]*+[A-Za-z0-9]")


class SegmentBuilder:
    """Takes in batches, then drafts a segment. What does not fit into memory is in `scratch`."""

    def __init__(self, *, keep: Keep, scratch: Scratch, engine: Engine) -> None:
        self._builder = TextBuilder(scratch) if keep == "text" else HashBuilder(scratch, engine)
        self._rows = 0
        self._told = 0

    def add(self, batch: DocumentBatch) -> None:
        """Take in the documents of `batch`. Raises `OSError` where the disk refuses."""
        told = [number for number in range(len(batch)) if _tells(batch.text(number))]
        self._rows += len(batch)
        self._told += len(told)
        if told:
            self._builder.add(batch if len(told) == len(batch) else _chosen(batch, told))

    def finish(self, identity: Identity, *, files: str) -> Draft:
        """The draft of the segment; raises `CorpusError` for a corpus without a word. `files` names them in the error."""
        if not self._told:
            raise CorpusError(
                f"corpus {identity.corpus!r} holds no text",
                got=f"{self._rows} rows without a word",
                wanted="at least one document",
                fix="name the column that holds the text, or leave the corpus out",
                at=Location(path=files),
            )
        return self._builder.finish(identity, blank=self._rows - self._told)


def _tells(text: bytes) -> bool:
    """Whether `text` holds a word. A Latin letter or digit is in one, unless an entity or escape has begun before it."""
    return _PLAIN_WORD.match(text) is not None or bool(fold_words(text.decode("utf-8")))


def _chosen(batch: DocumentBatch, numbers: list[int]) -> DocumentBatch:
    texts = [batch.text(number) for number in numbers]
    return DocumentBatch(
        corpus=batch.corpus,
        data=np.frombuffer(b"".join(texts), np.uint8),
        offsets=np.cumsum([0, *map(len, texts)]).astype(np.int64),
        ids=[batch.ids[number] for number in numbers],
        sources=[batch.sources[number] for number in numbers],
    )
