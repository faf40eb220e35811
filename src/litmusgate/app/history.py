"""What the store remembers about a build: its earlier verdicts and runs (B15), and the last verdict that passed (A9, B2)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from litmusgate.admission.ledger import read_admission
from litmusgate.app.inputs import Accepted, GateInputs, problem_of
from litmusgate.errors import EvidenceError, LitmusGateError, RecordError
from litmusgate.evidence.run import Run
from litmusgate.gate.policy_codec import read_policy
from litmusgate.gate.verdict import Decision
from litmusgate.report.document import VerdictDocument, read_verdict
from litmusgate.runs.files import read_run
from litmusgate.store.records import EarlierVerdict, Kind, Store
from litmusgate.suite.codec import suite_from_canonical
from litmusgate.suite.manifest import Suite


def with_history(inputs: GateInputs, store: Store) -> tuple[GateInputs, tuple[tuple[Run, Path], ...]]:
    """`inputs` with everything earlier gates of this build used, and with the last accepted verdict; also the runs added.

    Runs that the store still has are added; one that it lost stays in `earlier_runs` and makes the verdict INVALID. An
    altered or missing record is a problem, never an empty history. An empty folder is no store, and neither is one that
    came to be when gates were refused for want of it: refusing twice must not give a history.
    """
    builds = {(run.header.agent, run.header.build) for run in inputs.runs}
    try:
        verdicts = kept_verdicts(store)
        inputs = replace(inputs, store_present=any(not _began_here(item) for item in verdicts.values()))
        if len(builds) != 1:
            return inputs, ()
        ((agent, build),) = builds
        ours = _same_suites(store, verdicts, agent=agent, suite=inputs.suite)
        earlier = _given_before(store, ours, agent=agent, build=build)
        accepted = last_accepted(store, verdicts, agent=agent, suite=inputs.suite.name, same=ours)
    except EvidenceError as error:
        return replace(inputs, problems=(*inputs.problems, problem_of(error, "history-unreadable"))), ()
    recalled = _recalled_runs(store, earlier, {run.digest for run in inputs.runs})
    changed = replace(
        inputs,
        runs=(*inputs.runs, *(run for run, _ in recalled)),
        earlier=tuple(item.digest for item in earlier),
        earlier_runs=frozenset(digest for item in earlier for digest in item.runs),
        same_suites=frozenset(shown.digest for item in earlier if (shown := verdicts[item.digest].suite) is not None),
        accepted=accepted,
    )
    return changed, recalled


def unnamed_verdicts(store: Store, document: VerdictDocument, digest: str, suite: Suite) -> tuple[str, ...]:
    """Digests of verdicts on the same build and suite that `document`, whose digest is given, ought to have known (B15).

    A verdict made without its history recomputes to itself, so the store tells it: of any two verdicts on one build, one
    names the other. Two that were made at the same moment are told to be gated again.
    """
    verdicts = kept_verdicts(store)
    ours = _same_suites(store, verdicts, agent=document.agent, suite=suite)
    copies = {digest, *(name for name, other in verdicts.items() if _same_question(document, other))}
    known = {*copies, *document.inputs.earlier}
    return tuple(
        item.digest
        for item in _given_before(store, ours, agent=document.agent, build=document.build)
        if item.digest not in known and copies.isdisjoint(verdicts[item.digest].inputs.earlier)
    )


def _same_question(one: VerdictDocument, other: VerdictDocument) -> bool:
    """Whether two verdicts were asked the same at the same time: then one is a copy of the other, whatever it says."""
    return one.inputs == other.inputs and one.evaluated_at == other.evaluated_at


def _given_before(store: Store, suites: Sequence[str], *, agent: str, build: str) -> tuple[EarlierVerdict, ...]:
    """Every verdict on this build on any of these suites (digests), oldest first."""
    found = (item for suite in suites for item in store.earlier_verdicts(agent=agent, build=build, suite_digest=suite))
    return tuple(sorted(found, key=lambda item: (item.evaluated_at, item.digest)))


def kept_verdicts(store: Store) -> dict[str, VerdictDocument]:
    """Every verdict in the store by digest; `RecordError` for one that is altered, or gone although a later one names it."""
    found = {digest: read_verdict(data, path=digest) for digest, data in store.iter_records(Kind.VERDICT)}
    for digest, document in sorted(found.items()):
        named = {*document.inputs.earlier, document.inputs.accepted_verdict or digest}
        # asked again, because another gate may have written it since the folder was listed
        gone = sorted(name for name in named - found.keys() if not store.has_record(Kind.VERDICT, name))
        if gone:
            raise RecordError(
                "a verdict is no longer in the store, although a later one names it",
                rule="B15",
                got=f"no record {gone[0]}, which {digest} names",
                fix="restore the file from a backup; a record is never removed",
            )
    return found


def last_accepted(
    store: Store, verdicts: Mapping[str, VerdictDocument], *, agent: str, suite: str, same: Collection[str] = ()
) -> Accepted | None:
    """The newest PASS of this agent on a suite of this name, or of one of the digests `same`; None: there was none.

    Raises `EvidenceError` for an input that is missing or altered.
    """
    newest: tuple[str, str, VerdictDocument] | None = None
    for digest, document in sorted(verdicts.items()):
        shown = document.suite
        ours = shown is not None and (shown.name == suite or shown.digest in same) and document.agent == agent
        if ours and document.decision is Decision.PASS and (document.evaluated_at, digest) > (newest or ("", ""))[:2]:
            newest = (document.evaluated_at, digest, document)
    return None if newest is None else accepted_from(store, newest[1], newest[2])


def accepted_from(store: Store, digest: str, document: VerdictDocument) -> Accepted:
    """The accepted verdict `document` with its policy, suite and admission from the store, each checked against its digest."""
    policy, admission = document.inputs.policy, document.inputs.admission
    if admission is None:
        raise RecordError("an accepted verdict names no admission", rule="T2", got=digest)
    return Accepted(
        digest=digest,
        policy=read_policy(store.get_record(Kind.POLICY, policy), path=policy),
        suite=stored_suite(document, store),
        admission=read_admission(store.get_record(Kind.ADMISSION, admission), path=admission),
    )


def stored_suite(document: VerdictDocument, store: Store) -> Suite:
    """The suite that `document` names, from the store; `RecordError` when it is missing or has another digest."""
    shown = document.suite
    if shown is None:
        raise RecordError("the verdict names no suite, so nothing can be computed again", rule="T2")
    path = store.input_path(shown.digest)
    try:
        suite = suite_from_canonical(path.read_bytes(), path=str(path))
    except (LitmusGateError, OSError) as error:
        raise RecordError("the kept suite was altered", rule="T2", got=str(error), wanted=shown.digest) from error
    if suite.digest != shown.digest:
        raise RecordError("the kept suite was altered", rule="T2", got=suite.digest, wanted=shown.digest)
    return suite


def stored_run(store: Store, digest: str) -> Run:
    """The run with this content digest from the store; `RecordError` when what is kept there has another one."""
    run = read_run(store.input_path(digest))
    if run.digest != digest:
        raise RecordError("a kept run was altered", rule="T2", got=run.digest, wanted=digest)
    return run


def _same_suites(store: Store, verdicts: Mapping[str, VerdictDocument], *, agent: str, suite: Suite) -> tuple[str, ...]:
    """Digests of `suite` and of every suite this agent was gated on that is the same under another name or version.

    It is the same when its instances are defined the same, the pruned ones counted in, and none of ours was pruned there:
    a new name or version on what is there must not leave the red runs behind.
    """
    others = {
        document.suite.digest: document
        for document in verdicts.values()
        if document.suite is not None and document.agent == agent and document.suite.digest != suite.digest
    }
    same = [suite.digest]
    for digest, document in others.items():
        other = stored_suite(document, store)
        if (
            _all_instances(other) == _all_instances(suite)
            and suite.instance_digests.keys() <= other.instance_digests.keys()
        ):
            same.append(digest)
    return tuple(sorted(same))


def _all_instances(suite: Suite) -> dict[str, str]:
    """Digest by id of the suite's instances and of those that pruning removed."""
    removed = () if suite.pruned_from is None else suite.pruned_from.removed
    return {**{item.id: item.digest for item in removed}, **suite.instance_digests}


def _began_here(document: VerdictDocument) -> bool:
    """Whether this verdict was refused because there was no store, and so is no history itself."""
    return any(reason.code == "history-missing" for reason in document.reasons)


def _recalled_runs(store: Store, earlier: Sequence[EarlierVerdict], given: set[str]) -> tuple[tuple[Run, Path], ...]:
    found: list[tuple[Run, Path]] = []
    for digest in sorted({digest for item in earlier for digest in item.runs} - given):
        try:
            found.append((stored_run(store, digest), store.input_path(digest)))
        except EvidenceError:
            continue  # left out here, so history_problems names it and the verdict is INVALID
    return tuple(found)
