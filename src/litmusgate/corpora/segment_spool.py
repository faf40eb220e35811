"""Documents on their way into a segment: kept in a nameless file, given back in an order that no reading order changes."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from litmusgate.corpora.scratch import Scratch
from litmusgate.corpora.segment_order import SortedRecords

_LENGTHS = struct.Struct("<II")
_RECORD = np.dtype(
    [
        ("key", "<u8"),
        ("key_2", "<u8"),
        ("key_3", "<u8"),
        ("key_4", "<u8"),
        ("place", "<u8"),
        ("name", "<u4"),
        ("source", "<u4"),
        ("kept", "<u4"),
        ("number", "<u4"),
    ]
)
_KEYS = ("key", "key_2", "key_3", "key_4")


@dataclass(frozen=True, slots=True, kw_only=True)
class SpooledDocument:
    """A document from the spool: `number` is its place in the order of adding, `kept` what was to be kept of it.

    `repeated`: it equals the one before it in name, source and text.
    """

    number: int
    name: bytes
    source: bytes
    kept: bytes
    repeated: bool


class DocumentSpool:
    """Documents in the order of the sha256 of name, source and text. Raises `OSError` where the disk refuses."""

    def __init__(self, scratch: Scratch) -> None:
        self._file = scratch.small_file()
        self._records = SortedRecords(_RECORD, scratch)
        self._waiting: list[tuple[bytes, int, int, int, int, int]] = []
        self._place = 0
        self.count = 0

    def add(self, name: bytes, source: bytes, text: bytes, kept: bytes) -> None:
        """Take in a document of which `kept` is to be kept; its `text` says where it stands in the order."""
        digest = hashlib.sha256(_LENGTHS.pack(len(name), len(source)) + name + source)
        digest.update(text)
        self._file.write(name + source + kept)
        self._waiting.append((digest.digest(), self._place, len(name), len(source), len(kept), self.count))
        self._place += len(name) + len(source) + len(kept)
        self.count += 1
        if len(self._waiting) >= 1 << 14:
            self._hand_over()

    def in_order(self) -> Iterator[SpooledDocument]:
        """Every document, in the order of their digests."""
        self._hand_over()
        before: tuple[int, ...] = ()
        for records in self._records.in_order():
            for *key, place, name, source, kept, number in records.tolist():
                self._file.seek(place)
                data = self._file.read(name + source + kept)
                found = tuple(key)
                yield SpooledDocument(
                    number=number,
                    name=data[:name],
                    source=data[name : name + source],
                    kept=data[name + source :],
                    repeated=found == before,
                )
                before = found

    def _hand_over(self) -> None:
        records = np.zeros(len(self._waiting), _RECORD)
        if self._waiting:
            digests = np.frombuffer(b"".join(item[0] for item in self._waiting), "<u8").reshape(-1, 4)
            for column, field in enumerate(_KEYS):
                records[field] = digests[:, column]
            for column, field in enumerate(("place", "name", "source", "kept", "number"), start=1):
                records[field] = [item[column] for item in self._waiting]
        self._records.add(records)
        self._waiting = []
