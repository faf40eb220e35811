"""The texts of fields, for showing evidence."""

from hypothesis import given
from hypothesis import strategies as st

from litmusgate.provenance.fields import field_texts, instance_fields
from litmusgate.provenance.fold import fold_words
from litmusgate.suite.instance import Role, Turn
from unit.provenance.made_suite import instance


@given(st.lists(st.tuples(st.text(max_size=12), st.sampled_from(Role)), min_size=1, max_size=5), st.text(max_size=9))
def test_a_fields_text_folds_to_its_words(turns: list[tuple[str, Role]], page: str) -> None:
    """Whatever stands in turns and pages: the text that evidence is cut out of has the words that were compared."""
    made = instance("i", "x", attack="one two", page=page, goal="one two")
    object.__setattr__(made, "turns", tuple(Turn(content=text, role=role) for text, role in turns))
    texts = field_texts(made)
    for field in instance_fields(made):
        assert tuple(fold_words(texts[field.where])) == field.words == tuple(fold_words(field.text))
