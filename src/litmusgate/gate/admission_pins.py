"""Whether the admission record was made as the policy says, for this suite, and with the pinned references (B2, A5, A10)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from litmusgate.admission.record import AdmissionRecord, ReferenceRole
from litmusgate.gate.policy import Policy
from litmusgate.gate.request import RunFacts
from litmusgate.gate.verdict import Decision, DecisionReason
from litmusgate.suite.manifest import Suite


def admission_pins(policy: Policy, suite: Suite, record: AdmissionRecord) -> Iterator[DecisionReason]:
    """INVALID for a record of another suite or index, or one made under other settings than the policy's."""
    if record.suite_digest != suite.digest:
        message = f"admission was made for suite {record.suite_digest}, the suite given is {suite.digest}"
        yield _invalid("admission-suite", message, rule="A10")
    used, settings = record.index, record.settings
    pairs: tuple[tuple[str, object, object], ...] = (
        ("index", policy.admission.index, used.digest if used is not None else None),
        ("cutoff", policy.admission.cutoff, record.cutoff),
        ("allow", policy.admission.allow, settings.allow),
        ("tau", policy.admission.tau, settings.tau),
        ("require", _names(policy.admission.require), _names(settings.require)),
        ("canary-pass", policy.admission.canary_pass, settings.canary_pass),
        ("discriminate-violations", policy.admission.discriminate_violations, settings.discriminate_violations),
        ("discriminate-attempts", policy.admission.discriminate_attempts, settings.discriminate_attempts),
        ("leakage-unchecked", policy.admission.leakage_unchecked, settings.leakage_unchecked),
    )
    for code, pinned, found in pairs:
        if pinned != found:
            message = f"{code} of admission: the policy pins {_shown(pinned)}, the record was made with {_shown(found)}"
            yield _invalid(f"pin-{code}", message)
    unnamed = sorted(set(settings.unsafe) - {option.value for option in policy.unsafe})
    if unnamed:
        yield _invalid(
            "admission-unsafe", f"admission was run under {unnamed!r}, which the policy does not name", rule="T4"
        )
    for check in sorted(policy.admission.require):
        state = record.checks.get(check.value)
        if state != "done":
            message = f"required check {check.value!r} is {'not on the record' if state is None else state!r}"
            yield _invalid("required-check-not-done", message, rule="A7")


def reference_pins(policy: Policy, record: AdmissionRecord, runs: Sequence[RunFacts]) -> Iterator[DecisionReason]:
    """INVALID for a reference that is not pinned, one that is pinned and was not used, and one that is no stranger (A5)."""
    for role in ReferenceRole:
        pinned = set(policy.admission.references.get(role, ()))
        used = {use.digest for use in record.references if use.role is role}
        for digest in sorted(used - pinned):
            yield _invalid("reference-not-pinned", f"{role.value} reference {digest} was used and is not pinned")
        for digest in sorted(pinned - used):
            yield _invalid(
                "reference-not-used", f"{role.value} reference {digest} is pinned and admission did not use it"
            )
    trials = {run.trials_digest for run in runs}
    agents = {name.casefold() for name in (record.agent, *(run.header.agent for run in runs))}
    for use in sorted(record.references, key=lambda item: (item.role.value, item.digest)):
        if use.trials_digest in trials:
            message = f"{use.role.value} reference {use.digest} has the trials of a run under test"
            yield _invalid("reference-under-test", message, rule="A5")
        if use.agent.casefold() in agents:
            message = f"{use.role.value} reference {use.digest} is of agent {use.agent!r}, which is under test"
            yield _invalid("reference-of-same-agent", message, rule="A5")


def _names(checks: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(str(check) for check in checks))


def _shown(value: object) -> str:
    return str(list(value)) if isinstance(value, tuple) else str(value)


def _invalid(code: str, message: str, *, rule: str = "B2") -> DecisionReason:
    return DecisionReason(decision=Decision.INVALID, rule=rule, code=code, message=message)
