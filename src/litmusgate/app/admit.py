"""Admit a suite for an agent: read the inputs, run every check, write the record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from litmusgate.admission.admit import AdmissionInputs
from litmusgate.admission.admit import admit as run_checks
from litmusgate.admission.ledger import admission_bytes
from litmusgate.admission.record import AdmissionRecord, AdmissionSettings, ReferenceRole
from litmusgate.admission.references import Reference
from litmusgate.admission.staleness import StalenessFinding, category_sizes, staleness
from litmusgate.app.clock import moment
from litmusgate.app.files import read_bytes, replace_bytes
from litmusgate.app.gate import library_versions
from litmusgate.app.provenance_check import KnownTexts, check_provenance, index_use, read_scans, source_notes
from litmusgate.app.suites import load_suite
from litmusgate.corpora.allow_list import read_allow_list
from litmusgate.corpora.index import Index, open_index
from litmusgate.corpora.source_texts import SourceTexts
from litmusgate.digest import digest_bytes
from litmusgate.errors import EXIT_INVALID, EXIT_PASS, PolicyError, UsageError
from litmusgate.evidence.run import Run
from litmusgate.gate.policy import Policy, Unsafe
from litmusgate.gate.policy_codec import read_policy
from litmusgate.provenance.allowed import allow_list_digest
from litmusgate.provenance.duplicates import near_duplicate_groups
from litmusgate.runs.files import read_run
from litmusgate.runs.scripted import reference_runs
from litmusgate.suite.manifest import Suite
from litmusgate.text import name_problem

_DECIDED_BY_GATE = frozenset({"pruned-share"})


@dataclass(frozen=True, slots=True, kw_only=True)
class AdmitFiles:
    """What `admit` was asked. `run_references` plays the scripted agents as further references. `cutoff` is YYYY-MM-DD.

    `texts` are files or folders in which source files of hash-only segments may stand, `scans` results of `corpus scan` to
    take in beside the index, `allow` a file of texts that are common property.
    """

    policy: Path
    suite: Path
    agent: str
    out: Path
    index: Path | None = None
    cutoff: str | None = None
    texts: tuple[str, ...] = ()
    scans: tuple[Path, ...] = ()
    allow: Path | None = None
    references: tuple[tuple[ReferenceRole, Path], ...] = ()
    run_references: bool = False
    now: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AdmitOutcome:
    """The record, its digest, what is stale about it, and notes: where it differs from the policy's pins, and
    of which corpora kept as hashes the source files were found.

    `stale` is empty when the policy switches staleness off; `exit_code` is 4 when something in it is INVALID, else 0. A
    pruned share above the limit is listed but does not decide here: it needs an override, which only `gate` reads.
    """

    record: AdmissionRecord
    digest: str
    stale: tuple[StalenessFinding, ...]
    notes: tuple[str, ...]

    @property
    def exit_code(self) -> int:
        """0, or 4 when the suite is stale for this agent."""
        invalid = any(finding.invalid and finding.code not in _DECIDED_BY_GATE for finding in self.stale)
        return EXIT_INVALID if invalid else EXIT_PASS


def admit_files(request: AdmitFiles) -> AdmitOutcome:
    """Run every check on the suite for the agent and write the record to `request.out`, whole or not at all.

    Raises `PolicyError` or `SuiteError` for inputs that do not parse, `EvidenceError` for an index or run that cannot be
    believed, `UsageError` for an agent name or cut-off that is none, or an output that cannot be written.
    """
    _refuse_bad_names(request.agent, request.cutoff)
    policy = read_policy(read_bytes(request.policy, what="the policy", error=PolicyError), path=str(request.policy))
    suite = load_suite(request.suite)
    references, trivial = _references(request, suite)
    known = _known_texts(request)
    record = admit(
        policy=policy,
        suite=suite,
        agent=request.agent,
        index=known,
        references=references,
        trivial=trivial,
        cutoff=request.cutoff,
        now=request.now,
    )
    data = admission_bytes(record)
    replace_bytes(request.out, data)
    return AdmitOutcome(
        record=record,
        digest=digest_bytes(data),
        stale=_stale(record, suite, policy),
        notes=(*_source_notes(known, request, policy), *_notes(record, policy)),
    )


def admit(
    *,
    policy: Policy,
    suite: Suite,
    agent: str,
    index: Index | KnownTexts | None = None,
    references: Sequence[Reference] = (),
    trivial: Sequence[Run] = (),
    cutoff: str | None = None,
    now: str | None = None,
) -> AdmissionRecord:
    """The admission record of `suite` for `agent`: every check the policy asks for, on values; nothing is written.

    `references` are runs of known agents by role, `trivial` runs of scripted agents that only echo or do nothing. `cutoff` is
    YYYY-MM-DD. An `index` with more beside it (source files, scans, allowed texts) is given as `KnownTexts`. Raises
    `UsageError` for an agent name or cut-off that is none, `EvidenceError` for an index, scan or reference that cannot be
    believed.
    """
    _refuse_bad_names(agent, cutoff)
    known = KnownTexts(index=index) if isinstance(index, Index) else index
    day = None if cutoff is None else _cutoff_date(cutoff)
    skipped = known is None or Unsafe.SKIP_PROVENANCE in policy.unsafe
    return run_checks(
        AdmissionInputs(
            suite=suite,
            agent=agent,
            settings=_settings(policy, None if known is None else allow_list_digest(known.allowed)),
            admitted_at=moment(now),
            cutoff=cutoff,
            index=None if known is None else index_use(known.index, suite, cutoff=day, agent=agent),
            provenance=None
            if known is None or skipped
            else check_provenance(known, suite, cutoff=day, agent=agent, tau=policy.admission.tau),
            scans=() if known is None or skipped else tuple(use for use, _ in known.scans),
            allowed={} if known is None else {text.name: text.reason for text in known.allowed},
            near_duplicates=near_duplicate_groups(suite.instances, tau=policy.admission.tau),
            references=tuple(references),
            trivial=tuple(trivial),
            versions=library_versions(),
        )
    )


def _refuse_bad_names(agent: str, cutoff: str | None) -> None:
    problem = name_problem(agent)
    if problem is not None:
        raise UsageError("--agent is not a name", got=repr(agent), wanted=f"a name; {problem}")
    if cutoff is not None:
        _cutoff_date(cutoff)


def _cutoff_date(text: str) -> date:
    try:
        found = date.fromisoformat(text)
    except ValueError as error:
        raise UsageError("--cutoff is not a date", got=repr(text), wanted="YYYY-MM-DD") from error
    if found.isoformat() != text:  # other spellings of ISO 8601 would stand on the record as they are
        raise UsageError("--cutoff is not written as a date", got=repr(text), wanted=repr(found.isoformat()))
    return found


def _references(request: AdmitFiles, suite: Suite) -> tuple[tuple[Reference, ...], tuple[Run, ...]]:
    """The runs given, and the scripted ones: those carry no time, so that their digests can be pinned."""
    given = tuple(Reference(role=role, run=read_run(path)) for role, path in request.references)
    if not request.run_references:
        return given, ()
    scripted = reference_runs(suite)
    played = (
        Reference(role=ReferenceRole.UNSAFE, run=scripted["unsafe"]),
        Reference(role=ReferenceRole.SAFE, run=scripted["safe"]),
    )
    return (*given, *played), tuple(scripted["trivial"])


def _known_texts(request: AdmitFiles) -> KnownTexts | None:
    """The index with what goes beside it. Raises `UsageError` for what goes beside none."""
    if request.index is None:
        beside = {"--scan": request.scans, "--texts": request.texts, "--allow": request.allow}
        given = [flag for flag, value in beside.items() if value]
        if given:
            raise UsageError(f"{given[0]} goes beside an index", fix="give --index as well")
        return None
    return KnownTexts(
        index=open_index(request.index),
        texts=SourceTexts(request.texts) if request.texts else None,
        scans=read_scans(request.scans),
        allowed=() if request.allow is None else read_allow_list(request.allow),
    )


def _source_notes(known: KnownTexts | None, request: AdmitFiles, policy: Policy) -> tuple[str, ...]:
    if known is None or Unsafe.SKIP_PROVENANCE in policy.unsafe:
        return ()
    day = None if request.cutoff is None else _cutoff_date(request.cutoff)
    return source_notes(known, cutoff=day, agent=request.agent)


def _settings(policy: Policy, allow: str | None) -> AdmissionSettings:
    wanted = policy.admission
    return AdmissionSettings(
        tau=wanted.tau,
        require=tuple(wanted.require),
        canary_pass=wanted.canary_pass,
        discriminate_violations=wanted.discriminate_violations,
        discriminate_attempts=wanted.discriminate_attempts,
        leakage_unchecked=wanted.leakage_unchecked,
        allow=allow,
        unsafe=tuple(sorted(option.value for option in policy.unsafe)),
    )


def _stale(record: AdmissionRecord, suite: Suite, policy: Policy) -> tuple[StalenessFinding, ...]:
    if Unsafe.SKIP_STALENESS in policy.unsafe:
        return ()
    tested = {name: size.admissible for name, size in category_sizes(record=record, suite=suite).items()}
    return staleness(record=record, suite=suite, max_inadmissible=policy.admission.max_inadmissible, tested=tested)


def _notes(record: AdmissionRecord, policy: Policy) -> tuple[str, ...]:
    """Where `gate` would refuse the record under this policy, so that nobody finds out later."""
    pinned = {digest for digests in policy.admission.references.values() for digest in digests}
    used = {use.digest for use in record.references}
    index = None if record.index is None else record.index.digest
    notes = []
    if policy.suite.digest != record.suite_digest:
        notes.append(f"the policy pins suite {policy.suite.digest}, this one is {record.suite_digest}")
    if policy.admission.index != index:
        notes.append(f"the policy pins index {policy.admission.index}, this one is {index}")
    if policy.admission.allow != record.settings.allow:
        notes.append(f"the policy pins allow-list {policy.admission.allow}, this one is {record.settings.allow}")
    if policy.admission.cutoff != record.cutoff:
        notes.append(f"the policy pins cut-off {policy.admission.cutoff}, this admission has {record.cutoff}")
    notes += [f"reference {digest} is not pinned in the policy" for digest in sorted(used - pinned)]
    notes += [f"the policy pins reference {digest}, which was not given" for digest in sorted(pinned - used)]
    return tuple(notes)
