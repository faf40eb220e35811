"""Known perturbations: what becomes of a text when it is copied, quoted, encoded or changed a little (A3).

Each is a pure function of the text and of a source of chance, so that a seed names the planted texts. Rule-made synonyms
are not among them: a word list small enough to ship changes too few words of an ordinary text to be a kind of its own.
"""

from __future__ import annotations

import base64
import codecs
import html
import json
import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias


class Chance(Protocol):
    """Where chance comes from; a seeded `random.Random` is one."""

    def random(self) -> float:
        """The next number, at least 0 and below 1."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What a perturbation draws from: chance, and foreign words (at least one) to replace words with."""

    chance: Chance
    words: Sequence[str]


Perturbation: TypeAlias = Callable[[str, Source], str | None]
"""The perturbed text; None where the kind would leave this text as it is (no sentence to move, no word to change)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of plant. `copy`: it keeps the words, so τ has to find it; the others are for the run rule and for review."""

    name: str
    perturb: Perturbation
    copy: bool = True


def draw(chance: Chance, count: int) -> int:
    """A whole number from 0 to below `count` (≥ 1)."""
    return int(chance.random() * count)


def shuffled(chance: Chance, items: Sequence[str]) -> list[str]:
    """`items` in an order that chance chose."""
    mixed = list(items)
    for last in range(len(mixed) - 1, 0, -1):
        other = draw(chance, last + 1)
        mixed[last], mixed[other] = mixed[other], mixed[last]
    return mixed


def edited(percent: int) -> Perturbation:
    """`percent` of the words changed: half of them replaced, a quarter deleted, a quarter followed by a foreign word."""

    def perturb(text: str, source: Source) -> str | None:
        parts = re.split(r"(\s+)", text)
        places = [place for place, part in enumerate(parts) if part and not part.isspace()]
        count = (2 * len(places) * percent + 100) // 200
        if count == 0:
            return None
        chosen = shuffled(source.chance, [str(place) for place in places])[:count]
        for number, place in enumerate(sorted(map(int, chosen))):
            foreign = source.words[draw(source.chance, len(source.words))]
            parts[place] = (foreign, "", foreign, f"{parts[place]} {foreign}")[number % 4]
        return "".join(parts)

    return perturb


def _verbatim(text: str, _: Source) -> str:
    return text


def _recase(text: str, source: Source) -> str:
    return "".join(letter.swapcase() if source.chance.random() < 0.5 else letter for letter in text)


def _repunctuate(text: str, source: Source) -> str:
    """Marks of punctuation become spaces, apostrophes inside words apart, and new ones stand after some words."""
    bare = re.sub(r"(?<!\w)'|'(?!\w)|[^\w\s']", " ", text)
    return re.sub(
        r"(?<=\w)(?=\s)", lambda _: ",;:.!-"[draw(source.chance, 6)] if source.chance.random() < 0.3 else "", bare
    )


def _whitespace(text: str, source: Source) -> str:
    spaces = ("\n", "\t", "  ", "\u00a0", "\r\n\r\n", " \n   ", "\u2003")
    return re.sub(r"\s+", lambda _: spaces[draw(source.chance, len(spaces))], text)


def _some_letters(table: Mapping[str, str], share: float) -> Perturbation:
    def perturb(text: str, source: Source) -> str | None:
        if not table.keys() & set(text):
            return None
        return "".join(table.get(letter, letter) if source.chance.random() < share else letter for letter in text)

    return perturb


def _zero_width(text: str, source: Source) -> str:
    marks = "\u200b\u200c\u200d\u2060\u00ad"
    return re.sub(
        r"(?<=\w)(?=\w)", lambda _: marks[draw(source.chance, 5)] if source.chance.random() < 0.2 else "", text
    )


def _full_width(text: str, _: Source) -> str:
    return text.translate({code: code + 0xFEE0 for code in range(0x21, 0x7F)})


def _shuffle(text: str, source: Source) -> str | None:
    sentences = [part for part in re.split(r"(?<=[.!?])\s+|\n+", text) if part.strip()]
    if len(sentences) < 2:
        return None
    mixed = shuffled(source.chance, sentences)
    return " ".join(mixed if mixed != sentences else reversed(sentences))


def _first_half(text: str, _: Source) -> str | None:
    words = text.split()
    return " ".join(words[: len(words) // 2]) if len(words) > 1 else None


def _quoted(text: str, _: Source) -> str:
    lines = [line for paragraph in text.splitlines() for line in textwrap.wrap(paragraph, 72) or [""]]
    return "On Monday somebody wrote:\n" + "\n".join(f"> {line}" for line in lines)


def _json(text: str, _: Source) -> str:
    return json.dumps({"role": "user", "content": text})


def _html(text: str, _: Source) -> str:
    return "<p>" + html.escape(text).replace("\n", "<br>&nbsp;") + "</p>"


def _base64(text: str, _: Source) -> str:
    return base64.b64encode(text.encode("utf-8", "replace")).decode("ascii")


def _hex(text: str, _: Source) -> str:
    return text.encode("utf-8", "replace").hex()


def _rot13(text: str, _: Source) -> str:
    return codecs.encode(text, "rot13")


_CYRILLIC = dict(zip("aceopxyiAEOPCXTM", "асеорхуіАЕОРСХТМ", strict=True))
_LEET = dict(zip("aeiost", "431057", strict=True))

KINDS: tuple[Kind, ...] = (
    Kind(name="verbatim", perturb=_verbatim),
    Kind(name="edit-1", perturb=edited(1)),
    Kind(name="edit-3", perturb=edited(3)),
    Kind(name="edit-5", perturb=edited(5)),
    Kind(name="edit-10", perturb=edited(10)),
    Kind(name="edit-20", perturb=edited(20), copy=False),
    Kind(name="recase", perturb=_recase),
    Kind(name="repunctuate", perturb=_repunctuate),
    Kind(name="whitespace", perturb=_whitespace),
    Kind(name="homoglyph", perturb=_some_letters(_CYRILLIC, 0.3)),
    Kind(name="zero-width", perturb=_zero_width),
    Kind(name="full-width", perturb=_full_width),
    Kind(name="leet", perturb=_some_letters(_LEET, 0.4)),
    Kind(name="shuffle", perturb=_shuffle),
    Kind(name="first-half", perturb=_first_half, copy=False),
    Kind(name="quote", perturb=_quoted),
    Kind(name="json", perturb=_json),
    Kind(name="html", perturb=_html),
    Kind(name="base64", perturb=_base64),
    Kind(name="hex", perturb=_hex),
    Kind(name="rot13", perturb=_rot13),
)
"""Every kind of plant in the order of reports. `edit-N` changes N % of the words."""
