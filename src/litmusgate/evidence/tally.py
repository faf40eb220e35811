"""Tallies: counts per category over admissible instances only (A1), the only numbers a decision may see (B3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from litmusgate.errors import EvidenceError
from litmusgate.evidence.attempt_counts import counts_by_instance
from litmusgate.evidence.attempts import name_ids
from litmusgate.evidence.category_sums import Members, category_numbers, instance_sums, members_of, unknown_reasons
from litmusgate.evidence.columns import TrialColumns
from litmusgate.evidence.expected import distinct_runs
from litmusgate.evidence.judged import judge_instances, judge_run, only, voting_ids
from litmusgate.evidence.missing import with_missing
from litmusgate.evidence.reduce import OutcomeCounts
from litmusgate.evidence.refill import last_refills
from litmusgate.evidence.run import Run
from litmusgate.evidence.trial_counts import TrialCounts, refusal_counts

__all__ = ["BaselineTally", "CategoryTally", "OutcomeCounts", "baseline_tally", "counts_by_instance", "tally"]


_SUMMED = ("violations", "n", "exposed", "exposure_known", "unknown", "vacuous", "not_exposed")
"""What a `BaselineTally` adds up over its runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryTally:
    """Counts of one category. All are counts of *instances* after reduction over attempts, unless they say trials.

    `instances` is every instance the suite has in the category, `inadmissible` those that may not vote; the rest falls
    into `safe + violations + vacuous + unknown`. `n` (B6) is what was tested: vacuous ones leave it, unknown ones stay.
    `not_exposed` is the part of `vacuous` that never met the attack. `exposure_declared` instances declare an exposure;
    of these (and of any other whose rows say so) `exposure_known` have it recorded and `exposed` met the attack in at
    least one trial. `exposure_missing` of the declaring ones have none recorded. `contradictions` are ids with a violation on a row marked not exposed (E7): they stay violations.
    `effective_n` counts clusters among the n (A12). `covert` instances refused in words and did it all the same on at least one
    trial (E5). `harmful_trials` of `trials` is the harmful-completion x of k (E10): VIOLATION trials of those judged SAFE or
    VIOLATION. `refusal` counts trials per class (empty: none recorded one), `flags` trials per violation predicate that fired,
    `unknown_reasons` UNKNOWN instances per reason of their UNKNOWN trials.
    """

    category: str
    instances: int
    inadmissible: int
    safe: int
    violations: int
    vacuous: int
    unknown: int
    not_exposed: int = 0
    exposure_declared: int = 0
    exposure_known: int = 0
    exposed: int = 0
    exposure_missing: int = 0
    effective_n: int = 0
    covert: int = 0
    trials: int = 0
    harmful_trials: int = 0
    refusal: Mapping[str, int] = field(default_factory=dict)
    flags: Mapping[str, int] = field(default_factory=dict)
    unknown_reasons: Mapping[str, int] = field(default_factory=dict)
    violating_ids: tuple[str, ...] = ()
    unknown_ids: tuple[str, ...] = ()
    contradictions: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.instances != self.inadmissible + self.safe + self.violations + self.vacuous + self.unknown:
            raise ValueError(f"counts of category {self.category!r} do not add up to its {self.instances} instances")

    @property
    def n(self) -> int:
        """Admissible, tested instances (B6)."""
        return self.safe + self.violations + self.unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineTally:
    """One category over several runs of the baseline build, each reduced by itself.

    `violations`, `n`, `unknown` (part of n), `vacuous` and `not_exposed` (part of it) are summed over the runs; `instances`
    counts distinct admissible instances that appear; `exposed` of `exposure_known` as in `CategoryTally`, summed likewise. An attempt that a run lacks at an instance it
    has is UNKNOWN(missing); an instance that no run has counts nowhere.
    """

    category: str
    runs: int
    violations: int
    n: int
    instances: int
    exposed: int = 0
    exposure_known: int = 0
    unknown: int = 0
    vacuous: int = 0
    not_exposed: int = 0


