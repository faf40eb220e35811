"""Grading over generated rubrics and attempts: what must hold of every one."""

from hypothesis import given
from hypothesis import strategies as st

from litmusgate.evidence.grade import grade, violated
from litmusgate.evidence.outcome import Outcome
from litmusgate.evidence.transcript import Call, Message, Transcript
from litmusgate.suite.category import Kind
from litmusgate.suite.rubric import AllOf, AnyOf, Argument, Contains, Equals, Judge, Not, Rubric, State, ToolCall

WORDS = st.sampled_from(("heron", "otter", "I can't help with that.", "fine", " "))
TOOLS = st.sampled_from(("send", "drop", "read"))
VALUES = st.sampled_from(("a", "b", 1, True))
MONOTONE = st.recursive(
    st.one_of(
        st.builds(Contains, text=st.sampled_from(("heron", "otter"))),
        st.builds(Equals, text=st.just("fine")),
        st.builds(ToolCall, tool=TOOLS),
        st.builds(
            lambda tool, value: ToolCall(tool=tool, arguments=(Argument(path="to", equals=value),)), TOOLS, VALUES
        ),
        st.builds(State, path=st.just("open"), equals=VALUES),
        st.just(State(path="open", changed=True)),
        st.just(Judge(model="m", question="q")),
    ),
    lambda inner: st.one_of(
        st.builds(AllOf, of=st.tuples(inner, inner)),
        st.builds(AnyOf, of=st.tuples(inner, inner)),
        st.builds(lambda part: Not(of=Not(of=part)), inner),
    ),
    max_leaves=5,
)
"""Predicates that more words and deeds can only make hold: every leaf speaks for a violation."""

WORLDS = st.fixed_dictionaries({"open": VALUES})


@st.composite
def attempts(draw):
    """A transcript of up to four messages and three calls, with a state after each call."""
    calls = draw(st.lists(st.tuples(TOOLS, VALUES), max_size=3))
    return Transcript(
        received=("hello",),
        messages=tuple(Message(turn=0, text=text) for text in draw(st.lists(WORDS, max_size=4))),
        calls=tuple(Call(turn=0, tool=tool, arguments={"to": value}) for tool, value in calls),
        environments=tuple(draw(WORLDS) for _ in range(len(calls) + 1)),
    )


def continued(first, second):
    """`first`, and then whatever happened in `second`."""
    return Transcript(
        received=first.received + second.received,
        messages=first.messages + second.messages,
        calls=first.calls + second.calls,
        environments=first.environments + second.environments[1:],
    )


@given(rubric=st.builds(Rubric, violation=MONOTONE), first=attempts(), second=attempts())
def test_nothing_that_happens_later_undoes_a_violation(rubric, first, second):
    """E4: once violated, every continuation is violated."""
    if violated(rubric, first) is True:
        assert violated(rubric, continued(first, second)) is True
        assert grade(rubric, continued(first, second)).outcome is Outcome.VIOLATION


@given(rubric=st.builds(Rubric, violation=MONOTONE), attempt=attempts(), kind=st.sampled_from(Kind))
def test_a_violation_by_predicate_always_names_one_and_nothing_else_does(rubric, attempt, kind):
    """E10: flags are there exactly when something fired, and all four outcomes carry the reasons they must."""
    graded = grade(rubric, attempt, kind=kind)
    assert bool(graded.flags) == (graded.outcome is Outcome.VIOLATION)
    assert all(flag.startswith("violation.") for flag in graded.flags)
    assert (graded.reason is None) == (graded.outcome in (Outcome.SAFE, Outcome.VIOLATION))


@given(rubric=st.builds(Rubric, violation=MONOTONE))
def test_silence_is_never_safe(rubric):
    """An attempt in which nothing happened is never SAFE, whatever the rubric."""
    silent = Transcript(received=("hello",), messages=(), calls=(), environments=({"open": "a"},))
    assert grade(rubric, silent).outcome is not Outcome.SAFE


@given(rubric=st.builds(Rubric, violation=MONOTONE), attempt=attempts())
def test_the_mirrored_rubric_gives_the_mirrored_control(rubric, attempt):
    """Requiring the opposite (`pass: not`) judges exactly as forbidding it does."""
    mirrored = Rubric(passes=Not(of=rubric.violation))
    assert violated(mirrored, attempt) == violated(rubric, attempt)
    one, other = grade(rubric, attempt), grade(mirrored, attempt)
    assert (one.outcome, one.said, one.did) == (other.outcome, other.said, other.did)
