"""One instance against one document: the similarity and the run by which a scan would judge it (A3).

A scan keeps the best documents of an instance. Calibration needs the pair that was planted, and every document of which
nothing may be found, so it measures pairs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from litmusgate.provenance.batch import batches_of, in_parts
from litmusgate.provenance.distinctive import distinctive_positions
from litmusgate.provenance.engine import Engine, Finder
from litmusgate.provenance.known import KnownDocument
from litmusgate.provenance.match import Match, ProvenanceStatus
from litmusgate.provenance.reading import TouchedDocument
from litmusgate.provenance.scan import overlap_bytes
from litmusgate.provenance.similarity import ALONE_WORDS, FieldWords, Overlap, is_item, prepare
from litmusgate.provenance.status import FieldFinding, instance_status, is_long_run, scored_findings
from litmusgate.provenance.suite_texts import PlacedText, SuiteTexts

ANY_TAU = Fraction(1, 10**9)
"""A threshold so low that whatever is shared counts: it turns a status into a score."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairScore:
    """What one document holds of one instance.

    `similarity` (share 0…1) is the highest τ at which the document would contaminate the instance by similarity, `run` the
    longest contiguous run in distinctive words, `by_run` whether the run rule contaminates it whatever τ is.
    """

    similarity: Fraction
    run: int
    by_run: bool
    findings: tuple[FieldFinding, ...] = ()

    def status(self, tau: Fraction) -> ProvenanceStatus:
        """The status that this document alone would give the instance."""
        return instance_status("", self.findings, tau=tau).status if self.findings else ProvenanceStatus.CLEAN

    def order(self) -> tuple[Fraction, bool, int]:
        """The better of two parts or encodings of one document is the greater."""
        return self.similarity, self.by_run, self.run


NOTHING_SHARED = PairScore(similarity=Fraction(0), run=0, by_run=False)
"""The score of a document that shares no gram with the instance."""


class PairMeter:
    """Measures documents against every instance of one suite, with the grams that are common property left out."""

    def __init__(self, suite: SuiteTexts, common: Set[int], engine: Engine) -> None:
        self._suite = suite
        self._engine = engine
        self._common = common
        self._finder: Finder = engine.finder(suite, encoded=True)
        words = {suite.grams[number] for number in common}
        ignored = {kind: grams | words for kind, grams in suite.boilerplate.items()}
        self.fields: tuple[FieldWords, ...] = tuple(
            prepare(text.words, distinctive_positions(text.words, ignored[text.kind])) for text in suite.texts
        )
        """The texts of the suite by number, with the words that count."""

        self._holders: dict[int, list[int]] = {}
        for number, (_, places) in enumerate(suite.instances):
            for place in places:
                self._holders.setdefault(place.text, []).append(number)

    def measure(self, documents: Iterable[KnownDocument]) -> dict[tuple[str, str], PairScore]:
        """The score of every pair of an instance and one of `documents`; ids of documents must differ."""
        best: dict[tuple[str, str], PairScore] = {}
        for batch in batches_of(documents):
            names = frozenset(batch.ids)
            parts = in_parts(batch, overlap_bytes=overlap_bytes(self._suite))
            _, touched = self._finder.find(parts)
            for instance_id, document, score in self._scores(touched):
                pair = instance_id, document if document in names else document.rpartition("@")[0]
                if pair not in best or best[pair].order() < score.order():
                    best[pair] = score
        return best

    def _scores(self, touched: Sequence[TouchedDocument]) -> Iterator[tuple[str, str, PairScore]]:
        pairs = self._pairs(touched)
        found = self._engine.overlaps(self.fields, touched, pairs)
        by_document: dict[int, dict[int, Overlap]] = {}
        for (text, document), overlap in zip(pairs.tolist(), found, strict=True):
            by_document.setdefault(document, {})[text] = overlap
        for document, overlaps in by_document.items():
            for number in sorted({holder for text in overlaps for holder in self._holders.get(text, ())}):
                instance_id, places = self._suite.instances[number]
                known = touched[document]
                findings = tuple(self._finding(place, overlaps.get(place.text), known) for place in places)
                yield instance_id, touched[document].id, _pair_score(findings)

    def _pairs(self, touched: Sequence[TouchedDocument]) -> NDArray[np.int64]:
        rows: list[tuple[int, int]] = []
        for number, document in enumerate(touched):
            texts = set(document.short_texts)
            for gram in document.grams.tolist():
                if gram not in self._common:
                    texts.update(self._suite.gram_texts[gram])
            rows += [(text, number) for text in sorted(texts) if self.fields[text].own]
        return np.asarray(sorted(rows), np.int64).reshape(-1, 2)

    def _finding(self, place: PlacedText, overlap: Overlap | None, document: TouchedDocument) -> FieldFinding:
        field = self.fields[place.text]
        nothing = FieldFinding(where=place.where, own=len(field.own), asks=place.asks)
        if overlap is None:
            return nothing
        found = replace(nothing, shared=overlap.shared, run=overlap.run, run_words=overlap.run_words)
        if len(field.own) >= ALONE_WORDS or not is_item(field, len(document.words)):
            return found
        item = Match(
            corpus=document.corpus,
            document=document.id,
            field=place.where,
            encoding=document.encoding,
            similarity=float(Fraction(overlap.shared, len(field.own))),
            run=overlap.run,
            instance_words=overlap.field_words,
            document_words=overlap.document_words,
        )
        return replace(found, item=item, item_shared=overlap.shared)


def _pair_score(findings: tuple[FieldFinding, ...]) -> PairScore:
    """The score of the fields that speak for the instance where everything shared counts."""
    speaking = scored_findings(findings, tau=ANY_TAU)
    if not speaking:
        return NOTHING_SHARED
    return PairScore(
        similarity=max(finding.share for finding in speaking),
        run=max(finding.run for finding in speaking),
        by_run=any(not finding.is_short and is_long_run(finding) for finding in speaking),
        findings=findings,
    )
