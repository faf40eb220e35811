"""The cut-off: which corpora can have contaminated an agent."""

from datetime import date

from litmusgate.provenance.cutoff import DatedCorpus, corpora_that_count

CUTOFF = date(2026, 6, 30)
CORPORA = (
    DatedCorpus(name="later", published=date(2026, 7, 1)),
    DatedCorpus(name="same-day", published=CUTOFF),
    DatedCorpus(name="undated"),
    DatedCorpus(name="tuning", published=date(2026, 9, 1), fine_tuning_of="desk"),
)


def test_only_what_came_later_is_ignored() -> None:
    """A10: a corpus of the day of the cut-off counts, one without a date counts, a later one does not."""
    split = corpora_that_count(CORPORA, cutoff=CUTOFF, agent="other")
    assert (split.counting, split.ignored) == (("same-day", "undated"), ("later", "tuning"))


def test_without_a_cutoff_everything_counts() -> None:
    """A10: an agent that declares nothing may have seen everything."""
    assert corpora_that_count(CORPORA, cutoff=None).ignored == ()


def test_fine_tuning_data_count_whatever_their_date() -> None:
    """A10: for the agent tuned on them, and when nobody says which agent it is."""
    assert corpora_that_count(CORPORA, cutoff=CUTOFF, agent="desk").ignored == ("later",)
    assert corpora_that_count(CORPORA, cutoff=CUTOFF).ignored == ("later",)
