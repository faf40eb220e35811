"""Imported trials held against the suite they are said to be of: ids, categories, attempts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from litmusgate.errors import ImportFormatError, UsageError
from litmusgate.evidence.attempts import name_ids
from litmusgate.evidence.coded import Coded
from litmusgate.evidence.columns import TrialColumns
from litmusgate.evidence.run import SuiteStamp
from litmusgate.importers.imported import Imported
from litmusgate.suite.manifest import Suite


def suite_stamp(suite: Suite, columns: TrialColumns) -> SuiteStamp:
    """What a run's header says about the suite it was made on.

    Instances that pruning removed and that the log still holds are stamped too: the gate sets their trials aside, and
    they keep showing what the exclusion hides (A13).
    """
    removed = {} if suite.pruned_from is None else {gone.id: gone.digest for gone in suite.pruned_from.removed}
    met = {name: removed[name] for name in columns.ids if name in removed}
    digests = dict(sorted({**met, **suite.instance_digests}.items()))
    return SuiteStamp(name=suite.name, version=suite.version, digest=suite.digest, instances=digests)


def fit_to_suite(imported: Imported, suite: Suite, *, subset: bool) -> tuple[TrialColumns, int]:
    """The trials of `suite` and of what was pruned from it, and how many rows of other ids were left out.

    Categories leave: the suite has them.

    Raises `ImportFormatError` for ids outside the suite unless `subset` (E2), for a declared category that is not the
    suite's, and when nothing is left.
    """
    columns = imported.columns
    category_of = _categories(suite)
    outside = [name for name in columns.ids if name not in category_of]
    if outside and not subset:
        raise ImportFormatError(
            f"{len(outside)} of {len(columns.ids)} ids are not in suite {suite.name!r} {suite.version}",
            rule="E2",
            got=name_ids(outside),
            wanted="only ids of the suite",
            fix="make the ids equal, or leave the others out and count them with --subset",
        )
    known = np.array([name in category_of for name in columns.ids], dtype=np.bool_)[columns.id_code]
    kept = columns.take(known) if outside else columns
    if not len(kept):
        raise ImportFormatError(
            f"no id of the log is in suite {suite.name!r} {suite.version}",
            rule="E2",
            got=name_ids(outside),
            wanted=f"ids as in {suite.instances[0].id!r}" if suite.instances else "a suite with instances",
        )
    if imported.category_declared:
        _refuse_other_categories(kept, category_of)
    no_category: Coded[str] = Coded((), np.full(len(kept), -1, dtype=np.int32))
    return replace(kept, category=no_category), len(columns) - len(kept)


def _categories(suite: Suite) -> dict[str, str]:
    """Category of every instance of the suite and of those that pruning removed from it."""
    removed = () if suite.pruned_from is None else suite.pruned_from.removed
    return {gone.id: gone.category for gone in removed} | {item.id: item.category for item in suite.instances}


def _refuse_other_categories(columns: TrialColumns, category_of: dict[str, str]) -> None:
    pairs = np.unique(np.stack([columns.id_code, columns.category.codes]), axis=1)
    other = [
        (columns.ids[id_code], columns.category.values[code])
        for id_code, code in pairs.T.tolist()
        if code >= 0 and columns.category.values[code] != category_of[columns.ids[id_code]]
    ]
    if other:
        name, category = other[0]
        raise ImportFormatError(
            f"{len(other)} ids have another category in the log than in the suite",
            got=f"{name_ids([name for name, _ in other])}; first: {category!r}",
            wanted=f"first: {category_of[name]!r}",
            fix="correct the column, or leave --column category=… out",
        )


def epochs_of(columns: TrialColumns, asked: int | None) -> int:
    """Attempts per instance: what was `asked` for, else the highest attempt of the log plus one.

    Raises `UsageError` when the log has more attempts than were asked for.
    """
    found = int(columns.attempt.max()) + 1
    if asked is None:
        return found
    if asked < found:
        raise UsageError(
            "the log has more attempts than --epochs says", got=f"{found} attempts", wanted=f"at most {asked}"
        )
    return asked
