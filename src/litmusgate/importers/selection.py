"""Which rows of a table are read: a `--where` expression, evaluated once per distinct combination of its columns."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field

from litmusgate.importers.batches import Batch
from litmusgate.where import columns as where_columns
from litmusgate.where import compile_where


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """A compiled expression (`text` None: every row). `reads` are the columns it needs."""

    text: str | None
    reads: tuple[str, ...]
    keep: Callable[[Mapping[str, object]], bool]
    known: dict[Hashable, bool] = field(default_factory=dict, repr=False, compare=False)

    def apply(self, batch: Batch) -> Batch:
        """The rows of `batch` for which the expression holds."""
        if self.text is None:
            return batch
        if not self.reads:
            return batch if self.keep({}) else batch.take([])
        values = zip(*(batch.columns[name] for name in self.reads), strict=True)
        return batch.take([row for row, cells in enumerate(values) if self._keeps(cells)])

    def _keeps(self, cells: tuple[object, ...]) -> bool:
        # the types are part of the key: true and 1 are equal to Python and not to the expression
        key = (cells, tuple(map(type, cells)))
        try:
            return self.known[key]
        except KeyError:
            kept = self.known[key] = self.keep(dict(zip(self.reads, cells, strict=True)))
            return kept
        except TypeError:  # a list or an object cannot be a key
            return self.keep(dict(zip(self.reads, cells, strict=True)))


def select_where(text: str | None) -> Selection:
    """The selection of expression `text`; raises `UsageError` with the position of what does not parse."""
    if text is None:
        return Selection(text=None, reads=(), keep=lambda _row: True)
    return Selection(text=text, reads=tuple(sorted(where_columns(text))), keep=compile_where(text))
