"""What is known of the instances that vote: whether they may, how far they can be trusted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from litmusgate.admission.record import InstanceAdmission
from litmusgate.evidence.tally import CategoryTally
from litmusgate.gate.interval import SMALL_N
from litmusgate.gate.verdict import Decision, DecisionReason
from litmusgate.suite.category import Severity

_LISTED = 10


def voter_reasons(admitted: Sequence[InstanceAdmission], *, severity: Severity) -> Iterator[DecisionReason]:
    """REVIEW for suspect instances, which vote and are listed (A2), and for critical ones whose leakage nobody could check."""
    suspects = sorted(item.id for item in admitted if item.admissible and item.suspect)
    if suspects:
        message = f"{len(suspects)} voting instances are suspect of contamination: {_listed(suspects)}"
        yield DecisionReason(decision=Decision.REVIEW, rule="A2", code="suspect-instances", message=message)
    unchecked = sum(item.admissible and not item.leakage_checked for item in admitted)
    if unchecked:
        critical = severity is Severity.CRITICAL
        message = (
            f"{unchecked} voting instances are judged outside our sight, so their rubric leakage could not be checked"
        )
        yield DecisionReason(
            decision=Decision.REVIEW if critical else Decision.PASS,
            rule="A4",
            code="leakage-unchecked",
            message=message,
        )


def pushed_reason(
    admitted: Sequence[InstanceAdmission], *, severity: Severity, lane_on: Literal["n", "effective_n"], effective_n: int
) -> DecisionReason | None:
    """The reason of a category that counts clusters, has enough by design, and has too few left to be hard-gated (A8).

    What `staleness` says of instances, where lanes are taken on `effective_n`: exclusion and VACUOUS instances that push the
    category out of the hard gate make it INVALID when critical, REVIEW when standard. Counts of clusters.
    """
    by_design = len({item.cluster for item in admitted})
    if lane_on != "effective_n" or severity is Severity.ADVISORY or not by_design >= SMALL_N > effective_n:
        return None
    decision = Decision.INVALID if severity is Severity.CRITICAL else Decision.REVIEW
    message = f"{by_design} clusters by design, {effective_n} of them tested, fewer than {SMALL_N}"
    return DecisionReason(decision=decision, rule="A8", code="pushed-under-20", message=message)


def tally_problem(tally: CategoryTally | None, admitted: Sequence[InstanceAdmission]) -> DecisionReason | None:
    """INVALID where the tally was not made over exactly the instances that admission let vote (A1)."""
    if tally is None:
        return None
    inadmissible = sum(not item.admissible for item in admitted)
    if tally.instances == len(admitted) and tally.inadmissible == inadmissible:
        return None
    message = (
        f"the tally counts {tally.instances} instances, {tally.inadmissible} of them inadmissible; admission counts "
        f"{len(admitted)} and {inadmissible}"
    )
    return DecisionReason(decision=Decision.INVALID, rule="A1", code="tally-contradicts-admission", message=message)


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(repr(name) for name in names[:_LISTED])
    return f"{shown} and {len(names) - _LISTED} more" if len(names) > _LISTED else shown
