"""A gate is not earlier than its evidence."""

from __future__ import annotations

from collections.abc import Iterable

from litmusgate.admission.record import AdmissionRecord
from litmusgate.gate.instants import parse_instant
from litmusgate.gate.request import RunFacts
from litmusgate.gate.verdict import Decision, DecisionReason


def backdated_reasons(*, now: str, runs: Iterable[RunFacts], record: AdmissionRecord) -> tuple[DecisionReason, ...]:
    """INVALID for a run that started, or an admission that was made, after the time this gate is said to be at.

    The time is free to give, and an earlier one would make an old index and old flips look fresh (A14, B5). What does not
    say when it was made is not found out here.
    """
    present = parse_instant(now)
    dated = [(f"admission of agent {record.agent!r}", record.admitted_at)]
    dated += [(f"candidate run {run.digest}", run.header.started or "") for run in runs]
    found = []
    for what, stamp in dated:
        then = parse_instant(stamp)
        if present is not None and then is not None and then > present:
            message = f"{what} was made at {stamp}, which is after this gate ({now})"
            found.append(
                DecisionReason(decision=Decision.INVALID, rule="A14", code="evidence-from-the-future", message=message)
            )
    return tuple(found)