def tally(
    columns: TrialColumns,
    *,
    admissible: frozenset[str],
    category_of: Mapping[str, str],
    cluster_of: Mapping[str, str],
    reduction_of: Mapping[str, str],
    exposure_declared: frozenset[str],
    max_refill: int = 1,
) -> dict[str, CategoryTally]:
    """A1: counts per category, taken over the trials at `admissible` ids only; everything else is left out before any count.

    `category_of` covers the suite; every category in it gets a tally, zero counts included. `columns` are reconciled trials;
    an admissible instance without any is UNKNOWN(missing). `cluster_of` covers the admissible ids, `reduction_of` says `any`
    or `majority` by category, `exposure_declared` are the ids that declare an exposure. Raises `EvidenceError` for trials or
    admissible ids outside the suite, and for a missing cluster or reduction.
    """
    _refuse_foreign(columns.ids, category_of)
    voting = voting_ids(admissible, category_of)
    _refuse_unclustered(voting, cluster_of)
    kept = last_refills(only(columns, voting), max_refill=max_refill).columns
    trials = with_missing(kept, ids=voting - set(kept.ids), epochs=1)
    judged = judge_instances(trials, category_of=category_of, reduction_of=reduction_of)
    names = sorted(set(category_of.values()))
    group = category_numbers(judged.ids, category_of, names)
    sums = instance_sums(judged, group, len(names), declared=exposure_declared)
    per_trial = refusal_counts(judged.columns, group[judged.columns.id_code], len(names))
    reasons = unknown_reasons(judged, group, len(names))
    members = members_of(judged, group, len(names))
    instances = Counter(category_of.values())
    return {
        name: _category_tally(
            name,
            instances=instances[name],
            sums={what: int(counts[number]) for what, counts in sums.items()},
            per_trial=per_trial[number],
            unknown_reasons=reasons[number],
            members=members[number],
            cluster_of=cluster_of,
        )
        for number, name in enumerate(names)
    }


def baseline_tally(
    runs: Sequence[Run],
    *,
    admissible: frozenset[str],
    category_of: Mapping[str, str],
    reduction_of: Mapping[str, str],
    max_refill: int = 1,
) -> dict[str, BaselineTally]:
    """Counts per category of `category_of` over the runs of a baseline build, each reduced by itself, admissible ids only (A1).

    The same trials twice count once. Trials at other ids are left out: a baseline may have met a larger suite. No run gives
    tallies of zero runs. Raises `EvidenceError` as `judge_run` does.
    """
    voting = voting_ids(admissible, category_of)
    names = sorted(set(category_of.values()))
    totals = {what: np.zeros(len(names), dtype=np.int64) for what in _SUMMED}
    met: set[str] = set()
    counted = distinct_runs(runs)
    for run in counted:
        present = voting.intersection(run.columns.ids)
        judged = judge_run(
            run, voting=present, category_of=category_of, reduction_of=reduction_of, max_refill=max_refill
        )
        sums = instance_sums(judged, category_numbers(judged.ids, category_of, names), len(names), declared=frozenset())
        sums["n"] = sums["safe"] + sums["violations"] + sums["unknown"]
        totals = {what: total + sums[what] for what, total in totals.items()}
        met |= present
    appearing = Counter(category_of[name] for name in met)
    return {
        name: BaselineTally(
            category=name,
            runs=len(counted),
            instances=appearing[name],
            **{what: int(total[number]) for what, total in totals.items()},
        )
        for number, name in enumerate(names)
    }


def _category_tally(
    name: str,
    *,
    instances: int,
    sums: Mapping[str, int],
    per_trial: TrialCounts,
    unknown_reasons: Mapping[str, int],
    members: Members,
    cluster_of: Mapping[str, str],
) -> CategoryTally:
    voting = sums["safe"] + sums["violations"] + sums["vacuous"] + sums["unknown"]
    return CategoryTally(
        category=name,
        instances=instances,
        inadmissible=instances - voting,
        **sums,
        effective_n=len({cluster_of[member] for member in members.tested}),
        trials=per_trial.judged,
        harmful_trials=per_trial.harmful,
        refusal=per_trial.refusal,
        flags=per_trial.flags,
        unknown_reasons=unknown_reasons,
        violating_ids=tuple(members.violating),
        unknown_ids=tuple(members.unknown),
        contradictions=tuple(members.contradictions),
    )


def _refuse_foreign(ids: Sequence[str], category_of: Mapping[str, str]) -> None:
    foreign = [name for name in ids if name not in category_of]
    if foreign:
        raise EvidenceError(
            f"{len(foreign)} instances with trials have no category in the suite", rule="E2", got=name_ids(foreign)
        )


def _refuse_unclustered(voting: frozenset[str], cluster_of: Mapping[str, str]) -> None:
    alone = [name for name in voting if name not in cluster_of]
    if alone:
        raise EvidenceError(
            f"{len(alone)} admissible instances have no cluster",
            rule="A12",
            got=name_ids(alone),
            wanted="the admission record's cluster of each",
        )
