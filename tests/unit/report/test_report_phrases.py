"""The small phrases and the line layout that every renderer is made of."""

from fractions import Fraction

import pytest

from litmusgate.report.layout import wrap
from litmusgate.report.phrases import interval, many, percent, points, tallies


@pytest.mark.parametrize(
    ("share", "shown"),
    [
        (0.0, "0.0 %"),
        (1.0, "100.0 %"),
        (0.00001, "<0.1 %"),
        (0.99999, ">99.9 %"),
        (Fraction(1, 3), "33.3 %"),
        (None, "not measurable"),
    ],
)
def test_a_percentage_is_never_rounded_onto_0_or_100(share, shown):
    """What is nearly nothing is not shown as nothing, what is nearly all not as all, and nothing measured not as 0."""
    assert percent(share) == shown


def test_small_phrases_read_as_they_should():
    """Plurals, signed points, intervals and tallies, each with its empty case."""
    assert (many(1, "trial"), many(2, "trial"), many(0, "box", "boxes")) == ("1 trial", "2 trials", "0 boxes")
    assert (points(Fraction(-1, 8)), points(None)) == ("-12.5 points", "not measurable")
    assert interval(None) == "not measurable"
    assert (tallies({}), tallies({"b": 1, "a": 1, "c": 2})) == ("none", "c 2, a 1, b 1")


def test_a_very_long_text_wraps_in_linear_time_and_whole():
    """A field of a million characters is laid out, not dropped and not cut."""
    lines = wrap("x" * 1_000_000, first="", rest="")
    assert "".join(lines) == "x" * 1_000_000
    assert max(map(len, lines)) == 80
