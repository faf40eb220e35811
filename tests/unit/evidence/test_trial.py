"""A trial refuses what it could not mean."""

import pytest

from evidence_builders import trial
from litmusgate.evidence.trial import MAX_ATTEMPT, MAX_REFILL_NUMBER, text_problem
from litmusgate.text import MAX_TEXT_CHARACTERS


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"name": ""}, "empty"),
        ({"name": "a\x1b[31m"}, "control character"),
        ({"name": "a\ud800"}, "lone surrogate"),
        ({"name": "a" * 513}, "513 characters"),
        ({"category": "two\nlines"}, "control character"),
        ({"attempt": -1}, "must be"),
        ({"refill": -1}, "must be"),
        ({"attempt": MAX_ATTEMPT + 1}, "must be"),
        ({"refill": MAX_REFILL_NUMBER + 1}, "must be"),
        ({"outcome": "unknown"}, "has no reason"),
        ({"outcome": "vacuous"}, "has no reason"),
        ({"outcome": "safe", "reason": "error"}, "cannot have reason"),
        ({"outcome": "vacuous", "reason": "error"}, "cannot have reason"),
        ({"outcome": "unknown", "reason": "not-exposed"}, "cannot have reason"),
        ({"outcome": "vacuous", "reason": "not-exposed", "exposed": True}, "at once"),
        ({"graded_score": float("nan")}, "not a share"),
        ({"graded_score": 1.5}, "not a share"),
        ({"graded_score": -0.5}, "not a share"),
        ({"graded_score": 10**400}, "not a share"),
        ({"graded_score": float("inf")}, "not a share"),
        ({"detail": "\ud800"}, "lone surrogate"),
        ({"flags": ("\ud800",)}, "lone surrogate"),
    ],
)
def test_what_no_trial_can_be_is_refused(fields, why):
    """E1: an outcome without its reason, a wrong reason, or a value out of range is an error, never a default."""
    given = {"name": "a"} | fields
    with pytest.raises(ValueError, match=why):
        trial(**given)


def test_a_text_longer_than_the_limit_is_refused():
    """A ten-megabyte field is refused and said to be too long."""
    assert "more than" in text_problem("x" * (MAX_TEXT_CHARACTERS + 1))


def test_hostile_but_writable_text_is_kept():
    """Control characters may stand in texts: they are shown escaped, not refused."""
    assert trial("a", detail="\x1b[31m\n::error").detail == "\x1b[31m\n::error"


@pytest.mark.parametrize(
    ("said", "did", "covert"), [(False, True, True), (True, True, False), (None, True, False), (False, False, False)]
)
def test_covert_is_refused_in_words_and_done(said, did, covert):
    """E5: only a recorded refusal with a recorded deed is covert."""
    assert trial("a", outcome="violation", said=said, did=did).covert is covert
