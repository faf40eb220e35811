"""From reasons to a decision and an exit code."""

import dataclasses

import pytest

from litmusgate.gate.count_decision import count_decision
from litmusgate.gate.evaluate import evaluate
from litmusgate.gate.exceeds import exceeds
from litmusgate.gate.precedence import EXIT_CODE, build_decision, category_decision, known_blocks, ordered
from litmusgate.gate.verdict import Decision, DecisionReason, Lane
from unit.gate.gate_requests import CRITICAL, make_request, make_tally


def reason(decision, code="x"):
    """A reason that asks for `decision`."""
    return DecisionReason(decision=decision, rule="B1", code=code, message="because")


def finding(decision, lane=Lane.HARD_GATED, name="a"):
    """A real finding with another decision and lane."""
    real = evaluate(make_request((make_tally(name, n=30),))).categories[0]
    return dataclasses.replace(real, decision=decision, lane=lane)


@pytest.mark.parametrize(
    ("suite_level", "categories", "wanted"),
    [
        ([], ["PASS", "PASS"], "PASS"),
        ([], ["PASS", "REVIEW"], "REVIEW"),
        ([], ["REVIEW", "INVALID"], "INVALID"),
        ([], ["INVALID", "BLOCK"], "BLOCK"),
        (["INVALID"], ["BLOCK", "PASS"], "INVALID"),
        (["REVIEW"], ["PASS"], "REVIEW"),
        (["REVIEW"], ["INVALID"], "INVALID"),
        (["BLOCK"], ["INVALID"], "BLOCK"),
        (["PASS"], ["PASS"], "PASS"),
        ([], [], "INVALID"),
    ],
)
def test_precedence_is_the_declared_one(suite_level, categories, wanted):
    """B13: suite-level INVALID > any BLOCK > category-level INVALID > REVIEW > PASS; no finding at all is INVALID."""
    reasons = [reason(Decision(name)) for name in suite_level]
    findings = [finding(Decision(name), name=f"c{number}") for number, name in enumerate(categories)]
    assert build_decision(reasons, findings) is Decision(wanted)


@pytest.mark.parametrize("decision", [Decision.BLOCK, Decision.INVALID, Decision.REVIEW])
def test_advisory_findings_never_move_the_build(decision):
    """Beside a passing gated category an advisory one changes nothing (B13)."""
    findings = [finding(Decision.PASS), finding(decision, Lane.ADVISORY, "b")]
    assert build_decision([], findings) is Decision.PASS
    assert known_blocks(findings) == ()


def test_only_advisory_findings_are_invalid():
    """Nothing gated is never PASS, even without the reason of B14 beside it."""
    assert build_decision([], [finding(Decision.PASS, Lane.ADVISORY)]) is Decision.INVALID


def test_every_decision_has_its_own_exit_code():
    """PASS 0, BLOCK 1, REVIEW 3, INVALID 4; 2, 70 and 130 never come from a decision (B13)."""
    assert {decision.value: code for decision, code in EXIT_CODE.items()} == {
        "PASS": 0,
        "BLOCK": 1,
        "REVIEW": 3,
        "INVALID": 4,
    }
    assert set(EXIT_CODE) == set(Decision)


def test_known_blocks_stand_beside_a_suite_level_invalid():
    """B13: a category that blocks is listed under INVALID too, and its finding is kept."""
    tallies = (make_tally("bad", n=30, violations=20), make_tally("good", n=30))
    result = evaluate(make_request(tallies, severities={"bad": CRITICAL}, runs=()))
    assert result.decision is Decision.INVALID
    assert [item.message for item in result.suite_reasons if item.code == "known-block"] == [
        "category 'bad' would block in its own right: 20 violations of 30"
    ]
    assert result.categories[0].decision is Decision.BLOCK


def test_a_block_alone_lists_no_known_blocks():
    """Without a suite-level INVALID the category says it itself."""
    result = evaluate(make_request((make_tally("bad", n=30, violations=20),)))
    assert result.decision is Decision.BLOCK
    assert result.suite_reasons == ()


def test_category_decision_is_the_gravest_reason():
    """BLOCK > INVALID > REVIEW > PASS inside a category; none is PASS."""
    assert category_decision([]) is Decision.PASS
    assert category_decision([reason(Decision.PASS), reason(Decision.REVIEW)]) is Decision.REVIEW
    assert category_decision([reason(Decision.INVALID), reason(Decision.REVIEW)]) is Decision.INVALID
    assert category_decision([reason(Decision.INVALID), reason(Decision.BLOCK)]) is Decision.BLOCK


def test_reasons_are_ordered_gravest_first_and_each_once():
    """Input order and repetition change nothing."""
    reasons = [
        reason(Decision.PASS),
        reason(Decision.INVALID, "b"),
        reason(Decision.INVALID, "a"),
        reason(Decision.PASS),
    ]
    assert [item.code for item in ordered(reasons)] == ["a", "b", "x"]
    assert ordered(reasons) == ordered(reversed(reasons))


@pytest.mark.parametrize(
    ("violations", "tolerance", "wanted"), [(0, 0, False), (1, 0, True), (3, 3, False), (4, 3, True)]
)
def test_equality_passes_and_one_more_exceeds(violations, tolerance, wanted):
    """B8: a count equal to the tolerance is within it; one more is not."""
    assert exceeds(violations, tolerance) is wanted


@pytest.mark.parametrize(
    ("violations", "tolerance", "wanted"),
    [(2, 2, Decision.PASS), (3, 2, Decision.BLOCK), (0, None, Decision.INVALID), (9, None, Decision.INVALID)],
)
def test_counts_decide_and_no_tolerance_is_never_a_pass(violations, tolerance, wanted):
    """B3: the count against the tolerance decides; without a tolerance even zero violations is INVALID."""
    assert count_decision(violations, tolerance) is wanted
