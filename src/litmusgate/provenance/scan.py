"""The scan: a suite against known documents (docs/provenance.md).

Everything downstream sees only `ProvenanceResult`. What an engine makes fast it must not make different.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from litmusgate.provenance.allowed import AllowedText
from litmusgate.provenance.batch import DocumentBatch, batches_of, documents_told, in_parts
from litmusgate.provenance.engine import Engine, Finder, PlainEngine
from litmusgate.provenance.hash_evidence import HashReading, weigh_hashes, with_hash_evidence
from litmusgate.provenance.known import KnownDocument
from litmusgate.provenance.match import Match, ProvenanceResult
from litmusgate.provenance.measuring import Found, TextFinding, measure_texts
from litmusgate.provenance.reading import Reading, TouchedDocument
from litmusgate.provenance.status import FieldFinding, instance_status, scored_findings, unknown_status
from litmusgate.provenance.suite_texts import PlacedText, SuiteTexts, suite_texts
from litmusgate.suite.instance import Instance

NOTHING_READ = "the known corpora hold no document with a word in it"


def scan_suite(
    instances: Iterable[Instance],
    documents: Iterable[KnownDocument],
    *,
    tau: Fraction,
    allowed: Sequence[AllowedText] = (),
    engine: Engine | None = None,
) -> tuple[ProvenanceResult, ...]:
    """One result per instance, sorted by id; the order of `instances` and `documents` changes nothing.

    `documents` is read once and must raise where it cannot be read to its end. Without any document every instance is
    `unknown`. Encoded copies are looked for; paraphrases are not. Words of `allowed` texts are nobody's own. `engine` None:
    the plain one. Raises `ValueError` for a τ that is not above 0 and at most 1.
    """
    engine = engine or PlainEngine()
    suite = suite_texts(instances, allowed=allowed)
    finder = engine.finder(suite, encoded=True)
    reading = Reading()
    for batch in batches_of(documents):
        read_batch(suite, finder, reading, batch)
    return judge(suite, reading, tau=tau, engine=engine)


def read_batch(suite: SuiteTexts, finder: Finder, reading: Reading, batch: DocumentBatch) -> Sequence[TouchedDocument]:
    """Look for `suite` in one more batch of documents and take what was found, which is returned, into `reading`."""
    parts = in_parts(batch, overlap_bytes=overlap_bytes(suite))
    told, found = finder.find(parts)
    documents = documents_told(told, batch, parts)
    reading.documents += documents
    reading.blank += len(batch) - documents
    reading.text_bytes += batch.text_bytes
    reading.add(suite, found)
    return found


def overlap_bytes(suite: SuiteTexts) -> int:
    """How much two parts of a long document have in common, so that no text of the suite is cut in both."""
    return 2 * suite.longest_text_bytes


def judge(
    suite: SuiteTexts, reading: Reading, *, tau: Fraction, engine: Engine, hashes: HashReading | None = None
) -> tuple[ProvenanceResult, ...]:
    """The results of a whole reading: stage two, then a status for every instance, sorted by id.

    `hashes` is what was found in hash-only segments; it never makes a result better, and at most suspect.
    """
    if not 0 < tau <= 1:
        raise ValueError(f"tau is {tau}, wanted above 0 and at most 1")
    if reading.documents == 0 and (hashes is None or hashes.documents == 0):
        return tuple(unknown_status(instance_id, NOTHING_READ) for instance_id, _ in suite.instances)
    reading.finish(suite)
    texts = measure_texts(suite, reading, engine)
    evidence = None if hashes is None else weigh_hashes(hashes, common=reading.common_grams())
    results: list[ProvenanceResult] = []
    for instance_id, places in suite.instances:
        findings = [_field_finding(suite, place, texts) for place in places]
        result = instance_status(instance_id, findings, tau=tau)
        if evidence is not None:
            spoken = {finding.where for finding in scored_findings(findings, tau=tau)}
            result = with_hash_evidence(result, findings, [evidence[place.text] for place in places], spoken)
        results.append(result)
    return tuple(results)


def _field_finding(suite: SuiteTexts, place: PlacedText, texts: Sequence[TextFinding]) -> FieldFinding:
    found = texts[place.text]
    return FieldFinding(
        where=place.where,
        own=found.own,
        asks=place.asks,
        shared=found.shared,
        union=found.union,
        run=found.run,
        run_words=found.run_words,
        common=found.common,
        allowed=suite.allowed.get(place.text, ()),
        matches=tuple(_match(place, found.own, item) for item in found.overlaps),
        item=None if found.item is None else _match(place, found.own, found.item),
        item_shared=0 if found.item is None else found.item[1].shared,
    )


def _match(place: PlacedText, own: int, found: Found) -> Match:
    document, overlap = found
    return Match(
        corpus=document.corpus,
        document=document.id,
        field=place.where,
        encoding=document.encoding,
        similarity=overlap.shared / own,
        run=overlap.run,
        instance_words=overlap.field_words,
        document_words=overlap.document_words,
    )
