"""The expected set: suite ids x epochs, for every run that counts."""

import pytest

from evidence_builders import SUITE_DIGEST, digest_of, header, run, stamp, trial
from litmusgate.errors import EvidenceError
from litmusgate.evidence.expected import reconcile, refuse_other_categories, suite_mismatch
from litmusgate.evidence.outcome import Outcome, Reason

OTHER_DIGEST = "sha256:" + "6" * 64


def reconciled(*runs, names=("a", "b"), epochs=1, set_aside=(), suite_digest=SUITE_DIGEST):
    """The runs against the suite of `names`."""
    return reconcile(
        runs,
        suite_digest=suite_digest,
        instance_digests={name: digest_of(name) for name in names},
        epochs=epochs,
        set_aside={name: digest_of(name) for name in set_aside},
        max_refill=1,
    )


def test_what_is_missing_is_unknown_and_counted():
    """E2: every suite id x epoch has a trial afterwards; the absent ones are UNKNOWN(missing)."""
    found = reconciled(run("ab", trial("a", 1, "violation"), epochs=2), epochs=2)
    assert [(of.instance_id, of.attempt, of.reason) for of in found.columns.to_trials()] == [
        ("a", 0, Reason.MISSING),
        ("a", 1, None),
        ("b", 0, Reason.MISSING),
        ("b", 1, Reason.MISSING),
    ]
    assert (found.missing, found.runs, found.epochs) == (3, 1, 2)


def test_an_empty_run_is_all_missing():
    """E2: a run of 0 trials is nothing but UNKNOWN."""
    found = reconciled(run("ab"))
    assert {of.outcome for of in found.columns.to_trials()} == {Outcome.UNKNOWN}
    assert found.missing == 2


def test_another_category_than_the_suites_is_an_error_naming_it():
    """B4: a run that says `bogus` of an instance is evidence for an undeclared category; saying nothing or the same is none."""
    named = run("abc", trial("a", category="x"), trial("b", category="bogus"), trial("c"))
    with pytest.raises(EvidenceError, match="1 instances have another category in the run") as caught:
        refuse_other_categories((named,), {"a": "x", "b": "y", "c": "z"})
    assert "'b' in run" in str(caught.value.got)
    assert "'bogus'" in str(caught.value.got)
    refuse_other_categories((named, run("ab")), {"a": "x", "b": "bogus", "c": "z"})
    refuse_other_categories((named,), {})


def test_ids_outside_the_suite_are_an_error_naming_them():
    """E2: evidence about other instances is not silently dropped."""
    names = [f"x{number:02d}" for number in range(12)]
    with pytest.raises(EvidenceError, match="12 of its instances are not here") as caught:
        reconciled(run(["a", "b", *names], *(trial(name) for name in names)), suite_digest=OTHER_DIGEST)
    assert "'x00'" in caught.value.what
    assert "and 2 more" in caught.value.what
    with pytest.raises(EvidenceError, match="12 instances of the run are not in the suite") as caught:
        reconciled(run(["a", "b", *names], *(trial(name) for name in names)), suite_digest=OTHER_DIGEST, set_aside="z")
    assert "'x00'" in caught.value.got


def test_pruned_instances_are_set_aside():
    """E2: trials at instances that pruning removed are kept beside the votes (A13 still sees them)."""
    found = reconciled(
        run("abc", trial("a"), trial("b"), trial("c", outcome="violation")), set_aside="c", suite_digest=OTHER_DIGEST
    )
    assert found.columns.ids == ("a", "b")
    assert [(of.instance_id, of.outcome) for of in found.set_aside.to_trials()] == [("c", Outcome.VIOLATION)]


def test_a_pruned_instance_with_another_definition_is_an_error():
    """E2: the set-aside trials must have met the instance that was pruned."""
    other = run("ab", trial("a"), suite=stamp("ab", digest=OTHER_DIGEST, c=digest_of("changed")))
    aside = run("ab", trial("c"), suite=stamp("ab", digest=OTHER_DIGEST, c=digest_of("changed")))
    assert len(reconciled(other, set_aside="c").set_aside) == 0
    with pytest.raises(EvidenceError, match="another one than before pruning"):
        reconciled(aside, set_aside="c")


def test_a_trial_without_a_definition_in_the_header_is_an_error():
    """E2: a run says of every instance it met which definition it met."""
    bare = run("a", trial("a"), trial("b"), suite=stamp("a", digest=OTHER_DIGEST))
    with pytest.raises(EvidenceError, match="1 instances of the run have no definition"):
        reconciled(bare, set_aside="z")


def test_a_run_without_a_suite_is_an_error_with_the_way_out():
    """E2: an import without a suite cannot be gated; the message names `--suite`."""
    with pytest.raises(EvidenceError, match="without a suite") as caught:
        reconciled(run(None, trial("a")))
    assert "--suite" in caught.value.fix


def test_attempts_beyond_the_epochs_are_an_error():
    """E2: more attempts than the policy's epochs are not evidence for it, also at pruned instances."""
    with pytest.raises(EvidenceError, match="beyond the epochs"):
        reconciled(run("ab", trial("a", 1)))
    with pytest.raises(EvidenceError, match="beyond the epochs"):
        reconciled(run("abc", trial("c", 1)), set_aside="c", suite_digest=OTHER_DIGEST)


