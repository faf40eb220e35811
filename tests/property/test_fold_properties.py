"""Fold version 1 on any text: spans and words agree, case and spaces never matter."""

from hypothesis import given
from hypothesis import strategies as st

from litmusgate.provenance.fold import fold_spans, fold_words


@given(st.text(max_size=60))
def test_spans_read_the_same_words(text: str) -> None:
    """Words with spans are the words without, in order, inside the text, and not overlapping backwards."""
    spans = fold_spans(text)
    assert [word for word, _, _ in spans] == fold_words(text)
    assert all(0 <= start < end <= len(text) for _, start, end in spans)
    assert [start for _, start, _ in spans] == sorted(start for _, start, _ in spans)


@given(st.text(alphabet="ab'&;\\untr#x39 \u2019é", max_size=40))
def test_spans_survive_broken_entities_and_escapes(text: str) -> None:
    """Half an entity, half an escape and stray apostrophes cut the text in the same places both ways."""
    assert [word for word, _, _ in fold_spans(text)] == fold_words(text)


@given(st.text(max_size=60))
def test_folding_knows_no_case(text: str) -> None:
    """The words of a text are those of its case-folded form."""
    assert fold_words(text.casefold()) == fold_words(text)


@given(st.lists(st.text(max_size=20), max_size=4))
def test_a_space_never_joins_words(parts: list[str]) -> None:
    """Folding texts joined by a newline gives the words of each in turn."""
    plain = [part.replace("&", "").replace("\\", "") for part in parts]
    assert fold_words("\n".join(plain)) == [word for part in plain for word in fold_words(part)]
