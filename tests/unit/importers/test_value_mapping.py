"""The declared value mapping: what it takes, and that nothing undeclared gets through."""

import pytest

from litmusgate.errors import UsageError
from litmusgate.evidence.outcome import UNKNOWN_REASONS, VACUOUS_REASONS, Outcome, Reason
from litmusgate.importers.mapping import judge_values, mapping_document, parse_assignments, parse_value_map


def test_every_outcome_can_be_declared_with_its_reason():
    """SAFE and VIOLATION stand alone, VACUOUS and UNKNOWN carry the stated reason (E1)."""
    mapping = parse_value_map(["pass=safe", "bad=violation", "skip=vacuous:not-attempted", "x=unknown:infra"])
    assert mapping == {
        "pass": (Outcome.SAFE, None),
        "bad": (Outcome.VIOLATION, None),
        "skip": (Outcome.VACUOUS, Reason.NOT_ATTEMPTED),
        "x": (Outcome.UNKNOWN, Reason.INFRA),
    }


def test_a_value_that_is_itself_a_reason_code_needs_no_reason():
    """`error=unknown` is UNKNOWN(error), because the value says it."""
    assert parse_value_map(["error=unknown"]) == {"error": (Outcome.UNKNOWN, Reason.ERROR)}


def test_the_outcome_stands_behind_the_last_equals_sign():
    """A value may hold an equals sign itself."""
    assert parse_value_map(["score=1=safe"]) == {"score=1": (Outcome.SAFE, None)}


@pytest.mark.parametrize(
    ("declaration", "said"),
    [
        ("pass", "no '='"),
        ("pass=ok", "'ok' is not an outcome"),
        ("pass=SAFE", "'SAFE' is not an outcome"),
        ("pass=", "'' is not an outcome"),
        ("pass=safe:error", "carries no reason"),
        ("pass=safe:", "carries no reason"),
        ("bad=unknown", "needs a reason"),
        ("bad=unknown:", "needs a reason"),
        ("bad=unknown:not-exposed", "needs a reason"),
        ("bad=vacuous:error", "needs a reason"),
        ("error=vacuous", "needs a reason"),
    ],
)
def test_anything_else_is_refused(declaration, said):
    """A declaration that is not exactly an outcome with a fitting reason is a usage error (E1)."""
    with pytest.raises(UsageError, match=said):
        parse_value_map([declaration])


def test_no_declaration_at_all_is_refused():
    """A mapping of nothing could turn nothing into something."""
    with pytest.raises(UsageError, match="no value is mapped"):
        parse_value_map([])


def test_a_value_declared_twice_is_refused():
    """The last declaration must not silently win."""
    with pytest.raises(UsageError, match="mapped twice"):
        parse_value_map(["pass=safe", "pass=violation"])


@pytest.mark.parametrize("reason", sorted(Reason))
def test_each_reason_goes_with_exactly_one_outcome(reason):
    """A reason code is accepted for its own outcome and refused for the other."""
    right, wrong = ("vacuous", "unknown") if reason in VACUOUS_REASONS else ("unknown", "vacuous")
    assert (reason in UNKNOWN_REASONS) is (right == "unknown")
    assert parse_value_map([f"v={right}:{reason.value}"])["v"][1] is reason
    with pytest.raises(UsageError):
        parse_value_map([f"v={wrong}:{reason.value}"])


def test_unmapped_values_are_named_with_their_counts_most_frequent_first():
    """E1: no default branch: every unmapped value is named with its count, and nothing is judged."""
    mapping = parse_value_map(["pass=safe"])
    with pytest.raises(UsageError) as raised:
        judge_values({"rare": 1, "pass": 9, "often": 7, "also": 7}, mapping, column="verdict")
    assert raised.value.got == "'also' (7 rows), 'often' (7 rows), 'rare' (1 rows)"
    assert raised.value.exit_code == 2
    assert raised.value.rule == "E1"


def test_the_spelling_of_a_value_is_exact():
    """`Pass` is not `pass`, and `pass ` is not either (E1)."""
    mapping = parse_value_map(["pass=safe"])
    for value in ("Pass", "pass ", "", "PASS"):
        with pytest.raises(UsageError, match="no outcome"):
            judge_values({value: 1}, mapping, column="verdict")


def test_values_that_never_occur_do_not_matter():
    """A declared value may be absent from the log; only what occurs is judged."""
    assert judge_values({}, parse_value_map(["pass=safe"]), column="c") == {}


def test_the_mapping_document_does_not_depend_on_the_order_of_declarations():
    """Candidate and baseline may declare in any order and share one digest."""
    one = mapping_document(parse_value_map(["a=safe", "b=unknown:error"]))
    two = mapping_document(parse_value_map(["b=unknown:error", "a=safe"]))
    assert list(one.items()) == list(two.items()) == [("a", "safe"), ("b", "unknown:error")]


@pytest.mark.parametrize("declarations", [["id"], ["=x"], ["id="], ["id=a", "id=b"]])
def test_a_column_declaration_names_one_field_and_one_column(declarations):
    """Half a declaration, or two for one field, is a usage error."""
    with pytest.raises(UsageError, match="--column"):
        parse_assignments(declarations, flag="--column")
