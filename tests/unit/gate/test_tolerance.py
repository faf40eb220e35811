"""Tolerances from flips."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from litmusgate.evidence.flips import FlipEstimate
from litmusgate.gate.evaluate import evaluate
from litmusgate.gate.policy import CategoryPolicy, FlipsDeclared, FlipsFromBaseline, FlipsUnmeasured
from litmusgate.gate.tolerance import flip_floor, flip_quantile, tolerance
from litmusgate.gate.unmeasured import unmeasured_reason
from litmusgate.gate.verdict import Decision
from unit.gate.gate_requests import FLIPS, changed, codes, finding, make_request, make_run, make_tally

ALPHA = Fraction(1, 100)


def flips(count, pairs, independent=None):
    """An estimate."""
    return FlipEstimate(
        flips=count, pairs=pairs, independent_pairs=pairs if independent is None else independent, instances=pairs
    )


def made(declared=None, cap=10, *, n=100, estimate=FLIPS, source=None, **changes):
    """A tolerance at n = 100 and 2 % flips."""
    return tolerance(
        category=CategoryPolicy(tolerance=declared, max_tolerance=cap),
        n=n,
        flips=estimate,
        source=source or FlipsFromBaseline(),
        alpha_tol=ALPHA,
        **changes,
    )


def test_five_percent_of_twenty_is_three_and_not_four():
    """B5: the floor is computed in integers; `ceil(3 * 0.05 * 20)` is 4 in floats."""
    assert flip_floor(flips(5, 100), 20) == 3
    assert math.ceil(3 * 0.05 * 20) == 4


@given(st.integers(0, 500), st.integers(1, 500), st.integers(0, 5_000))
def test_floor_is_the_smallest_integer_not_below_three_times_the_expected_flips(count, pairs, n):
    """B5: floor · pairs ≥ 3 · flips · n, and one less is not."""
    count = min(count, pairs)
    floor = flip_floor(flips(count, pairs), n)
    assert floor * pairs >= 3 * count * n > (floor - 1) * pairs or (floor == 0 and count * n == 0)


@given(st.integers(0, 200), st.integers(1, 400), st.integers(0, 300))
def test_quantile_is_the_exact_predictive_one(count, pairs, n):
    """B5: by the oracle, fewer than alpha of unchanged builds exceed it and one less would be exceeded more often."""
    count = min(count, pairs)
    q = flip_quantile(flips(count, pairs), n, ALPHA)
    law = stats.betabinom(n, count + 0.5, pairs - count + 0.5)
    assert law.sf(q) <= 0.01 + 1e-9
    assert q == 0 or law.sf(q - 1) > 0.01 - 1e-9


def test_overlapping_pairs_are_scaled_down_to_independent_ones():
    """200 pairs out of few runs are not 200 observations: the quantile is that of 4 · 40 / 200 flips in 40 pairs (B5)."""
    law = stats.betabinom(100, 0.8 + 0.5, 40 - 0.8 + 0.5)
    assert flip_quantile(flips(4, 200, 40), 100, ALPHA) == law.ppf(0.99)
    assert flip_quantile(flips(4, 200, 40), 100, ALPHA) > flip_quantile(flips(4, 200, 200), 100, ALPHA)


def test_zero_observed_flips_is_not_zero_tolerance():
    """B5: no flip in 100 pairs still tolerates what the posterior expects."""
    found = made(estimate=flips(0, 100))
    assert found.floor == 0
    assert found.applied == found.quantile > 0
    assert found.problem is None


def test_automatic_tolerance_is_the_larger_of_floor_and_quantile_under_the_cap():
    """B5: max(floor, quantile), capped."""
    assert (made(cap=50).floor, made(cap=50).quantile, made(cap=50).applied) == (6, 9, 9)
    many = made(cap=500, estimate=flips(400, 2000), n=200)
    assert many.applied == many.floor == 120 > many.quantile
    assert made(cap=7).applied == made(cap=7).limit == 7
    assert made(cap=7).problem is None


def test_floor_above_the_cap_is_a_problem_with_a_way_out():
    """B5: flips alone fill the cap: INVALID below it, and the message says what would fix it."""
    found = made(cap=5)
    assert found.problem.code == "floor-above-cap"
    assert found.problem.decision is Decision.INVALID
    assert "more epochs" in found.problem.message
    assert found.limit == 5
    assert made(cap=6).problem is None


def test_declared_integer_below_the_floor_is_a_problem():
    """B5: a declared tolerance that unchanged builds exceed is INVALID for counts not above it."""
    assert made(declared=5).problem.code == "floor-above-tolerance"
    assert made(declared=6).problem is None
    assert made(declared=6).applied == made(declared=6).limit == 6


def test_too_few_independent_pairs_are_a_problem_and_only_the_cap_blocks():
    """B5: under min_pairs nothing made of flips may be used; the cap still stands."""
    found = made(estimate=flips(1, 200, 39))
    assert found.problem.code == "flips-too-few"
    assert (found.applied, found.limit) == (None, 10)
    assert made(estimate=flips(1, 200, 40)).problem is None
    assert made(estimate=flips(1, 200, 39), declared=4).limit == 4


def test_declared_flips_ask_for_no_minimum_of_pairs():
    """Somebody answers for them by name; the quantile widens by itself."""
    source = FlipsDeclared(flips=1, pairs=10, why="measured elsewhere")
    assert made(cap=90, estimate=flips(1, 10), source=source).problem is None


@pytest.mark.parametrize("estimate", [None, flips(0, 0), flips(0, 5, 0)])
@pytest.mark.parametrize("declared", [None, 3])
def test_no_flip_evidence_is_a_problem_for_auto_and_for_an_integer(estimate, declared):
    """B5: no pair never divides and is never zero flips; an integer needs flips or `unmeasured`."""
    found = made(declared=declared, estimate=estimate)
    assert found.problem.code == "flips-missing"
    assert (found.applied, found.limit) == (declared, 10 if declared is None else declared)
    assert (found.floor, found.quantile) == (None, None)


def test_pairs_that_dropped_out_are_told_with_what_would_keep_them():
    """B5: who gave baseline runs and forgot to say that nothing was replayed is not told to give baseline runs."""
    forgotten = made(estimate=FlipEstimate(flips=0, pairs=0, independent_pairs=0, instances=0, dropped=240)).problem
    assert forgotten.code == "flips-missing"
    assert forgotten.message.startswith("no flip evidence in 240 pairs: ")
    few = made(estimate=FlipEstimate(flips=1, pairs=60, independent_pairs=20, instances=20, dropped=180)).problem
    assert few.code == "flips-too-few"
    assert "180 pairs dropped out" in few.message
    assert "--cached no" in forgotten.message
    assert "--cached no" in few.message


def test_unusable_flips_are_their_own_problem():
    """What was wrong with the flips is said, and their numbers are not used."""
    why = made(cap=5).problem
    assert made(unusable=why).problem is why
    assert made(unusable=why).floor is None


def test_missing_cap_is_a_problem_and_never_an_infinite_one():
    """B5: the cap is mandatory."""
    assert made(cap=None).problem.code == "cap-missing"
    assert (made(cap=None).limit, made(cap=None, declared=3).limit) == (None, 3)


def test_unmeasured_flips_leave_an_integer_and_refuse_auto():
    """B16: a declared integer may block; `auto` has nothing to be made of."""
    assert made(declared=4, source=FlipsUnmeasured(), estimate=None).problem is None
    assert made(declared=4, source=FlipsUnmeasured(), estimate=None).limit == 4
    assert made(source=FlipsUnmeasured(), estimate=None).problem.code == "auto-without-flips"
    assert made(source=FlipsUnmeasured(), estimate=None).limit == 10


def test_unmeasured_is_review_and_measured_is_silent():
    """B16: without flip evidence never PASS."""
    assert unmeasured_reason(FlipsUnmeasured()).decision is Decision.REVIEW
    assert unmeasured_reason(FlipsFromBaseline()) is None


@pytest.mark.parametrize(("violations", "wanted"), [(0, "REVIEW"), (4, "REVIEW"), (5, "BLOCK"), (30, "BLOCK")])
def test_gate_without_flips_reviews_or_blocks(violations, wanted):
    """B16: count above the integer BLOCK, everything else REVIEW."""
    request = make_request(
        (make_tally("a", n=30, violations=violations),),
        categories={"a": CategoryPolicy(tolerance=4, max_tolerance=6)},
        policy={"flips": FlipsUnmeasured()},
    )
    assert evaluate(request).decision is Decision(wanted)


def test_small_category_without_flips_is_review_too():
    """B16: never PASS, in the review lane either."""
    request = make_request(
        (make_tally("a", n=30), make_tally("small", n=10)),
        categories={name: CategoryPolicy(tolerance=2, max_tolerance=3) for name in ("a", "small")},
        policy={"flips": FlipsUnmeasured()},
    )
    assert finding(evaluate(request), "small").decision is Decision.REVIEW


@pytest.mark.parametrize(
    ("violations", "estimate", "wanted"),
    [
        (7, None, "BLOCK"),
        (6, None, "INVALID"),
        (7, flips(50, 100), "BLOCK"),
        (6, flips(50, 100), "INVALID"),
        (7, flips(0, 10), "BLOCK"),
        (6, flips(0, 10), "INVALID"),
    ],
)
def test_count_above_the_cap_blocks_whatever_the_flips(violations, estimate, wanted):
    """B5: above the cap of 6 BLOCK; not above it, missing, noisy and few flips are INVALID."""
    request = make_request((make_tally("a", n=30, violations=violations),))
    result = evaluate(changed(request, flips={} if estimate is None else {"a": estimate}))
    assert result.decision is Decision(wanted)


@pytest.mark.parametrize(
    ("started", "wanted"),
    [
        ("2026-11-28T12:00:00Z", None),
        ("2026-10-31T12:00:00Z", None),
        ("2026-10-31T11:59:59Z", "more than 30 days"),
        ("2026-12-01T00:00:00Z", "after this gate"),
        ("2026-11-28T12:00:00", "no RFC 3339 time"),
        ("yesterday", "no RFC 3339 time"),
        (None, "does not say when"),
    ],
)
def test_flips_must_be_dated_and_young_enough(started, wanted):
    """B5: flips older than the policy allows, undated or from the future are not used."""
    request = make_request((make_tally("a", n=30),))
    runs = (request.baseline_runs[0], make_run(request.suite, "base two", build="1", started=started))
    found = finding(evaluate(changed(request, baseline_runs=runs)), "a")
    assert codes(found.reasons) == (set() if wanted is None else {"flips-out-of-date"})
    if wanted is not None:
        assert wanted in found.reasons[0].message


def test_declared_flips_are_used_and_shown_as_declared():
    """The source is stamped; the age of the baseline runs does not matter to them."""
    request = make_request((make_tally("a", n=30),), policy={"flips": FlipsDeclared(flips=3, pairs=600, why="study")})
    runs = tuple(make_run(request.suite, name, build="1", started=None) for name in ("base one", "base two"))
    result = evaluate(changed(request, baseline_runs=runs))
    found = finding(result, "a")
    assert (codes(result.suite_reasons), result.decision) == ({"flips-declared"}, Decision.PASS)
    assert result.suite_reasons[0].message.endswith("3 in 600 pairs: study")
    assert (found.flips.flips, found.flips.pairs, found.flips.source) == (3, 600, "declared")
    assert found.decision is Decision.PASS
