"""Winnowed fingerprints: what is kept of a document, what a suite looks for, and what a hit means."""

import codecs
import random
from dataclasses import replace

import numpy as np
import pytest

from litmusgate.provenance.batch import batch_of
from litmusgate.provenance.encoded import Encoding
from litmusgate.provenance.engine import PlainEngine
from litmusgate.provenance.fingerprints import (
    GUARANTEED_WORDS,
    WHOLE_WORDS,
    document_fingerprints,
    suite_prints,
)
from litmusgate.provenance.fold import fold_words
from litmusgate.provenance.hash_evidence import (
    TOO_SHORT_FOR_HASHES,
    HashDocument,
    HashHits,
    HashReading,
    needed_prints,
)
from litmusgate.provenance.hashing import gram_hash, word_hash
from litmusgate.provenance.match import ProvenanceResult, ProvenanceStatus
from litmusgate.provenance.reading import Reading
from litmusgate.provenance.scan import judge
from litmusgate.provenance.suite_texts import suite_texts
from litmusgate.suite.instance import Instance
from unit.provenance.made_suite import TAU, document, instance, prose

SUSPECT, CLEAN = ProvenanceStatus.SUSPECT, ProvenanceStatus.CLEAN


def plain_fingerprints(text: str) -> set[int]:
    """The definition, word by word: all grams of a short text, else the smallest of every eight in a row."""
    hashes = [word_hash(word) for word in fold_words(text)]
    grams = [gram_hash(hashes[at : at + 6]) for at in range(len(hashes) - 5)]
    if len(hashes) <= WHOLE_WORDS:
        return set(grams)
    return {min(grams[at : at + 8]) for at in range(len(grams) - 7)}


def kept_of(texts: list[str]) -> list[set[int]]:
    """The fingerprints of each text, as a segment is made of them."""
    batch = batch_of([document(str(number), text) for number, text in enumerate(texts)])
    values, documents = document_fingerprints(*PlainEngine().word_hashes(batch))
    return [set(values[documents == number].tolist()) for number in range(len(texts))]


def read_hashes(suite: list[Instance], documents: dict[str, str], *, sources: int = 1) -> HashReading:
    """A reading of hash-only documents, by the definition: every print looked up in every document."""
    prints = suite_prints(suite_texts(suite))
    names = sorted(documents)
    kept = [plain_fingerprints(documents[name]) for name in names]
    hits = []
    for table in (prints.plain, prints.turned):
        pairs = [
            (number, row)
            for number, value in enumerate(table.values.tolist())
            for row, found in enumerate(kept)
            if value in found
        ]
        columns = np.asarray(pairs, np.int64).reshape(-1, 2)
        hits.append(HashHits(prints=columns[:, 0], rows=columns[:, 1], sources=columns[:, 1] % sources))
    wholes = [
        (text, row)
        for row, name in enumerate(names)
        for text in prints.wholes.get(gram_hash([word_hash(word) for word in fold_words(documents[name])]), ())
    ]
    return HashReading(
        suite=prints,
        documents=len(names),
        plain=hits[0],
        turned=hits[1],
        wholes=tuple(wholes),
        names=[HashDocument(corpus="c", id=name) for name in names],
    )


def judged(suite: list[Instance], documents: dict[str, str], *, sources: int = 1) -> list[ProvenanceResult]:
    """The results where hash-only documents are all there is."""
    reading = read_hashes(suite, documents, sources=sources)
    return list(judge(suite_texts(suite), Reading(), tau=TAU, engine=PlainEngine(), hashes=reading))


def edited(text: str, share: float, seed: int = 1) -> str:
    """`text` with about this share of its words replaced."""
    rng = random.Random(seed)
    return " ".join(f"edit{at}x" if rng.random() < share else word for at, word in enumerate(text.split()))


@pytest.mark.parametrize("words", [1, 5, 6, 7, 12, 13, 14, WHOLE_WORDS, WHOLE_WORDS + 1, 200])
def test_what_is_kept_of_a_document_follows_the_definition(words: int) -> None:
    """Of a text alone, and between others of any length: no gram crosses from one document into the next."""
    texts = [prose(1, 3), prose(2, words), prose(3, 80), prose(2, words), "", prose(4, 13)]
    assert kept_of(texts) == [plain_fingerprints(text) for text in texts]
    assert kept_of(texts[1:2]) == [plain_fingerprints(texts[1])]


def test_a_repeated_text_keeps_its_grams_once() -> None:
    """The same words over and over have few grams, whichever of the equal ones is taken."""
    text = "again and again " * 100
    assert kept_of([text]) == [plain_fingerprints(text)]
    assert len(plain_fingerprints(text)) <= 3


def test_the_prints_of_a_suite_stand_in_every_document_that_holds_the_text() -> None:
    """Whatever stands around it, a document with the text holds every one of its prints."""
    suite = suite_texts([instance("i", prose(1, 60))])
    table = suite_prints(suite).plain
    wanted = {int(table.values[number]) for text in table.texts for number in text.prints.tolist()}
    assert wanted
    for seed in range(5):
        held = plain_fingerprints(f"{prose(seed + 50, 90)} {prose(1, 60)} {prose(seed + 70, 90)}")
        assert wanted <= held


@pytest.mark.parametrize("share", [0, 0.05, 0.1])
def test_a_copy_with_a_tenth_of_its_words_edited_is_suspect_and_never_more(share: float) -> None:
    """A2: what fingerprints show is never enough for contaminated, and says that the text is not kept."""
    text = prose(1, 120)
    found = judged([instance("i", text)], {"d": f"{prose(8, 300)} {edited(text, share)} {prose(9, 300)}"})[0]
    assert found.status is SUSPECT
    assert [match.document for match in found.matches] == ["d"]
    assert found.detail is not None
    assert "text is not kept" in found.detail


