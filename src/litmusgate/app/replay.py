"""The inputs of a recorded verdict, read back from the store by the digests it names (T2)."""

from __future__ import annotations

from litmusgate.admission.ledger import read_admission
from litmusgate.admission.record import AdmissionRecord
from litmusgate.app.gate import library_versions
from litmusgate.app.history import accepted_from, stored_run, stored_suite
from litmusgate.app.inputs import Accepted, GateInputs
from litmusgate.gate.policy_codec import read_policy
from litmusgate.gate.verdict import DecisionReason
from litmusgate.report.document import VerdictDocument, read_verdict
from litmusgate.store.records import Kind, Store

READING_CODES = frozenset(
    {"run-unreadable", "baseline-unreadable", "anchor-unreadable", "admission-unreadable", "history-unreadable"}
)
"""Reasons about files that could not be read. There is nothing to read them from again: they are taken over as recorded."""


def load_from_store(document: VerdictDocument, store: Store) -> GateInputs:
    """Everything `document` names, from `store`, each checked against its digest.

    Raises `EvidenceError` for an input that is missing or altered. What the verdict says of unreadable files is taken over.
    """
    inputs = document.inputs
    earlier = [read_verdict(store.get_record(Kind.VERDICT, item), path=item) for item in inputs.earlier]
    return GateInputs(
        policy=read_policy(store.get_record(Kind.POLICY, inputs.policy), path=inputs.policy),
        suite=stored_suite(document, store),
        runs=tuple(stored_run(store, digest) for digest in inputs.run),
        admission=_admission(store, inputs.admission),
        admission_digest=inputs.admission,
        now=document.evaluated_at,
        versions=library_versions(),
        baseline=tuple(stored_run(store, digest) for digest in inputs.baseline),
        anchor=tuple(stored_run(store, digest) for digest in inputs.anchor),
        problems=tuple(
            DecisionReason(decision=item.decision, rule=item.rule, code=item.code, message=item.message)
            for item in document.reasons
            if item.code in READING_CODES
        ),
        earlier=inputs.earlier,
        same_suites=frozenset(verdict.suite.digest for verdict in earlier if verdict.suite is not None),
        earlier_runs=frozenset(digest for verdict in earlier for digest in verdict.inputs.run),
        accepted=None if inputs.accepted_verdict is None else _accepted(store, inputs.accepted_verdict),
        store_present=all(item.code != "history-missing" for item in document.reasons),
        first=any(item.code == "first-build" for item in document.reasons),
    )


def _admission(store: Store, digest: str | None) -> AdmissionRecord | None:
    return None if digest is None else read_admission(store.get_record(Kind.ADMISSION, digest), path=digest)


def _accepted(store: Store, digest: str) -> Accepted:
    return accepted_from(store, digest, read_verdict(store.get_record(Kind.VERDICT, digest), path=digest))
