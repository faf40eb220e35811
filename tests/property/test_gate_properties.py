"""What holds of the gate for every request, not only for the examples."""

import dataclasses

from hypothesis import given, settings
from hypothesis import strategies as st

from litmusgate.evidence.flips import FlipEstimate
from litmusgate.evidence.tally import CategoryTally
from litmusgate.gate.evaluate import evaluate
from litmusgate.gate.lanes import lane
from litmusgate.gate.policy import CategoryPolicy, FlipsDeclared, FlipsFromBaseline, FlipsUnmeasured
from litmusgate.gate.precedence import CATEGORY_GRAVITY
from litmusgate.gate.request import GateRequest
from litmusgate.gate.verdict import CategoryFinding, Decision, GateResult, Lane
from litmusgate.suite.category import Severity
from unit.gate.gate_requests import changed, finding, make_request, make_tally

SEVERITIES = st.sampled_from(list(Severity))
SOURCES = st.sampled_from(
    [FlipsFromBaseline(), FlipsUnmeasured(), FlipsDeclared(flips=3, pairs=200, why="measured elsewhere")]
)
BUILD_GRAVITY = (Decision.PASS, Decision.REVIEW, Decision.BLOCK, Decision.INVALID)


@st.composite
def estimates(draw):
    """Flips of one category, or none."""
    pairs = draw(st.integers(0, 120))
    found = FlipEstimate(
        flips=draw(st.integers(0, pairs // 4)),
        pairs=pairs,
        independent_pairs=draw(st.integers(0, pairs)),
        instances=pairs,
    )
    return draw(st.sampled_from([None, found]))


@st.composite
def category_policies(draw):
    """Tolerance, cap and bound of one category."""
    cap = draw(st.integers(0, 12))
    return CategoryPolicy(
        tolerance=draw(st.one_of(st.none(), st.integers(0, cap))),
        max_tolerance=cap,
        max_detectable=draw(st.one_of(st.none(), st.integers(1, 12))),
    )


@st.composite
def tallies(draw, name):
    """Counts of one category of up to 45 tested instances, some unknown, some vacuous, some inadmissible."""
    n = draw(st.integers(0, 45))
    unknown = draw(st.integers(0, min(n, 3)))
    known = draw(st.integers(0, 10))
    return make_tally(
        name,
        n=n,
        violations=draw(st.integers(0, n - unknown)),
        unknown=unknown,
        vacuous=draw(st.integers(0, 5)),
        inadmissible=draw(st.integers(0, 2)),
        effective_n=draw(st.integers(min(n, 1), n)),
        exposure_declared=10,
        exposure_known=known,
        exposure_missing=10 - known,
        exposed=draw(st.integers(0, known)),
    )


@st.composite
def requests(draw):
    """Requests about two or three categories, with whatever else moves a decision."""
    names = ["a", "b", "c"][: draw(st.integers(2, 3))]
    counted = tuple(draw(tallies(name)) for name in names)
    flips = {name: draw(estimates()) for name in names}
    return make_request(
        counted,
        severities={name: draw(SEVERITIES) for name in names},
        categories={name: draw(category_policies()) for name in names},
        policy={
            "flips": draw(SOURCES),
            "lane_on": draw(st.sampled_from(["n", "effective_n"])),
            "on_underexposed": draw(st.sampled_from(["review", "invalid"])),
            "on_unknown_exposure": draw(st.sampled_from(["review", "notify"])),
            "review_standard": draw(st.sampled_from(["notify", "required"])),
        },
        flips={name: found for name, found in flips.items() if found is not None},
        excluded={name: tuple(f"{name}-x{k}" for k in range(draw(st.integers(0, 3)))) for name in names},
    )


def worse(request: GateRequest, name: str) -> GateRequest:
    """The same request with one SAFE instance of `name` a VIOLATION."""
    tally = request.tallies[name]
    more = dataclasses.replace(tally, safe=tally.safe - 1, violations=tally.violations + 1)
    return changed(request, tallies=dict(request.tallies) | {name: more})


@settings(max_examples=150, deadline=None)
@given(requests(), st.data())
def test_one_more_violation_never_improves_a_decision(request, data):
    """One SAFE instance turned VIOLATION: no category and no build gets a milder decision (B3, B8)."""
    candidates = [name for name, tally in request.tallies.items() if tally.safe > 0]
    if not candidates:
        return
    name = data.draw(st.sampled_from(candidates))
    before, after = evaluate(request), evaluate(worse(request, name))
    gravity = CATEGORY_GRAVITY.index
    assert gravity(finding(after, name).decision) >= gravity(finding(before, name).decision)
    if Decision.INVALID in {reason.decision for reason in before.suite_reasons}:
        assert after.decision is Decision.INVALID
    else:
        assert gravity(after.decision) >= gravity(before.decision)
    for other in request.tallies:
        if other != name:
            assert finding(after, other) == finding(before, other)


@settings(max_examples=100, deadline=None)
@given(requests(), st.randoms(use_true_random=False))
def test_order_of_inputs_is_irrelevant(request, random):
    """Mappings, runs and admitted instances in any order give an equal result."""

    def shuffled(items):
        items = list(items)
        random.shuffle(items)
        return items

    record = dataclasses.replace(request.record, instances=tuple(shuffled(request.record.instances)))
    other = changed(
        request,
        record=record,
        tallies=dict(shuffled(request.tallies.items())),
        flips=dict(shuffled(request.flips.items())),
        baseline=dict(shuffled(request.baseline.items())),
        baseline_runs=tuple(shuffled(request.baseline_runs)),
        excluded={name: tuple(shuffled(ids)) for name, ids in shuffled(request.excluded.items())},
    )
    assert evaluate(other) == evaluate(request)


@settings(max_examples=150, deadline=None)
@given(requests())
def test_pass_means_that_something_was_gated_and_nothing_spoke_against_it(request):
    """PASS only with a hard-gated category within a tolerance below n, every gated one PASS, flips from somewhere (B14, B16)."""
    result = evaluate(request)
    gated = [item for item in result.categories if item.lane is Lane.HARD_GATED]
    if result.decision is Decision.PASS:
        assert gated
        assert all(item.n >= 20 and item.violations <= item.tolerance < item.n for item in gated)
        assert all(item.violations <= item.cap for item in result.categories if item.lane is Lane.REVIEW)
        assert all(item.decision is Decision.PASS for item in result.categories if item.lane is not Lane.ADVISORY)
        assert not isinstance(request.policy.flips, FlipsUnmeasured)
    for item in result.categories:
        assert item.decision is Decision.PASS or any(reason.decision is not Decision.PASS for reason in item.reasons)


@settings(max_examples=150, deadline=None)
@given(requests())
def test_equality_passes_and_one_more_blocks(request):
    """A hard-gated category never blocks at its tolerance or below, and always above it unless the unknown decide (B8, E8)."""
    for item in evaluate(request).categories:
        if item.lane is not Lane.HARD_GATED or item.tolerance is None:
            continue
        above = item.violations > item.tolerance
        assert above or item.decision is not Decision.BLOCK
        if above:
            assert item.decision is Decision.BLOCK or (item.unknown and item.decision is Decision.INVALID)


@given(st.integers(0, 10_000), st.integers(0, 10_000), SEVERITIES, st.sampled_from(["n", "effective_n"]))
def test_nineteen_to_twenty_is_the_only_step_of_a_lane(n, effective_n, severity, lane_on):
    """B6: one instance more changes the lane only from 19 to 20 of what is counted, and never back."""
    effective_n = min(n, effective_n)
    counted = n if lane_on == "n" else effective_n
    before = lane(severity=severity, n=n, effective_n=effective_n, lane_on=lane_on)
    after = lane(severity=severity, n=n + 1, effective_n=effective_n + 1, lane_on=lane_on)
    assert (before is not after) is (counted == 19 and severity is not Severity.ADVISORY)


@settings(max_examples=100, deadline=None)
@given(requests(), st.integers(0, 5))
def test_inadmissible_instances_change_no_count(request, more):
    """A1: more excluded instances change the lane, tolerance, interval and count of no category."""
    tally = request.tallies["a"]
    grown = make_request(
        tuple(
            dataclasses.replace(item, instances=item.instances + more, inadmissible=item.inadmissible + more)
            if item is tally
            else item
            for item in request.tallies.values()
        ),
        severities={category.name: category.severity for category in request.suite.categories},
        categories=dict(request.policy.categories),
        policy={"flips": request.policy.flips, "lane_on": request.policy.lane_on},
        flips=request.flips,
    )
    for name in request.tallies:
        one, other = finding(evaluate(request), name), finding(evaluate(grown), name)
        assert (one.lane, one.n, one.violations, one.tolerance, one.interval, one.false_block) == (
            other.lane,
            other.n,
            other.violations,
            other.tolerance,
            other.interval,
            other.false_block,
        )


def test_no_decision_can_see_a_graded_score():
    """No type the gate reads or writes has a field for a mean or a graded score: it is a trend line elsewhere (B9)."""
    for model in (GateRequest, CategoryTally, CategoryFinding, GateResult):
        names = {field.name for field in dataclasses.fields(model)}
        assert not any(word in name for name in names for word in ("mean", "score", "graded", "trend"))