def test_unrelated_documents_leave_an_instance_clean() -> None:
    """Where a copy would have been found and none is, the instance is clean with a score of 0."""
    found = judged([instance("i", prose(1, 120))], {f"d{n}": prose(50 + n, 400) for n in range(20)})[0]
    assert (found.status, found.score, found.matches) == (CLEAN, 0.0, ())


def test_half_of_a_text_and_a_run_of_it_are_suspect() -> None:
    """A truncated copy, and a run of 50 words of a text many times as long."""
    text = prose(1, 600)
    words = text.split()
    assert judged([instance("i", text)], {"d": " ".join(words[:300])})[0].status is SUSPECT
    assert (
        judged([instance("i", text)], {"d": f"{prose(7, 90)} {' '.join(words[200:250])} {prose(8, 90)}"})[0].status
        is SUSPECT
    )


def test_a_text_assembled_from_documents_is_suspect() -> None:
    """No document holds a third of it, and together they hold it all, in pieces of more than 13 words."""
    words = prose(1, 200).split()
    pieces = {
        f"d{n}": f"{prose(60 + n, 90)} {' '.join(words[20 * n : 20 * n + 20])} {prose(80 + n, 90)}" for n in range(10)
    }
    found = judged([instance("i", " ".join(words))], pieces)[0]
    assert found.status is SUSPECT
    assert found.detail is not None
    assert "assembled" in found.detail


def test_a_copy_in_rot13_is_suspect_and_says_so() -> None:
    """The prints of the turned suite are chosen by their own hashes."""
    text = prose(1, 90)
    found = judged([instance("i", text)], {"d": f"{prose(8, 90)} {codecs.encode(text, 'rot13')}"})[0]
    assert (found.status, found.matches[0].encoding) == (SUSPECT, Encoding.ROT13)


@pytest.mark.parametrize("words", [5, GUARANTEED_WORDS - 1])
def test_a_text_too_short_for_the_guarantee_is_not_assessable(words: int) -> None:
    """A2: it could stand in any document unseen, so it is never clean; nor is its score a number."""
    found = judged([instance("i", prose(1, words))], {"d": prose(7, 300)})[0]
    assert (found.status, found.score, found.detail) == (ProvenanceStatus.NOT_ASSESSABLE, None, TOO_SHORT_FOR_HASHES)


def test_a_short_text_that_is_a_document_is_suspect() -> None:
    """The hash of a whole short document finds it, also beside a longer text of the instance; a document with more does not."""
    text = prose(1, 7)
    beside = instance("i", prose(2, 90), text)
    assert judged([beside], {"d": text, "e": prose(7, 300)})[0].status is SUSPECT
    assert judged([beside], {"d": f"{text} and more", "e": prose(7, 300)})[0].status is CLEAN
    assert judged([instance("i", text)], {"d": text.upper(), "e": prose(7, 300)})[0].status is SUSPECT


def test_the_shortest_text_of_the_guarantee_is_found_anywhere() -> None:
    """Thirteen words leave one print, which is enough."""
    text = prose(1, GUARANTEED_WORDS)
    assert judged([instance("i", text)], {"d": f"{prose(7, 200)} {text} {prose(8, 200)}"})[0].status is SUSPECT
    assert judged([instance("i", text)], {"d": prose(7, 200)})[0].status is not SUSPECT


def test_what_is_common_property_is_not_clean() -> None:
    """A text whose prints stand in 50 documents of 3 sources is suspect; in one source it is a leak, and suspect too."""
    text = prose(1, 60)
    documents = {f"d{n:02}": f"{prose(100 + n, 70)} {text}" for n in range(50)}
    for sources in (1, 3):
        assert judged([instance("i", text)], documents, sources=sources)[0].status is SUSPECT


def test_what_is_mostly_common_property_is_not_clean() -> None:
    """A copy that lacks its last words does not share the few prints that are left of a text."""
    words = prose(1, 60).split()
    documents = {f"d{n:02}": f"{prose(100 + n, 70)} {' '.join(words[:45])}" for n in range(50)}
    assert judged([instance("i", " ".join(words))], documents, sources=3)[0].status is SUSPECT


def test_texts_that_are_kept_decide_before_fingerprints() -> None:
    """What a scan of texts calls contaminated stays so, whatever hash-only segments say."""
    suite = [instance("i", prose(1, 60)), instance("j", prose(2, 60))]
    prepared = suite_texts(suite)
    engine = PlainEngine()
    reading = Reading()
    reading.documents, touched = engine.finder(prepared, encoded=True).find(batch_of([document("t", prose(1, 60))]))
    reading.add(prepared, touched)
    results = judge(prepared, reading, tau=TAU, engine=engine, hashes=read_hashes(suite, {"d": prose(2, 60)}))
    assert [found.status for found in results] == [ProvenanceStatus.CONTAMINATED, SUSPECT]


def test_hash_only_segments_without_a_document_are_no_evidence() -> None:
    """A2: nothing read on either side is unknown, never clean."""
    suite = [instance("i", prose(1, 60))]
    empty = replace(read_hashes(suite, {}), documents=0)
    found = judge(suite_texts(suite), Reading(), tau=TAU, engine=PlainEngine(), hashes=empty)
    assert found[0].status is ProvenanceStatus.UNKNOWN


def test_how_many_prints_are_needed() -> None:
    """All of up to three, then at least three, then a third, rounded up."""
    assert [needed_prints(count) for count in (1, 2, 3, 4, 9, 10, 12, 13, 100)] == [1, 2, 3, 3, 3, 4, 4, 5, 34]
