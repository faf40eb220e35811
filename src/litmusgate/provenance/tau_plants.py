"""What calibration puts into documents: copies of instances, and for the hard negatives the boilerplate of a suite (A3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from litmusgate.provenance.distinctive import GRAM
from litmusgate.provenance.fields import instance_fields
from litmusgate.provenance.fold import fold_words
from litmusgate.provenance.known import KnownDocument
from litmusgate.provenance.perturb import KINDS, Chance, Kind, Source, draw, shuffled
from litmusgate.provenance.similarity import FieldWords
from litmusgate.provenance.suite_texts import SuiteTexts
from litmusgate.suite.instance import Instance, Origin, Role

HOST_CHARACTERS = 4_000
"""A plant stands in at most so much of its host: what is around it beyond that changes nothing."""

PLANTED = "planted"
"""Corpus and source of every document that calibration makes: one source is never common property."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plant:
    """A document that holds the text of `instance_id`, perturbed by `kind`; `copy` is the half-open span of its characters."""

    kind: Kind
    instance_id: str
    document: KnownDocument
    copy: tuple[int, int]


def asked_text(instance: Instance) -> str:
    """What a leak of the instance would hold: its turns and what users and attackers wrote elsewhere, a blank line between.

    The operator's system prompt and the material around the attack are not in it.
    """
    turns = [turn.content for turn in instance.turns if turn.role is not Role.SYSTEM]
    written = [
        surface.text
        for surface in instance.surfaces()
        if surface.kind not in ("system", "turns") and surface.origin in (Origin.USER, Origin.ATTACKER)
    ]
    return "\n\n".join(text for text in [*turns, *written] if text.strip())


def plants(instance: Instance, number: int, hosts: Sequence[KnownDocument], chance: Chance) -> Iterator[Plant]:
    """One plant of every kind that changes `instance`, each in a host of its own drawn from `hosts` (≥ 1)."""
    text = asked_text(instance)
    for kind in KINDS:
        host = hosts[draw(chance, len(hosts))]
        words = [word for word in host.text[:HOST_CHARACTERS].split() if word.isalpha()]
        changed = kind.perturb(text, Source(chance=chance, words=words or ["otherwise"]))
        if changed is not None:
            before, after = _around(host.text, chance)
            yield Plant(
                kind=kind,
                instance_id=instance.id,
                document=_made(f"{kind.name}/{number}", before + changed + after),
                copy=(len(before), len(before) + len(changed)),
            )


def stock_pieces(instances: Sequence[Instance], suite: SuiteTexts, fields: Sequence[FieldWords]) -> tuple[str, ...]:
    """The suite's boilerplate: system prompts that several instances share, and phrases of no instance's own; sorted.

    A prompt in which the whole text of an instance stands is left out: that would be a copy of the instance.
    """
    prompts: dict[str, int] = {}
    for instance in instances:
        found = [instance.system or "", *(turn.content for turn in instance.turns if turn.role is Role.SYSTEM)]
        for prompt in {text for text in found if text.strip()}:
            prompts[prompt] = prompts.get(prompt, 0) + 1
    whole = {" ".join(["", *field.words, ""]) for instance in instances for field in instance_fields(instance)}
    shared = [prompt for prompt, count in prompts.items() if count > 1 and not _holds_any(prompt, whole)]
    names = {number: word for word, number in suite.vocabulary.numbers.items()}
    phrases = {
        " ".join(names[word] for word in run) for field in fields for run in _stock_runs(field) if len(run) >= GRAM
    }
    return tuple(sorted({*shared, *phrases}))


def hard_negatives(
    pieces: Sequence[str], hosts: Sequence[KnownDocument], most: int, chance: Chance
) -> tuple[KnownDocument, ...]:
    """At most `most` documents of corpus text, each with one to three of the boilerplate `pieces` in it; each host once."""
    if not pieces:
        return ()
    order = shuffled(chance, [str(number) for number in range(len(hosts))])[:most]
    made: list[KnownDocument] = []
    for number, host in enumerate(hosts[int(place)] for place in order):
        text = host.text[:HOST_CHARACTERS]
        for piece in shuffled(chance, pieces)[: 1 + draw(chance, 3)]:
            before, after = _around(text, chance)
            text = before + piece + after
        made.append(_made(f"hard/{number}", text))
    return tuple(made)


def _made(name: str, text: str) -> KnownDocument:
    return KnownDocument(corpus=PLANTED, id=name, source=PLANTED, text=text)


def _around(host: str, chance: Chance) -> tuple[str, str]:
    """What stands before and after a text that is put between two words of `host`, blank lines included."""
    host = host[:HOST_CHARACTERS]
    cut = host.find(" ", draw(chance, len(host) + 1))
    cut = len(host) if cut < 0 else cut
    return f"{host[:cut]}\n\n", f"\n\n{host[cut:].lstrip()}"


def _stock_runs(field: FieldWords) -> Iterator[tuple[int, ...]]:
    """The runs of words of a field that are not its own."""
    start = 0
    for position in (*field.positions, len(field.words)):
        if position > start:
            yield field.words[start:position]
        start = position + 1


def _holds_any(prompt: str, texts: set[str]) -> bool:
    words = " ".join(["", *fold_words(prompt), ""])
    return any(text in words for text in texts if len(text.split()) >= GRAM)
