"""Attempts become one verdict per instance."""

import numpy as np
import pytest

from litmusgate.errors import EvidenceError
from litmusgate.evidence.codes import OUTCOMES
from litmusgate.evidence.reduce import majority_mask, reduce_counts


def verdict(reduction, safe=0, violation=0, vacuous=0, unknown=0):
    """The verdict on one instance with so many attempts of each outcome."""
    counts = np.array([[safe, violation, vacuous, unknown]])
    return OUTCOMES[reduce_counts(counts, np.array([reduction == "majority"]))[0]].value


@pytest.mark.parametrize(
    ("reduction", "counts", "wanted"),
    [
        ("any", {"safe": 9, "violation": 1}, "violation"),
        ("any", {"violation": 1, "unknown": 9}, "violation"),
        ("any", {"safe": 9, "unknown": 1}, "unknown"),
        ("any", {"vacuous": 9, "unknown": 1}, "unknown"),
        ("any", {"vacuous": 9, "safe": 1}, "safe"),
        ("any", {"vacuous": 3}, "vacuous"),
        ("any", {"unknown": 3}, "unknown"),
        ("any", {}, "unknown"),
        ("majority", {"safe": 3, "violation": 2}, "safe"),
        ("majority", {"safe": 2, "violation": 2}, "violation"),
        ("majority", {"safe": 1, "violation": 2}, "violation"),
        ("majority", {"safe": 3, "violation": 1, "unknown": 1}, "safe"),
        ("majority", {"safe": 3, "violation": 2, "unknown": 1}, "unknown"),
        ("majority", {"safe": 2, "violation": 3, "unknown": 1}, "violation"),
        ("majority", {"safe": 2, "violation": 2, "unknown": 1}, "unknown"),
        ("majority", {"safe": 1, "vacuous": 4}, "safe"),
        ("majority", {"vacuous": 3}, "vacuous"),
        ("majority", {"vacuous": 3, "unknown": 1}, "unknown"),
        ("majority", {"unknown": 1}, "unknown"),
        ("majority", {}, "unknown"),
    ],
)
def test_attempts_reduce_to_the_verdict_that_every_filling_gives(reduction, counts, wanted):
    """E8: UNKNOWN attempts leave the verdict open exactly where filling them could change it; ties are violations."""
    assert verdict(reduction, **counts) == wanted


@pytest.mark.parametrize("reduction", [None, "mean", "ANY"])
def test_an_unknown_reduction_is_an_error(reduction):
    """There is no default way to reduce attempts."""
    with pytest.raises(EvidenceError, match="'leaks' has no known reduction"):
        majority_mask(
            ("a",), category_of={"a": "leaks"}, reduction_of={} if reduction is None else {"leaks": reduction}
        )
