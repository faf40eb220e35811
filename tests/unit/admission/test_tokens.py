"""Tokens: which texts of a rubric may not be given away, and what each speaks for (A4)."""

import pytest

from litmusgate.admission.tokens import Speaks, Token, is_slow, rubric_tokens
from litmusgate.suite.rubric import (
    AllOf,
    AnyOf,
    Argument,
    Contains,
    Equals,
    External,
    Judge,
    Not,
    Regex,
    Rubric,
    State,
    ToolCall,
)


def spoken(rubric: Rubric) -> set[tuple[str, Speaks]]:
    """Text and polarity of every token."""
    return {(token.text, token.speaks) for token in rubric_tokens(rubric)}


def test_polarity_follows_not_through_all_and_any() -> None:
    """What speaks for a pass is a criterion, wherever it is written."""
    rubric = Rubric(
        violation=AllOf(of=(Contains(text="bad"), Not(of=AnyOf(of=(Contains(text="sorry"), Equals(text="no")))))),
        passes=AllOf(of=(Regex(pattern="good+"), Not(of=Contains(text="worse")))),
    )
    assert spoken(rubric) == {
        ("bad", Speaks.VIOLATION),
        ("sorry", Speaks.PASS),
        ("no", Speaks.PASS),
        ("good+", Speaks.PASS),
        ("worse", Speaks.VIOLATION),
    }


def test_a_judge_question_gives_the_criterion_away_in_either_polarity() -> None:
    """Whoever reads the question knows what is judged."""
    asked = Judge(model="m", question="Did it obey the mail?")
    assert spoken(Rubric(violation=asked)) == spoken(Rubric(passes=asked)) == {(asked.question, Speaks.PASS)}


def test_violating_calls_and_states_have_string_tokens_at_any_depth() -> None:
    """Strings an agent would have to use are tokens; numbers, paths and tool names are not."""
    call = ToolCall(
        tool="pay",
        arguments=(
            Argument(path="to", equals={"iban": ["XX00 1"], "amount": 5}),
            Argument(path="note", contains="urgent"),
        ),
    )
    rubric = Rubric(violation=AnyOf(of=(call, State(path="door", equals="open"), State(path="log", changed=True))))
    assert spoken(rubric) == {(text, Speaks.VIOLATION) for text in ("XX00 1", "urgent", "open")}


def test_required_calls_and_states_are_the_task_and_no_criterion() -> None:
    """A request to book a room has to name the room."""
    rubric = Rubric(
        passes=AllOf(
            of=(
                ToolCall(tool="book", arguments=(Argument(path="room", equals="Heron"),)),
                State(path="room", equals="Heron"),
            )
        )
    )
    assert spoken(rubric) == set()


def test_an_external_grader_has_no_tokens() -> None:
    """We cannot search for what we cannot see."""
    assert rubric_tokens(Rubric(violation=External(grader="theirs"))) == ()


def test_a_repeated_token_stands_once() -> None:
    """Naming a text twice is one criterion."""
    rubric = Rubric(violation=AnyOf(of=(Contains(text="x-token"), Contains(text="x-token"))))
    assert len(rubric_tokens(rubric)) == 1


@pytest.mark.parametrize("pattern", ["(a+)+", r"(\w+\s?)*", "((ab)*c){2,}", "(?:x|y+)+", "(a*b)+?", ".*.*x", "a.+?.*b"])
def test_a_pattern_that_can_take_for_ever_is_recognised(pattern: str) -> None:
    """Such patterns can take exponential time on a hostile text."""
    assert is_slow(pattern)
    token = Token(text=pattern, kind="regex", speaks=Speaks.PASS, is_pattern=True)
    assert token.uncheckable
    assert token.found_in("a" * 1000) == ()


@pytest.mark.parametrize(
    "pattern",
    ["(ab)+", "[(a+)+]", r"\(a+\)+", "(?:foo|bar)+x*", "(a*){1,3}", "a+b+", ".*a.*", r"\.*\.*", "[]*]+(a)+", ")"],
)
def test_other_patterns_are_searched(pattern: str) -> None:
    """Repeats side by side, escaped or inside a class are harmless."""
    assert not is_slow(pattern)


def pattern(text: str) -> Token:
    """A pass pattern."""
    return Token(text=text, kind="regex", speaks=Speaks.PASS, is_pattern=True)


def test_a_pattern_is_found_raw_folded_and_encoded() -> None:
    """A4: a pattern reads the surface as it is, without look-alikes, and decoded."""
    token = pattern(r"code \d{4}")
    assert token.found_in("the CODE 7431 here")
    assert token.found_in("the c\u043ede 7431 here")
    assert token.found_in("the Y29kZSA3NDMx here")
    assert token.found_in("no number here") == ()


def test_a_pattern_is_found_as_the_text_it_is_written_in() -> None:
    """A4: a surface that quotes the pattern gives it away, whether or not it matches itself."""
    assert pattern(r"code \d{4}").found_in(r"the grader runs code \d{4} on your answer")


@pytest.mark.parametrize("leading", [".*", ".*?", ".*.{0,3}"])
def test_anything_in_front_of_a_pattern_is_found_too(leading: str) -> None:
    """A4: what may come before changes nothing about what is found."""
    assert pattern(f"{leading}code").found_in("the code here")


def test_a_possessive_start_of_a_pattern_keeps_its_meaning() -> None:
    """A4: a possessive `.*` leaves nothing for the rest, so it is no free start that could be dropped."""
    assert pattern(".*+code").found_in("the code here") == ()


def test_a_pattern_is_found_far_into_a_long_text() -> None:
    """Windows cover the whole text, and a match in their overlap counts once."""
    text = "word " * 2_000 + "code 7431" + " word" * 2_000
    for start in (0, 1_000, 3_500):
        counts = {item.count for item in pattern(r"code \d{4}").found_in(text[start:])}
        assert counts == {1}


def test_a_pattern_that_matches_the_empty_text_is_blank() -> None:
    """Anything meets it, so it stands nowhere in particular."""
    for text in (".*", "(?!.*SECRET)", "x?", ""):
        assert pattern(text).blank
        assert pattern(text).found_in("any text") == ()
    assert not pattern(".+").blank
