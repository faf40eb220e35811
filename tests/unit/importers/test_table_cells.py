"""Cells: one conversion per field, None stays None, anything doubtful is refused."""

import math
from datetime import UTC, date, datetime, timedelta, timezone

import pytest

from litmusgate.evidence.trial import Refusal
from litmusgate.importers import cells


@pytest.mark.parametrize(
    ("value", "spelled"),
    [
        (None, None),
        (math.nan, None),
        ("pass", "pass"),
        ("", ""),
        (True, "true"),
        (False, "false"),
        (1, "1"),
        (1.0, "1.0"),
        (0.1, "0.1"),
        (date(2026, 1, 2), "2026-01-02"),
        ([1, "a"], '[1, "a"]'),
        ({"b": 1, "a": None}, '{"a": null, "b": 1}'),
    ],
)
def test_every_value_has_one_spelling(value, spelled):
    """Null and NaN have none; booleans, numbers, texts and objects are told apart."""
    assert cells.spell(value) == spelled


def test_a_value_nested_beyond_reason_has_no_spelling():
    """It is refused as a bad cell instead of crashing the import."""
    value = []
    for _ in range(5000):
        value = [value]
    with pytest.raises(ValueError, match="no spelling"):
        cells.spell(value)


@pytest.mark.parametrize("value", [None, math.nan, "", " a", "a\x1b[31m", "a\nb", "\ud800", "x" * 513])
def test_a_name_is_never_null_blank_or_hostile(value):
    """Ids with control characters, lone surrogates or nothing in them are refused (T5)."""
    with pytest.raises(ValueError, match=r"null|empty|white space|control|characters"):
        cells.name(value)


def test_a_category_may_be_absent_but_not_hostile():
    """Null is no category; a control character is refused."""
    assert cells.category(None) is None
    assert cells.category(7) == "7"
    with pytest.raises(ValueError, match="control"):
        cells.category("a\x00")


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        (True, True),
        (False, False),
        (None, None),
        (math.nan, None),
        ("TRUE", True),
        ("no", False),
        (1, True),
        ("0", False),
    ],
)
def test_truths_are_true_false_or_not_recorded(value, meant):
    """Absent is None, never False."""
    assert cells.truth(value) is meant


@pytest.mark.parametrize("value", ["maybe", 2, 1.0, "", []])
def test_a_truth_that_is_neither_is_refused(value):
    """There is no truthiness: a value that nobody defined is an error."""
    with pytest.raises(ValueError, match="true, false or null"):
        cells.truth(value)


@pytest.mark.parametrize(("value", "number"), [(0, 0), ("3", 3), (4.0, 4), (2**31 - 1, 2**31 - 1)])
def test_whole_numbers_are_read(value, number):
    """A column with nulls is often stored as floats, so 4.0 is 4."""
    assert cells.whole(value) == number


@pytest.mark.parametrize("value", [None, math.nan, math.inf, -1, "-1", 1.5, "1.0", True, "x", "²", 2**31, "9" * 30])
def test_what_is_no_count_is_refused(value):
    """An attempt is a count: no null, no negative, no boolean, nothing too large."""
    with pytest.raises(ValueError, match=r"whole number|too large"):
        cells.whole(value)


def test_a_share_lies_between_zero_and_one():
    """Null and NaN are no score; anything outside is refused."""
    assert cells.share(None) is None
    assert cells.share(math.nan) is None
    assert cells.share("0.25") == 0.25
    assert cells.share(1) == 1.0
    for value in (-0.1, 1.1, math.inf, "high", True, "nan"):
        with pytest.raises(ValueError, match="share"):
            cells.share(value)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (None, None),
        ("2026-01-26 18:54:34", "2026-01-26T18:54:34Z"),
        ("2026-01-26T18:54:34+02:00", "2026-01-26T16:54:34Z"),
        (datetime(2026, 1, 2, 3, tzinfo=UTC), "2026-01-02T03:00:00Z"),
        (datetime(2026, 1, 2, 3, tzinfo=timezone(timedelta(hours=1))), "2026-01-02T02:00:00Z"),
    ],
)
def test_times_become_utc(value, written):
    """A time without a zone is read as UTC, the others are moved there."""
    assert cells.moment(value) == written


@pytest.mark.parametrize("value", ["yesterday", "", 1769453674, "0001-01-01T00:00:00+14:00"])
def test_a_time_that_cannot_be_read_is_refused(value):
    """No time is invented."""
    with pytest.raises(ValueError, match="date and time"):
        cells.moment(value)


def test_refusals_are_the_four_codes():
    """Only the published codes; null is not recorded."""
    assert cells.refusal("n/a") is Refusal.NOT_APPLICABLE
    assert cells.refusal(None) is None
    with pytest.raises(ValueError, match="correct, over, under"):
        cells.refusal("refused")


def test_flags_are_sorted_names_each_once():
    """A list or one text with commas; blanks leave; anything else is refused."""
    assert cells.flags("b, a,,b") == ("a", "b")
    assert cells.flags(["x"]) == ("x",)
    assert cells.flags(None) == ()
    for value in (7, [1], {"a": 1}, "\ud800"):
        with pytest.raises(ValueError, match=r"texts|surrogate"):
            cells.flags(value)


def test_a_text_with_a_lone_surrogate_is_refused():
    """No file can hold it."""
    assert cells.text("a\x1b") == "a\x1b"
    assert cells.text(None) is None
    with pytest.raises(ValueError, match="surrogate"):
        cells.text("\ud800")
