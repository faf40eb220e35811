"""What changed since the last accepted policy: a pin, or anything that makes passing easier (B2)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from litmusgate.gate.policy import (
    CategoryPolicy,
    FlipsDeclared,
    FlipsFromBaseline,
    Policy,
    Reduction,
)
from litmusgate.gate.verdict import Decision, DecisionReason
from litmusgate.suite.category import Severity
from litmusgate.suite.manifest import Suite

_GRAVITY = {Severity.ADVISORY: 0, Severity.STANDARD: 1, Severity.CRITICAL: 2}


def policy_change_reasons(
    *, accepted: Policy, accepted_suite: Suite, policy: Policy, suite: Suite
) -> tuple[DecisionReason, ...]:
    """INVALID for every changed pin and every loosening since `accepted`, which only a signed override may allow (B2).

    `accepted` and its suite are those of the last PASS of this agent. A changed baseline or anchor is REVIEW: it is how a
    new release is compared with the last one, and a person decides on it. Tightening is free. No override can be given here:
    signed ones are not read yet.
    """
    found = [_reason("pin-changed", message) for message in _changed_pins(accepted, policy)]
    found += [_reason("policy-loosened", message) for message in _loosened(accepted, policy)]
    found += [_reason("policy-loosened", message) for message in _loosened_categories(accepted, policy)]
    found += [_reason("policy-loosened", message) for message in _lowered_severities(accepted_suite, suite)]
    for role, old, new in (
        ("baseline", accepted.baseline, policy.baseline),
        ("anchor", accepted.anchor, policy.anchor),
    ):
        if set(old) != set(new):
            message = f"the pinned {role} is not that of the last accepted policy"
            found.append(
                DecisionReason(decision=Decision.REVIEW, rule="B2", code="comparison-changed", message=message)
            )
    return tuple(found)


def _changed_pins(old: Policy, new: Policy) -> Iterator[str]:
    pins = (
        ("suite name", old.suite.name, new.suite.name),
        ("suite version", old.suite.version, new.suite.version),
        ("suite digest", old.suite.digest, new.suite.digest),
        ("index", old.admission.index, new.admission.index),
        ("cutoff", old.admission.cutoff, new.admission.cutoff),
        ("allow-list", old.admission.allow, new.admission.allow),
        ("tau", str(old.admission.tau), str(new.admission.tau)),
        ("references", _references(old), _references(new)),
        ("discriminate", _k_of_m(old), _k_of_m(new)),
        ("grader", old.grader, new.grader),
        ("importer", old.importer, new.importer),
        ("mapping", old.mapping, new.mapping),
        ("epochs", old.epochs, new.epochs),
        ("kind of flip evidence", type(old.flips).__name__, type(new.flips).__name__),
        # Either way is easier for somebody: clusters send standard categories to a notice, instances spare critical ones people.
        ("lane_on", old.lane_on, new.lane_on),
    )
    for name, before, now in pins:
        if before != now:
            yield f"{name} was {before!r} in the last accepted policy and is {now!r}"
    if isinstance(old.flips, FlipsDeclared) and isinstance(new.flips, FlipsDeclared) and old.flips != new.flips:
        yield f"declared flips were {old.flips.flips} of {old.flips.pairs}, now {new.flips.flips} of {new.flips.pairs}"


def _references(policy: Policy) -> dict[str, list[str]]:
    return {role.value: sorted(digests) for role, digests in sorted(policy.admission.references.items()) if digests}


def _k_of_m(policy: Policy) -> tuple[int, int]:
    return policy.admission.discriminate_violations, policy.admission.discriminate_attempts


def _loosened(old: Policy, new: Policy) -> Iterator[str]:
    yield from _raised("max_inadmissible", old.admission.max_inadmissible, new.admission.max_inadmissible)
    yield from _raised("admission.max_age_days", old.admission.max_age_days, new.admission.max_age_days)
    yield from _raised("max_unknown", old.max_unknown, new.max_unknown)
    yield from _raised("max_refill", old.max_refill, new.max_refill)
    yield from _raised("max_false_block", old.max_false_block, new.max_false_block)
    yield from _raised("alpha_tol, made smaller,", -old.alpha_tol, -new.alpha_tol)
    yield from _dropped(
        "require", {item.value for item in old.admission.require}, {item.value for item in new.admission.require}
    )
    yield from (f"{item.value} was added" for item in sorted(set(new.unsafe) - set(old.unsafe)))
    if isinstance(old.flips, FlipsFromBaseline) and isinstance(new.flips, FlipsFromBaseline):
        yield from _raised("flips.max_age_days", old.flips.max_age_days, new.flips.max_age_days)
        yield from _raised("flips.min_pairs, made smaller,", -old.flips.min_pairs, -new.flips.min_pairs)
    switches = (
        ("canary_pass", old.admission.canary_pass, new.admission.canary_pass, "flag"),
        ("leakage.unchecked", old.admission.leakage_unchecked, new.admission.leakage_unchecked, "allow"),
        ("on_underexposed", old.on_underexposed, new.on_underexposed, "review"),
        ("on_unknown_exposure", old.on_unknown_exposure, new.on_unknown_exposure, "notify"),
        ("review.standard", old.review_standard, new.review_standard, "notify"),
        ("history", old.history, new.history, "if-present"),
        ("reduce.critical", old.reduce_critical, new.reduce_critical, Reduction.MAJORITY),
        ("reduce.standard", old.reduce_standard, new.reduce_standard, Reduction.MAJORITY),
        ("review.two_person", old.two_person, new.two_person, False),
    )
    for name, before, now, looser in switches:
        if before != now and now == looser:
            yield f"{name} was {str(before)!r} in the last accepted policy and is {str(now)!r}"
    if old.adjudication_alpha is not None and new.adjudication_alpha != old.adjudication_alpha:
        yield "the adjudication alpha was changed"


def _loosened_categories(old: Policy, new: Policy) -> Iterator[str]:
    yield from _dropped("categories", set(old.categories), set(new.categories))
    for name in sorted(old.categories.keys() & new.categories.keys()):
        yield from (
            f"category {name!r}: {message}" for message in _category(old.categories[name], new.categories[name])
        )


def _category(old: CategoryPolicy, new: CategoryPolicy) -> Iterator[str]:
    yield from _raised("max_tolerance", old.max_tolerance, new.max_tolerance)
    yield from _raised("max_detectable", old.max_detectable, new.max_detectable)
    yield from _raised("min_exposure, made smaller,", -old.min_exposure, -new.min_exposure)
    if (old.tolerance is None) != (new.tolerance is None):
        yield f"tolerance was {_shown(old.tolerance)} in the last accepted policy and is {_shown(new.tolerance)}"
    elif old.tolerance is not None:
        yield from _raised("tolerance", old.tolerance, new.tolerance)


def _shown(tolerance: int | None) -> str:
    return "auto" if tolerance is None else str(tolerance)


def _lowered_severities(old: Suite, new: Suite) -> Iterator[str]:
    now = {category.name: category.severity for category in new.categories}
    for category in old.categories:
        severity = now.get(category.name)
        if severity is not None and _GRAVITY[severity] < _GRAVITY[category.severity]:
            yield f"category {category.name!r} was {category.severity.value} and is {severity.value}"


def _raised(name: str, old: Fraction | int | None, new: Fraction | int | None) -> Iterator[str]:
    """A bound that grew, or was taken away; a bound where there was none is tighter."""
    if old is not None and (new is None or new > old):
        yield f"{name} was {abs(old)} in the last accepted policy and is {'none' if new is None else abs(new)}"


def _dropped(name: str, old: set[str], new: set[str]) -> Iterator[str]:
    if old - new:
        yield f"{name} lost {', '.join(sorted(old - new))}"


def _reason(code: str, message: str) -> DecisionReason:
    return DecisionReason(
        decision=Decision.INVALID,
        rule="B2",
        code=code,
        message=f"{message}; a change needs a signed override, which this version cannot read yet",
    )
