"""`--where` expressions: a small language that cannot reach outside its row."""

import pytest

from litmusgate.errors import UsageError
from litmusgate.where import columns, compile_where

ROW = {"mode": "security", "n": 3, "share": 0.5, "ok": True, "none": None, "text": "a'b"}


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("mode == 'security'", True),
        ("mode != 'security'", False),
        ("mode in ['a', 'security']", True),
        ("mode in ('a', 'b')", False),
        ("mode not in ['a']", True),
        ("n == 3 and share == 0.5", True),
        ("n == 4 or ok", True),
        ("not ok", False),
        ("not (n == 4 or n == 5) and none == null", True),
        ("none in [null, 'x']", True),
        ("n == -3", False),
        ("n == '3'", False),
        ("ok == true", True),
        ("ok == 1", False),
        ("n in [true]", False),
        ("ok != None", True),
        ('text == "a\'b"', True),
        ("  mode == 'security'\n", True),
        ("(mode == 'security'\n and n == 3)", True),
    ],
)
def test_expressions_mean_what_they_say(text, kept):
    """Equality is that of JSON values: true is not 1 and "3" is not 3."""
    assert compile_where(text, known=ROW)(ROW) is kept


@pytest.mark.parametrize(
    "text",
    [
        *("__import__('os').system('x')", "mode.upper == 'x'", "mode[0] == 's'", "len(mode) == 3", "lambda: 1"),
        *("n + 1 == 4", "n ** 9 == 1", "-n == 3", "f'{n}' == '3'", "b'x' == n", "n if ok else n", "[x for x in mode]"),
        *(
            "n < 4",
            "n is 3",
            "1 < n < 4",
            "n == 3 == 3",
            "mode in text",
            "mode in 'security'",
            "n := 3",
            "{'a': 1} == n",
        ),
        *("mode = 'security'", "mode == ", "(", "", "   ", "1j == n", "... == n", "mode == '\\d'", "x" * 5000),
        *("-" * 3990 + "1 == n", "not " * 60 + "ok", "(" * 300 + "ok" + ")" * 300, "mode == 'a\0b'", "await n", "*n"),
    ],
)
def test_everything_else_is_refused_before_any_row_is_read(text):
    """Calls, attributes, indexes, arithmetic, chains, orderings and bombs are usage errors."""
    with pytest.raises(UsageError):
        compile_where(text)
    with pytest.raises(UsageError):
        columns(text)


def test_an_unknown_column_lists_the_known_ones():
    """A misspelled column is an error at its place, for a table and for a single row; it never reads as null."""
    with pytest.raises(UsageError) as caught:
        compile_where("n == 3 and mod == 'x'", known=ROW)
    assert (caught.value.at.line, caught.value.at.column) == (1, 12)
    assert "mode" in caught.value.wanted
    keeps = compile_where("absent == 1")
    with pytest.raises(UsageError, match="unknown column 'absent'"):
        keeps(ROW)
    with pytest.raises(UsageError, match="unknown column"):
        keeps({})


def test_a_single_equals_sign_is_explained():
    """The most common slip gets its own hint."""
    with pytest.raises(UsageError) as caught:
        compile_where("mode = 'x'")
    assert caught.value.fix == "compare with =="


@pytest.mark.parametrize("text", ["n", "'x'", "null", "n and ok", "not mode", "ok and none"])
def test_only_true_and_false_keep_a_row(text):
    """A number, a text or null is not taken for a truth value."""
    with pytest.raises(UsageError, match=r"(neither true nor|want true or) false"):
        compile_where(text)(ROW)


def test_columns_are_the_names_it_reads():
    """Literals are not columns."""
    assert columns("a == true and (b in ['c'] or not d) and e != null") == {"a", "b", "d", "e"}
