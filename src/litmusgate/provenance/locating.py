"""Where the evidence stands: the words of a match as characters of both texts, and what those characters are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from litmusgate.provenance.engine import Engine
from litmusgate.provenance.fields import field_texts
from litmusgate.provenance.match import Match, ProvenanceResult, ProvenanceStatus
from litmusgate.provenance.reading import TouchedDocument
from litmusgate.suite.instance import Instance


@dataclass(frozen=True, slots=True, kw_only=True)
class LocatedMatch:
    """A match with the characters that are its evidence. Spans are half-open, in characters (code points).

    `instance_characters` lie in the field's text (the field `turns` is the turns joined by a newline),
    `document_characters` in the document, or with an `encoding` other than rot13 in what was decoded out of it.
    """

    match: Match
    instance_characters: tuple[int, int]
    document_characters: tuple[int, int]
    instance_text: str
    document_text: str


def locate_matches(
    results: Iterable[ProvenanceResult],
    instances: Iterable[Instance],
    documents: Sequence[TouchedDocument],
    engine: Engine,
) -> dict[str, tuple[LocatedMatch, ...]]:
    """By instance id the matches of its result, located, in their order, where something was found.

    What clean instances share by chance is not located, nor are matches whose text is not at hand.
    """
    wanted = {
        result.instance_id: result.matches
        for result in results
        if result.matches and result.status not in (ProvenanceStatus.CLEAN, ProvenanceStatus.CLEAN_SHORT)
    }
    texts = {instance.id: field_texts(instance) for instance in instances if instance.id in wanted}
    needed = {_key(match) for matches in wanted.values() for match in matches}
    held: dict[tuple[str, str, str], list[TouchedDocument]] = {}
    for document in documents:
        if (key := _document_key(document)) in needed:
            held.setdefault(key, []).append(document)
    spans: dict[bytes, NDArray[np.int64]] = {}
    return {
        instance_id: tuple(
            _located(match, texts[instance_id], _meant(match, held[_key(match)]), engine, spans)
            for match in matches
            if _key(match) in held
        )
        for instance_id, matches in wanted.items()
    }


def _meant(match: Match, documents: Sequence[TouchedDocument]) -> TouchedDocument:
    """Of the documents under one name the one with most of the suite's words where the match stands."""
    start, end = match.document_words
    return max(documents, key=lambda item: (int(np.count_nonzero(item.words[start:end])), -len(item.words)))


def _located(
    match: Match,
    texts: Mapping[str, str],
    document: TouchedDocument,
    engine: Engine,
    spans: dict[bytes, NDArray[np.int64]],
) -> LocatedMatch:
    field = texts[match.field]
    instance_characters = _characters(match.instance_words, field.encode("utf-8", "replace"), engine, spans)
    document_characters = _characters(match.document_words, document.text, engine, spans)
    text = document.text.decode("utf-8", "replace")
    return LocatedMatch(
        match=match,
        instance_characters=instance_characters,
        document_characters=document_characters,
        instance_text=field[slice(*instance_characters)],
        document_text=text[slice(*document_characters)],
    )


def _characters(
    words: tuple[int, int], text: bytes, engine: Engine, spans: dict[bytes, NDArray[np.int64]]
) -> tuple[int, int]:
    if text not in spans:
        spans[text] = engine.spans(text)
    found = spans[text]
    if not words[0] < words[1] <= len(found):
        return 0, 0
    return int(found[words[0], 0]), int(found[words[1] - 1, 1])


def _key(match: Match) -> tuple[str, str, str]:
    return match.corpus, match.document, match.encoding or ""


def _document_key(document: TouchedDocument) -> tuple[str, str, str]:
    return document.corpus, document.id, document.encoding or ""
