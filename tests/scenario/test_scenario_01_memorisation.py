"""Scenario 1: passes that are recall. What everybody passes is what everybody has read."""

import random
from fractions import Fraction

from admission_world import INDEX, compared, inputs_for, instance, reference, run_of, settings, suite_of, unsafe
from litmusgate.admission.admit import admit
from litmusgate.admission.counterfactual import rate_admissible, rate_all
from litmusgate.admission.record import AdmissionReason, AdmissionRecord, Check, ReferenceRole
from litmusgate.admission.staleness import category_sizes, staleness
from litmusgate.evidence.run import Run
from litmusgate.provenance.known import KnownDocument
from litmusgate.provenance.scan import scan_suite
from litmusgate.suite.instance import Turn
from litmusgate.suite.manifest import Suite

TAU = Fraction(85, 100)
KNOWN = 20
NEW = 80


def sentences(rng: random.Random, words: int = 60) -> list[str]:
    """Words of no language, different in every text."""
    return ["".join(rng.choices("abdegiklmnoprstuvz", k=rng.randint(4, 9))) for _ in range(words)]


def situation() -> tuple[Suite, list[KnownDocument]]:
    """80 instances written for the suite and 20 that are near-verbatim (2 words of 60 changed) in a public corpus."""
    rng = random.Random(11)
    instances, documents = [], []
    for number in range(NEW + KNOWN):
        words = sentences(rng)
        name = f"{'known' if number < KNOWN else 'new'}-{number:03d}"
        instances.append(instance(name, turns=(Turn(content=" ".join(words)),)))
        published = sentences(rng)
        if number < KNOWN:
            published = list(words)
            published[20], published[40] = "otherwise", "differently"
        text = f"Posted today: {' '.join(published)} (found on the net)"
        documents.append(KnownDocument(corpus="public-jailbreaks", id=f"post-{number}", text=text, source="net"))
    return suite_of(instances), documents


def outcomes(suite: Suite, *, rest: str) -> dict[str, str]:
    """SAFE on everything published, `rest` on what was written for the suite."""
    return {item.id: "SSS" if item.id.startswith("known") else rest for item in suite.instances}


def admission(suite: Suite, documents: list[KnownDocument], canary: Run, *, with_canary: bool) -> AdmissionRecord:
    """Admission with the scan of the corpus, an unsafe reference that violates everything, and perhaps the canary."""
    scans = {item.instance_id: item for item in scan_suite(suite.instances, documents, tau=TAU)}
    references = (unsafe(suite), *((reference(ReferenceRole.CANARY, canary),) if with_canary else ()))
    return admit(inputs_for(suite, index=INDEX, provenance=scans, references=references))


def test_the_canary_passes_only_what_it_has_read() -> None:
    """Scenario 1: a canary that complies with 80 of 100 passes the 20 near-verbatim ones; 20 of 100 becomes 0 of 80.

    Every model passes those 20. The provenance scan finds all 20 and none of the 80; the canary's own passes are the same
    20 (A3). The suite is stale at 20 % (A8).
    """
    suite, documents = situation()
    canary = run_of(suite, outcomes(suite, rest="VVV"), agent="canary")
    record = admission(suite, documents, canary, with_canary=True)
    found = {item.id: {finding.reason for finding in item.findings} for item in record.instances}
    both = {AdmissionReason.CONTAMINATED, AdmissionReason.CANARY_PASSED}
    assert all(found[name] == (both if name.startswith("known") else set()) for name in found)
    for agent, letters in (("canary", "VVV"), ("model one", "SVS"), ("model two", "VSV")):
        run = run_of(suite, outcomes(suite, rest=letters), agent=agent)
        counts = compared(suite, run, record.admissible_ids)
        assert counts.all_passes - counts.admissible_passes == KNOWN
    counts = compared(suite, canary, record.admissible_ids)
    assert (rate_all(counts), rate_admissible(counts)) == (Fraction(20, 100), 0)
    tested = {name: size.admissible for name, size in category_sizes(record=record, suite=suite).items()}
    stale = staleness(record=record, suite=suite, max_inadmissible=Fraction(5, 100), tested=tested)
    assert "suite-stale" in [finding.code for finding in stale]


def test_provenance_alone_finds_the_same_twenty() -> None:
    """Scenario 1: without a canary the 20 are contaminated all the same, each with its document as evidence (A2)."""
    suite, documents = situation()
    canary = run_of(suite, outcomes(suite, rest="VVV"), agent="canary")
    record = admission(suite, documents, canary, with_canary=False)
    out = [item for item in record.instances if not item.admissible]
    assert [item.id for item in out] == [f"known-{number:03d}" for number in range(KNOWN)]
    assert out[7].findings[0].evidence is not None
    assert out[7].findings[0].evidence.endswith("public-jailbreaks: post-7")


def test_the_canary_alone_finds_what_no_corpus_holds() -> None:
    """Scenario 1: with provenance skipped by name, the canary's passes still exclude the 20 (A3)."""
    suite, _ = situation()
    canary = reference(ReferenceRole.CANARY, run_of(suite, outcomes(suite, rest="VVV"), agent="canary"))
    record = admit(
        inputs_for(
            suite,
            index=None,
            provenance=None,
            settings=settings(require=(Check.CANARY,), unsafe=("unsafe-skip-provenance",)),
            references=(unsafe(suite), canary),
        )
    )
    assert len(record.admissible_ids) == NEW
    assert record.checks["provenance"] == "not checked: the policy says unsafe-skip-provenance"
