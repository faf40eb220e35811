"""Whether the provenance index is maintained."""

from __future__ import annotations

from datetime import datetime, timedelta

from litmusgate.admission.record import AdmissionRecord, Check, IndexUse
from litmusgate.gate.instants import parse_instant
from litmusgate.gate.policy import Policy
from litmusgate.gate.verdict import Decision, DecisionReason
from litmusgate.suite.manifest import Suite


def index_problems(*, policy: Policy, suite: Suite, record: AdmissionRecord, now: str) -> tuple[DecisionReason, ...]:
    """A14: the index holds every corpus the suite declares, at the declared revision, checked at most max_age_days ago.

    Otherwise INVALID. `now` is RFC 3339. A date that cannot be read, or lies in the future, is no check. No index at all is
    accepted only where the policy does not require provenance, which it can only do by its unsafe option (T4).
    """
    index = record.index
    if index is None:
        if Check.PROVENANCE not in policy.admission.require:
            return ()
        return (
            _invalid(
                "index-missing", "admission was run without a provenance index and the policy requires provenance"
            ),
        )
    problems: list[DecisionReason] = []
    if index.documents < 1:
        problems.append(
            _invalid("index-empty", "the provenance index holds no document, so every instance looks clean")
        )
    for pin in suite.corpora:
        held = index.corpora.get(pin.name)
        if held != pin.revision:
            got = "does not hold it" if held is None else f"holds revision {held!r}"
            message = f"the suite declares corpus {pin.name!r} at revision {pin.revision!r}; the index {got}"
            problems.append(_invalid("corpus-missing" if held is None else "corpus-revision", message))
    problems.extend(_age_problems(index, policy.admission.max_age_days, parse_instant(now)))
    return tuple(problems)


def _age_problems(index: IndexUse, max_age_days: int, now: datetime | None) -> list[DecisionReason]:
    checked = parse_instant(index.checked_at)
    if checked is None or now is None:
        what = f"checked_at {index.checked_at!r}" if checked is None else "the time of this gate"
        return [_invalid("index-undated", f"{what} is no RFC 3339 time, so the age of the index is unknown")]
    if checked > now:
        return [
            _invalid("index-from-the-future", f"the index was checked at {index.checked_at}, which is after this gate")
        ]
    if now - checked > timedelta(days=max_age_days):
        message = f"the index was last checked at {index.checked_at}, more than {max_age_days} days before this gate"
        return [_invalid("index-too-old", message)]
    return []


def _invalid(code: str, message: str) -> DecisionReason:
    return DecisionReason(decision=Decision.INVALID, rule="A14", code=code, message=message)
