"""What an importer hands over: the trials of one log as columns, and what must be said about how they were read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Protocol

from litmusgate.digest import digest_json
from litmusgate.evidence.columns import TrialColumns


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """One log, read.

    `mapping` is the digest of everything the user declared that gives a value its meaning (B2); which rows were chosen
    is `selection` and never part of it, so that candidate and baseline share one mapping. `category_declared` is whether the user said where the
    category comes from, so that it can be held against the suite's. `notes` are counts worth
    telling (rows without a score, rows without an exposure); zero counts are left out.
    """

    columns: TrialColumns
    mapping: str
    selection: str | None = None
    category_declared: bool = False
    notes: Mapping[str, int] = field(default_factory=dict)


class Importer(Protocol):
    """Reads the logs of one tool. Options are the fields of the implementing class; nothing is guessed from content.

    `name` and `version` identify the code that gave every row its outcome: `version` rises whenever the same log could
    come out differently.
    """

    name: ClassVar[str]
    version: ClassVar[int]

    def read(self, paths: Sequence[Path]) -> Imported:
        """All trials of `paths`, at least one; the order of `paths` changes nothing.

        Raises `UsageError` for a declaration that does not fit the log (an unmapped value, an unknown column) and
        `ImportFormatError` for a log that is truncated, unreadable, contradictory or empty.
        """
        ...


def importer_digest(name: str, version: int) -> str:
    """Digest that a policy pins to say which importer, in which version, may have read the evidence (B2)."""
    return digest_json({"importer": name, "version": version})
