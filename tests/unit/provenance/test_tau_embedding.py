"""The embedding channel of a calibration: its τ where the truth is known, and none where nothing can be told."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from zlib import crc32

import numpy as np
import pytest

from litmusgate.errors import CorpusError
from litmusgate.provenance.chunks import chunk_words, suite_chunks
from litmusgate.provenance.embedding import embedding_findings
from litmusgate.provenance.engine import PlainEngine
from litmusgate.provenance.fold import fold_words
from litmusgate.provenance.tau import calibrate
from litmusgate.provenance.tau_calibration import Calibration, CalibrationInputs
from litmusgate.provenance.tau_embedding import MOST_EMBEDDED, EmbeddingInputs, spread
from litmusgate.provenance.tau_roc import Negative, NoTau, Wanted
from unit.provenance.made_suite import document, instance, prose

COUNT = 62
INSTANCES = [instance(f"i{number:02d}", f"{prose(number, 40)}. {prose(200 + number, 24)}.") for number in range(COUNT)]
FILLER = [document(f"d{number}", prose(1000 + number, 150)) for number in range(40)]
INPUTS = CalibrationInputs(instances=INSTANCES, sample=FILLER, most_planted=20)


@dataclass
class WordBags:
    """A model that gives every word a direction of its own: texts are near as far as they share words.

    `lean` adds the same direction to all texts, which makes any two of them near. It counts what it was given.
    """

    lean: float = 0.0
    rows: int | None = None
    name: str = "word bags"
    digest: str = "sha256:" + "2" * 64
    dimensions: int = 256
    texts: tuple[str, ...] = ()

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """Sums of the directions of the words, brought to length 1."""
        self.texts += tuple(texts)
        rows = np.stack([sum(direction(word) for word in text.split()) for text in texts])
        rows /= np.linalg.norm(rows, axis=1)[:, None]
        rows[:, 0] += self.lean
        return (rows / np.linalg.norm(rows, axis=1)[:, None]).astype(np.float32)[: self.rows]


@cache
def direction(text: str) -> np.ndarray:
    """Any text's own direction in 256 dimensions, of length 1: two texts are nearly at right angles."""
    row = np.random.default_rng(crc32(text.encode())).standard_normal(256)
    return row / np.linalg.norm(row)


def run(model: WordBags, *, read=FILLER, **changes) -> Calibration:
    """The calibration with the channel of this model, which reads `read` of the sample."""
    inputs = replace(INPUTS, embedding=EmbeddingInputs(embedder=model, sample=read), **changes)
    return calibrate(inputs, engine=PlainEngine(), chance=random.Random(1))


@pytest.fixture(name="model", scope="module")
def _model() -> WordBags:
    return WordBags()


@pytest.fixture(name="found", scope="module")
def _found(model) -> Calibration:
    return run(model)


def test_the_channel_changes_nothing_of_the_others(found):
    """The same plants and the same τ with and without a model: it draws no chance of its own."""
    assert replace(found, embedding=None) == calibrate(INPUTS, engine=PlainEngine(), chance=random.Random(1))


def test_copies_of_the_same_words_are_near_and_unrelated_texts_are_not(found):
    """The lowest τ, no false positive, verbatim copies found, and encodings, which no model reads, not found."""
    channel = found.embedding
    assert (channel.chosen.tau, channel.chosen.problem) == (Fraction(1, 2), None)
    assert channel.curve.negatives == {Negative.INSTANCE: COUNT, Negative.HARD: 0}
    by_name = {kind.name: kind for kind in channel.kinds}
    for name in ("verbatim", "recase", "homoglyph", "quote", "edit-10"):
        assert (by_name[name].planted, by_name[name].found) == (20, 20)
    for name in ("base64", "hex", "rot13"):
        assert (by_name[name].planted, by_name[name].found) == (20, 0)
    assert channel.curve.positives == sum(kind.planted for kind in channel.kinds)
    at_tau = next(point for point in channel.curve.points if point.threshold == channel.chosen.tau)
    assert at_tau.found == sum(kind.found for kind in channel.kinds)
    assert (channel.planted, channel.documents, channel.not_embedded) == (20, 40, ())


def test_negatives_are_what_a_scan_of_the_same_texts_finds(found, model):
    """Every instance's similarity is the one that the scan reports, and the nearest are named first."""
    scanned = embedding_findings(suite_chunks(INSTANCES), FILLER, model)
    nearest = sorted((-result.best.similarity, result.instance_id) for result in scanned)[:20]
    assert [(-float(item.similarity), item.instance_id) for item in found.embedding.nearest] == nearest


def test_texts_of_the_suite_are_embedded_once(found, model):
    """What every comparison asks for again costs a model once."""
    own = suite_chunks(INSTANCES).texts
    fresh = WordBags()
    run(fresh)
    assert all(fresh.texts.count(text) == 1 for text in own)


