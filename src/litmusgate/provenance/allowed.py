"""The allow-list: texts whose words are nobody's own (a licence, a famous quotation), each with a recorded reason.

The grams of an allowed text count as boilerplate for texts of every kind. That is the only way to let known text pass:
τ is never lowered for it, and whatever stands around the allowed words is compared as ever.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from litmusgate.digest import digest_json
from litmusgate.provenance.distinctive import GRAM, LEAST_WORDS, Gram, Vocabulary, distinctive_positions, grams
from litmusgate.provenance.fold import fold_words


@dataclass(frozen=True, slots=True, kw_only=True)
class AllowedText:
    """A text that may stand in instances and in known corpora alike, and why.

    Raises `ValueError` without a name or a reason, and for a text of fewer than 5 words, which would allow nothing.
    """

    name: str
    text: str
    reason: str

    def __post_init__(self) -> None:
        if not self.name.strip():
            raise ValueError("an allowed text needs a name")
        if not self.reason.strip():
            raise ValueError(f"{self.name!r} needs a reason: it is what others can judge the exception by")
        words = len(fold_words(self.text))
        if words < LEAST_WORDS:
            raise ValueError(f"the text of {self.name!r} has {words} words, wanted at least {LEAST_WORDS}")


def allow_list_digest(allowed: Sequence[AllowedText]) -> str | None:
    """What names an allow-list wherever results are compared; None for an empty one. The order of the texts is ignored."""
    if not allowed:
        return None
    return digest_json(sorted([item.name, item.text, item.reason] for item in allowed))


def allowed_grams(allowed: Sequence[AllowedText], vocabulary: Vocabulary) -> dict[Gram, frozenset[str]]:
    """The grams of the allowed texts that the suite can have, each with the names of the texts it stands in."""
    names: dict[Gram, set[str]] = {}
    for item in allowed:
        words = vocabulary.read(fold_words(item.text))
        for length in (LEAST_WORDS, GRAM):
            for gram in grams(words, length):
                if 0 not in gram:
                    names.setdefault(gram, set()).add(item.name)
    return {gram: frozenset(found) for gram, found in names.items()}


def names_taking(
    words: Sequence[int], boilerplate: Set[Gram], allowed: Mapping[Gram, frozenset[str]], ignored: Set[Gram]
) -> tuple[str, ...]:
    """Names of the allowed texts without which the text `words` would have more distinctive words; sorted.

    `ignored` is `boilerplate` and the grams of `allowed` together.
    """
    length = min(GRAM, len(words))
    if allowed.keys().isdisjoint(grams(words, length)):
        return ()
    taken = set(distinctive_positions(words, boilerplate)) - set(distinctive_positions(words, ignored))
    names: set[str] = set()
    for start, gram in enumerate(grams(words, length)):
        if gram not in boilerplate and not taken.isdisjoint(range(start, start + length)):
            names |= allowed.get(gram, frozenset())
    return tuple(sorted(names))
