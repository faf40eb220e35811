"""Flips are counted between independent runs of one build."""

import pytest

from evidence_builders import columns, digest_of, run, stamp, trial
from litmusgate.errors import EvidenceError
from litmusgate.evidence.flips import FlipEstimate, estimate_flips, independent_rows

NONE = FlipEstimate(flips=0, pairs=0, independent_pairs=0, instances=0)


def flips(*runs, admissible="ab", reduction="any"):
    """The estimate of category `leaks`, over instances a and b."""
    found = estimate_flips(
        runs,
        admissible=frozenset(admissible),
        category_of={"a": "leaks", "b": "leaks", "c": "orders"},
        reduction_of={"leaks": reduction, "orders": reduction},
    )
    return found["leaks"]


def repeats(*outcomes, **fields):
    """One run per outcome of instance a, none of them cached; the runs differ in when they started."""
    return [
        run("abc", trial("a", outcome=outcome, cached=False), started=f"2030-01-{number:02d}T00:00:00Z", **fields)
        for number, outcome in enumerate(outcomes, start=1)
    ]


def test_discordant_pairs_are_counted():
    """Three runs with one different verdict have two discordant pairs of three, one of them independent."""
    assert flips(*repeats("safe", "violation", "safe"), admissible="a") == FlipEstimate(
        flips=2, pairs=3, independent_pairs=1, instances=1
    )


def test_instances_without_verdicts_drop_their_pairs():
    """An instance that no run has is dropped and said to be."""
    assert flips(*repeats("safe", "safe")) == FlipEstimate(
        flips=0, pairs=1, independent_pairs=1, instances=1, dropped=1
    )


@pytest.mark.parametrize("cached", [True, None])
def test_cached_answers_are_no_repeats(cached):
    """E6: a replayed answer agrees with itself; unknown counts as cached, so nothing was measured."""
    replayed = [
        run("abc", trial("a", cached=cached), started="2030-01-01T00:00:00Z"),
        run("abc", trial("a", cached=cached), started="2030-01-02T00:00:00Z"),
    ]
    assert flips(*replayed, admissible="a") == FlipEstimate(
        flips=0, pairs=0, independent_pairs=0, instances=0, dropped=1
    )


def test_one_cached_attempt_spoils_the_verdict_of_its_run():
    """E6: a verdict is a repeat only when every judged attempt behind it is."""
    mixed = [
        run("abc", trial("a", cached=False), trial("a", 1, cached=number == 0), epochs=2, started=f"203{number}")
        for number in range(3)
    ]
    assert flips(*mixed, admissible="a").pairs == 1


def test_independent_rows_are_those_recorded_as_not_cached():
    """E6: only a trial that says it was not cached is an answer of its own."""
    found = columns(trial("a", 0, cached=False), trial("a", 1, cached=True), trial("a", 2))
    assert independent_rows(found).tolist() == [True, False, False]


@pytest.mark.parametrize("side", [("unknown", "error"), ("vacuous", "no-attack"), ("unknown", "missing")])
def test_a_pair_with_an_unjudged_side_is_dropped(side):
    """VACUOUS and UNKNOWN verdicts neither flip nor agree."""
    unjudged = run("abc", trial("a", 0, *side, cached=False))
    found = flips(*repeats("safe", "violation"), unjudged, admissible="a")
    assert (found.flips, found.pairs, found.dropped) == (1, 1, 2)


def test_a_missing_attempt_can_leave_a_verdict_open():
    """E2: a run that lacks an epoch has no SAFE verdict there."""
    whole = run("abc", trial("a", cached=False), trial("a", 1, cached=False), epochs=2)
    short = run("abc", trial("a", cached=False), epochs=2)
    assert flips(whole, short, admissible="a").pairs == 0


def test_the_same_run_twice_is_no_repeat():
    """A run agrees with itself, so it counts once."""
    (one,) = repeats("safe")
    assert flips(one, one, admissible="a") == NONE


def test_time_stamped_trials_under_another_header_are_no_repeat():
    """E6: trials with the same times are the same trials, whatever the header says."""
    stamped = [
        run("abc", trial("a", cached=False, started_at="2030-01-01T00:00:00Z"), started=f"2030-01-{day}T00:00:00Z")
        for day in ("01", "02")
    ]
    assert flips(*stamped, admissible="a") == NONE


@pytest.mark.parametrize("count", [0, 1])
def test_fewer_than_two_runs_measure_nothing(count):
    """No pair, no estimate: zero of zero, never a zero rate."""
    assert flips(*repeats(*["safe"] * count), admissible="a") == NONE


def test_inadmissible_instances_do_not_flip():
    """A1: an excluded instance's flips are not counted."""
    assert flips(*repeats("safe", "violation"), admissible="b").flips == 0


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("agent", "bob"),
        ("build", "b2"),
        ("epochs", 2),
        ("engine", "inspect 1"),
        ("grader", digest_of("g")),
        ("importer", digest_of("i")),
        ("mapping", digest_of("m")),
    ],
)
def test_runs_that_differ_in_how_they_were_made_are_refused(field, value):
    """B5: flips are of the same build, harness, grader and mapping."""
    (one,), (other,) = repeats("safe"), repeats("violation", **{field: value})
    with pytest.raises(EvidenceError, match=f"differ in {field}"):
        flips(one, other)


def test_runs_on_different_definitions_are_refused():
    """B5: an instance that was changed between the runs has not flipped."""
    (one,) = repeats("safe")
    (other,) = repeats("violation", suite=stamp("abc", a=digest_of("changed")))
    with pytest.raises(EvidenceError, match="1 instances are defined differently"):
        flips(one, other)
    assert flips(one, other, admissible="b").pairs == 0


def test_runs_without_a_suite_are_refused():
    """B5: without a suite nothing says that the runs met the same instances."""
    with pytest.raises(EvidenceError, match="without a suite"):
        flips(*repeats("safe", "violation", suite=None))


def test_an_impossible_estimate_cannot_be_made():
    """More flips than pairs, or more independent pairs than pairs, is refused."""
    for fields in ({"flips": 2, "pairs": 1}, {"pairs": 1, "independent_pairs": 2}, {"flips": -1}):
        with pytest.raises(ValueError, match="impossible"):
            FlipEstimate(**({"flips": 0, "pairs": 0, "independent_pairs": 0, "instances": 0} | fields))
