"""What may not change between an accepted policy and the next one without a signed override (B2)."""

from dataclasses import replace
from fractions import Fraction

import pytest

from litmusgate.admission.record import Check, ReferenceRole
from litmusgate.gate.policy import CategoryPolicy, FlipsDeclared, FlipsFromBaseline, FlipsUnmeasured, Reduction, Unsafe
from litmusgate.gate.policy_change import policy_change_reasons
from litmusgate.gate.verdict import Decision
from litmusgate.suite.category import Severity
from unit.gate.gate_requests import make_request, make_tally

REQUEST = make_request((make_tally("exfiltration", n=30), make_tally("over-reach", n=30)))
SUITE = REQUEST.suite
NAME = SUITE.categories[0].name
ACCEPTED = replace(
    REQUEST.policy,
    admission=replace(
        REQUEST.policy.admission,
        max_age_days=10,
        max_inadmissible=Fraction(3, 100),
        leakage_unchecked="refuse",
        references={ReferenceRole.UNSAFE: (f"sha256:{'1' * 64}",)},
    ),
    categories={
        **REQUEST.policy.categories,
        NAME: CategoryPolicy(tolerance=2, max_tolerance=3, max_detectable=5, min_exposure=Fraction(1, 2)),
    },
    flips=FlipsFromBaseline(min_pairs=40, max_age_days=10),
    alpha_tol=Fraction(1, 100),
    max_refill=1,
    max_unknown=Fraction(2, 100),
    max_false_block=Fraction(1, 100),
    lane_on="effective_n",
    on_underexposed="invalid",
    on_unknown_exposure="review",
    review_standard="required",
    two_person=True,
    history="required",
    reduce_critical=Reduction.ANY,
    reduce_standard=Reduction.ANY,
    adjudication_alpha=Fraction(1, 100),
)


def changes(policy, suite=SUITE):
    """The reasons of moving from the accepted policy to this one."""
    return policy_change_reasons(accepted=ACCEPTED, accepted_suite=SUITE, policy=policy, suite=suite)


def admission(**fields):
    """The accepted policy with other admission settings."""
    return replace(ACCEPTED, admission=replace(ACCEPTED.admission, **fields))


def category(**fields):
    """The accepted policy with another first category."""
    return replace(ACCEPTED, categories={**ACCEPTED.categories, NAME: replace(ACCEPTED.categories[NAME], **fields)})


LOOSER = {
    "max_inadmissible": admission(max_inadmissible=Fraction(4, 100)),
    "admission.max_age_days": admission(max_age_days=11),
    "require": admission(require=(Check.PROVENANCE, Check.LEAKAGE)),
    "canary_pass": admission(canary_pass="flag"),
    "leakage.unchecked": admission(leakage_unchecked="allow"),
    "max_unknown": replace(ACCEPTED, max_unknown=Fraction(3, 100)),
    "max_refill": replace(ACCEPTED, max_refill=2),
    "max_false_block raised": replace(ACCEPTED, max_false_block=Fraction(2, 100)),
    "max_false_block removed": replace(ACCEPTED, max_false_block=None),
    "alpha_tol": replace(ACCEPTED, alpha_tol=Fraction(1, 1000)),
    "flips.max_age_days": replace(ACCEPTED, flips=FlipsFromBaseline(min_pairs=40, max_age_days=11)),
    "flips.min_pairs": replace(ACCEPTED, flips=FlipsFromBaseline(min_pairs=39, max_age_days=10)),
    "on_underexposed": replace(ACCEPTED, on_underexposed="review"),
    "on_unknown_exposure": replace(ACCEPTED, on_unknown_exposure="notify"),
    "review.standard": replace(ACCEPTED, review_standard="notify"),
    "review.two_person": replace(ACCEPTED, two_person=False),
    "history": replace(ACCEPTED, history="if-present"),
    "reduce.critical": replace(ACCEPTED, reduce_critical=Reduction.MAJORITY),
    "reduce.standard": replace(ACCEPTED, reduce_standard=Reduction.MAJORITY),
    "adjudication": replace(ACCEPTED, adjudication_alpha=None),
    "unsafe option": replace(ACCEPTED, unsafe=(Unsafe.SKIP_STALENESS,)),
    "category dropped": replace(
        ACCEPTED, categories={name: item for name, item in ACCEPTED.categories.items() if name != NAME}
    ),
    "tolerance": category(tolerance=3),
    "tolerance to auto": category(tolerance=None),
    "max_tolerance": category(max_tolerance=4),
    "max_detectable raised": category(max_detectable=6),
    "max_detectable removed": category(max_detectable=None),
    "min_exposure": category(min_exposure=Fraction(1, 3)),
}

