"""Corpus files to documents: JSON lines (plain, .gz, .zst), Parquet and plain text, by declared columns.

A corpus is read whole or not at all: everything unreadable is an error with file and line, because a shard that was
skipped would make every instance look cleaner than it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePath

from litmusgate.errors import CorpusError, Location
from litmusgate.packed import PACKED_ENDINGS

MAX_DOCUMENT_NAME_CHARACTERS = 4096
"""Longest id of a document; ids stand in admission records as evidence, addresses of pages among them."""

OWN_ID = "id"

FORMATS = (".jsonl", ".ndjson", ".parquet", ".txt")


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Which column holds what. `corpus` and `source` None: there is none.

    `id` None: the column `id`, where a row has one that can name it, else documents are named `file:line`.
    """

    text: str = "text"
    id: str | None = None
    corpus: str | None = None
    source: str | None = None

    @property
    def own_id(self) -> str | None:
        """The column that names a document where it can, when none was declared that must."""
        return OWN_ID if self.id is None and OWN_ID not in self.wanted() else None

    def wanted(self) -> tuple[str, ...]:
        """The declared columns, text first."""
        return tuple(name for name in (self.text, self.id, self.corpus, self.source) if name is not None)


def format_of(file: PurePath, *, at: str) -> str:
    """The format of a corpus file by its suffix, compression aside; raises `CorpusError` at `at` for any other suffix."""
    plain = file.with_suffix("") if file.suffix in PACKED_ENDINGS else file
    if plain.suffix in FORMATS and not (plain.suffix == ".parquet" and plain != file):
        return plain.suffix
    raise CorpusError(
        "the file is of no known corpus format",
        got=repr(file.name),
        wanted=f"one of {' '.join(FORMATS)}; .jsonl, .ndjson and .txt also as .gz or .zst",
        at=Location(path=at),
    )


def is_plain(uri: str) -> bool:
    """Whether a file's size tells how much text it holds: it is neither compressed nor Parquet."""
    return not uri.endswith((*PACKED_ENDINGS, ".parquet"))


def corpus_file_stem(path: Path) -> str:
    """The file's name without the suffixes of its format and compression."""
    plain = path.with_suffix("") if path.suffix in PACKED_ENDINGS else path
    return plain.stem
