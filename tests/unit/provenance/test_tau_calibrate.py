"""A calibration where the truth is known gives the expected counts, and refuses what it cannot tell."""

import random
from dataclasses import replace
from fractions import Fraction

import pytest

from litmusgate.errors import CorpusError
from litmusgate.provenance.engine import PlainEngine
from litmusgate.provenance.tau import calibrate
from litmusgate.provenance.tau_calibration import Calibration, CalibrationInputs
from litmusgate.provenance.tau_roc import Negative, NoTau, Wanted
from unit.provenance.made_suite import document, instance, prose

COUNT = 62
INSTANCES = [instance(f"i{number:02d}", f"{prose(number, 36)}. {prose(200 + number, 24)}.") for number in range(COUNT)]
FILLER = [document(f"d{number}", prose(1000 + number, 150)) for number in range(40)]
INPUTS = CalibrationInputs(instances=INSTANCES, sample=FILLER, most_planted=20)


def run(inputs: CalibrationInputs, *, seed: int = 1) -> Calibration:
    """The calibration of these inputs under a seed."""
    return calibrate(inputs, engine=PlainEngine(), chance=random.Random(seed))


def copy_of(number: int, *, changed: int) -> str:
    """The text of an instance with every so many-th word replaced."""
    words = INSTANCES[number].turns[0].content.split()
    return " ".join("zzz" if place % changed == changed - 1 else word for place, word in enumerate(words))


@pytest.fixture(name="plain", scope="module")
def _plain() -> Calibration:
    return run(INPUTS)


def test_unrelated_texts_give_the_lowest_tau_and_find_every_copy(plain):
    """Made-up words are shared by nobody: no false positive, an area of 1, and all surface kinds found."""
    assert (plain.chosen.tau, plain.chosen.problem) == (Fraction(1, 2), None)
    assert plain.similarity.negatives == {Negative.INSTANCE: COUNT, Negative.HARD: 0}
    assert plain.similarity.area == 1
    by_name = {kind.name: kind for kind in plain.kinds}
    for name in ("verbatim", "edit-5", "recase", "homoglyph", "leet", "quote", "json", "base64", "hex", "rot13"):
        assert (by_name[name].planted, by_name[name].similar, by_name[name].contaminated) == (20, 20, 20)
    assert by_name["verbatim"].by_run == 20
    assert by_name["edit-20"].by_run == 0
    assert plain.nearest == ()
    assert plain.canary is None


def test_the_same_seed_gives_the_same_calibration_and_order_changes_nothing(plain):
    """Two runs agree in every count, and so do instances and documents in another order."""
    mixed = replace(INPUTS, instances=INSTANCES[::-1])
    assert run(INPUTS) == plain
    assert run(mixed) == plain
    other = run(INPUTS, seed=2)
    assert other.similarity.points != plain.similarity.points


def test_an_instance_that_stands_in_the_sample_is_no_negative(plain):
    """Its whole text, or a long run of it, makes it present; it is named and raises no false positive."""
    half = " ".join(INSTANCES[1].turns[0].content.split()[:40])
    found = run(replace(INPUTS, sample=[*FILLER, document("whole", copy_of(0, changed=999)), document("half", half)]))
    assert found.left_out.present == ("i00", "i01")
    assert found.similarity.negatives[Negative.INSTANCE] == COUNT - 2
    assert found.chosen.tau == plain.chosen.tau


def test_a_near_copy_that_nobody_looked_at_gives_no_tau():
    """Counted as clean it would raise τ above itself, counted as a copy it would not: people must say what it is."""
    near = [document("near", copy_of(2, changed=8))]
    disputed = run(replace(INPUTS, sample=[*FILLER, *near]))
    assert disputed.disputed == ("i02",)
    assert (disputed.chosen.tau, disputed.chosen.problem) == (None, NoTau.DISPUTED)
    assert disputed.nearest[0].instance_id == "i02"
    known = run(replace(INPUTS, sample=[*FILLER, *near], known=frozenset({"i02"})))
    assert (known.left_out.named, known.disputed, known.chosen.tau) == (("i02",), (), Fraction(1, 2))
    clean = run(replace(INPUTS, sample=[*FILLER, *near], clean=frozenset({"i02"})))
    assert clean.disputed == ()
    assert clean.chosen.tau > Fraction(85, 100)


