"""Near-duplicate groups are exact: what finds candidates quickly leaves out no pair that is near."""

import random
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from litmusgate.provenance import duplicates
from litmusgate.provenance.duplicates import near_duplicate_groups
from litmusgate.suite.instance import Instance
from unit.provenance.made_suite import TAU, instance

FEW = [f"w{letter}" for letter in "abcdefgh"]


def _pairwise(suite: list[Instance], tau: Fraction) -> dict[str, str]:
    """Groups from every pair taken by itself; boilerplate is the whole suite's, so each pair stands among the others."""
    leader = {item.id: item.id for item in suite}
    for one in suite:
        for other in suite:
            if one.id < other.id and _is_near(one, other, suite, tau):
                old, new = sorted((leader[one.id], leader[other.id]), reverse=True)
                leader = {name: new if found == old else found for name, found in leader.items()}
    return leader


def _is_near(one: Instance, other: Instance, suite: list[Instance], tau: Fraction) -> bool:
    prepared = {item.id: item for item in duplicates._prepared(suite, tau)}
    parts = zip(prepared[one.id].parts, prepared[other.id].parts, strict=True)
    spoken = any(text.words for text in prepared[one.id].parts)
    return spoken and all(a is b or duplicates._is_near_text(a, b, tau) for a, b in parts)


texts = st.lists(st.sampled_from(FEW), max_size=14).map(" ".join)


@settings(max_examples=150)
@given(
    st.lists(st.tuples(texts, st.one_of(st.none(), texts)), min_size=1, max_size=7),
    st.sampled_from((TAU, Fraction(3, 5))),
)
def test_groups_are_those_of_comparing_every_pair(parts: list[tuple[str, str | None]], tau: Fraction) -> None:
    """A12: with few words, where everything looks alike, the index gives the groups of all pairs."""
    suite = [instance(f"i{n}", said, attack=attack) for n, (said, attack) in enumerate(parts)]
    assert near_duplicate_groups(suite, tau=tau) == _pairwise(suite, tau)


@settings(max_examples=60)
@given(st.randoms(use_true_random=False), st.integers(0, 6))
def test_edited_copies_are_grouped_as_every_pair_says(rng: random.Random, edits: int) -> None:
    """A12: copies of one text with words exchanged, dropped, added and moved."""
    base = [f"x{n}" for n in range(24)]
    suite = []
    for number in range(6):
        words = list(base)
        for _ in range(rng.randint(0, edits)):
            place = rng.randrange(len(words))
            words[place : place + rng.randint(0, 2)] = [f"y{rng.randrange(40)}"] * rng.randint(0, 2)
        if rng.random() < 0.3:
            cut = rng.randrange(len(words))
            words = words[cut:] + words[:cut]
        suite.append(instance(f"i{number}", " ".join(words)))
    assert near_duplicate_groups(suite, tau=TAU) == _pairwise(suite, TAU)


@settings(max_examples=25)
@given(st.randoms(use_true_random=False))
def test_the_order_of_a_suite_does_not_change_its_groups(rng: random.Random) -> None:
    """A12: the same instances in any order have the same groups."""
    suite = [instance(f"i{n}", " ".join(rng.choices(FEW, k=rng.randint(0, 12)))) for n in range(8)]
    expected = near_duplicate_groups(suite, tau=TAU)
    rng.shuffle(suite)
    assert near_duplicate_groups(suite, tau=TAU) == expected
