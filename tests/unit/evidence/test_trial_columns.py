"""Columns refuse exactly what a trial refuses, and have one digest per set of trials."""

import numpy as np
import pytest

from evidence_builders import columns, trial
from litmusgate.evidence.coded import Coded, code
from litmusgate.evidence.columns import TrialColumns

DIGEST = "sha256:b761759dc2a7a44c18e15e62f50f9c843da9d2a214d4c69b76897175e5e9d130"
"""What the two trials of the pinned test have always had as their digest."""

TWO = {"ids": ["a", "b"], "id_code": np.array([0, 1]), "attempt": np.zeros(2), "outcome": np.zeros(2)}


def built(**fields):
    """Two SAFE trials with some columns exchanged."""
    return TrialColumns.build(**(TWO | fields))


def test_absent_columns_mean_not_recorded():
    """A trial built from the three needed columns says nothing else."""
    assert built().to_trials() == (trial("a"), trial("b"))


def test_ids_may_come_in_any_order():
    """Unsorted, repeated and unused ids come out as the sorted ids that have trials."""
    found = built(ids=["z", "b", "unused", "z"], id_code=np.array([3, 1]))
    assert (found.ids, [of.instance_id for of in found.to_trials()]) == (("b", "z"), ["z", "b"])


def test_no_trials_are_no_ids():
    """Empty columns have a digest of their own and no ids."""
    empty = columns()
    assert (len(empty), empty.ids, empty.to_trials()) == (0, (), ())
    assert empty.trials_digest() != columns(trial("a")).trials_digest()
    assert TrialColumns.concatenate([]).trials_digest() == empty.trials_digest()


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"ids": ["a", ""]}, "empty"),
        ({"ids": ["a", "b\x07"]}, "control character"),
        ({"id_code": np.array([0, 2])}, "outside"),
        ({"id_code": np.array([0, -1])}, "outside"),
        ({"attempt": np.array([0, -1])}, "below 0"),
        ({"attempt": np.array([0, 2**31])}, "int32 cannot hold"),
        ({"attempt": np.array([0, 0.5])}, "int32 cannot hold"),
        ({"refill": np.array([0, -1])}, "below 0"),
        ({"refill": np.array([0, 2**15])}, "int16 cannot hold"),
        ({"outcome": np.array([0, 4])}, "outcome code"),
        ({"outcome": np.array([0, 256])}, "uint8 cannot hold"),
        ({"outcome": np.array([0, 3])}, "does not go with"),
        ({"reason": np.array([0, 1])}, "does not go with"),
        ({"reason": np.array([0, 99])}, "reason code"),
        ({"said": np.array([0, 2])}, "said is none"),
        ({"did": np.array([0, -2])}, "did is none"),
        ({"exposed": np.array([0, 2])}, "exposed is none"),
        ({"cached": np.array([0, 2])}, "cached is none"),
        ({"refusal": np.array([0, 4])}, "refusal code"),
        ({"refusal": np.array([0, -2])}, "refusal code"),
        ({"outcome": np.array([0, 2]), "reason": np.array([0, 1]), "exposed": np.array([1, 1])}, "at once"),
        ({"graded_score": np.array([0, 1.01])}, "share"),
        ({"graded_score": np.array([0, -0.01])}, "share"),
        ({"graded_score": np.array([0, np.inf])}, "share"),
        ({"detail": code([None, "\ud800"])}, "lone surrogate"),
        ({"flags": code([None, ("\ud800",)])}, "lone surrogate"),
        ({"flags": code([None, ()])}, "written as none"),
        ({"category": code([None, " blank"])}, "white space"),
        ({"detail": code(["one row"])}, "column detail has 1 rows"),
        ({"said": np.array([0])}, "column said is"),
        ({"colour": np.array([0, 0])}, "no trial columns"),
    ],
)
def test_what_no_trial_can_be_no_row_can_be(fields, why):
    """E1: columns refuse every value that the row type refuses, whichever way they were made."""
    with pytest.raises(ValueError, match=why):
        built(**fields)