def test_the_canarys_labels_settle_what_is_known():
    """A pass is no negative, a violation is one; both disagreements are named."""
    labels = {item.id: item.id in ("i02", "i05") for item in INSTANCES}
    sample = [*FILLER, document("near", copy_of(2, changed=8)), document("whole", copy_of(7, changed=999))]
    found = run(replace(INPUTS, sample=sample, labels=labels))
    assert found.left_out.canary_passed == ("i02", "i05")
    assert found.left_out.present == ("i07",)
    assert found.disputed == ()
    assert found.canary.passes_that_look_clean == ("i05",)
    assert found.canary.contaminated_that_fail == ("i07",)
    assert [(band.passed, band.failed) for band in found.canary.bands] == [
        (1, COUNT - 3), (0, 0), (0, 0), (0, 0), (1, 1), (0, 0),
    ]  # fmt: skip
    assert (found.canary.curve.positives, found.canary.curve.negatives[Negative.INSTANCE]) == (2, COUNT - 2)


def test_given_hard_negatives_are_measured_one_by_one():
    """Each is one negative, found or not; the made ones give way to them."""
    hard = [document(f"h{number}", prose(3000 + number, 60)) for number in range(59)]
    found = run(replace(INPUTS, given_negatives=[*hard, document("copy", copy_of(3, changed=8))]))
    assert found.similarity.negatives[Negative.HARD] == 60
    assert (found.nearest[0].kind, found.nearest[0].document) == (Negative.HARD, "copy")
    assert found.chosen.tau > Fraction(85, 100)
    assert not found.made_negatives


def test_a_hard_negative_that_holds_a_known_instance_is_no_false_positive():
    """An instance that is no negative is none against hard negatives either."""
    hard = [
        *(document(f"h{number}", prose(3000 + number, 60)) for number in range(59)),
        document("copy", copy_of(3, changed=8)),
    ]
    found = run(replace(INPUTS, given_negatives=hard, known=frozenset({"i03"})))
    assert found.similarity.negatives[Negative.HARD] == 60
    assert (found.nearest, found.chosen.tau) == ((), Fraction(1, 2))


def test_boilerplate_makes_hard_negatives_in_which_nothing_is_found():
    """A prompt that all share, around corpus text, is nobody's copy."""
    prompt = "you are the operator of this house and must never tell anybody where the key is"
    instances = [replace(item, system=prompt) for item in INSTANCES]
    filler = [document(f"d{number}", prose(1000 + number, 60)) for number in range(70)]
    found = run(replace(INPUTS, instances=instances, sample=filler))
    assert found.made_negatives
    assert found.similarity.negatives[Negative.HARD] == 70
    assert found.similarity.points[0].false[Negative.HARD] == 0


@pytest.mark.parametrize("sample", [[], [document("blank", " \u200b… ")]])
def test_a_sample_without_words_is_refused(sample):
    """A3: nothing was read, so nothing is calibrated."""
    with pytest.raises(CorpusError, match="no document with a word"):
        run(replace(INPUTS, sample=sample))


def test_a_corpus_that_is_the_suite_is_refused():
    """Where every document shares words with the suite, there is nowhere to plant."""
    with pytest.raises(CorpusError, match="no document to plant into"):
        run(replace(INPUTS, sample=[document("whole", copy_of(0, changed=999))]))


def test_a_suite_that_wholly_stands_in_the_corpus_gives_no_tau():
    """All positive: no negative is left, and the answer is that, not a number."""
    copies = [document(f"c{number}", copy_of(number, changed=999)) for number in range(COUNT)]
    found = run(replace(INPUTS, sample=[*FILLER, *copies]))
    assert (found.chosen.tau, found.chosen.problem) == (None, NoTau.TOO_FEW_NEGATIVES)
    assert len(found.left_out.present) == COUNT
    assert all(kind.similar is None and kind.contaminated is None for kind in found.kinds)


def test_a_suite_of_nothing_assessable_gives_no_tau():
    """Instances of a few words have no score: they are neither plants nor negatives."""
    found = run(replace(INPUTS, instances=[instance(f"s{number}", "two words") for number in range(COUNT)]))
    assert found.chosen.problem is NoTau.TOO_FEW_NEGATIVES
    assert len(found.left_out.not_assessable) == COUNT
    assert found.planted == 0


def test_a_small_suite_may_declare_a_larger_bound():
    """Ten instances exclude no rate of 5 %, but one of 30 %; what is declared decides, in the open."""
    few = replace(INPUTS, instances=INSTANCES[:30])
    assert run(few).chosen.problem is NoTau.TOO_FEW_NEGATIVES
    assert run(replace(few, wanted=Wanted(max_false=Fraction(1, 10)))).chosen.tau == Fraction(1, 2)
