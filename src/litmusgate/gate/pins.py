"""The pins: everything that can move the verdict is what the policy says it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from litmusgate.admission.record import AdmissionRecord
from litmusgate.gate.admission_pins import admission_pins, reference_pins
from litmusgate.gate.policy import Policy
from litmusgate.gate.request import RunFacts
from litmusgate.gate.verdict import Decision, DecisionReason
from litmusgate.suite.manifest import Suite


def pin_problems(
    *,
    policy: Policy,
    suite: Suite,
    record: AdmissionRecord,
    runs: Sequence[RunFacts],
    baseline: Sequence[RunFacts],
    anchor: Sequence[RunFacts],
) -> tuple[DecisionReason, ...]:
    """B2: the policy pins suite, index, cut-off, τ and checks, references, grader, importer, mapping, epochs, baseline and anchor.

    Every mismatch is one INVALID reason that says what was pinned and what was found. A pinned run that was not given counts
    like one that was given and is not pinned: neither the choice of a baseline nor its absence is free. No override can be
    given here: signed ones are not read yet, so every mismatch stands.
    """
    everything = (*runs, *baseline, *anchor)
    found = [
        *_suite_pins(policy, suite),
        *admission_pins(policy, suite, record),
        *reference_pins(policy, record, everything),
        *_builds(record, runs, baseline, anchor),
        *_run_set("baseline", policy.baseline, baseline, same_as_baseline=False),
        *_run_set("anchor", policy.anchor, anchor, same_as_baseline=set(policy.anchor) == set(policy.baseline)),
    ]
    for role, members in (("candidate", runs), ("baseline", baseline), ("anchor", anchor)):
        for run in members:
            found.extend(_harness_pins(policy, role, run))
    return tuple(found)


def _suite_pins(policy: Policy, suite: Suite) -> Iterator[DecisionReason]:
    pin = policy.suite
    yield from _differs("suite-name", "suite name", pin.name, suite.name)
    yield from _differs("suite-version", "suite version", pin.version, suite.version)
    yield from _differs("suite-digest", "suite digest", pin.digest, suite.digest)


def _harness_pins(policy: Policy, role: str, run: RunFacts) -> Iterator[DecisionReason]:
    header, name = run.header, f"{role} run {run.digest}"
    if header.suite is None:
        yield _invalid("run-without-suite", f"{name} was imported without a suite: import it with --suite")
    yield from _differs("grader", f"grader of {name}", policy.grader, header.grader)
    yield from _differs("importer", f"importer of {name}", policy.importer, header.importer)
    yield from _differs("mapping", f"mapping of {name}", policy.mapping, header.mapping)
    yield from _differs("epochs", f"epochs of {name}", policy.epochs, header.epochs)


def _builds(
    record: AdmissionRecord, runs: Sequence[RunFacts], baseline: Sequence[RunFacts], anchor: Sequence[RunFacts]
) -> Iterator[DecisionReason]:
    if not runs:
        yield _invalid("no-run", "no run of the candidate was given, so there is nothing to decide on")
    for role, members in (("candidate", runs), ("baseline", baseline), ("anchor", anchor)):
        for agent in sorted({run.header.agent for run in members} - {record.agent}):
            message = f"a {role} run is of agent {agent!r}; admission was made for {record.agent!r}"
            yield _invalid("admission-agent", message, rule="A10")
        builds = sorted({run.header.build for run in members})
        if len(builds) > 1:
            yield _invalid("mixed-builds", f"the {role} runs are of several builds: {builds!r}")
    shared = {run.trials_digest for run in runs} & {run.trials_digest for run in (*baseline, *anchor)}
    if shared:
        yield _invalid("candidate-is-baseline", f"{len(shared)} candidate runs are given as baseline or anchor too")


def _run_set(
    role: str, pinned: Iterable[str], given: Sequence[RunFacts], *, same_as_baseline: bool
) -> Iterator[DecisionReason]:
    """Digests pinned and not given, and given and not pinned. An anchor pinned as the baseline may be left out."""
    wanted, found = set(pinned), {run.digest for run in given}
    if same_as_baseline and not found:
        return
    for digest in sorted(wanted - found):
        yield _invalid(f"{role}-not-given", f"the policy pins {role} run {digest} and it was not given")
    for digest in sorted(found - wanted):
        yield _invalid(f"{role}-not-pinned", f"{role} run {digest} was given and the policy does not pin it")


def _differs(code: str, what: str, pinned: object, found: object) -> Iterator[DecisionReason]:
    if pinned != found:
        yield _invalid(f"pin-{code}", f"{what}: the policy pins {pinned!r}, found {found!r}")


def _invalid(code: str, message: str, *, rule: str = "B2") -> DecisionReason:
    return DecisionReason(decision=Decision.INVALID, rule=rule, code=code, message=message)