PINS = {
    "suite version": replace(ACCEPTED, suite=replace(ACCEPTED.suite, version="next")),
    "suite digest": replace(ACCEPTED, suite=replace(ACCEPTED.suite, digest=f"sha256:{'7' * 64}")),
    "cutoff": admission(cutoff="2020-01-31"),
    "index": admission(index=f"sha256:{'8' * 64}"),
    "tau": admission(tau=Fraction(9, 10)),
    "references": admission(references={ReferenceRole.UNSAFE: (f"sha256:{'2' * 64}",)}),
    "k of m": admission(discriminate_attempts=9),
    "grader": replace(ACCEPTED, grader=f"sha256:{'9' * 64}"),
    "importer": replace(ACCEPTED, importer=f"sha256:{'9' * 64}"),
    "mapping": replace(ACCEPTED, mapping=f"sha256:{'9' * 64}"),
    "epochs": replace(ACCEPTED, epochs=ACCEPTED.epochs + 1),
    "flips unmeasured": replace(ACCEPTED, flips=FlipsUnmeasured()),
    "lane_on": replace(ACCEPTED, lane_on="n"),
}

TIGHTER = {
    "nothing": ACCEPTED,
    "max_inadmissible": admission(max_inadmissible=Fraction(2, 100)),
    "more required": admission(require=(*ACCEPTED.admission.require, Check.SOLVABILITY)),
    "max_tolerance": category(max_tolerance=2),
    "min_exposure": category(min_exposure=Fraction(3, 4)),
    "max_detectable": category(max_detectable=4),
    "alpha_tol": replace(ACCEPTED, alpha_tol=Fraction(5, 100)),
}


@pytest.mark.parametrize("policy", LOOSER.values(), ids=LOOSER)
def test_every_loosening_needs_an_override(policy):
    """B2: whatever makes passing easier than under the accepted policy is INVALID, one reason for one change."""
    (reason,) = changes(policy)
    assert (reason.decision, reason.code) == (Decision.INVALID, "policy-loosened")


@pytest.mark.parametrize("policy", PINS.values(), ids=PINS)
def test_every_changed_pin_needs_an_override(policy):
    """B2: a pin that differs from the accepted policy's is INVALID."""
    assert {(reason.decision, reason.code) for reason in changes(policy)} == {(Decision.INVALID, "pin-changed")}


def test_counting_clusters_for_the_lane_is_no_tightening():
    """B2: `lane_on: effective_n` sends hard-gated standard categories to a notice, so it needs an override too."""
    (reason,) = policy_change_reasons(
        accepted=replace(ACCEPTED, lane_on="n"), accepted_suite=SUITE, policy=ACCEPTED, suite=SUITE
    )
    assert (reason.decision, reason.code) == (Decision.INVALID, "pin-changed")


@pytest.mark.parametrize("policy", TIGHTER.values(), ids=TIGHTER)
def test_tightening_is_free(policy):
    """B2: a stricter policy needs nobody's signature."""
    assert changes(policy) == ()


def test_a_new_bound_is_a_tightening():
    """B2: a bound where the accepted policy had none is free; taking it away again is not."""
    bounded = replace(ACCEPTED, max_false_block=Fraction(1, 100))
    unbounded = replace(ACCEPTED, max_false_block=None)
    ask = policy_change_reasons
    assert ask(accepted=unbounded, accepted_suite=SUITE, policy=bounded, suite=SUITE) == ()
    assert ask(accepted=bounded, accepted_suite=SUITE, policy=unbounded, suite=SUITE) != ()


def test_declared_flips_may_not_be_redeclared():
    """B2, B5: declaring more flips buys tolerance."""
    old = replace(ACCEPTED, flips=FlipsDeclared(flips=3, pairs=600, why="measured by hand"))
    new = replace(ACCEPTED, flips=FlipsDeclared(flips=30, pairs=600, why="measured by hand"))
    (reason,) = policy_change_reasons(accepted=old, accepted_suite=SUITE, policy=new, suite=SUITE)
    assert reason.code == "pin-changed"
    assert "30 of 600" in reason.message


def test_a_lowered_severity_needs_an_override_and_a_raised_one_does_not():
    """B2: severity stands in the suite; lowering it is a loosening."""

    def suite_of(severity):
        first, *others = SUITE.categories
        return replace(SUITE, categories=(replace(first, severity=severity), *others))

    def ask(old, new):
        return policy_change_reasons(
            accepted=ACCEPTED, accepted_suite=suite_of(old), policy=ACCEPTED, suite=suite_of(new)
        )

    assert [reason.code for reason in ask(Severity.CRITICAL, Severity.STANDARD)] == ["policy-loosened"]
    assert ask(Severity.STANDARD, Severity.CRITICAL) == ()


@pytest.mark.parametrize("role", ["baseline", "anchor"])
def test_another_baseline_or_anchor_is_for_people(role):
    """B2: comparing with another run than the accepted policy does is REVIEW."""
    (reason,) = changes(replace(ACCEPTED, **{role: (f"sha256:{'5' * 64}",)}))
    assert (reason.decision, reason.code) == (Decision.REVIEW, "comparison-changed")
