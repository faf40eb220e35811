"""Instances and documents for provenance tests: texts of made-up words, so that nothing is shared by accident."""

import random
from fractions import Fraction

from litmusgate.provenance.known import KnownDocument
from litmusgate.suite.instance import ContextItem, Instance, Origin, Role, Turn
from litmusgate.suite.rubric import Contains, Rubric

TAU = Fraction(85, 100)
_SYLLABLES = ("ka", "lo", "mi", "ru", "te", "va", "zo", "ne", "pi", "su", "da", "fo", "gi", "hu", "be")


def prose(seed: int, words: int) -> str:
    """`words` made-up words, the same for the same seed."""
    rng = random.Random(seed)
    return " ".join("".join(rng.choices(_SYLLABLES, k=3)) for _ in range(words))


def instance(
    name: str,
    *turns: str,
    system: str | None = None,
    attack: str | None = None,
    page: str | None = None,
    goal: str | None = None,
) -> Instance:
    """An instance with user turns and, where given, an injection and a page the agent retrieves."""
    context = []
    if attack is not None:
        context.append(ContextItem(name="attack", text=attack, origin=Origin.ATTACKER))
    if page is not None:
        context.append(ContextItem(name="page", text=page))
    return Instance(
        id=name,
        category="leaks",
        turns=tuple(Turn(content=turn, role=Role.USER) for turn in turns),
        rubric=Rubric(violation=Contains(text="never said")),
        system=system,
        context=tuple(context),
        attack_goal=goal,
    )


def document(name: str, text: str, *, corpus: str = "public", source: str | None = None) -> KnownDocument:
    """A known document, from its corpus unless a source is given."""
    return KnownDocument(corpus=corpus, id=name, text=text, source=source or corpus)
