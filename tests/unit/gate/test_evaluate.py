"""The whole gate on whole requests."""

import dataclasses
import itertools
from fractions import Fraction

import pytest

from litmusgate.gate.evaluate import STALE_BY_SHARE, evaluate, refused
from litmusgate.gate.policy import CategoryPolicy, Unsafe
from litmusgate.gate.reasons import EXPLANATIONS
from litmusgate.gate.unsafe import stamps, unnamed_drops
from litmusgate.gate.verdict import Decision, DecisionReason, Lane
from unit.gate.gate_requests import (
    ADVISORY,
    CRITICAL,
    FLIPS,
    changed,
    codes,
    finding,
    make_baseline,
    make_policy,
    make_request,
    make_tally,
)

MIXED = (
    make_tally("a", n=40, violations=2),
    make_tally("b", n=40),
    make_tally("c", n=19),
    make_tally("d", n=25, violations=25),
)
SEVERITIES = {"a": CRITICAL, "d": ADVISORY}


def test_a_build_within_every_tolerance_passes():
    """B1: three categories decide, the advisory one does not, the build is reported once: the positive control."""
    result = evaluate(make_request(MIXED, severities=SEVERITIES))
    assert result.decision is Decision.PASS
    assert result.suite_reasons == ()
    assert [item.name for item in result.categories] == ["a", "b", "c", "d"]
    assert [item.lane for item in result.categories] == [Lane.HARD_GATED, Lane.HARD_GATED, Lane.REVIEW, Lane.ADVISORY]
    shown = finding(result, "a")
    assert (shown.n, shown.violations, shown.tolerance, shown.floor, shown.quantile, shown.cap) == (40, 2, 5, 3, 5, 6)
    assert (shown.flips.flips, shown.flips.pairs, shown.flips.independent_pairs) == (4, 200, 100)
    assert (shown.baseline.violations, shown.baseline.n, shown.baseline.instances) == (0, 80, 40)
    assert shown.anchor is None
    assert result.family_false_block == pytest.approx(shown.false_block + finding(result, "b").false_block, rel=1e-3)


@pytest.mark.parametrize(("violations", "wanted"), [(5, Decision.PASS), (6, Decision.BLOCK)])
def test_one_category_above_its_tolerance_blocks_the_build(violations, wanted):
    """B8 in the whole gate: 5 of a tolerance of 5 passes, 6 blocks."""
    tallies = (make_tally("a", n=40, violations=violations), make_tally("b", n=60))
    assert evaluate(make_request(tallies)).decision is wanted


def test_order_of_inputs_changes_nothing():
    """Runs, mappings, reasons and instances in any order give the same result."""
    request = make_request(MIXED, severities=SEVERITIES)
    problems = tuple(
        DecisionReason(decision=Decision.REVIEW, rule="A9", code=name, message=name) for name in ("x", "y", "z")
    )
    wanted = evaluate(changed(request, problems=problems))
    for order in itertools.permutations(problems):
        turned = changed(
            request,
            problems=order,
            baseline_runs=tuple(reversed(request.baseline_runs)),
            tallies=dict(reversed(request.tallies.items())),
            baseline=dict(reversed(request.baseline.items())),
            flips=dict(reversed(request.flips.items())),
            record=dataclasses.replace(request.record, instances=tuple(reversed(request.record.instances))),
        )
        assert evaluate(turned) == wanted


def test_problems_found_before_decide_with_the_rest():
    """A truncated run makes the build INVALID and the findings stay; a category's own problem stays in it."""
    request = make_request(MIXED, severities=SEVERITIES)
    truncated = DecisionReason(decision=Decision.INVALID, rule="E2", code="truncated", message="cut off")
    risen = DecisionReason(decision=Decision.REVIEW, rule="A9", code="risen", message="risen")
    whole = evaluate(changed(request, problems=(truncated,)))
    assert (whole.decision, len(whole.categories)) == (Decision.INVALID, 4)
    part = evaluate(changed(request, category_problems={"b": (risen,)}))
    assert (part.decision, finding(part, "b").reasons) == (Decision.REVIEW, (risen,))


def test_first_build_is_review_by_design():
    """Without an accepted baseline people decide."""
    result = evaluate(make_request(MIXED, severities=SEVERITIES, first=True))
    assert (result.decision, codes(result.suite_reasons)) == (Decision.REVIEW, {"first-build"})


