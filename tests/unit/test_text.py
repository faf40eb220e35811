"""Hostile text: what may be a name, and how any text is shown."""

import pytest

from litmusgate.text import MAX_NAME_CHARACTERS, has_lone_surrogate, inert_line, name_problem, shown_line, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("ünïcode ✓", "ünïcode ✓"),
        ("a\\b", "a\\\\b"),
        ("\x1b[31m", "\\x1b[31m"),
        ("two\nlines\r", "two\\x0alines\\x0d"),
        ("\u202eright", "\\u202eright"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
        ("\ud800", "\\ud800"),
        ("\U000e0001", "\\U000e0001"),
    ],
)
def test_every_control_and_hidden_character_is_shown_as_an_escape(text, shown):
    """Nothing that moves a cursor, turns a line or hides reaches an output raw (T5)."""
    assert visible(text) == shown


def test_no_two_texts_are_shown_alike():
    """An escape written by an attacker and one written by us stay distinct (T5)."""
    texts = ["\x1b", "\\x1b", "\\\\x1b", "\\u001b", "\u001b[", "\\"]
    assert len({visible(text) for text in texts}) == len(texts)


@pytest.mark.parametrize(
    ("line", "inert"),
    [
        ("::error::x", "\\x3a:error::x"),
        ("  ::warning::x", "  \\x3a:warning::x"),
        ("##[error]x", "\\x23#[error]x"),
        ("a ##vso[task]x", "a \\x23#vso[task]x"),
        ("a :: b ## c", "a :: b ## c"),
    ],
)
def test_a_line_that_a_ci_service_would_obey_is_made_inert(line, inert):
    """A name in a suite cannot speak to the runner that prints it (T5)."""
    assert inert_line(line) == inert


def test_a_shown_line_is_one_line_and_no_command():
    """Both escapes together: what follows a line break cannot start a command either (T5)."""
    assert shown_line("::a\n::b") == "\\x3a:a\\x0a::b"


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("", "it is empty"),
        (" a", "it begins or ends with white space"),
        ("a\t", "it begins or ends with white space"),
        ("a" * (MAX_NAME_CHARACTERS + 1), "it has 513 characters, more than 512"),
        ("a\x07b", "character 2 is the control character or lone surrogate U+0007"),
        ("ab\ud800", "character 3 is the control character or lone surrogate U+D800"),
        ("a\u2028b", "character 2 is the control character or lone surrogate U+2028"),
    ],
)
def test_a_name_that_could_mislead_is_refused_with_its_fault(name, problem):
    """Names are short, visible and writable as UTF-8, or refused (T5)."""
    assert name_problem(name) == problem


@pytest.mark.parametrize("name", ["a", "ä b", "a" * MAX_NAME_CHARACTERS, "suite/user_task_1/injection"])
def test_an_honest_name_is_accepted(name):
    """The refusals above refuse nothing else."""
    assert name_problem(name) is None


@pytest.mark.parametrize(("text", "lone"), [("", False), ("ä", False), ("\udc00", True), ("a\ud83d", True)])
def test_a_lone_surrogate_is_found(text, lone):
    """What cannot be written as UTF-8 is told apart from what can."""
    assert has_lone_surrogate(text) is lone
