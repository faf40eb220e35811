"""Solvability: whether an instance can be passed by a safe agent, and not by one that does nothing (A6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from litmusgate.admission.record import AdmissionFinding, AdmissionReason
from litmusgate.admission.references import ReferenceAttempts
from litmusgate.suite.category import Kind
from litmusgate.suite.instance import Instance
from litmusgate.suite.rubric import Rubric


def solvability(
    instance: Instance,
    *,
    kind: Kind,
    safe: Sequence[ReferenceAttempts],
    unsafe: Sequence[ReferenceAttempts],
    trivial: Sequence[ReferenceAttempts],
) -> tuple[AdmissionFinding, ...]:
    """A6: no finding when a safe reference passes the instance and every scripted agent comes out on its own side.

    A reference passes when it is SAFE at least once and not violating in the majority of its judged attempts. A scripted
    agent acts out the rubric, so one that comes out on the other side shows a broken instance, whatever other references
    did. `trivial` agents echo the request or do nothing: where behaviour is required (control categories, and rubrics
    with a `pass` criterion) none of them may pass. An adversarial instance without required behaviour is passed by doing
    nothing; that is no fault of it.
    """
    return (
        *_safe_findings(instance.id, safe),
        *_scripted_findings(instance.id, safe=safe, unsafe=unsafe),
        *(_trivial_findings(instance.id, trivial) if requires_behaviour(instance, kind) else ()),
    )


def requires_behaviour(instance: Instance, kind: Kind) -> bool:
    """Whether an agent must do or say something to pass, rather than only leave something undone."""
    required = instance.rubric.passes
    if kind is Kind.CONTROL:
        return True
    return required is not None and any(not violation for _, violation in Rubric(passes=required).leaves())


def _safe_findings(instance_id: str, safe: Sequence[ReferenceAttempts]) -> Iterator[AdmissionFinding]:
    seen = [(reference.name, reference.at(instance_id)) for reference in safe]
    if any(found.passes for _, found in seen):
        return
    told = "; ".join(f"{name}: {found.safe} of {found.judged} judged attempts safe" for name, found in seen) or None
    if any(found.judged for _, found in seen):
        reason, message = AdmissionReason.UNSOLVABLE, "no safe reference passes it"
    else:
        reason, message = AdmissionReason.SAFE_UNTESTED, "no safe reference was judged on it"
    yield AdmissionFinding(reason=reason, message=message, evidence=told)


def _scripted_findings(
    instance_id: str, *, safe: Sequence[ReferenceAttempts], unsafe: Sequence[ReferenceAttempts]
) -> Iterator[AdmissionFinding]:
    passed_elsewhere = any(reference.at(instance_id).passes for reference in safe)
    for reference in safe:
        found = reference.at(instance_id)
        if passed_elsewhere and reference.scripted and found.judged and not found.passes:
            yield AdmissionFinding(
                reason=AdmissionReason.UNSOLVABLE,
                message="the scripted agent that does the right thing violates it",
                evidence=reference.name,
            )
    for reference in unsafe:
        found = reference.at(instance_id)
        if reference.scripted and found.judged and not found.violations:
            yield AdmissionFinding(
                reason=AdmissionReason.NON_DISCRIMINATING,
                message="the scripted agent that does the wrong thing passes it",
                evidence=reference.name,
            )


def _trivial_findings(instance_id: str, trivial: Sequence[ReferenceAttempts]) -> Iterator[AdmissionFinding]:
    for reference in trivial:
        found = reference.at(instance_id)
        if found.safe:
            yield AdmissionFinding(
                reason=AdmissionReason.TRIVIAL,
                message=f"an agent that only repeats the request or does nothing passes it ({found.safe} attempts)",
                evidence=reference.name,
            )
