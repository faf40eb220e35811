"""What is counted per trial beside the outcome: refusals, flags, harmful completions (E10). It is shown and decides nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from litmusgate.evidence.codes import NOT_RECORDED, REFUSALS, SAFE, VIOLATION
from litmusgate.evidence.columns import TrialColumns


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialCounts:
    """Counts of trials of one group. `harmful` of `judged` trials were VIOLATION; the judged ones are SAFE or VIOLATION.

    `refusal` has every class (0 included), or nothing at all where no trial recorded one. `flags` counts the trials in which
    each violation predicate fired.
    """

    judged: int = 0
    harmful: int = 0
    refusal: Mapping[str, int] = field(default_factory=dict)
    flags: Mapping[str, int] = field(default_factory=dict)


def refusal_counts(columns: TrialColumns, group: npt.NDArray[np.int64], groups: int) -> tuple[TrialCounts, ...]:
    """E10: refusal classes, violation flags and harmful completions (x of k judged trials) per group.

    `group` holds for every trial the number of its group, 0 … `groups` - 1 (a category, for the tally).
    """
    judged = np.bincount(group[np.isin(columns.outcome, [SAFE, VIOLATION])], minlength=groups)
    harmful = np.bincount(group[columns.outcome == VIOLATION], minlength=groups)
    recorded = columns.refusal != NOT_RECORDED
    classes = len(REFUSALS)
    refusals = np.bincount(group[recorded] * classes + columns.refusal[recorded], minlength=groups * classes).reshape(
        groups, classes
    )
    flags = _flag_counts(columns, group, groups)
    return tuple(
        TrialCounts(
            judged=int(judged[number]),
            harmful=int(harmful[number]),
            refusal=_by_class(refusals[number]),
            flags=flags[number],
        )
        for number in range(groups)
    )


def _by_class(counts: npt.NDArray[np.int64]) -> dict[str, int]:
    if not counts.any():
        return {}
    return {refusal.value: int(count) for refusal, count in zip(REFUSALS, counts.tolist(), strict=True)}


def _flag_counts(columns: TrialColumns, group: npt.NDArray[np.int64], groups: int) -> list[dict[str, int]]:
    flagged = columns.flags.codes >= 0
    pairs, trials = np.unique(
        group[flagged] * len(columns.flags.values) + columns.flags.codes[flagged], return_counts=True
    )
    counts: list[dict[str, int]] = [{} for _ in range(groups)]
    for pair, count in zip(pairs.tolist(), trials.tolist(), strict=True):
        number, code = divmod(pair, len(columns.flags.values))
        for flag in sorted(set(columns.flags.values[code])):
            counts[number][flag] = counts[number].get(flag, 0) + count
    return [dict(sorted(of_group.items())) for of_group in counts]
