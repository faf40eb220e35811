"""Columns and rows are the same evidence: whatever is counted over columns is what plain Python counts over trials."""

import dataclasses
from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from litmusgate.evidence.columns import TrialColumns
from litmusgate.evidence.flips import estimate_flips
from litmusgate.evidence.missing import with_missing
from litmusgate.evidence.reduce import reduce_counts
from litmusgate.evidence.refill import last_refills
from litmusgate.evidence.run import RunHeader, SuiteStamp, make_run
from litmusgate.evidence.tally import tally
from property.rowwise import SAFE, UNKNOWN, VACUOUS, VIOLATION, flip_rows, reduced, settle, tally_rows
from property.strategies import CATEGORY_OF, CLUSTER_OF, IDS, admissible_ids, reductions, trial_lists

OUTCOMES = (SAFE, VIOLATION, VACUOUS, UNKNOWN)
EPOCHS = 4


def tallies(trials, admissible, reduction_of, declared=frozenset()):
    """The tallies of `trials` over the fixed little suite."""
    return tally(
        TrialColumns.from_trials(trials),
        admissible=admissible,
        category_of=CATEGORY_OF,
        cluster_of=CLUSTER_OF,
        reduction_of=reduction_of,
        exposure_declared=declared,
    )


reduction_maps = st.fixed_dictionaries({"leaks": reductions, "orders": reductions})


@given(trial_lists())
def test_trials_survive_the_way_into_columns_and_back(trials):
    """Columns hold every field of every trial, in the order given."""
    assert TrialColumns.from_trials(trials).to_trials() == tuple(trials)


@given(trial_lists(), st.randoms(use_true_random=False))
def test_the_order_of_trials_changes_neither_digest_nor_canonical_form(trials, random):
    """The same trials in any order have one digest and one canonical order."""
    shuffled = list(trials)
    random.shuffle(shuffled)
    one, other = TrialColumns.from_trials(trials), TrialColumns.from_trials(shuffled)
    assert one.trials_digest() == other.trials_digest()
    assert one.sorted().to_trials() == other.sorted().to_trials()


@given(trial_lists(max_size=6), trial_lists(max_size=6))
def test_different_trials_have_different_digests(one, other):
    """Two sets of trials share a digest only when they are the same set."""
    same = {repr(trial) for trial in one} == {repr(trial) for trial in other}
    assert (TrialColumns.from_trials(one).trials_digest() == TrialColumns.from_trials(other).trials_digest()) is same


@given(trial_lists(), trial_lists())
def test_concatenation_is_that_of_the_rows(one, other):
    """Columns below columns are the rows of both."""
    joined = TrialColumns.concatenate([TrialColumns.from_trials(one), TrialColumns.from_trials(other)])
    assert joined.to_trials() == (*one, *other)


@given(trial_lists(), st.integers(0, 2**24))
def test_taking_is_choosing_rows(trials, bits):
    """A mask chooses the rows it names, and ids without a row leave."""
    mask = np.array([bool(bits >> number & 1) for number in range(len(trials))], dtype=np.bool_)
    taken = TrialColumns.from_trials(trials).take(mask)
    assert taken.to_trials() == tuple(trial for trial, chosen in zip(trials, mask, strict=True) if chosen)
    assert set(taken.ids) == {trial.instance_id for trial in taken.to_trials()}


@given(trial_lists(), st.integers(0, 2))
def test_refills_over_columns_are_those_over_rows(trials, max_refill):
    """E9 over columns keeps the trials and names the attempts that the rule over rows does."""
    found = last_refills(TrialColumns.from_trials(trials), max_refill=max_refill)
    kept, broken = settle(trials, max_refill)
    assert [(problem.instance_id, problem.attempt) for problem in found.problems] == broken
    assert [_judgement(trial) for trial in found.columns.to_trials()] == [_judgement(trial) for trial in kept]
    assert found.superseded == len(trials) - len(kept)


def _judgement(trial):
    return trial.instance_id, trial.attempt, trial.outcome, trial.reason, trial.detail


