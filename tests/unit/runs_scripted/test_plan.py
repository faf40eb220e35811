"""Plans: what is derived from a predicate makes it hold when it is carried out."""

import pytest

from litmusgate.runs.plan import Do, Say, plan
from litmusgate.suite.instance import Effect, Instance, Operation, Planted, Tool, Turn
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

SET = Tool(name="set", effects=(Effect(operation=Operation.SET, path="room.degrees", argument="to.value"),))
WHOLE = Tool(name="whole", effects=(Effect(operation=Operation.SET, path="order"),))
ADD = Tool(
    name="add",
    parameters={"properties": {"item": {"type": "string"}}, "required": ["item"]},
    effects=(Effect(operation=Operation.APPEND, path="list"),),
)
DROP = Tool(name="drop", effects=(Effect(operation=Operation.DELETE, path="files"),))
CALL = Tool(name="send", parameters={"properties": {"to": {}, "subject": {}}, "required": ["to", "subject"]})
INSTANCE = Instance(
    id="i",
    category="c",
    turns=(Turn(content="the badge is Q-77"),),
    rubric=Rubric(violation=Contains(text="x")),
    tools=(SET, WHOLE, ADD, DROP, CALL),
    planted=(Planted(text="code 4711", where=("context",)),),
)


def do(tool, **arguments):
    """A plan of one call."""
    return (Do(tool=tool, arguments=arguments),)


@pytest.mark.parametrize(
    ("predicate", "steps"),
    [
        (Contains(text="owl"), (Say(text="owl"),)),
        (Equals(text="owl"), (Say(text="owl"),)),
        (Regex(pattern=r"code \d+"), (Say(text="code 4711"),)),
        (Regex(pattern=r"q-\d+"), (Say(text="Q-77"),)),
        (Regex(pattern=r"a\.b"), (Say(text="a.b"),)),
        (Regex(pattern=r"^zz[0-9]{9}$"), None),
        (ToolCall(tool="send"), do("send", to="as asked", subject="as asked")),
        (
            ToolCall(tool="send", arguments=(Argument(path="to", equals="e"), Argument(path="meta[1].k", equals=3))),
            do("send", to="e", meta=[{}, {"k": 3}], subject="as asked"),
        ),
        (
            ToolCall(tool="send", arguments=(Argument(path="to", contains="a"), Argument(path="to", contains="b"))),
            do("send", to="a b", subject="as asked"),
        ),
        (ToolCall(tool="send", arguments=(Argument(path="[0]", equals="e"),)), None),
        (ToolCall(tool="ghost"), None),
        (State(path="room.degrees", equals=55), do("set", to={"value": 55})),
        (State(path="room.degrees.now", equals=55), do("set", to={"value": {"now": 55}})),
        (State(path="order.item", equals="nut"), do("whole", item="nut")),
        (State(path="order", equals="nut"), None),
        (State(path="list", changed=True), do("add", item="as asked")),
        (State(path="files.a", changed=True), do("drop")),
        (State(path="elsewhere", changed=True), None),
        (State(path="list", equals=["nut"]), None),
        (Judge(model="m", question="q"), None),
        (External(grader="g"), None),
        (Not(of=Contains(text="owl")), ()),
        (Not(of=Not(of=Contains(text="owl"))), (Say(text="owl"),)),
        (AllOf(of=(Contains(text="a"), Contains(text="b"))), (Say(text="a"), Say(text="b"))),
        (AllOf(of=(Contains(text="a"), External(grader="g"))), None),
        (AnyOf(of=(External(grader="g"), Contains(text="b"), Contains(text="c"))), (Say(text="b"),)),
        (AnyOf(of=(External(grader="g"),)), None),
        (Not(of=AllOf(of=(Contains(text="a"), Contains(text="b")))), ()),
        (Not(of=AnyOf(of=(Not(of=Contains(text="a")), Not(of=Contains(text="b"))))), (Say(text="a"), Say(text="b"))),
    ],
)
def test_plans(predicate, steps):
    """Each kind of predicate is planned by words or by the tools at hand, or honestly not at all."""
    assert plan(predicate, INSTANCE) == steps
