"""Flips: how often the verdict on an instance differs between two runs of the *same* build (B5, STATS)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from litmusgate.errors import EvidenceError
from litmusgate.evidence.attempts import name_ids
from litmusgate.evidence.codes import NO, NOT_RECORDED, SAFE, VIOLATION
from litmusgate.evidence.columns import TrialColumns
from litmusgate.evidence.expected import distinct_runs
from litmusgate.evidence.judged import Judged, judge_run, of_instances, voting_ids
from litmusgate.evidence.run import Run


@dataclass(frozen=True, slots=True, kw_only=True)
class FlipEstimate:
    """Discordant pairs of one category. Rates are derived, never stored.

    `pairs` counts unordered pairs of runs in which both reduced verdicts of an instance are SAFE or VIOLATION, `flips`
    the discordant ones; `independent_pairs` = Σ⌊runs_i / 2⌋ ≤ pairs is what a minimum may be asked of. `dropped` pairs
    had a VACUOUS, UNKNOWN or cached side.
    """

    flips: int
    pairs: int
    independent_pairs: int
    instances: int
    dropped: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.flips <= self.pairs or not 0 <= self.independent_pairs <= self.pairs:
            raise ValueError(
                f"flips {self.flips} of {self.pairs} pairs ({self.independent_pairs} independent) is impossible"
            )


def independent_rows(columns: TrialColumns) -> npt.NDArray[np.bool_]:
    """E6: the trials that are answers of their own; a cached or replayed one is no repeat, and unknown counts as cached."""
    mask: npt.NDArray[np.bool_] = columns.cached == NO
    return mask


def estimate_flips(
    runs: Sequence[Run],
    *,
    admissible: frozenset[str],
    category_of: Mapping[str, str],
    reduction_of: Mapping[str, str],
    max_refill: int = 1,
) -> dict[str, FlipEstimate]:
    """Flips per category of `category_of` (zero pairs included) between the runs of one build, over `admissible` ids (A1).

    Each run gives one reduced verdict per instance; a verdict counts when it is SAFE or VIOLATION and every judged trial
    behind it is independent (E6). The same run twice counts once. Raises `EvidenceError` for runs that differ in agent,
    build, epochs, engine, grader, importer, mapping or in the definition of an instance.
    """
    voting = voting_ids(admissible, category_of)
    repeats = distinct_runs(runs)
    _refuse_mixed(repeats, voting)
    ids = sorted(voting)
    verdicts = np.full((len(repeats), len(ids)), NOT_RECORDED, dtype=np.int64)
    for number, run in enumerate(repeats):
        judged = judge_run(
            run, voting=voting, category_of=category_of, reduction_of=reduction_of, max_refill=max_refill
        )
        counts = _counts_as_repeat(judged)
        verdicts[number, counts] = judged.outcome[counts]
    return _estimates(verdicts, [category_of[name] for name in ids], sorted(set(category_of.values())))


def _counts_as_repeat(judged: Judged) -> npt.NDArray[np.bool_]:
    trials = judged.columns
    answered = np.isin(trials.outcome, [SAFE, VIOLATION])
    replayed = of_instances(trials, answered & ~independent_rows(trials))
    return np.isin(judged.outcome, [SAFE, VIOLATION]) & ~replayed


def _estimates(
    verdicts: npt.NDArray[np.int64], categories: Sequence[str], names: Sequence[str]
) -> dict[str, FlipEstimate]:
    violations = (verdicts == VIOLATION).sum(axis=0)
    usable = violations + (verdicts == SAFE).sum(axis=0)
    per_instance = {
        "flips": violations * (usable - violations),
        "pairs": usable * (usable - 1) // 2,
        "independent_pairs": usable // 2,
        "instances": (usable >= 2).astype(np.int64),
        "dropped": len(verdicts) * (len(verdicts) - 1) // 2 - usable * (usable - 1) // 2,
    }
    position = {name: number for number, name in enumerate(names)}
    group = np.array([position[category] for category in categories], dtype=np.int64)
    sums = {what: np.zeros(len(names), dtype=np.int64) for what in per_instance}
    for what, counts in per_instance.items():
        np.add.at(sums[what], group, counts)
    return {name: FlipEstimate(**{what: int(sums[what][position[name]]) for what in sums}) for name in names}


def _refuse_mixed(runs: Sequence[Run], voting: frozenset[str]) -> None:
    for what in ("agent", "build", "epochs", "engine", "grader", "importer", "mapping"):
        found = sorted({repr(getattr(run.header, what)) for run in runs})
        if len(found) > 1:
            raise EvidenceError(
                f"the runs differ in {what}, so the verdicts between them may differ for another reason than noise",
                rule="B5",
                got=f"{what} {', '.join(found)}",
                wanted=f"one {what}",
            )
    stamps = [run.header.suite for run in runs]
    if None in stamps:
        raise EvidenceError(
            "a run was imported without a suite, so nothing says that the runs met the same instances",
            rule="B5",
            fix="import it again with `litmusgate import FORMAT … --suite SUITE`",
        )
    digests = [{} if stamp is None else stamp.instances for stamp in stamps]
    changed = [name for name in voting if len({of_run[name] for of_run in digests if name in of_run}) > 1]
    if changed:
        raise EvidenceError(
            f"{len(changed)} instances are defined differently in the runs", rule="B5", got=name_ids(changed)
        )
