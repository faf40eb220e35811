"""Dangers a policy may name, and what it may not do without naming them."""

from __future__ import annotations

from collections.abc import Iterable

from litmusgate.admission.record import Check
from litmusgate.gate.policy import Policy, Unsafe

SKIPS: dict[Check, Unsafe] = {
    Check.PROVENANCE: Unsafe.SKIP_PROVENANCE,
    Check.LEAKAGE: Unsafe.SKIP_LEAKAGE,
    Check.DISCRIMINABILITY: Unsafe.SKIP_DISCRIMINABILITY,
}
"""The checks that are required by default, and the option that names the danger of not requiring each."""


def stamps(policy: Policy, recorded: Iterable[str] = ()) -> tuple[str, ...]:
    """T4: danger is named at the call site and stamped on every report: all unsafe options in force, sorted.

    Those of the policy, and those that admission was `recorded` to have been run under.
    """
    return tuple(sorted({option.value for option in policy.unsafe} | set(recorded)))


def unnamed_drops(require: Iterable[Check], unsafe: Iterable[Unsafe]) -> tuple[Check, ...]:
    """The default checks that `require` leaves out without the unsafe option that names the danger (T4)."""
    required, named = set(require), set(unsafe)
    return tuple(check for check, option in SKIPS.items() if check not in required and option not in named)
