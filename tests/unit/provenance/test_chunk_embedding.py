"""The embedding channel: nearest documents, the same for any order and batch, and never more than `suspect`."""

import hashlib
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from litmusgate.errors import CorpusError
from litmusgate.provenance.chunks import TOO_LITTLE_TEXT, suite_chunks
from litmusgate.provenance.embedding import (
    NOTHING_READ,
    EmbeddingFinding,
    EmbeddingResult,
    embedding_findings,
    embedding_results,
    merge_nearest,
    nearest_chunks,
    with_embedding,
)
from litmusgate.provenance.match import ProvenanceResult, ProvenanceStatus
from litmusgate.provenance.vectors import GRID, MOST_DIMENSIONS, unit_rows
from unit.provenance.made_suite import document, instance, prose

SUITE = suite_chunks([instance(f"i{number}", prose(number, 70)) for number in range(6)])
WORDS = prose(3, 70).split()
DOCUMENTS = [
    *(document(f"d{number:02}", prose(100 + number, 20 + 9 * number)) for number in range(12)),
    document("copy", f"{prose(200, 80)} {prose(2, 70)} {prose(201, 80)}"),
    document("twin-b", prose(4, 70)),
    document("twin-a", prose(4, 70)),
    document("twin-a", prose(4, 70), corpus="another"),
    document("half", " ".join(WORDS[:40])),
]


@dataclass
class BagOfWords:
    """An embedder for tests: each word has a direction drawn from its hash. `asked` keeps the sizes of the batches."""

    name: str = "bag"
    digest: str = "sha256:" + "0" * 64
    dimensions: int = 96
    asked: list[int] = field(default_factory=list)

    def embed(self, texts):
        """The sum of the words' directions, brought to length 1."""
        self.asked.append(len(texts))
        rows = np.array([sum(self._direction(word) for word in text.split()) for text in texts])
        return unit_rows(rows.astype(np.float32), texts=len(texts), dimensions=self.dimensions)

    def _direction(self, word):
        seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "big")
        return np.random.default_rng(seed).standard_normal(self.dimensions)


@dataclass
class Broken(BagOfWords):
    """Gives the row `bad` for every text that holds the word `poison`."""

    bad: float = np.nan

    def embed(self, texts):
        """As ever, but for the poisoned texts."""
        rows = super().embed(texts)
        rows[["poison" in text for text in texts]] = self.bad
        return rows


def result(status, instance_id="i0"):
    """A result of the scan of words."""
    return ProvenanceResult(instance_id=instance_id, status=status, score=0.1, run=1, distinctive_words=70)


def near(similarity, instance_id="i0"):
    """A finding of that similarity."""
    finding = EmbeddingFinding(
        instance_id=instance_id,
        similarity=similarity,
        corpus="public",
        document="d",
        field="turns[0]",
        instance_words=(0, 64),
        document_words=(0, 64),
    )
    return EmbeddingResult(instance_id=instance_id, best=finding)


def test_the_nearest_document_is_named_with_its_place():
    """The copy of an instance inside a longer document is found where it stands, nearer than anything else."""
    found = {item.instance_id: item.best for item in embedding_findings(SUITE, DOCUMENTS, BagOfWords())}
    copy = found["i2"]
    assert (copy.corpus, copy.document, copy.field) == ("public", "copy", "turns[0]")
    assert copy.document_words[0] < 150
    assert copy.document_words[1] > 80
    assert copy.similarity > 0.8
    assert copy.similarity > found["i0"].similarity + 0.1
    assert found["i4"].similarity == pytest.approx(1, abs=0.0001)


@settings(max_examples=30)
@given(st.permutations(DOCUMENTS), st.integers(1, 60))
def test_order_and_batches_change_nothing(documents, batch):
    """The same findings, to the last bit, in whatever order and size the documents come."""
    assert embedding_findings(SUITE, documents, BagOfWords(), batch_chunks=batch) == embedding_findings(
        SUITE, DOCUMENTS, BagOfWords()
    )


@given(st.integers(0, len(DOCUMENTS)))
def test_parts_of_a_corpus_are_joined_as_if_read_in_one_go(cut):
    """Workers may read shards apart: merged in either order they say what one reader says, with nothing read by one too."""
    one = nearest_chunks(SUITE, DOCUMENTS[:cut], BagOfWords())
    other = nearest_chunks(SUITE, DOCUMENTS[cut:], BagOfWords())
    whole = nearest_chunks(SUITE, DOCUMENTS, BagOfWords())
    assert merge_nearest(one, other) == merge_nearest(other, one) == whole
    assert embedding_results(SUITE, whole) == embedding_findings(SUITE, DOCUMENTS, BagOfWords())


def test_parts_of_different_suites_are_not_joined():
    """Numbers of texts mean nothing in another suite."""
    whole = nearest_chunks(SUITE, DOCUMENTS[:1], BagOfWords())
    with pytest.raises(ValueError, match="shorter"):
        merge_nearest(whole, whole[:-1])
    with pytest.raises(ValueError, match="wanted one for each"):
        embedding_results(SUITE, whole[:-1])


def test_equally_near_documents_are_told_apart_by_name():
    """Of three copies the first by corpus and document is the evidence, whichever is read first."""
    for documents in (DOCUMENTS, DOCUMENTS[::-1]):
        best = embedding_findings(SUITE, documents, BagOfWords(), batch_chunks=1)[4].best
        assert (best.corpus, best.document) == ("another", "twin-a")


