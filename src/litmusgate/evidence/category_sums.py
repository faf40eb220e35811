"""Per-category sums over judged instances: the arithmetic under the tallies, on whole columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from litmusgate.evidence.codes import REASONS, SAFE, UNKNOWN, VACUOUS, VIOLATION
from litmusgate.evidence.judged import Judged

Numbers = npt.NDArray[np.int64]
"""Counts per group, or the number of its group per instance."""


def category_numbers(ids: Sequence[str], category_of: Mapping[str, str], names: Sequence[str]) -> Numbers:
    """For each id the place of its category in `names`."""
    position = {name: number for number, name in enumerate(names)}
    return np.array([position[category_of[name]] for name in ids], dtype=np.int64)


def instance_sums(judged: Judged, group: Numbers, groups: int, *, declared: frozenset[str]) -> dict[str, Numbers]:
    """Instances per group, by everything that is counted of them."""
    declares = np.array([name in declared for name in judged.ids], dtype=np.bool_)
    chosen = {
        "safe": judged.outcome == SAFE,
        "violations": judged.outcome == VIOLATION,
        "vacuous": judged.outcome == VACUOUS,
        "unknown": judged.outcome == UNKNOWN,
        "not_exposed": judged.not_exposed,
        "exposure_known": judged.exposure_known,
        "exposed": judged.exposed,
        "covert": judged.covert,
        "exposure_declared": declares,
        "exposure_missing": declares & ~judged.exposure_known,
    }
    return {what: np.bincount(group[mask], minlength=groups) for what, mask in chosen.items()}


def unknown_reasons(judged: Judged, group: Numbers, groups: int) -> list[dict[str, int]]:
    """Per group the UNKNOWN instances by reason of their UNKNOWN trials; one with two reasons counts under both."""
    trials = judged.columns
    chosen = (trials.outcome == UNKNOWN) & (judged.outcome == UNKNOWN)[trials.id_code]
    # An instance with one reason on many trials counts once under it.
    pairs = np.unique(trials.id_code[chosen].astype(np.int64) * len(REASONS) + trials.reason[chosen])
    counts: list[Counter[str]] = [Counter() for _ in range(groups)]
    for instance, reason in zip((pairs // len(REASONS)).tolist(), (pairs % len(REASONS)).tolist(), strict=True):
        counts[group[instance]][str(REASONS[reason])] += 1
    return [dict(sorted(of_group.items())) for of_group in counts]


@dataclass(slots=True)
class Members:
    """Ids of one category, sorted, by what became of them."""

    tested: list[str] = field(default_factory=list)
    violating: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    contradictions: list[str] = field(default_factory=list)


def members_of(judged: Judged, group: Numbers, groups: int) -> list[Members]:
    """Per group its ids by what became of them."""
    members = [Members() for _ in range(groups)]
    rows = zip(judged.ids, group.tolist(), judged.outcome.tolist(), judged.contradiction.tolist(), strict=True)
    for name, number, outcome, contradiction in rows:
        of_group = members[number]
        if outcome != VACUOUS:
            of_group.tested.append(name)
        if outcome == VIOLATION:
            of_group.violating.append(name)
        if outcome == UNKNOWN:
            of_group.unknown.append(name)
        if contradiction:
            of_group.contradictions.append(name)
    return members