@pytest.mark.parametrize(
    ("ids", "id_code", "why"),
    [
        (("b", "a"), [0, 1], "not sorted"),
        (("a", "b", "c"), [0, 1], "has no trial"),
        (("a",), [0, 1], "outside"),
        (("a", "b"), [-1, 1], "outside"),
    ],
)
def test_the_constructor_takes_only_the_one_form(ids, id_code, why):
    """An id without a trial would make absent evidence look present."""
    good = built()
    parts = {name: getattr(good, name) for name in TrialColumns.__slots__}
    with pytest.raises(ValueError, match=why):
        TrialColumns(**(parts | {"ids": ids, "id_code": np.array(id_code, dtype=np.int32)}))


def test_a_trial_refuses_a_type_that_does_not_fit():
    """An array of another type is an error, not a silent conversion."""
    good = built()
    parts = {name: getattr(good, name) for name in TrialColumns.__slots__}
    with pytest.raises(ValueError, match="column outcome is int64"):
        TrialColumns(**(parts | {"outcome": np.zeros(2, dtype=np.int64)}))


def test_columns_cannot_be_written_to():
    """Nobody changes evidence in place; the arrays given stay the caller's."""
    given = np.zeros(2, dtype=np.int32)
    found = built(attempt=given)
    with pytest.raises(ValueError, match="read-only"):
        found.attempt[0] = 1
    given[0] = 1


def test_the_digest_sees_every_column():
    """Changing any one field of a trial changes the digest."""
    changes = [
        {},
        {"name": "b"},
        {"attempt": 1},
        {"refill": 1},
        {"outcome": "violation"},
        {"outcome": "unknown", "reason": "error"},
        {"outcome": "unknown", "reason": "infra"},
        {"said": False},
        {"did": False},
        {"exposed": False},
        {"cached": False},
        {"said": True},
        {"refusal": "over"},
        {"graded_score": 0.0},
        {"graded_score": 0.5},
        {"detail": ""},
        {"started_at": ""},
        {"transcript_ref": ""},
        {"category": "c"},
        {"flags": ("f",)},
        {"flags": ("f", "g")},
        {"flags": ("fg",)},
    ]
    digests = {columns(trial(**({"name": "a"} | change))).trials_digest() for change in changes}
    assert len(digests) == len(changes)


def test_the_digest_does_not_mix_up_neighbouring_texts():
    """Where one text ends and the next begins is part of the digest."""
    one = columns(trial("ab"), trial("c"))
    other = columns(trial("a"), trial("bc"))
    assert one.trials_digest() != other.trials_digest()


def test_the_digest_is_that_of_the_published_form():
    """The digest of a fixed run never changes: stored records name it."""
    found = columns(trial("a", exposed=True, flags=("f",)), trial("b", 1, "unknown", "infra", graded_score=0.25))
    assert found.trials_digest() == DIGEST


def test_equal_zeros_have_one_digest():
    """-0.0 and 0.0 are the same score."""
    one, other = built(graded_score=np.array([0.0, 0.0])), built(graded_score=np.array([-0.0, 0.0]))
    assert one.trials_digest() == other.trials_digest()


def test_slots_beyond_64_bits_are_still_ordered():
    """Attempts and refills so high that one number cannot hold the slot are sorted by their parts."""
    many = [trial(f"i{number:06d}", 2**31 - 1 - number % 2, refill=2**15 - 1) for number in range(2**17 + 1)]
    found = columns(*reversed(many))
    assert found.slots() is None
    assert found.sorted().to_trials() == tuple(many)


def test_canonical_order_is_not_asked_for_twice():
    """Trials that stand in canonical order are returned as they are."""
    found = columns(trial("a"), trial("a", 1), trial("b"))
    assert found.canonical_order() is None
    assert found.sorted() is found


def test_replaced_columns_are_checked():
    """Exchanging a column obeys the same rules as making it."""
    with pytest.raises(ValueError, match="does not go with"):
        built().replace(outcome=np.array([2, 2], dtype=np.uint8))


def test_a_coded_column_of_its_own_is_accepted():
    """Coded columns are taken as they are."""
    assert built(detail=Coded(("d",), np.array([0, -1], dtype=np.int32))).detail.value(0) == "d"
