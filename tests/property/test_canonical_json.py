"""Canonical JSON is RFC 8785's, whichever way it is written."""

import json
import math

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from litmusgate.digest import canonical_bytes, digest_json

WORDS = st.text(max_size=8)
NUMBERS = st.one_of(
    st.integers(-(2**53) + 1, 2**53 - 1),
    st.floats(-1e15, 1e15),
    st.floats(-2, 2),
    st.sampled_from([0.0, -0.0, 1e-4, 9e-5, 1e-6, 1e-7, 1.0, 100.0, 2.0**53 - 1, 0.1 + 0.2, 5e-324]),
)
LEAVES = st.one_of(st.none(), st.booleans(), WORDS, NUMBERS)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.tuples(inner, inner), st.dictionaries(WORDS, inner, max_size=4)
    ),
    max_leaves=12,
)


@given(VALUES)
def test_the_quick_way_writes_what_the_standard_says(value):
    """T2: canonical bytes are those of the RFC's own library, for every number, key and nesting."""
    assert canonical_bytes(value) == rfc8785.dumps(value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_is_written_as_the_standard_says(number):
    """T2: the shortest decimal, with an exponent only where RFC 8785 has one, at every size."""
    assert canonical_bytes([number]) == rfc8785.dumps([number])


@given(VALUES)
def test_canonical_bytes_read_back_to_themselves(value):
    """T2: reading and writing canonical bytes changes none of them, so a digest can always be recomputed."""
    data = canonical_bytes(value)
    assert canonical_bytes(json.loads(data)) == data
    assert digest_json(value) == digest_json(json.loads(data))


@pytest.mark.parametrize(
    "value", [math.nan, math.inf, -math.inf, 2**53, -(2**53), "\ud800", {"\udfff": 1}, [0.5, math.nan]]
)
def test_what_has_no_canonical_form_is_refused(value):
    """T2: NaN, infinities, integers that doubles cannot hold and lone surrogates have no digest."""
    with pytest.raises(ValueError):  # noqa: PT011 - two libraries, one type
        canonical_bytes({"inside": value})