def test_only_what_may_share_a_chunk_with_a_copy_is_read():
    """However long the host is, its words far from the copy cost nothing: fewer chunks are read than there are."""
    hosts = [document(f"d{number}", prose(1000 + number, 600)) for number in range(40)]
    model = WordBags()
    channel = run(model, sample=hosts, read=hosts[:5]).embedding
    plants = sum(kind.planted for kind in channel.kinds)
    whole = plants * len(chunk_words(fold_words(hosts[0].text)))
    assert len(model.texts) < whole / 2


def test_a_model_for_which_all_is_near_has_no_tau():
    """Were negatives found even at 1, or copies hardly more often, there is a problem and no number."""
    channel = run(WordBags(lean=1e6)).embedding
    assert (channel.chosen.tau, channel.chosen.problem) == (None, NoTau.FALSE_POSITIVES)
    assert all(kind.found is None for kind in channel.kinds)


def test_a_tau_at_which_next_to_nothing_is_found_is_none():
    """A model whose τ finds no larger share of copies than of others tells nothing; its bounds alone would allow it."""

    class Scattered(WordBags):
        def embed(self, texts):
            self.texts += tuple(texts)
            return np.stack([direction(text) for text in texts]).astype(np.float32)

    channel = run(Scattered(), wanted=Wanted(max_false=Fraction(1, 10))).embedding
    assert (channel.chosen.tau, channel.chosen.problem) == (None, NoTau.RECALL)


@pytest.mark.parametrize("read", [[], [document("short", "four words are few")]], ids=["nothing", "too short"])
def test_where_no_document_could_be_compared_there_is_no_tau(read):
    """Nothing read is not a low similarity: there are no negatives, so there is no τ."""
    channel = run(WordBags(), read=read).embedding
    assert (channel.chosen.tau, channel.chosen.problem) == (None, NoTau.TOO_FEW_NEGATIVES)
    assert channel.nearest == ()


def test_an_instance_of_which_nothing_is_embedded_is_named_and_no_negative():
    """Four words are no chunk; neither planted nor counted as far from everything."""
    channel = run(WordBags(), instances=[*INSTANCES, instance("short", "only four words here")]).embedding
    assert channel.not_embedded == ("short",)
    assert channel.curve.negatives[Negative.INSTANCE] == COUNT


def test_what_is_no_negative_for_words_is_none_here():
    """A known instance and one that stands in the sample would raise τ; both are left out."""
    sample = [*FILLER, document("whole", INSTANCES[0].turns[0].content)]
    channel = run(WordBags(), sample=sample, read=sample, known=frozenset({"i05"})).embedding
    assert channel.curve.negatives[Negative.INSTANCE] == COUNT - 2
    assert channel.chosen.tau == Fraction(1, 2)


def test_a_disputed_instance_gives_no_embedding_tau_either():
    """A near copy that nobody looked at would raise both thresholds above itself."""
    near = " ".join("zzz" if place % 8 == 7 else word for place, word in enumerate(prose(2, 40).split()))
    near += " " + prose(202, 24)
    sample = [*FILLER, document("near", near)]
    channel = run(WordBags(), sample=sample, read=sample, wanted=Wanted(max_false=Fraction(49, 1000))).embedding
    assert channel.nearest[0].instance_id == "i02"
    assert (channel.chosen.tau, channel.chosen.problem) == (None, NoTau.DISPUTED)


def test_hard_negatives_of_five_words_are_measured_and_shorter_ones_are_none():
    """Each is one negative with the instance nearest to it; one that no model is given does not count as far."""
    hard = [document(f"h{number}", prose(3000 + number, 60)) for number in range(60)]
    hard += [document("blank", "a few words"), document("copy", INSTANCES[3].turns[0].content)]
    channel = run(WordBags(), given_negatives=hard).embedding
    assert channel.curve.negatives[Negative.HARD] == 61
    first = channel.nearest[0]
    assert (first.kind, first.instance_id, first.document) == (Negative.HARD, "i03", "copy")


def test_a_model_that_gives_too_few_vectors_is_an_error():
    """A shifted row would be the vector of another text."""
    with pytest.raises(CorpusError, match="another shape"):
        run(WordBags(rows=1))


@pytest.mark.parametrize("count", [0, 1, MOST_EMBEDDED, MOST_EMBEDDED + 1, 1000])
def test_the_instances_read_are_spread_over_all(count):
    """At most 40, all of them where there are no more, and as many from the first half of the ids as from the second."""
    ids = [f"{number:04d}" for number in range(count)]
    chosen = spread(ids)
    assert len(chosen) == min(count, MOST_EMBEDDED)
    assert abs(len([name for name in ids[: count // 2] if name in chosen]) * 2 - len(chosen)) <= 2
