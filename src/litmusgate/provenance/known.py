"""A known document: one text that models may have been trained on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownDocument:
    """One document of a known corpus.

    `source` is where the corpus has it from; corpus-common text is counted in sources, because a text repeated a
    thousand times in one source is a leak, not common property.
    """

    corpus: str
    id: str
    text: str
    source: str
