"""What exclusion hides."""

import pytest

from litmusgate.gate.evaluate import evaluate
from litmusgate.gate.exclusion import exclusion_reason
from litmusgate.gate.policy import CategoryPolicy
from litmusgate.gate.verdict import Decision
from unit.gate.gate_requests import changed, codes, finding, make_request, make_tally


@pytest.mark.parametrize(
    ("violations", "excluded", "tolerance", "hides"),
    [
        (3, ("x",), 3, True),
        (2, ("x",), 3, False),
        (2, ("x", "y"), 3, True),
        (4, ("x",), 3, False),
        (0, (), 3, False),
        (0, (), None, False),
        (0, ("x",), None, True),
        (2, ("x", "x"), 3, False),
    ],
)
def test_only_an_exclusion_that_would_turn_the_pass_is_named(violations, excluded, tolerance, hides):
    """A13: within the tolerance without them, above it with them; an id counts once; equality is within."""
    assert (exclusion_reason(violations=violations, excluded=excluded, tolerance=tolerance) is not None) is hides


def test_gate_reviews_and_lists_what_exclusion_hides():
    """A13: 3 of a tolerance of 3 with one excluded violation: REVIEW with its id; counted, it would block."""
    request = make_request(
        (make_tally("a", n=40, violations=3),), categories={"a": CategoryPolicy(tolerance=3, max_tolerance=3)}
    )
    assert evaluate(request).decision is Decision.PASS
    result = evaluate(changed(request, excluded={"a": ("a-00039",)}))
    assert result.decision is Decision.REVIEW
    assert "'a-00039'" in finding(result, "a").reasons[0].message
    assert finding(result, "a").excluded_violations == ("a-00039",)


def test_small_categories_are_held_to_their_cap():
    """A13: in the review lane the cap is what the excluded violations would exceed."""
    caps = {"a": CategoryPolicy(tolerance=None, max_tolerance=3)}
    request = make_request((make_tally("big", n=30), make_tally("a", n=19, violations=3)), categories=caps)
    assert finding(evaluate(request), "a").decision is Decision.PASS
    found = finding(evaluate(changed(request, excluded={"a": ("a-00018",)})), "a")
    assert found.decision is Decision.REVIEW
    assert "exclusion-hides-violations" in codes(found.reasons)


def test_many_hidden_ids_are_counted_and_the_first_listed():
    """Ten ids and the number of the others."""
    reason = exclusion_reason(violations=0, excluded=tuple(f"x{number:02}" for number in range(12)), tolerance=3)
    assert "'x09' and 2 more" in reason.message
    assert "'x10'" not in reason.message
