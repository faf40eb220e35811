"""JSON paths: what they reach, and what is no path at all."""

import pytest

from litmusgate.errors import SuiteError
from litmusgate.evidence.json_path import ABSENT, equal, lookup, parse_path


@pytest.mark.parametrize(
    ("path", "steps"),
    [
        ("to", ("to",)),
        ("a.b", ("a", "b")),
        ("items[0].sku", ("items", 0, "sku")),
        ("[2]", (2,)),
        ("a[1][2]", ("a", 1, 2)),
        ("first name.x-y", ("first name", "x-y")),
    ],
)
def test_paths_are_keys_and_indices(path, steps):
    """Dotted keys and bracketed indices, from the root."""
    assert parse_path(path) == steps


@pytest.mark.parametrize("path", ["", ".", "a.", ".a", "a..b", "a[", "a[x]", "a]", "a[-1]", "a[0]b"])
def test_what_is_no_path_is_an_error(path):
    """A path that cannot be read never just leads nowhere."""
    with pytest.raises(SuiteError, match="path that cannot be read"):
        parse_path(path)


def test_absent_equals_nothing_but_itself():
    """A missing value is not null, not empty and not false."""
    found = lookup({"a": None}, "b")
    assert found is ABSENT
    assert equal(found, ABSENT)
    assert not any(equal(found, value) for value in (None, "", 0, False, [], {}))
    assert lookup({"a": None}, "a") is None
