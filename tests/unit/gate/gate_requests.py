"""Gate requests made of counts: a suite of the wanted sizes, an admission of it, and a policy that pins both."""

import dataclasses
from fractions import Fraction

from litmusgate.admission.record import (
    AdmissionFinding,
    AdmissionReason,
    AdmissionRecord,
    AdmissionSettings,
    Check,
    IndexUse,
    InstanceAdmission,
    ReferenceRole,
    ReferenceUse,
)
from litmusgate.digest import digest_bytes
from litmusgate.evidence.flips import FlipEstimate
from litmusgate.evidence.run import RunHeader, SuiteStamp
from litmusgate.evidence.tally import BaselineTally, CategoryTally
from litmusgate.gate.policy import AdmissionPolicy, CategoryPolicy, FlipsFromBaseline, Policy, SuitePin
from litmusgate.gate.policy_codec import with_digest
from litmusgate.gate.request import GateRequest, RunFacts
from litmusgate.provenance.match import ProvenanceResult, ProvenanceStatus
from litmusgate.suite.category import Category, Severity
from litmusgate.suite.instance import Instance, Turn
from litmusgate.suite.manifest import CorpusPin, Suite
from litmusgate.suite.rubric import Contains, Rubric

NOW = "2026-11-30T12:00:00Z"
CRITICAL, STANDARD, ADVISORY = Severity.CRITICAL, Severity.STANDARD, Severity.ADVISORY
FLIPS = FlipEstimate(flips=4, pairs=200, independent_pairs=100, instances=20)
"""2 % flips."""


def digest(name: str) -> str:
    """A digest that stands for `name`."""
    return digest_bytes(name.encode())


def make_suite(sizes: dict[str, int], severities: dict[str, Severity], **changes: object) -> Suite:
    """A suite of so many instances per category, standard where no severity is given."""
    categories = tuple(Category(name=name, severity=severities.get(name, STANDARD)) for name in sizes)
    instances = tuple(
        Instance(
            id=f"{name}-{number:05}",
            category=name,
            turns=(Turn(content=f"question {number} of {name}"),),
            rubric=Rubric(violation=Contains(text="done")),
        )
        for name, size in sizes.items()
        for number in range(size)
    )
    parts = {
        "name": "demo",
        "version": "1.0",
        "categories": categories,
        "instances": instances,
        "corpora": (CorpusPin(name="public", revision="2026-11"),),
    }
    return Suite(**(parts | changes))


def make_record(suite: Suite, *, inadmissible: frozenset[str] = frozenset(), **changes: object) -> AdmissionRecord:
    """An admission of `suite` with every check done; `inadmissible` ids are contaminated."""
    finding = AdmissionFinding(reason=AdmissionReason.CONTAMINATED, message="known text")
    parts = {
        "agent": "bot",
        "cutoff": None,
        "suite_name": suite.name,
        "suite_version": suite.version,
        "suite_digest": suite.digest,
        "index": IndexUse(
            digest=digest("index"),
            fold="1",
            documents=10,
            corpora={"public": "2026-11"},
            checked_at="2026-11-20T00:00:00Z",
        ),
        "settings": AdmissionSettings(
            tau=Fraction(85, 100),
            require=(Check.PROVENANCE, Check.LEAKAGE, Check.DISCRIMINABILITY),
            canary_pass="inadmissible",
            discriminate_violations=1,
            discriminate_attempts=1,
            leakage_unchecked="allow",
        ),
        "references": (
            ReferenceUse(
                role=ReferenceRole.UNSAFE,
                digest=digest("unsafe"),
                trials_digest=digest("unsafe trials"),
                agent="villain",
                build="1",
            ),
        ),
        "checks": {
            "provenance": "done",
            "leakage": "done",
            "discriminability": "done",
            "solvability": "not checked: no safe reference",
            "canary": "not checked: no canary",
        },
        "instances": tuple(
            InstanceAdmission(
                id=item.id,
                category=item.category,
                findings=(finding,) if item.id in inadmissible else (),
                suspect=False,
                cluster=item.id,
                leakage_checked=True,
                provenance=_scan(item.id, contaminated=item.id in inadmissible),
            )
            for item in suite.instances
        ),
        "admitted_at": "2026-11-25T00:00:00Z",
    }
    return AdmissionRecord(**(parts | changes))


