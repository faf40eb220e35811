"""A pair is judged as a scan judges it, part by part of a long document, and whatever the engine."""

import base64
import random
from fractions import Fraction

import pytest

from litmusgate.provenance.batch import PART_BYTES
from litmusgate.provenance.engine import PlainEngine
from litmusgate.provenance.match import ProvenanceStatus
from litmusgate.provenance.perturb import KINDS, Source
from litmusgate.provenance.scan import scan_suite
from litmusgate.provenance.suite_texts import suite_texts
from litmusgate.provenance.tau_canary import exact_score
from litmusgate.provenance.tau_pairs import ANY_TAU, PairMeter
from unit.provenance.made_suite import TAU, document, instance, prose


def meter(instances) -> PairMeter:
    """A meter for these instances, with nothing that is common property."""
    return PairMeter(suite_texts(instances), frozenset(), PlainEngine())


INSTANCES = [
    instance("long", prose(1, 80)),
    instance("turns", prose(2, 40), prose(3, 12)),
    instance("short", prose(4, 9)),
    instance("page", prose(5, 12), attack=prose(6, 30), page=prose(7, 60)),
]
TEXTS = {"long": prose(1, 80), "turns": f"{prose(2, 40)} {prose(3, 12)}", "short": prose(4, 9), "page": prose(6, 30)}


COPIES = {
    (name, kind.name): changed
    for name, text in TEXTS.items()
    for kind in KINDS
    if (changed := kind.perturb(text, Source(chance=random.Random(5), words=["qqq"]))) is not None
}


@pytest.mark.parametrize(("name", "kind"), COPIES)
def test_a_pair_scores_as_a_scan_of_that_document_alone_would(name, kind):
    """Similarity is the highest τ at which the scan says contaminated, run and status are the scan's own."""
    known = document("d", f"{prose(90, 30)}\n\n{COPIES[name, kind]}\n\n{prose(91, 30)}")
    (scored,) = [found for found in scan_suite(INSTANCES, [known], tau=ANY_TAU) if found.instance_id == name]
    (judged,) = [found for found in scan_suite(INSTANCES, [known], tau=TAU) if found.instance_id == name]
    pair = meter(INSTANCES).measure([known]).get((name, "d"))
    if pair is None:
        assert scored.score == 0
        return
    # A scan counts what stands in pieces over the document too; one document holds no more in pieces than in one window here.
    assert (pair.similarity, pair.run) == (exact_score(scored), scored.run)
    assert pair.status(TAU) is judged.status


def test_the_run_rule_is_told_apart_from_similarity():
    """Half a text is contaminated by its run, and its similarity says half."""
    words = prose(1, 80).split()
    pair = meter(INSTANCES).measure([document("d", " ".join(words[:40]))])["long", "d"]
    assert (pair.similarity, pair.run, pair.by_run) == (Fraction(40, 80), 40, True)
    assert pair.status(TAU) is ProvenanceStatus.CONTAMINATED


def test_of_a_long_document_the_best_part_counts_and_its_name_is_whole():
    """A copy behind a part's end is found, under the id of the document, also where that id holds an `@`."""
    filler = f"{prose(50, 400)} " * (PART_BYTES // 2500)
    assert len(filler) > PART_BYTES
    found = meter(INSTANCES).measure([document("a@b", f"{filler} {prose(1, 80)}")])
    assert found["long", "a@b"].similarity == 1


def test_a_stock_phrase_counts_only_where_the_document_is_that_text():
    """A short turn beside a longer one speaks against a document that consists of it, and not against one that quotes it."""
    measured = meter(INSTANCES).measure(
        [document("is", prose(5, 12)), document("quotes", f"{prose(5, 12)} {prose(8, 90)}")]
    )
    assert measured["page", "is"].similarity == 1
    assert measured["page", "quotes"].similarity == 0


def test_common_property_is_not_an_instances_own():
    """Grams that the corpora are full of do not count in a pair either."""
    suite = suite_texts(INSTANCES)
    common = frozenset(range(len(suite.grams)))
    assert PairMeter(suite, common, PlainEngine()).measure([document("d", prose(1, 80))]) == {}


def test_the_best_of_what_a_document_holds_counts():
    """A whole copy counts whatever poorer copy, encoded or in a later part, stands in the same document."""
    half = " ".join(prose(1, 80).split()[:30])
    encoded = base64.b64encode(half.encode()).decode()
    found = meter(INSTANCES).measure([document("d", f"{prose(1, 80)}\n\n{encoded}\n\n{prose(70, 20)}")])
    assert found["long", "d"].similarity == 1
