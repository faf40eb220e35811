"""Deciding although some instances could not be judged."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from litmusgate.gate.evaluate import evaluate
from litmusgate.gate.policy import CategoryPolicy
from litmusgate.gate.unknown import corner_assignments, unknown_reasons
from litmusgate.gate.verdict import Decision
from unit.gate.gate_requests import CRITICAL, STANDARD, codes, finding, make_request, make_tally

SHARE = Fraction(5, 100)


def every_assignment(violations, unknown, n):
    """All (violations, n) that SAFE, VIOLATION and VACUOUS for each unknown instance can lead to."""
    return {
        (violations + worse, n - vacuous) for vacuous in range(unknown + 1) for worse in range(unknown - vacuous + 1)
    }


@given(st.integers(0, 12), st.integers(1, 8), st.integers(0, 20), st.integers(0, 15), st.integers(0, 12))
def test_corners_decide_as_every_assignment_does(violations, unknown, spare, tolerance, small):
    """E8: for decisions that never get milder with more violations, the corners see every disagreement."""
    n = violations + unknown + spare

    def decide(count, size):
        if size < small:
            return Decision.REVIEW
        return Decision.BLOCK if count > tolerance else Decision.PASS

    corners = {decide(count, size) for count, size in corner_assignments(violations, unknown, n, range(unknown + 1))}
    assert corners == {decide(count, size) for count, size in every_assignment(violations, unknown, n)}
    assert set(corner_assignments(violations, unknown, n, range(unknown + 1))) <= every_assignment(
        violations, unknown, n
    )


def asked(decide, *, violations=0, unknown=1, n=100):
    """The reasons on one unknown of a hundred."""
    return unknown_reasons(category="a", violations=violations, unknown=unknown, n=n, max_unknown=SHARE, decide=decide)


def test_unanimous_bracket_decides():
    """E8: where no assignment changes the decision, there is no reason against it."""
    assert asked(lambda _violations, _n: Decision.PASS) == ()
    assert asked(lambda _violations, _n: Decision.BLOCK) == ()


def test_undecided_bracket_is_invalid_and_names_what_could_come_out():
    """E8: one assignment that decides otherwise is enough."""
    (reason,) = asked(lambda violations, _n: Decision.BLOCK if violations else Decision.PASS)
    assert (reason.decision, reason.code) == (Decision.INVALID, "unknown-undecided")
    assert "BLOCK, PASS" in reason.message


@pytest.mark.parametrize(
    ("unknown", "n", "wanted"),
    [(5, 100, set()), (6, 100, {"too-many-unknown"}), (1, 20, set()), (2, 39, {"too-many-unknown"})],
)
def test_too_many_unknown_are_invalid_whatever_they_agree_on(unknown, n, wanted):
    """E8: above max_unknown INVALID anyway; equality is not above it."""
    assert codes(asked(lambda _violations, _n: Decision.PASS, unknown=unknown, n=n)) == wanted


def test_no_unknown_asks_nothing():
    """Without UNKNOWN instances the bracket is one point."""
    assert asked(lambda _violations, _n: pytest.fail("asked"), unknown=0) == ()


def gate(severity=STANDARD, **counts):
    """The decision and reason codes of one category under a tolerance of 3."""
    request = make_request(
        (make_tally("other", n=40), make_tally("a", **counts)),
        severities={"a": severity},
        categories={"a": CategoryPolicy(tolerance=3, max_tolerance=3)},
    )
    found = finding(evaluate(request), "a")
    return found.decision, codes(found.reasons)


def test_gate_passes_where_the_unknown_could_not_turn_it():
    """E8: 2 violations and 1 unknown under a tolerance of 3."""
    assert gate(n=40, violations=2, unknown=1) == (Decision.PASS, set())


def test_gate_is_invalid_where_the_unknown_could_block():
    """E8: 3 violations and 1 unknown under a tolerance of 3."""
    assert gate(n=40, violations=3, unknown=1) == (Decision.INVALID, {"unknown-undecided"})


def test_gate_blocks_where_every_assignment_blocks():
    """E8: 4 violations exceed 3 whatever the unknown one was, even with too many unknown: a known block is a block."""
    assert gate(n=40, violations=4, unknown=1) == (Decision.BLOCK, {"count-above-tolerance"})
    assert gate(n=40, violations=4, unknown=10)[0] is Decision.BLOCK


def test_gate_is_invalid_where_a_block_depends_on_the_unknown():
    """E8: 5 of 20 exceed 3, but if the unknown one was VACUOUS the category is too small to block: no assignment decides."""
    decision, found = gate(n=20, violations=5, unknown=1)
    assert decision is Decision.INVALID
    assert found == {"count-above-tolerance", "unknown-undecided"}


@pytest.mark.parametrize("severity", [CRITICAL, STANDARD])
def test_gate_is_invalid_where_the_unknown_could_leave_the_lane(severity):
    """E8: 20 tested with 1 unknown would be 19 if it was VACUOUS: not hard-gated any more."""
    assert gate(severity, n=20, violations=0, unknown=1) == (Decision.INVALID, {"unknown-undecided"})
    assert gate(severity, n=21, violations=0, unknown=1)[0] is Decision.PASS


def test_a_crashed_run_of_many_instances_asks_only_for_the_ends():
    """E8: with too many unknown nothing but an unanimous BLOCK matters, so the cost does not grow with their number."""
    asked_for = []

    def decide(violations, n):
        asked_for.append((violations, n))
        return Decision.BLOCK

    assert codes(asked(decide, violations=7, unknown=50_000, n=100_000)) == {"too-many-unknown"}
    assert asked_for == [(7, 100_000), (50_007, 100_000), (7, 50_000), (7, 50_000)]


def test_all_unknown_is_invalid():
    """E8: nothing judged is never a pass; if all were VACUOUS, nothing was tested."""
    decision, found = gate(n=40, unknown=40)
    assert decision is Decision.INVALID
    assert found == {"too-many-unknown", "unknown-undecided"}


def test_clusters_may_leave_with_their_instances():
    """E8: under `lane_on: effective_n` the last instance of the twentieth cluster might be the VACUOUS one."""
    tallies = (make_tally("a", n=100, unknown=1, effective_n=20),)
    lanes = {"policy": {"lane_on": "effective_n"}}
    assert codes(evaluate(make_request(tallies, **lanes)).categories[0].reasons) == {"unknown-undecided"}
    tallies = (make_tally("a", n=100, unknown=1, effective_n=21),)
    assert evaluate(make_request(tallies, **lanes)).decision is Decision.PASS