def test_runs_of_one_build_are_pooled():
    """B15: the attempts of all runs count, numbered through in order of digest, whatever the order given."""
    runs = [run("ab", trial("a", outcome=outcome), trial("b")) for outcome in ("safe", "violation")]
    found, backwards = reconciled(*runs), reconciled(*reversed(runs))
    assert (found.runs, len(found.columns), found.missing) == (2, 4, 0)
    assert {(of.instance_id, of.attempt) for of in found.columns.to_trials()} == {
        ("a", 0),
        ("a", 1),
        ("b", 0),
        ("b", 1),
    }
    assert found.columns.trials_digest() == backwards.columns.trials_digest()
    assert found.digests == tuple(sorted(of.digest for of in runs))


def test_the_same_trials_count_once():
    """B15: a run given twice, or copied under another header, does not outvote the others."""
    good, bad = run("a", trial("a")), run("a", trial("a", outcome="violation"))
    copy = run("a", trial("a"), started="2030-01-01T00:00:00Z")
    found = reconciled(good, copy, good, bad, names="a")
    assert (found.runs, len(found.columns)) == (2, 2)


def test_runs_of_several_builds_are_an_error():
    """B15: only runs of one build of one agent are pooled."""
    with pytest.raises(EvidenceError, match="several agents or builds"):
        reconciled(run("ab", trial("a")), run("ab", trial("b"), build="b2"))
    with pytest.raises(EvidenceError, match="several agents or builds"):
        reconciled(run("ab", trial("a")), run("ab", trial("a"), agent="bob"))


def test_no_run_is_an_error():
    """Nothing measured is never reconciled."""
    with pytest.raises(EvidenceError, match="there is no run"):
        reconciled()


def test_refills_are_settled_and_counted():
    """E9: superseded trials are counted, and forbidden refills come back as problems."""
    found = reconciled(
        run(
            "ab",
            trial("a", 0, "unknown", "infra"),
            trial("a", refill=1),
            trial("b", outcome="violation"),
            trial("b", refill=1),
        )
    )
    assert (found.refilled, len(found.columns)) == (2, 2)
    assert [problem.instance_id for problem in found.problems] == ["b"]
    assert {of.refill for of in found.columns.to_trials()} == {0}


def test_rows_left_out_by_importers_are_added_up():
    """E2: what `--subset` left out is counted over the runs."""
    runs = [run("ab", trial(name), left_out=number) for number, name in enumerate("ab", start=2)]
    assert reconciled(*runs).left_out == 5


@pytest.mark.parametrize(
    ("suite", "why"),
    [
        (stamp("ab"), None),
        (stamp("ab", digest=OTHER_DIGEST), "its instances are the same, so import the log again"),
        (stamp("abc", digest=OTHER_DIGEST), "1 of its instances are not here: 'c'"),
        (stamp("a", digest=OTHER_DIGEST), "it lacks 1 of ours: 'b'"),
        (stamp("a"), "with other instances"),
        (stamp("ab", b=digest_of("changed")), "with other instances"),
        (stamp("ab", digest=OTHER_DIGEST, b=digest_of("changed")), "1 instances are defined differently: 'b'"),
        (stamp("xy", digest=OTHER_DIGEST), "shares no instance"),
        (stamp("", digest=OTHER_DIGEST), "shares no instance"),
        (None, "without a suite"),
    ],
)
def test_a_run_fits_a_suite_when_their_shared_instances_are_the_same(suite, why):
    """E2: the same suite; another digest is another suite, however equal its instances."""
    found = suite_mismatch(header(suite=suite), SUITE_DIGEST, {name: digest_of(name) for name in "ab"}, {})
    assert found is None if why is None else why in found


@pytest.mark.parametrize("names", ["ab", "abc", "a"])
def test_a_pruned_suite_takes_runs_of_what_it_was_pruned_from(names):
    """E2: a run on another digest is taken where definitions are equal and the suite was pruned, or is known to be the same."""
    ours = {name: digest_of(name) for name in "ab"}
    of_parent = header(suite=stamp(names, digest=OTHER_DIGEST))
    assert suite_mismatch(of_parent, SUITE_DIGEST, ours, {"c": digest_of("c")}) is None
    assert suite_mismatch(of_parent, SUITE_DIGEST, ours, {}, same_suites={OTHER_DIGEST}) is None
    changed = header(suite=stamp("ab", digest=OTHER_DIGEST, b=digest_of("changed")))
    assert "defined differently" in suite_mismatch(changed, SUITE_DIGEST, ours, {"c": digest_of("c")})


def test_a_run_of_another_suite_cannot_be_reconciled():
    """E2: the wrong suite is an error that names both digests."""
    with pytest.raises(EvidenceError, match="shares no instance") as caught:
        reconciled(run("xy", trial("x"), suite=stamp("xy", digest=OTHER_DIGEST)))
    assert (OTHER_DIGEST in caught.value.got, SUITE_DIGEST in caught.value.wanted) == (True, True)
