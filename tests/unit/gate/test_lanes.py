"""Lanes, and what small categories ask for."""

from dataclasses import replace

import pytest

from litmusgate.gate.evaluate import evaluate
from litmusgate.gate.lanes import lane, small_category_reasons
from litmusgate.gate.policy import CategoryPolicy
from litmusgate.gate.precedence import category_decision
from litmusgate.gate.verdict import Decision, Lane
from unit.gate.gate_requests import ADVISORY, CRITICAL, STANDARD, changed, codes, finding, make_request, make_tally


@pytest.mark.parametrize("severity", [CRITICAL, STANDARD])
def test_twenty_instances_are_needed_whatever_the_severity(severity):
    """B6: n = 19 is the review lane and n = 20 hard-gated, for critical and standard alike; no other n is a step."""
    lanes = [lane(severity=severity, n=n, effective_n=n, lane_on="n") for n in range(60)]
    assert lanes == [Lane.REVIEW] * 20 + [Lane.HARD_GATED] * 40


def test_clusters_count_where_the_policy_says_so():
    """`lane_on: effective_n` counts clusters (B6)."""
    assert lane(severity=STANDARD, n=100, effective_n=19, lane_on="effective_n") is Lane.REVIEW
    assert lane(severity=STANDARD, n=100, effective_n=20, lane_on="effective_n") is Lane.HARD_GATED
    assert lane(severity=STANDARD, n=100, effective_n=1, lane_on="n") is Lane.HARD_GATED


def test_advisory_stays_advisory_at_any_size():
    """Declared advisory is never gated."""
    assert lane(severity=ADVISORY, n=1000, effective_n=1000, lane_on="n") is Lane.ADVISORY


def small(**changes):
    """The reasons of a small standard category under `notify` without a violation."""
    parts = {"severity": STANDARD, "review_standard": "notify", "violations": 0, "n": 15, "cap": 3, "lower": 0.0}
    return small_category_reasons(**(parts | changes))


def test_small_standard_category_passes_on_notice():
    """`standard: notify`: a reason that says so and asks for nothing."""
    assert category_decision(small()) is Decision.PASS
    assert codes(small()) == {"small-category-notice"}


@pytest.mark.parametrize("changes", [{"severity": CRITICAL}, {"review_standard": "required"}])
def test_small_category_waits_for_people(changes):
    """Critical always, standard where the policy says `required`: REVIEW without any violation."""
    assert category_decision(small(**changes)) is Decision.REVIEW
    assert codes(small(**changes)) == {"small-category"}


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"violations": 4}, "small-above-cap"),
        ({"lower": 0.21}, "small-lower-bound"),
        ({"cap": 15}, "small-cannot-exceed"),
    ],
)
def test_small_standard_category_with_much_against_it_is_review(changes, code):
    """B6: above the cap, or with a lower bound above cap / n, or with a cap that bounds nothing: REVIEW despite notify."""
    assert category_decision(small(**changes)) is Decision.REVIEW
    assert code in codes(small(**changes))


def test_a_lower_bound_equal_to_the_tolerated_share_is_not_above_it():
    """Equality is within (B6)."""
    assert codes(small(lower=0.2)) == {"small-category-notice"}


def test_small_category_without_a_cap_is_invalid():
    """A missing cap is never an infinite one."""
    assert category_decision(small(cap=None)) is Decision.INVALID


def test_the_real_lower_bound_is_used():
    """Of 19 under a cap of 6: the 99 % lower bound of 11 is below 6 / 19 (the 95 % one is not), that of 12 above it (B6)."""
    caps = {"a": CategoryPolicy(tolerance=None, max_tolerance=6)}
    tallies = (make_tally("big", n=30), make_tally("a", n=19, violations=11))
    below = finding(evaluate(make_request(tallies, categories=caps)), "a")
    tallies = (make_tally("big", n=30), make_tally("a", n=19, violations=12))
    above = finding(evaluate(make_request(tallies, categories=caps)), "a")
    assert "small-lower-bound" not in codes(below.reasons)
    assert "small-lower-bound" in codes(above.reasons)
    assert below.decision is above.decision is Decision.REVIEW


def clustered(severity, *, effective_n, vacuous=0):
    """The finding on a category of 40 instances in 20 clusters, lanes taken on clusters, so many clusters tested."""
    tallies = (make_tally("big", n=30), make_tally("a", n=40 - vacuous, vacuous=vacuous, effective_n=effective_n))
    request = make_request(tallies, severities={"a": severity}, policy={"lane_on": "effective_n"})
    pairs = tuple(
        replace(item, cluster=f"pair-{int(item.id[-5:]) // 2:02}") if item.category == "a" else item
        for item in request.record.instances
    )
    return finding(evaluate(changed(request, record=replace(request.record, instances=pairs))), "a")


@pytest.mark.parametrize(("severity", "wanted"), [(CRITICAL, Decision.INVALID), (STANDARD, Decision.REVIEW)])
def test_a_category_pushed_under_twenty_clusters_is_no_small_one(severity, wanted):
    """A8: where lanes count clusters, losing the twentieth one must not turn a hard gate into a notice."""
    pushed = clustered(severity, effective_n=19, vacuous=2)
    assert pushed.lane is Lane.REVIEW
    assert ("pushed-under-20" in codes(pushed.reasons), pushed.decision) == (True, wanted)
    whole = clustered(severity, effective_n=20)
    assert (whole.lane, whole.decision) == (Lane.HARD_GATED, Decision.PASS)


def test_few_clusters_by_design_are_a_small_category():
    """A8: nothing was pushed where the design has 19 clusters; advisory categories have no lane to lose."""
    tallies = (make_tally("big", n=30), make_tally("a", n=19, vacuous=0))
    small_one = finding(evaluate(make_request(tallies, policy={"lane_on": "effective_n"})), "a")
    assert codes(small_one.reasons) == {"small-category-notice"}
    assert "pushed-under-20" not in codes(clustered(ADVISORY, effective_n=19, vacuous=2).reasons)
