"""Policy, suite and evidence speak of the same categories."""

import pytest

from litmusgate.gate.declared import policy_problems
from litmusgate.gate.evaluate import evaluate
from litmusgate.gate.policy import CategoryPolicy
from litmusgate.gate.verdict import Decision, Lane
from litmusgate.suite.category import Category
from unit.gate.gate_requests import (
    ADVISORY,
    CRITICAL,
    changed,
    codes,
    finding,
    make_policy,
    make_record,
    make_request,
    make_run,
    make_suite,
    make_tally,
)


def test_category_that_the_policy_does_not_declare_is_invalid():
    """B4: no tolerance was declared for it, and its finding is INVALID too."""
    request = make_request((make_tally("a", n=30), make_tally("b", n=30)))
    policy = make_policy(request.suite)
    only_a = {"categories": {"a": policy.categories["a"]}}
    result = evaluate(changed(request, policy=make_policy(request.suite, **only_a)))
    assert result.decision is Decision.INVALID
    assert codes(result.suite_reasons) == {"category-not-in-policy"}
    assert finding(result, "b").decision is Decision.INVALID
    assert finding(result, "a").decision is Decision.PASS


def test_category_that_the_suite_does_not_declare_is_invalid():
    """B4: a policy for nothing is a renamed or lost category."""
    request = make_request((make_tally("a", n=30),), categories={"gone": CategoryPolicy(tolerance=1, max_tolerance=1)})
    assert codes(evaluate(request).suite_reasons) == {"category-not-in-suite"}


def test_evidence_for_an_undeclared_category_is_invalid():
    """B4: runs that speak of another category are of another suite."""
    request = make_request((make_tally("a", n=30),))
    tallies = dict(request.tallies) | {"foreign": make_tally("foreign", n=30)}
    assert codes(evaluate(changed(request, tallies=tallies)).suite_reasons) == {"evidence-undeclared"}


def test_declared_category_without_evidence_is_invalid():
    """B4: every admissible instance is UNKNOWN(missing), and the category never passes."""
    request = make_request((make_tally("a", n=30), make_tally("b", n=30, inadmissible=1)))
    found = finding(evaluate(changed(request, tallies={"a": request.tallies["a"]})), "b")
    assert found.decision is Decision.INVALID
    assert "category-without-evidence" in codes(found.reasons)
    assert (found.instances, found.inadmissible, found.n, found.unknown) == (31, 1, 30, 30)


def test_declared_category_without_instances_is_invalid():
    """B4: a declaration nobody wrote an instance for."""
    request = make_request((make_tally("a", n=30),))
    suite = make_suite(
        {"a": 30}, {}, categories=(Category(name="a", severity=CRITICAL), Category(name="b", severity=CRITICAL))
    )
    request = changed(
        request,
        suite=suite,
        policy=make_policy(suite),
        record=make_record(suite),
        runs=(make_run(suite, "candidate", build="2"),),
    )
    result = evaluate(request)
    assert result.decision is Decision.INVALID
    assert codes(finding(result, "b").reasons) == {"category-without-instances"}


def test_all_vacuous_is_invalid():
    """Nothing tested is never PASS (B4)."""
    request = make_request((make_tally("a", n=30), make_tally("b", n=0, vacuous=30)))
    found = finding(evaluate(request), "b")
    assert found.decision is Decision.INVALID
    assert "nothing-tested" in codes(found.reasons)
    assert (found.interval, found.tolerance, found.false_block, found.detectable) == (None, None, None, None)


def test_advisory_category_may_be_empty_and_the_build_still_pass():
    """Declared advisory: shown with its reason, moves nothing (B4)."""
    request = make_request((make_tally("a", n=30), make_tally("b", n=0, vacuous=30)), severities={"b": ADVISORY})
    result = evaluate(request)
    assert result.decision is Decision.PASS
    assert (finding(result, "b").lane, finding(result, "b").decision) == (Lane.ADVISORY, Decision.REVIEW)


@pytest.mark.parametrize(
    ("tolerance", "cap", "violations", "wanted"),
    [(None, None, 30, "PASS"), (2, None, 3, "REVIEW"), (None, 4, 5, "REVIEW"), (None, 4, 4, "PASS")],
)
def test_advisory_counts_are_shown_against_what_was_declared(tolerance, cap, violations, wanted):
    """An advisory category needs no cap; above what it declares it asks for a look, and never moves the build."""
    request = make_request(
        (make_tally("a", n=30), make_tally("b", n=30, violations=violations)),
        severities={"b": ADVISORY},
        categories={"b": CategoryPolicy(tolerance=tolerance, max_tolerance=cap)},
    )
    result = evaluate(request)
    assert finding(result, "b").decision is Decision(wanted)
    assert result.decision is Decision.PASS


def test_missing_cap_is_a_contradiction_before_any_evidence():
    """The cap is mandatory unless the suite declares the category advisory (B5)."""
    suite = make_suite({"a": 20, "b": 20, "c": 20}, {"b": ADVISORY})
    bare = CategoryPolicy(tolerance=None, max_tolerance=None)
    policy = make_policy(suite, {"a": bare, "b": bare})
    (problem,) = policy_problems(policy, suite)
    assert "'a'" in problem
    assert policy_problems(make_policy(suite), suite) == ()
    without = make_policy(suite, categories={"a": CategoryPolicy(tolerance=1, max_tolerance=1)})
    assert policy_problems(without, suite) == ()


def test_gate_refuses_a_missing_cap_even_if_nobody_asked_before():
    """The contradiction is INVALID for the build, and the category has no tolerance to pass by (B5)."""
    bare = CategoryPolicy(tolerance=None, max_tolerance=None)
    result = evaluate(make_request((make_tally("a", n=30),), categories={"a": bare}))
    assert result.decision is Decision.INVALID
    assert codes(result.suite_reasons) == {"policy-contradiction"}
    assert codes(result.categories[0].reasons) == {"cap-missing"}


def test_tally_over_other_instances_than_admitted_is_invalid():
    """Counts must be over exactly the instances that admission let vote (A1)."""
    request = make_request((make_tally("a", n=30, inadmissible=1),))
    tally = make_tally("a", n=31)
    result = evaluate(changed(request, tallies={"a": tally}))
    assert codes(finding(result, "a").reasons) == {"tally-contradicts-admission"}
    assert result.decision is Decision.INVALID