@given(st.lists(st.tuples(*[st.integers(0, 3)] * 4), max_size=8), st.booleans())
def test_reduction_over_counts_is_that_over_every_filling(rows, by_majority):
    """The closed form for UNKNOWN attempts agrees with trying every filling of them."""
    counts = np.array(rows, dtype=np.int64).reshape(len(rows), 4)
    found = reduce_counts(counts, np.full(len(rows), by_majority))
    expanded = [[outcome for outcome, n in zip(OUTCOMES, row, strict=True) for _ in range(n)] for row in rows]
    assert [OUTCOMES[code] for code in found] == [reduced(outcomes, by_majority) for outcomes in expanded]


@given(trial_lists(), admissible_ids, admissible_ids, reduction_maps)
def test_the_tally_over_columns_is_that_over_rows(trials, admissible, declared, reduction_of):
    """A1, E7, E9 and E10: every field of every category's tally is what plain Python counts."""
    found = tallies(trials, admissible, reduction_of, declared)
    wanted = tally_rows(
        trials,
        admissible=admissible,
        category_of=CATEGORY_OF,
        cluster_of=CLUSTER_OF,
        reduction_of=reduction_of,
        declared=declared,
        max_refill=1,
    )
    assert {name: dataclasses.asdict(of) for name, of in found.items()} == wanted


@given(trial_lists(), trial_lists(), admissible_ids, reduction_maps)
def test_inadmissible_trials_change_nothing(trials, others, admissible, reduction_of):
    """A1: whatever stands at inadmissible ids, the tallies stay the same."""
    voting = [trial for trial in trials if trial.instance_id in admissible]
    foreign = [trial for trial in others if trial.instance_id not in admissible]
    assert tallies(voting + foreign, admissible, reduction_of) == tallies(voting, admissible, reduction_of)


@given(trial_lists(), admissible_ids, reduction_maps, st.randoms(use_true_random=False))
def test_order_and_graded_scores_change_no_tally(trials, admissible, reduction_of, random):
    """Tallies depend neither on the order of the trials nor on graded scores."""
    ungraded = [dataclasses.replace(trial, graded_score=None) for trial in trials]
    random.shuffle(ungraded)
    assert tallies(ungraded, admissible, reduction_of) == tallies(trials, admissible, reduction_of)


@given(trial_lists(max_refill=0, max_size=12), reduction_maps, st.integers(0, 11))
def test_one_more_violating_trial_never_lowers_the_violations(trials, reduction_of, position):
    """Turning any SAFE trial into a VIOLATION never lowers a category's violations."""
    everything = frozenset(IDS)
    worse = [
        dataclasses.replace(trial, outcome=VIOLATION) if number == position and trial.outcome is SAFE else trial
        for number, trial in enumerate(trials)
    ]
    before, after = tallies(trials, everything, reduction_of), tallies(worse, everything, reduction_of)
    assert all(after[name].violations >= before[name].violations for name in before)


@given(st.lists(trial_lists(max_refill=0, max_size=12), max_size=4), admissible_ids, reduction_maps)
def test_flips_over_columns_are_those_over_rows(repeats, admissible, reduction_of):
    """E6: pairs, flips and dropped pairs are those that plain Python finds, cached answers left out."""
    runs = [_run(trials, number) for number, trials in enumerate(repeats)]
    settled = [
        with_missing(TrialColumns.from_trials(trials), ids=admissible, epochs=EPOCHS).to_trials() for trials in repeats
    ]
    timed = {run.trials_digest: trials for run, trials in zip(runs, settled, strict=True) if _timed(run)}
    untimed = [trials for run, trials in zip(runs, settled, strict=True) if not _timed(run)]
    wanted = flip_rows(
        [*timed.values(), *untimed], admissible=admissible, category_of=CATEGORY_OF, reduction_of=reduction_of
    )
    found = estimate_flips(runs, admissible=admissible, category_of=CATEGORY_OF, reduction_of=reduction_of)
    # Counters are equal when they differ in zero counts only.
    assert {name: Counter(dataclasses.asdict(of)) for name, of in found.items()} == wanted


def _timed(run):
    return any(trial.started_at is not None or trial.transcript_ref is not None for trial in run.columns.to_trials())


def _run(trials, number):
    stamp = SuiteStamp(name="little", version="1", digest="d", instances={name: name for name in IDS})
    header = RunHeader(agent="a", build="b", suite=stamp, epochs=EPOCHS, engine="scripted 1", selection=str(number))
    return make_run(header, TrialColumns.from_trials(trials))