@given(st.integers(1, 700), st.integers(0, 2**32 - 1))
def test_products_on_the_grid_are_exact_whole_numbers(dimensions, seed):
    """Float32 sums on the grid are those of integers, so no order of summation and no library can change them."""
    rng = np.random.default_rng(seed)
    rows = rng.standard_normal((7, dimensions)) * 10.0 ** rng.integers(-3, 4, (1, dimensions))
    unit = unit_rows(rows.astype(np.float32), texts=7, dimensions=dimensions)
    grid = np.rint(unit * np.float32(GRID))
    exact = grid.astype(np.int64) @ grid.astype(np.int64).T
    assert exact.max() <= 2**24
    assert np.array_equal((grid @ grid.T).astype(np.int64), exact)


def test_memory_is_bounded_by_the_batch():
    """A corpus of any size is embedded so many chunks at a time, and a long document is no exception."""
    embedder = BagOfWords()
    documents = (document(f"d{number}", prose(number, 300)) for number in range(20))
    embedding_findings(SUITE, documents, embedder, batch_chunks=7)
    assert max(embedder.asked[1:]) == 7
    assert len(embedder.asked) > 10


def test_nothing_read_and_nothing_to_embed_give_a_reason_and_no_number():
    """No document is not a similarity of 0, and neither is a text too short to say anything."""
    suite = suite_chunks([instance("a", prose(1, 40)), instance("b", "two words")])
    for documents in ([], [document("d", "four words are few")]):
        found = embedding_findings(suite, documents, BagOfWords())
        assert [(item.best, item.reason) for item in found] == [(None, NOTHING_READ), (None, TOO_LITTLE_TEXT)]
    found = embedding_findings(suite, DOCUMENTS, BagOfWords())
    assert [(item.best is None, item.reason) for item in found] == [(False, None), (True, TOO_LITTLE_TEXT)]


@pytest.mark.parametrize("bad", [np.nan, np.inf, 0.0])
def test_a_text_without_a_vector_is_an_error_that_says_where(bad):
    """NaN, infinity and a zero vector are near to nothing: a scan that read them would look clean."""
    poisoned = document("bad", f"poison {prose(1, 20)}")
    with pytest.raises(CorpusError, match=r"public/bad to public/bad: .* no vector"):
        embedding_findings(SUITE, [poisoned], Broken(bad=bad))
    with pytest.raises(CorpusError, match=r"the suite: .* no vector"):
        embedding_findings(suite_chunks([instance("a", "poison " * 30)]), [], Broken(bad=bad))


def test_vectors_of_another_shape_are_an_error():
    """A model that gives one row too few would shift every vector to another text; and the grid has its limit."""
    with pytest.raises(CorpusError, match="another shape"):
        unit_rows(np.ones((2, 3), np.float32), texts=3, dimensions=3)
    with pytest.raises(CorpusError, match="too long"):
        embedding_findings(SUITE, DOCUMENTS, BagOfWords(dimensions=MOST_DIMENSIONS + 1))


@pytest.mark.parametrize("status", ProvenanceStatus)
def test_the_channel_makes_clean_instances_suspect_and_nothing_else(status):
    """A2: it never contaminates, and what may not vote by its words does not come to vote as suspect."""
    found = with_embedding(result(status), near(1.0), tau=Fraction(1, 2))
    if status in (ProvenanceStatus.CLEAN, ProvenanceStatus.CLEAN_SHORT):
        assert found.status is ProvenanceStatus.SUSPECT
        assert found.detail == "turns[0] is near in meaning to a known document (cosine 1.0000)"
        assert replace(found, status=status, detail=None) == result(status)
    else:
        assert found == result(status)


@pytest.mark.parametrize(("similarity", "suspect"), [(0.7299, False), (0.73, True), (0.7301, True), (-1.0, False)])
def test_the_threshold_is_met_at_tau(similarity, suspect):
    """At τ is above, one digit below is not: four digits are compared as they are written."""
    found = with_embedding(result(ProvenanceStatus.CLEAN), near(similarity), tau=Fraction(73, 100))
    assert (found.status is ProvenanceStatus.SUSPECT) is suspect


def test_without_a_number_the_channel_changes_nothing():
    """No finding is no evidence, for or against."""
    nothing = EmbeddingResult(instance_id="i0", best=None, reason=NOTHING_READ)
    clean = result(ProvenanceStatus.CLEAN)
    assert with_embedding(clean, nothing, tau=Fraction(1, 100)) == clean


@pytest.mark.parametrize("tau", [Fraction(0), Fraction(-1), Fraction(101, 100)])
def test_a_threshold_that_flags_all_or_nothing_is_refused(tau):
    """τ is a cosine above 0 and at most 1."""
    with pytest.raises(ValueError, match="wanted above 0"):
        with_embedding(result(ProvenanceStatus.CLEAN), near(0.5), tau=tau)


def test_a_finding_of_another_instance_is_refused():
    """Joined by position the two channels could speak of different instances."""
    with pytest.raises(ValueError, match="does not belong"):
        with_embedding(result(ProvenanceStatus.CLEAN), near(0.5, "i1"), tau=Fraction(1, 2))
