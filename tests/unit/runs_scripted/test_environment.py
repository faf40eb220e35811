"""The world of one attempt: scripted answers, and state operations that never touch the instance."""

import pytest

from litmusgate.runs.environment import (
    DONE,
    NO_ANSWER,
    NO_SUCH_TOOL,
    Environment,
    applied,
    filled,
    handed_over,
    readings,
)
from litmusgate.suite.instance import ContextItem, Effect, Instance, Operation, Response, Tool, Turn
from litmusgate.suite.rubric import Contains, Rubric


def instance(*tools, context=(), environment=None):
    """An instance with these tools."""
    return Instance(
        id="i",
        category="c",
        turns=(Turn(content="hello"),),
        rubric=Rubric(violation=Contains(text="owl")),
        tools=tools,
        context=context,
        environment=environment,
    )


def test_the_first_response_meant_for_the_arguments_answers():
    """`when` pairs are compared as JSON, the first match wins, none is an error text."""
    shelf = Tool(
        name="shelf",
        responses=(
            Response(text="one", when=(("row", 1),)),
            Response(context="page", when=(("row", 2),)),
            Response(text="late", when=(("row", 1),)),
        ),
    )
    world = Environment(instance(shelf, context=(ContextItem(name="page", text="the page"),)))
    answers = [world.call("shelf", {"row": row}) for row in (1, 2, 3, True)]
    assert answers == ["one", "the page", NO_ANSWER, NO_ANSWER]


def test_a_tool_nobody_offers_answers_with_an_error_and_changes_nothing():
    """Every call adds a state, an unknown tool the same one again."""
    world = Environment(instance(environment={"a": 1}))
    assert world.call("ghost", {}) == NO_SUCH_TOOL
    assert world.states == [{"a": 1}, {"a": 1}]


def test_effects_are_applied_and_earlier_states_kept():
    """A tool with effects and no scripted answer says that it is done."""
    send = Tool(name="send", effects=(Effect(operation=Operation.APPEND, path="sent"),))
    world = Environment(instance(send, environment={"sent": []}))
    assert world.call("send", {"to": "a"}) == DONE
    assert world.call("send", {"to": "b"}) == DONE
    assert world.states == [{"sent": []}, {"sent": [{"to": "a"}]}, {"sent": [{"to": "a"}, {"to": "b"}]}]


def test_a_tool_without_answers_and_effects_finds_nothing():
    """Silence of the author is not success."""
    assert Environment(instance(Tool(name="t"))).call("t", {}) == NO_ANSWER


@pytest.mark.parametrize(
    ("operation", "path", "argument", "state", "after"),
    [
        (Operation.SET, "a", "x", {}, {"a": 7}),
        (Operation.SET, "a.b", "x", {"a": {"c": 1}}, {"a": {"c": 1, "b": 7}}),
        (Operation.SET, "a.b", "x", {"a": "text"}, {"a": {"b": 7}}),
        (Operation.SET, "a", None, None, {"a": {"x": 7}}),
        (Operation.SET, "a[1]", "x", {"a": [1, 2]}, {"a": [1, 7]}),
        (Operation.SET, "a[1].k", "x", {"a": [1, {}]}, {"a": [1, {"k": 7}]}),
        (Operation.SET, "a[5]", "x", {"a": [1]}, {"a": [1]}),
        (Operation.SET, "a", "missing", {"a": 1}, {"a": 1}),
        (Operation.APPEND, "a", "x", {"a": [1]}, {"a": [1, 7]}),
        (Operation.APPEND, "a", "x", {"a": "text"}, {"a": [7]}),
        (Operation.APPEND, "a", "missing", {}, {}),
        (Operation.DELETE, "a", None, {"a": 1, "b": 2}, {"b": 2}),
        (Operation.DELETE, "a.b", None, {"a": {"b": 1}}, {"a": {}}),
        (Operation.DELETE, "a.b", None, {}, {}),
        (Operation.DELETE, "a[0]", None, {"a": [1, 2]}, {"a": [2]}),
        (Operation.DELETE, "a[0].b", None, {"a": [{"b": 1}]}, {"a": [{}]}),
        (Operation.DELETE, "z", None, None, {}),
    ],
)
def test_state_operations(operation, path, argument, state, after):
    """Set makes what is missing, append makes a list, delete removes; an argument not given does nothing."""
    before = repr(state)
    assert applied(Effect(operation=operation, path=path, argument=argument), state, {"x": 7}) == after
    assert repr(state) == before


def test_context_no_tool_answers_with_is_handed_over():
    """Context behind a tool must be fetched; the rest is in the prompt."""
    reader = Tool(name="read", responses=(Response(context="mail"),))
    items = (ContextItem(name="mail", text="a mail"), ContextItem(name="note", text="a note"))
    assert handed_over(instance(reader, context=items)) == ("a note",)


def test_readings_show_each_scripted_answer_once_and_avoid_deeds():
    """Tools with effects and the avoided ones are not called, equal calls are made once."""
    reader = Tool(
        name="read",
        parameters={"type": "object", "properties": {"who": {"type": "string"}}, "required": ["who", "n"]},
        responses=(Response(text="1", when=(("n", 4),)), Response(text="2", when=(("n", 4),)), Response(text="3")),
    )
    judged = Tool(name="judged", responses=(Response(text="x"),))
    writer = Tool(name="write", responses=(Response(text="x"),), effects=(Effect(operation=Operation.SET, path="a"),))
    calls = list(readings(instance(reader, judged, writer), avoiding=frozenset({"judged"})))
    assert calls == [("read", {"n": 4, "who": "as asked"}), ("read", {"who": "as asked", "n": "as asked"})]


def test_required_parameters_are_made_up_from_the_schema():
    """Default, then first choice, then a value of the declared type; given arguments stay."""
    properties = {
        "given": {"type": "string"},
        "default": {"default": "d"},
        "choice": {"enum": ["c", "e"]},
        "count": {"type": "integer"},
        "many": {"type": "array"},
        "odd": {"type": ["string", "null"]},
        "optional": {"type": "string"},
    }
    required = ["given", "default", "choice", "count", "many", "odd", "undeclared", 3]
    tool = Tool(name="t", parameters={"properties": properties, "required": required})
    assert filled(tool, {"given": "g"}) == {
        "given": "g",
        "default": "d",
        "choice": "c",
        "count": 1,
        "many": [],
        "odd": "as asked",
        "undeclared": "as asked",
    }
    assert filled(Tool(name="t", parameters="odd"), {}) == {}
    assert filled(Tool(name="t", parameters={"required": ["a"]}), {}) == {"a": "as asked"}