def _scan(name: str, *, contaminated: bool) -> ProvenanceResult:
    status = ProvenanceStatus.CONTAMINATED if contaminated else ProvenanceStatus.CLEAN
    return ProvenanceResult(instance_id=name, status=status, score=float(contaminated), run=0, distinctive_words=40)


def make_run(suite: Suite, name: str, /, *, build: str, **changes: object) -> RunFacts:
    """A run of one build of agent `bot` on `suite`, made two days before now."""
    parts = {
        "agent": "bot",
        "build": build,
        "suite": SuiteStamp(
            name=suite.name, version=suite.version, digest=suite.digest, instances=dict(suite.instance_digests)
        ),
        "epochs": 1,
        "engine": "scripted 1",
        "grader": digest("grader"),
        "started": "2026-11-28T12:00:00Z",
    }
    header = RunHeader(**(parts | changes))
    return RunFacts(header=header, digest=digest(name), trials_digest=digest(f"{name} trials"))


def make_policy(suite: Suite, categories: dict[str, CategoryPolicy] | None = None, /, **changes: object) -> Policy:
    """A policy that pins what the other makers make; every category `auto` under a cap of 6 where none is given."""
    automatic = CategoryPolicy(tolerance=None, max_tolerance=6)
    parts = {
        "digest": "",
        "suite": SuitePin(name=suite.name, version=suite.version, digest=suite.digest),
        "admission": AdmissionPolicy(index=digest("index"), references={ReferenceRole.UNSAFE: (digest("unsafe"),)}),
        "categories": {category.name: automatic for category in suite.categories} | (categories or {}),
        "flips": FlipsFromBaseline(),
        "grader": digest("grader"),
        "baseline": tuple(sorted((digest("base one"), digest("base two")))),
    }
    return with_digest(Policy(**(parts | changes)))


def make_tally(name: str, *, n: int, violations: int = 0, **changes: object) -> CategoryTally:
    """Counts of one category: n tested, the rest of them safe; exposure undeclared; every instance its own cluster."""
    parts = {"unknown": 0, "vacuous": 0, "inadmissible": 0, "effective_n": n} | changes
    safe = n - violations - parts["unknown"]
    instances = n + parts["vacuous"] + parts["inadmissible"]
    ids = tuple(f"{name}-{number:05}" for number in range(violations))
    parts = {"violating_ids": ids} | parts
    return CategoryTally(category=name, instances=instances, safe=safe, violations=violations, **parts)


def make_baseline(name: str, *, n: int, violations: int = 0, runs: int = 2, **changes: object) -> BaselineTally:
    """Counts of one category over the baseline runs."""
    return BaselineTally(category=name, runs=runs, violations=violations * runs, n=n * runs, instances=n, **changes)


def make_request(
    tallies: tuple[CategoryTally, ...],
    *,
    severities: dict[str, Severity] | None = None,
    categories: dict[str, CategoryPolicy] | None = None,
    policy: dict[str, object] | None = None,
    record: dict[str, object] | None = None,
    **changes: object,
) -> GateRequest:
    """A request about exactly these tallies that has no other problem: suite, admission, runs and pins agree.

    The first `inadmissible` ids of each category are inadmissible. `policy` and `record` change fields of those parts,
    `changes` fields of the request.
    """
    suite = make_suite({tally.category: tally.instances for tally in tallies}, severities or {})
    out = frozenset(f"{tally.category}-{number:05}" for tally in tallies for number in range(tally.inadmissible))
    parts = {
        "policy": make_policy(suite, categories, **(policy or {})),
        "suite": suite,
        "record": make_record(suite, inadmissible=out, **(record or {})),
        "runs": (make_run(suite, "candidate", build="2"),),
        "tallies": {tally.category: tally for tally in tallies},
        "now": NOW,
        "baseline_runs": (make_run(suite, "base one", build="1"), make_run(suite, "base two", build="1")),
        "baseline": {tally.category: make_baseline(tally.category, n=max(tally.n, 1)) for tally in tallies},
        "flips": {tally.category: FLIPS for tally in tallies},
        "store_present": True,
    }
    return GateRequest(**(parts | changes))


def changed(request: GateRequest, **changes: object) -> GateRequest:
    """The request with some fields replaced."""
    return dataclasses.replace(request, **changes)


def codes(reasons: object) -> set[str]:
    """The codes of some reasons."""
    return {reason.code for reason in reasons}


def finding(result: object, name: str) -> object:
    """The finding on one category."""
    return next(item for item in result.categories if item.name == name)