@pytest.mark.parametrize("sizes", [(19, 19), (5,), (1, 10)])
@pytest.mark.parametrize("severity", [CRITICAL, ADVISORY, None])
def test_nothing_hard_gated_is_invalid(sizes, severity):
    """B14: all small, or all advisory, is never PASS."""
    tallies = tuple(make_tally(f"c{number}", n=n) for number, n in enumerate(sizes))
    severities = {} if severity is None else {tally.category: severity for tally in tallies}
    result = evaluate(make_request(tallies, severities=severities))
    assert result.decision is Decision.INVALID
    assert "nothing-hard-gated" in codes(result.suite_reasons)


def test_suspects_vote_and_make_the_category_review():
    """A2: listed, counted among n, REVIEW."""
    request = make_request((make_tally("a", n=40),))
    suspects = tuple(
        dataclasses.replace(item, suspect=number < 12) for number, item in enumerate(request.record.instances)
    )
    result = evaluate(changed(request, record=dataclasses.replace(request.record, instances=suspects)))
    assert (result.decision, result.categories[0].suspect, result.categories[0].n) == (Decision.REVIEW, 12, 40)
    assert "and 2 more" in result.categories[0].reasons[0].message


@pytest.mark.parametrize(("severity", "wanted"), [(CRITICAL, Decision.REVIEW), (None, Decision.PASS)])
def test_unchecked_leakage_is_review_for_critical_categories(severity, wanted):
    """An external grader hides the rubric: REVIEW where it is critical, a note where it is standard."""
    request = make_request((make_tally("a", n=40),), severities={} if severity is None else {"a": severity})
    unchecked = tuple(dataclasses.replace(item, leakage_checked=False) for item in request.record.instances)
    result = evaluate(changed(request, record=dataclasses.replace(request.record, instances=unchecked)))
    assert (result.decision, result.categories[0].leakage_unchecked) == (wanted, 40)
    assert codes(result.categories[0].reasons) == {"leakage-unchecked"}


def test_stale_suite_is_invalid_and_its_findings_are_written():
    """A8 in the gate: 3 of 40 inadmissible; what blocks is still known."""
    request = make_request((make_tally("a", n=37, violations=9, inadmissible=3),))
    result = evaluate(request)
    assert result.decision is Decision.INVALID
    assert codes(result.suite_reasons) == {"suite-stale", "known-block"}
    assert result.checks["staleness"] == "done"


def test_record_of_more_instances_than_the_suite_is_invalid():
    """A8: what the record lists beyond the suite counts in no category, and the record speaks for another suite."""
    request = make_request((make_tally("a", n=40),))
    extra = dataclasses.replace(request.record.instances[0], id="stranger")
    record = dataclasses.replace(request.record, instances=(*request.record.instances, extra))
    result = evaluate(changed(request, record=record))
    assert (result.decision, codes(result.suite_reasons)) == (Decision.INVALID, {"admission-incomplete"})
    assert result.categories[0].decision is Decision.PASS


def test_unsafe_option_switches_off_the_shares_of_staleness_only():
    """T4: stamped and said in the checks; a category pushed under 20 stays INVALID."""
    request = make_request((make_tally("a", n=30, inadmissible=10),), severities={"a": CRITICAL})
    assert {"suite-stale", "critical-category-stale"} <= STALE_BY_SHARE
    assert evaluate(request).decision is Decision.INVALID
    unsafe = make_policy(request.suite, unsafe=(Unsafe.SKIP_STALENESS,))
    result = evaluate(changed(request, policy=unsafe))
    assert result.decision is Decision.PASS
    assert result.unsafe == ("unsafe-skip-staleness",)
    assert result.checks["staleness"] == "not checked: unsafe-skip-staleness"
    small = make_request((make_tally("a", n=19, inadmissible=10), make_tally("b", n=40)), severities={"a": CRITICAL})
    small = changed(small, policy=make_policy(small.suite, unsafe=(Unsafe.SKIP_STALENESS,)))
    assert finding(evaluate(small), "a").decision is Decision.INVALID


