"""Which corpora can have contaminated an agent, by its training cut-off."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True, kw_only=True)
class DatedCorpus:
    """A corpus as the cut-off rule sees it. `published` None: not known. `fine_tuning_of` names the agent tuned on it."""

    name: str
    published: date | None = None
    fine_tuning_of: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CutoffSplit:
    """Names of the corpora that count against the agent, and of those ignored because they came later; both sorted."""

    counting: tuple[str, ...]
    ignored: tuple[str, ...]


def corpora_that_count(corpora: Iterable[DatedCorpus], *, cutoff: date | None, agent: str | None = None) -> CutoffSplit:
    """A10: leaves out the corpora published after `cutoff`, the later of training and fine-tuning of `agent`.

    A corpus published on the day of the cut-off counts, one without a date counts, and without a cut-off all count.
    Fine-tuning data of `agent` count whatever their date; with `agent` None so do all fine-tuning data, since nobody
    said whose they are not.
    """
    counting: list[str] = []
    ignored: list[str] = []
    for corpus in corpora:
        tuned_on = corpus.fine_tuning_of is not None and agent in (None, corpus.fine_tuning_of)
        later = cutoff is not None and corpus.published is not None and corpus.published > cutoff
        (ignored if later and not tuned_on else counting).append(corpus.name)
    return CutoffSplit(counting=tuple(sorted(counting)), ignored=tuple(sorted(ignored)))
