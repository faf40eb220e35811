"""The scan: a suite against known documents, by the plain exact reference engine (PROVENANCE).

Everything downstream sees only `ProvenanceResult`; a faster engine has to give the same ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from litmusgate.provenance.known import KnownDocument
from litmusgate.provenance.match import Match, ProvenanceResult
from litmusgate.provenance.measuring import Found, TextFinding, measure_texts
from litmusgate.provenance.reading import read_documents
from litmusgate.provenance.status import FieldFinding, instance_status, unknown_status
from litmusgate.provenance.suite_texts import PlacedText, suite_texts
from litmusgate.suite.instance import Instance

NOTHING_READ = "the known corpora hold no document with a word in it"


def scan_suite(
    instances: Iterable[Instance], documents: Iterable[KnownDocument], *, tau: Fraction
) -> tuple[ProvenanceResult, ...]:
    """One result per instance, sorted by id; the order of `instances` and `documents` changes nothing.

    `documents` is read once and must raise where it cannot be read to its end. Without any document every instance is
    `unknown`. Raises `ValueError` for a τ that is not above 0 and at most 1. Copies in an encoding (base64, hex, rot13)
    and paraphrases are not looked for.
    """
    if not 0 < tau <= 1:
        raise ValueError(f"tau is {tau}, wanted above 0 and at most 1")
    suite = suite_texts(instances)
    reading = read_documents(suite, documents)
    if reading.documents == 0:
        return tuple(unknown_status(instance_id, NOTHING_READ) for instance_id, _ in suite.instances)
    texts = measure_texts(suite, reading)
    return tuple(
        instance_status(instance_id, [_finding(place, texts) for place in places], tau=tau)
        for instance_id, places in suite.instances
    )


def _finding(place: PlacedText, texts: Sequence[TextFinding]) -> FieldFinding:
    found = texts[place.text]
    return FieldFinding(
        where=place.where,
        own=found.own,
        asks=place.asks,
        shared=found.shared,
        union=found.union,
        run=found.run,
        common=found.common,
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
        similarity=float(Fraction(overlap.shared, own)),
        run=overlap.run,
        instance_words=overlap.field_words,
        document_words=overlap.document_words,
    )
