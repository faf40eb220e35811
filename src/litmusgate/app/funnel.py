"""The admission record for people: from the whole suite down to what may vote, with every reason on the way."""

from __future__ import annotations

from collections.abc import Iterator

from litmusgate.admission.ledger import admission_document
from litmusgate.admission.record import AdmissionFinding, AdmissionRecord
from litmusgate.admission.totals import admission_totals
from litmusgate.app.admit import AdmitOutcome
from litmusgate.digest import Json, canonical_bytes
from litmusgate.text import inert_line, plain_json, visible

_LISTED = 10
_EXCLUDED = 20


def admission_text(outcome: AdmitOutcome) -> str:
    """The funnel as lines of text, every text of suite and runs made visible (T5). The digest stands in the first line."""
    record = outcome.record
    lines = [
        f"admission {outcome.digest}",
        f"suite {visible(record.suite_name)} {visible(record.suite_version)} for agent {visible(record.agent)}",
        "",
        *_funnel(record),
        "",
        "checks",
        *(f"  {visible(name):<18} {visible(state)}" for name, state in sorted(record.checks.items())),
        *(f"  UNSAFE: the policy names {visible(option)}" for option in record.settings.unsafe),
        *_references(record),
        *_excluded(record),
        *_suspects(record),
        *_stale(outcome),
    ]
    return "\n".join(map(inert_line, lines)) + "\n"


def admission_json(outcome: AdmitOutcome) -> str:
    """Digest, totals, checks, suspects and staleness as one line of JSON, canonical but for escapes of what shows nothing; the record itself is in its file."""
    document = admission_document(outcome.record)
    shown: dict[str, Json] = {
        "digest": outcome.digest,
        "stale": outcome.exit_code != 0,
        "findings": [
            {"scope": item.scope, "invalid": item.invalid, "code": item.code, "message": item.message}
            for item in outcome.stale
        ],
        "suspects": [item.id for item in outcome.record.instances if item.suspect],
        "notes": list(outcome.notes),
    }
    for key in ("agent", "suite", "totals", "checks", "references", "trivial"):
        shown[key] = document[key]
    return plain_json(canonical_bytes(shown).decode()) + "\n"


def _funnel(record: AdmissionRecord) -> Iterator[str]:
    totals = admission_totals(record)
    yield f"{totals.all.total:>7} instances in the suite"
    for reason, count in totals.all.by_reason.items():
        yield f"{count:>7}   {reason}"
    yield f"{totals.all.inadmissible:>7} inadmissible (an instance may have several reasons)"
    yield f"{totals.all.total - totals.all.inadmissible:>7} may vote"
    for name, counts in totals.by_category.items():
        yield f"{counts.total - counts.inadmissible:>7}   of {counts.total} in {visible(name)}"


def _references(record: AdmissionRecord) -> Iterator[str]:
    if record.references:
        yield "references"
    for use in record.references:
        yield f"  {use.role.value:<8} {use.digest} {visible(use.agent)}, build {visible(use.build)}"


def _excluded(record: AdmissionRecord) -> Iterator[str]:
    excluded = [item for item in record.instances if not item.admissible]
    if excluded:
        yield "may not vote"
    for item in excluded[:_EXCLUDED]:
        yield f"  {visible(item.id)}: {'; '.join(map(_reason, item.findings))}"
    if len(excluded) > _EXCLUDED:
        yield f"  and {len(excluded) - _EXCLUDED} more, in the record"


def _reason(finding: AdmissionFinding) -> str:
    """The reason with where it was seen; of provenance that is the best document."""
    seen = "" if finding.evidence is None else f" ({visible(finding.evidence)})"
    return f"{finding.reason.value}{seen}"


def _suspects(record: AdmissionRecord) -> Iterator[str]:
    suspects = [item.id for item in record.instances if item.suspect]
    if not suspects:
        return
    yield f"suspect: {len(suspects)} instances share text with a known document; they vote, and the verdict is REVIEW"
    yield from (f"  {visible(name)}" for name in suspects[:_LISTED])
    if len(suspects) > _LISTED:
        yield f"  and {len(suspects) - _LISTED} more"


def _stale(outcome: AdmitOutcome) -> Iterator[str]:
    for finding in outcome.stale:
        where = "suite" if finding.scope is None else visible(finding.scope)
        word = "INVALID" if finding.invalid else "REVIEW"
        yield f"{word} {where}: {visible(finding.message)} ({finding.code})"
    yield "stale: a gate on this admission is INVALID" if outcome.exit_code else "not stale"