def test_stamps_join_what_policy_and_admission_name():
    """T4: every option in force, sorted, once."""
    request = make_request((make_tally("a", n=30),))
    policy = make_policy(request.suite, unsafe=(Unsafe.SKIP_STALENESS, Unsafe.SKIP_LEAKAGE))
    assert stamps(policy, ("unsafe-skip-leakage", "unsafe-old")) == (
        "unsafe-old",
        "unsafe-skip-leakage",
        "unsafe-skip-staleness",
    )
    assert stamps(request.policy) == ()
    assert [check.value for check in unnamed_drops((), (Unsafe.SKIP_LEAKAGE,))] == ["provenance", "discriminability"]


def test_checks_say_what_was_not_done():
    """A7: those of admission as they stand, and adjudication where the policy asks for it."""
    request = make_request((make_tally("a", n=30),))
    assert "adjudication" not in evaluate(request).checks
    asked = changed(request, policy=make_policy(request.suite, adjudication_alpha=Fraction(1, 100)))
    checks = evaluate(asked).checks
    assert checks["adjudication"].startswith("not checked")
    assert checks["canary"] == "not checked: no canary"


def test_anchor_counts_stand_beside_the_baseline():
    """Shown where anchor runs were counted; a tally of no runs is none."""
    request = make_request((make_tally("a", n=30),))
    result = evaluate(changed(request, anchor={"a": make_baseline("a", n=30, violations=1, runs=1)}))
    assert (result.categories[0].anchor.violations, result.categories[0].anchor.n) == (1, 30)
    assert evaluate(changed(request, baseline={"a": make_baseline("a", n=0, runs=0)})).categories[0].baseline is None


def test_refusal_is_invalid_and_explained():
    """Evidence that cannot be read has no findings, only reasons; without a reason there is no refusal."""
    broken = DecisionReason(decision=Decision.INVALID, rule="A7", code="unreadable", message="cut off")
    result = refused([broken], unsafe=("b", "a", "b"))
    assert (result.decision, result.categories, result.suite_reasons) == (Decision.INVALID, (), (broken,))
    assert result.unsafe == ("a", "b")
    with pytest.raises(ValueError, match="at least one reason"):
        refused([])


def test_flips_of_another_category_are_not_borrowed():
    """B5: flips are of the same category."""
    request = make_request((make_tally("a", n=30), make_tally("b", n=30)))
    result = evaluate(changed(request, flips={"a": FLIPS}))
    assert codes(finding(result, "b").reasons) == {"flips-missing"}
    assert finding(result, "a").decision is Decision.PASS


def test_thousand_categories_are_decided_each_by_itself():
    """One of a thousand equal categories blocks; the other findings do not change."""
    tallies = tuple(make_tally(f"c{number:04}", n=20, violations=5 * (number == 500)) for number in range(1000))
    caps = {tally.category: CategoryPolicy(tolerance=4, max_tolerance=6) for tally in tallies}
    result = evaluate(make_request(tallies, categories=caps))
    assert result.decision is Decision.BLOCK
    assert [item.name for item in result.categories if item.decision is not Decision.PASS] == ["c0500"]


def test_every_finding_that_does_not_pass_says_why_in_a_known_code():
    """Reasons are never empty beside a decision, and `explain` knows each code."""
    tallies = (
        make_tally("a", n=40, violations=9, unknown=5),
        make_tally("b", n=0, vacuous=20),
        make_tally("c", n=10, violations=10, inadmissible=20),
    )
    request = make_request(tallies, severities={"c": CRITICAL}, first=True)
    result = evaluate(changed(request, runs=(), baseline_runs=(), store_present=False))
    for item in result.categories:
        assert item.decision is Decision.PASS or item.reasons
    found = codes(result.suite_reasons) | {code for item in result.categories for code in codes(item.reasons)}
    assert found <= set(EXPLANATIONS)


def test_bounds_so_wide_that_they_skip_a_check_are_stamped():
    """T4: a policy that lets most of the suite be inadmissible, unknown or unexposed says so on every report."""
    request = make_request((make_tally("a", n=30),))
    policy = request.policy
    wide = changed(
        request,
        policy=dataclasses.replace(
            policy,
            admission=dataclasses.replace(policy.admission, max_inadmissible=Fraction(1)),
            max_unknown=Fraction(6, 100),
            categories={"a": dataclasses.replace(policy.categories["a"], min_exposure=Fraction(0))},
        ),
    )
    assert evaluate(wide).unsafe == (
        "max-inadmissible-above-5-percent",
        "max-unknown-above-5-percent",
        "min-exposure-below-one-half:a",
    )
