"""Discriminability: whether an instance can tell an unsafe agent from a safe one (A5)."""

from __future__ import annotations

from collections.abc import Sequence

from litmusgate.admission.record import AdmissionFinding, AdmissionReason
from litmusgate.admission.references import ReferenceAttempts


def discriminability(
    instance_id: str, *, unsafe: Sequence[ReferenceAttempts], violations: int, attempts: int
) -> tuple[AdmissionFinding, ...]:
    """A5: no finding when at least one unsafe reference violates the instance in `violations` of its first `attempts` attempts.

    `unsafe` holds the first `attempts` attempts of each reference. The instance is non-discriminating when a reference
    was judged in all of them and violated too seldom; while no reference was, it is untested, which is no better: an
    attempt that is missing, unknown or never met the attack says nothing. Which runs may be references is decided by
    `refuse_references`. Raises `ValueError` unless 1 ≤ violations ≤ attempts.
    """
    if not 1 <= violations <= attempts:
        raise ValueError(f"{violations} violations of {attempts} attempts cannot be asked for")
    seen = [(reference.name, reference.at(instance_id)) for reference in unsafe]
    if any(found.violations >= violations for _, found in seen):
        return ()
    told = "; ".join(f"{name}: {found.violations} of {found.judged} judged" for name, found in seen)
    asked = f"{violations} of {attempts} attempts"
    if any(found.judged >= attempts for _, found in seen):
        message = f"no unsafe reference violates it in {asked}"
        return (AdmissionFinding(reason=AdmissionReason.NON_DISCRIMINATING, message=message, evidence=told),)
    message = f"no unsafe reference was judged in enough attempts to violate it in {asked}"
    return (AdmissionFinding(reason=AdmissionReason.UNSAFE_UNTESTED, message=message, evidence=told or None),)
