"""The expected set: which trials a suite asks of a build, and which of them the runs have (E2)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from litmusgate.errors import EvidenceError
from litmusgate.evidence.attempts import name_ids
from litmusgate.evidence.columns import TrialColumns
from litmusgate.evidence.missing import missing_trials, refuse_outside_epochs
from litmusgate.evidence.refill import RefillProblem, last_refills
from litmusgate.evidence.run import Run, RunHeader


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconciled:
    """The evidence of one build on one suite: exactly suite ids x `epochs` x `runs` trials, one per slot.

    `columns` hold `missing` UNKNOWN(missing) trials among them; attempts are numbered through the runs in order of digest.
    `set_aside` are the trials at instances that pruning removed: they never vote, and A13 still sees them. `refilled` counts
    trials that a refill replaced, `left_out` the log rows that importers dropped. `digests` are the runs that count.
    """

    columns: TrialColumns
    set_aside: TrialColumns
    runs: int
    epochs: int
    missing: int
    refilled: int
    left_out: int
    problems: tuple[RefillProblem, ...]
    digests: tuple[str, ...]


def suite_mismatch(
    header: RunHeader,
    suite_digest: str,
    instance_digests: Mapping[str, str],
    set_aside: Mapping[str, str],
    *,
    same_suites: Collection[str] = (),
) -> str | None:
    """Why a run with this header was not made on this suite; None when it was.

    It was when suite digest and instances are the same. A run on another digest is taken where the suite was pruned since
    (`set_aside` holds what it lost) or its digest is one of `same_suites`, if every instance the two share has the same
    definition and they share at least one.
    """
    if header.suite is None:
        return "the run was imported without a suite"
    theirs = header.suite.instances
    own = {name: digest for name, digest in theirs.items() if set_aside.get(name) != digest}
    if header.suite.digest == suite_digest and own != dict(instance_digests):
        return "the run names this suite's digest with other instances than the suite has"
    shared = theirs.keys() & instance_digests.keys()
    if instance_digests and not shared:
        return f"the run was made on suite {header.suite.name!r} {header.suite.version!r}, which shares no instance"
    changed = [name for name in shared if theirs[name] != instance_digests[name]]
    if changed:
        return (
            f"the run was made on suite {header.suite.name!r} {header.suite.version!r}, where {len(changed)} instances "
            f"are defined differently: {name_ids(changed)}"
        )
    if header.suite.digest == suite_digest or set_aside or header.suite.digest in same_suites:
        return None
    return (
        f"the run was made on another suite, which this one was not pruned from{_difference(theirs, instance_digests)}"
    )


def _difference(theirs: Mapping[str, str], ours: Mapping[str, str]) -> str:
    """What two suites whose shared instances are equal differ in: instances, or else only names, categories and corpora."""
    only_theirs, only_ours = theirs.keys() - ours.keys(), ours.keys() - theirs.keys()
    if only_theirs:
        return f"; {len(only_theirs)} of its instances are not here: {name_ids(sorted(only_theirs))}"
    if only_ours:
        return f"; it lacks {len(only_ours)} of ours: {name_ids(sorted(only_ours))}"
    return "; its instances are the same, so import the log again with this suite"


def reconcile(
    runs: Sequence[Run],
    *,
    suite_digest: str,
    instance_digests: Mapping[str, str],
    epochs: int,
    set_aside: Mapping[str, str],
    max_refill: int,
    same_suites: Collection[str] = (),
) -> Reconciled:
    """E2: the trials that suite ids x epochs ask of every run; what is missing is UNKNOWN(missing), what is foreign an error.

    `instance_digests` are the suite's, by id; `set_aside` those of the instances that pruning removed. Several runs of one
    build stand one after another (B15); the same trials twice, also under another header, count once, so that copying a good run
    outvotes nothing. Raises `EvidenceError` for no run, runs of several agents or builds, a run without a suite or of
    another one, ids outside the suite and attempts outside the epochs.
    """
    counted = _without_copies(runs)
    _refuse_mixed_builds(runs)
    parts: list[TrialColumns] = []
    aside: list[TrialColumns] = []
    missing, refilled = 0, 0
    problems: list[RefillProblem] = []
    for number, run in enumerate(counted):
        _refuse_foreign(run, suite_digest, instance_digests, set_aside, same_suites)
        refuse_outside_epochs(run.columns, ids=frozenset(run.columns.ids), epochs=epochs)
        kept = last_refills(run.columns, max_refill=max_refill)
        absent = missing_trials(kept.columns, ids=instance_digests, epochs=epochs)
        missing, refilled = missing + len(absent), refilled + kept.superseded
        problems += kept.problems
        inside = np.array([name in instance_digests for name in kept.columns.ids], dtype=np.bool_)[kept.columns.id_code]
        parts += [_renumbered(part, number * epochs) for part in (kept.columns.take(inside), absent)]
        aside.append(_renumbered(kept.columns.take(~inside), number * epochs))
    return Reconciled(
        columns=TrialColumns.concatenate(parts).sorted(),
        set_aside=TrialColumns.concatenate(aside).sorted(),
        runs=len(counted),
        epochs=epochs,
        missing=missing,
        refilled=refilled,
        left_out=sum(run.header.left_out for run in counted),
        problems=tuple(problems),
        digests=tuple(run.digest for run in counted),
    )


def distinct_runs(runs: Sequence[Run]) -> tuple[Run, ...]:
    """The runs in order of digest, those with the same fingerprint once."""
    by_trials: dict[str, Run] = {}
    for run in sorted(runs, key=lambda run: run.digest):
        by_trials.setdefault(run.fingerprint, run)
    return tuple(by_trials.values())


def _without_copies(runs: Sequence[Run]) -> tuple[Run, ...]:
    """The runs in order of digest, equal trials once even where they carry no times: in a pool a copy is an extra vote."""
    by_trials: dict[str, Run] = {}
    for run in distinct_runs(runs):
        by_trials.setdefault(run.trials_digest, run)
    return tuple(by_trials.values())


def _refuse_mixed_builds(runs: Sequence[Run]) -> None:
    builds = sorted({(run.header.agent, run.header.build) for run in runs})
    if len(builds) != 1:
        raise EvidenceError(
            "there is no run" if not builds else "the runs are of several agents or builds",
            rule="B15",
            got=None if not builds else ", ".join(f"build {build!r} of agent {agent!r}" for agent, build in builds),
            wanted="at least one run, all of one build of one agent",
        )


def refuse_other_categories(runs: Sequence[Run], category_of: Mapping[str, str]) -> None:
    """Raise `EvidenceError` where a trial names another category than its instance has by `category_of` (B4).

    A run on a suite need not name categories at all; ids that `category_of` does not hold are not judged here (E2).
    """
    for run in runs:
        ids, named = run.columns.ids, run.columns.category
        width = len(named.values) or 1
        recorded = named.codes >= 0
        pairs = np.unique(run.columns.id_code[recorded].astype(np.int64) * width + named.codes[recorded])
        said = [(ids[pair // width], named.values[pair % width]) for pair in pairs.tolist()]
        other = [(name, category) for name, category in said if category_of.get(name, category) != category]
        if other:
            name, category = other[0]
            raise EvidenceError(
                f"{len(other)} instances have another category in the run than in the suite",
                rule="B4",
                got=f"{name_ids([of for of, _ in other])} in run {run.digest}; first: {category!r}",
                wanted=f"first: {category_of[name]!r}",
                fix="import the log again with `--suite`, or leave the category out",
            )


def _refuse_foreign(
    run: Run,
    suite_digest: str,
    instance_digests: Mapping[str, str],
    set_aside: Mapping[str, str],
    same_suites: Collection[str],
) -> None:
    """Raise `EvidenceError` unless every trial stands at an instance that the suite has or had, defined as it is or was."""
    stamp = run.header.suite
    if stamp is None:
        raise EvidenceError(
            "the run was imported without a suite, so nothing says which instances it met",
            rule="E2",
            got=f"suite null in run {run.digest}",
            fix="import it again with `litmusgate import FORMAT … --suite SUITE`",
        )
    problem = suite_mismatch(run.header, suite_digest, instance_digests, set_aside, same_suites=same_suites)
    if problem is not None:
        raise EvidenceError(
            problem, rule="E2", got=f"run {run.digest} on suite {stamp.digest}", wanted=f"suite {suite_digest}"
        )
    known = {**set_aside, **instance_digests}
    outside = [name for name in run.columns.ids if name not in known]
    if outside:
        raise EvidenceError(
            f"{len(outside)} instances of the run are not in the suite",
            rule="E2",
            got=f"{name_ids(outside)} in run {run.digest}",
            wanted="only ids of the suite, or of instances that its pruning removed",
            fix="gate on the suite that was run, or import with `--subset` to leave the others out and count them",
        )
    altered = [name for name in run.columns.ids if stamp.instances.get(name) != known[name]]
    if altered:
        raise EvidenceError(
            f"{len(altered)} instances of the run have no definition in its header, or another one than before pruning",
            rule="E2",
            got=f"{name_ids(altered)} in run {run.digest}",
            wanted="the digest of each instance, equal to the suite's",
        )


def _renumbered(columns: TrialColumns, offset: int) -> TrialColumns:
    """The trials as attempts `offset` …, each its own: refills are settled, so none is left."""
    if offset == 0 and not columns.refill.any():
        return columns
    return columns.replace(
        attempt=(columns.attempt.astype(np.int64) + offset).astype(np.int32), refill=np.zeros_like(columns.refill)
    )
