"""Near-duplicate groups: one question asked twice is one group, a shared prompt alone is not."""

import random

import pytest

from litmusgate.provenance.duplicates import near_duplicate_groups
from unit.provenance.made_suite import TAU, instance, prose

WRAPPER = prose(80, 60)


def test_one_changed_value_is_the_same_question() -> None:
    """A12: instances that differ in one word share a group named by the smallest id."""
    words = prose(81, 40).split()
    suite = [instance(f"i{n}", " ".join([*words[:20], f"value{n}x", *words[20:]])) for n in range(6)]
    suite.append(instance("z", prose(82, 40)))
    assert near_duplicate_groups(suite, tau=TAU) == {**{f"i{n}": "i0" for n in range(6)}, "z": "z"}


def test_a_shared_prompt_or_a_shared_attack_is_not_the_same_question() -> None:
    """A12: a grid of prompts and wrapped attacks stays as many groups as instances."""
    suite = [
        instance(f"{p}-{a}", prose(100 + p, 40), attack=f"{WRAPPER} {prose(200 + a, 8)} {WRAPPER}")
        for p in range(6)
        for a in range(6)
    ]
    groups = near_duplicate_groups(suite, tau=TAU)
    assert len(set(groups.values())) == 36


def test_similarity_must_be_mutual() -> None:
    """A12: a text that contains another is not its duplicate when it says much more."""
    groups = near_duplicate_groups(
        [instance("a", prose(83, 40)), instance("b", f"{prose(83, 40)} {prose(84, 40)}")], tau=TAU
    )
    assert groups == {"a": "a", "b": "b"}


def test_perturbed_copies_share_a_group() -> None:
    """A12: case, look-alikes and punctuation do not make a second question."""
    text = prose(85, 40)
    suite = [instance("b", text), instance("a", text.upper().replace(" ", ", ")), instance("c", text.replace("a", "а"))]
    assert set(near_duplicate_groups(suite, tau=TAU).values()) == {"a"}


def test_instances_without_words_stand_alone() -> None:
    """A12: nothing to compare is not sameness."""
    suite = [instance("a", "…"), instance("b", "!")]
    assert near_duplicate_groups(suite, tau=TAU) == {"a": "a", "b": "b"}


def test_order_does_not_matter() -> None:
    """A12: groups are the same for any order of the suite."""
    suite = [instance(f"i{n}", f"{prose(86 + n % 3, 40)} value{n}") for n in range(9)]
    expected = near_duplicate_groups(suite, tau=TAU)
    random.Random(1).shuffle(suite)
    assert near_duplicate_groups(suite, tau=TAU) == expected
    assert len(set(expected.values())) == 3


@pytest.mark.parametrize("size", [300])
def test_a_templated_suite_is_one_group(size: int) -> None:
    """A12: hundreds of instances of one template are found with a bounded number of comparisons."""
    words = prose(87, 40).split()
    suite = [instance(f"i{n:03}", " ".join([*words, f"v{n}x"])) for n in range(size)]
    assert set(near_duplicate_groups(suite, tau=TAU).values()) == {"i000"}


def test_a_star_of_five_hundred_copies_is_one_group() -> None:
    """A12: copies that differ too much from each other are one group through the text that each of them is near to."""
    words = prose(88, 60).split()
    suite = [instance("z", " ".join(words))]
    for number in range(500):
        rng = random.Random(number)
        copy = list(words)
        for place in rng.sample(range(60), 3):
            copy[place] = f"changed{number}at{place}"
        suite.append(instance(f"i{number:03}", " ".join(copy)))
    assert set(near_duplicate_groups(suite, tau=TAU).values()) == {"i000"}
    without = near_duplicate_groups(suite[1:40], tau=TAU)
    assert len(set(without.values())) > 1


def test_templates_with_their_own_matter_stay_apart() -> None:
    """A12: twenty variants of each of fifty questions in one wrapper are fifty groups, none of them missed or lumped."""
    suite = [
        instance(f"i{number:04}", f"{WRAPPER} {prose(3000 + number // 20, 20)} v{number}x {WRAPPER}")
        for number in range(1000)
    ]
    groups = near_duplicate_groups(suite, tau=TAU)
    assert groups == {f"i{number:04}": f"i{number // 20 * 20:04}" for number in range(1000)}


def test_sentences_in_another_order_are_the_same_question() -> None:
    """A12: similarity is that of the scan, which sees shuffled pieces: the same words in runs are the same text."""
    pieces = [prose(4000 + number, 12) for number in range(5)]
    suite = [instance("a", ". ".join(pieces)), instance("b", ". ".join(reversed(pieces)))]
    assert near_duplicate_groups(suite, tau=TAU) == {"a": "a", "b": "a"}
