"""Texts cut into overlapping chunks of folded words: what an embedding model is given, of a suite and of documents.

A model gives one vector for a text of any length, so a leaked paragraph inside a long document would vanish in its mean.
Chunks keep it visible, and the overlap keeps it whole in at least one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from litmusgate.provenance.distinctive import LEAST_WORDS, Vocabulary, boilerplate_grams, distinctive_positions
from litmusgate.provenance.fields import Field, instance_fields
from litmusgate.provenance.similarity import ALONE_WORDS
from litmusgate.suite.instance import Instance

CHUNK_WORDS = 64
"""Most words of a chunk: the length of a prompt or a paragraph, and with about 90 tokens inside what small models were
trained on (128 tokens or more). Measured with MiniLM: chunks of 96 and 128 words lose paraphrases inside longer documents
(2 and 0 of 10, against 8 of 10)."""

CHUNK_STEP = 32
"""Words from the start of a chunk to the start of the next: any 32 words in a row stand whole in at least one chunk."""

MOST_WORD_CHARACTERS = 64
"""Characters of a word that a model is given. Longer words are encodings and addresses, of which it understands nothing;
unbounded, one of them would make a chunk of any size."""

NO_TEXT = "it has no text that could be embedded: no words in any turn, context item or tool response"
TOO_LITTLE_TEXT = "its texts are shorter than 5 words, nothing but suite boilerplate, or short and not put to the agent"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """A piece of a text: `words` is the half-open span of folded words it covers, `text` what the model is given."""

    words: tuple[int, int]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedChunk:
    """A chunk of the field `where` of an instance: `text` numbers its text in `SuiteChunks.texts`."""

    where: str
    words: tuple[int, int]
    text: int


@dataclass(frozen=True, slots=True, kw_only=True)
class InstanceChunks:
    """What of one instance is embedded; `reason` says why nothing is (None: something is)."""

    instance_id: str
    chunks: tuple[PlacedChunk, ...]
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteChunks:
    """The distinct texts to embed, each once, and where each instance has them; instances sorted by id."""

    texts: tuple[str, ...]
    instances: tuple[InstanceChunks, ...]


def chunk_words(words: Sequence[str]) -> tuple[Chunk, ...]:
    """`words` as chunks of at most `CHUNK_WORDS`, every one but the only one full; empty for fewer than 5 words.

    The last chunk ends with the text, so that no piece is left over that is too short to say anything.
    """
    return _chunks(words, range(len(words)))


def suite_chunks(instances: Iterable[Instance]) -> SuiteChunks:
    """The chunks of `instances`; their order changes nothing. Suite boilerplate is left out of the chunks.

    As in the scan of words, a text of fewer than 25 distinctive words is looked for only where it is put to the agent and
    nothing longer is: beside a longer text it may be a stock phrase.
    """
    vocabulary = Vocabulary()
    found = [
        (instance.id, [(field, vocabulary.learn(field.words)) for field in instance_fields(instance)])
        for instance in sorted(instances, key=lambda item: item.id)
    ]
    boilerplate = boilerplate_grams(pair for _, fields in found for pair in fields)
    numbers: dict[str, int] = {}
    placed: list[InstanceChunks] = []
    for instance_id, fields in found:
        own = [(field, distinctive_positions(words, boilerplate[field.kind])) for field, words in fields]
        chunks = tuple(
            PlacedChunk(where=field.where, words=chunk.words, text=numbers.setdefault(chunk.text, len(numbers)))
            for field, positions in _spoken(own)
            for chunk in _chunks(field.words, positions)
        )
        reason = None if chunks else TOO_LITTLE_TEXT if fields else NO_TEXT
        placed.append(InstanceChunks(instance_id=instance_id, chunks=chunks, reason=reason))
    return SuiteChunks(texts=tuple(numbers), instances=tuple(placed))


def _spoken(fields: Sequence[tuple[Field, list[int]]]) -> list[tuple[Field, list[int]]]:
    """The fields that are looked for, with the positions of their distinctive words."""
    long_ask = any(field.asks and len(positions) >= ALONE_WORDS for field, positions in fields)
    return [
        (field, positions)
        for field, positions in fields
        if len(positions) >= ALONE_WORDS or (positions and field.asks and not long_ask)
    ]


def _chunks(words: Sequence[str], positions: Sequence[int]) -> tuple[Chunk, ...]:
    """Chunks of the words at `positions` (rising), which cover the words between them too in their spans."""
    count = len(positions)
    if count < LEAST_WORDS:
        return ()
    starts = [*range(0, count - CHUNK_WORDS, CHUNK_STEP), max(0, count - CHUNK_WORDS)]
    return tuple(_chunk(words, positions[start : start + CHUNK_WORDS]) for start in starts)


def _chunk(words: Sequence[str], positions: Sequence[int]) -> Chunk:
    text = " ".join(words[position][:MOST_WORD_CHARACTERS] for position in positions)
    return Chunk(words=(positions[0], positions[-1] + 1), text=text)
