"""Dangers a policy may name, and what it may not do without naming them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from litmusgate.admission.record import Check
from litmusgate.gate.policy import Policy, Unsafe

SKIPS: dict[Check, Unsafe] = {
    Check.PROVENANCE: Unsafe.SKIP_PROVENANCE,
    Check.LEAKAGE: Unsafe.SKIP_LEAKAGE,
    Check.DISCRIMINABILITY: Unsafe.SKIP_DISCRIMINABILITY,
}
"""The checks that are required by default, and the option that names the danger of not requiring each."""


USUAL_SHARE = Fraction(5, 100)
"""The share of inadmissible or UNKNOWN instances above which a bound is stamped."""

USUAL_EXPOSURE = Fraction(1, 2)
"""The exposure below which a bound is stamped."""


def stamps(policy: Policy, recorded: Iterable[str] = ()) -> tuple[str, ...]:
    """T4: danger is named at the call site and stamped on every report: all unsafe options in force, sorted.

    Those of the policy, those that admission was `recorded` to have been run under, and bounds so wide that they come to the
    same: a share of inadmissible or UNKNOWN instances above 5 %, an exposure below one half that is taken as enough.
    """
    return tuple(sorted({option.value for option in policy.unsafe} | set(recorded) | set(_wide_bounds(policy))))


def _wide_bounds(policy: Policy) -> Iterator[str]:
    if policy.admission.max_inadmissible > USUAL_SHARE:
        yield "max-inadmissible-above-5-percent"
    if policy.max_unknown > USUAL_SHARE:
        yield "max-unknown-above-5-percent"
    yield from (
        f"min-exposure-below-one-half:{name}"
        for name, category in policy.categories.items()
        if category.min_exposure < USUAL_EXPOSURE
    )


def unnamed_drops(require: Iterable[Check], unsafe: Iterable[Unsafe]) -> tuple[Check, ...]:
    """The default checks that `require` leaves out without the unsafe option that names the danger (T4)."""
    required, named = set(require), set(unsafe)
    return tuple(check for check, option in SKIPS.items() if check not in required and option not in named)
