"""Dictionary-coded columns have one form."""

import numpy as np
import pytest

from litmusgate.evidence.coded import Coded, code, code_anew, concatenate


def codes(*numbers):
    """Codes in the type that columns want."""
    return np.array(numbers, dtype=np.int32)


def test_any_dictionary_comes_out_sorted_distinct_and_used():
    """Unused values leave, equal values join, and no value stays no value."""
    found = code_anew(["z", "a", "unused", "a"], codes(0, 1, 3, -1))
    assert (found.values, found.codes.tolist()) == (("a", "z"), [1, 0, 0, -1])


def test_a_dictionary_in_the_one_form_is_kept():
    """What is sorted, distinct and used already is not changed."""
    assert code_anew(("a", "b"), codes(1, 0)).values == ("a", "b")


def test_values_are_coded_row_by_row():
    """Coding and reading back gives the values, None for none."""
    column = code(["b", None, "a", "b"])
    assert [column.value(row) for row in range(len(column))] == ["b", None, "a", "b"]


def test_concatenation_joins_dictionaries():
    """Rows keep their values in the joined dictionary."""
    joined = concatenate([code(["b", None]), code(["a", "b"])])
    assert [joined.value(row) for row in range(4)] == ["b", None, "a", "b"]


def test_concatenating_nothing_gives_no_rows():
    """No part, no row."""
    assert len(concatenate([])) == 0


@pytest.mark.parametrize(
    ("values", "numbers", "why"),
    [
        (("b", "a"), codes(0, 1), "not sorted"),
        (("a", "a"), codes(0, 1), "not sorted and distinct"),
        (("a", "b"), codes(0), "no row uses"),
        (("a",), codes(0, 1), "outside"),
        (("a",), codes(0, -2), "outside"),
        (("a",), np.array([0]), "wanted int32"),
        (("a",), np.zeros((1, 1), dtype=np.int32), "wanted int32"),
    ],
)
def test_other_forms_are_refused(values, numbers, why):
    """A dictionary that could hide or invent a value is refused."""
    with pytest.raises(ValueError, match=why):
        Coded(values, numbers)
