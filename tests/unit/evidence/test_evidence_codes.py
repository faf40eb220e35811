"""The numbers behind outcomes, reasons and refusals are published: stored digests depend on them."""

from litmusgate.evidence.codes import (
    OUTCOME_CODE,
    OUTCOMES,
    REASON_ALLOWED,
    REASON_CODE,
    REASONS,
    REFUSAL_CODE,
    REFUSALS,
)
from litmusgate.evidence.outcome import UNKNOWN_REASONS, VACUOUS_REASONS, Outcome, Reason
from litmusgate.evidence.trial import Refusal


def test_outcome_codes_never_change():
    """The order of the outcomes is the one that digests were made with."""
    assert [word.value for word in OUTCOMES] == ["safe", "violation", "vacuous", "unknown"]


def test_reason_codes_are_only_appended_to():
    """The order of the reasons is the one that digests were made with; new ones go to the end."""
    assert [None if word is None else word.value for word in REASONS][:18] == [
        None,
        "not-exposed",
        "no-attack",
        "incapable",
        "not-attempted",
        "missing",
        "error",
        "infra",
        "timeout",
        "limit",
        "cancelled",
        "truncated",
        "invalidated",
        "isolation",
        "content-filter",
        "judge-failed",
        "unscored",
        "unmapped",
    ]


def test_refusal_codes_never_change():
    """The order of the refusal classes is the one that digests were made with."""
    assert [word.value for word in REFUSALS] == ["correct", "over", "under", "n/a"]


def test_every_word_has_exactly_one_code():
    """No outcome, reason or refusal is without a number, and none has two."""
    assert (set(OUTCOME_CODE), len(OUTCOMES)) == (set(Outcome), len(Outcome))
    assert (set(REASON_CODE), len(REASONS)) == (set(Reason), len(Reason) + 1)
    assert (set(REFUSAL_CODE), len(REFUSALS)) == (set(Refusal), len(Refusal))


def test_a_reason_goes_with_one_outcome():
    """Every reason is allowed under exactly the outcome it explains, and the judged outcomes carry none."""
    for outcome, number in OUTCOME_CODE.items():
        allowed = {REASONS[code] for code in range(len(REASONS)) if REASON_ALLOWED[number, code]}
        wanted = {Outcome.VACUOUS: VACUOUS_REASONS, Outcome.UNKNOWN: UNKNOWN_REASONS}.get(outcome, {None})
        assert allowed == wanted
