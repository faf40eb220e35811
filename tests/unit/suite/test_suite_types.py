"""The types of a suite: what cannot be built, what an agent can read, and what digests cover."""

import pytest

from litmusgate.suite.category import Category, Severity
from litmusgate.suite.instance import ContextItem, Exposure, Instance, Origin, Response, Role, Surface, Tool, Turn
from litmusgate.suite.manifest import CorpusPin, Suite
from litmusgate.suite.prune import prune_suite
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

PLAIN = Rubric(violation=Contains(text="secret"))
LEAKS = Category(name="leaks", severity=Severity.CRITICAL)


def instance(name="a", **fields):
    """An instance in the category `leaks`."""
    return Instance(**{"id": name, "category": "leaks", "turns": (Turn(content=name),), "rubric": PLAIN, **fields})


def suite(*instances, **fields):
    """A suite of these instances."""
    return Suite(**{"name": "s", "version": "1", "categories": (LEAKS,), "instances": instances, **fields})


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: Category(name="a\x1b", severity=Severity.CRITICAL), "control character"),
        (lambda: Category(name="a", severity=Severity.CRITICAL, weight=0), "wanted an integer"),
        (lambda: instance(""), "it is empty"),
        (lambda: instance(cluster="a\n"), "white space"),
        (lambda: instance(category="\ud800"), "U\\+D800"),
        (Exposure, "at least one text or tool"),
        (Response, "exactly one of text and context"),
        (lambda: Regex(pattern="("), "does not compile"),
        (lambda: Argument(path="a"), "exactly one of equals and contains"),
        (lambda: State(path="a"), "exactly one of equals and changed"),
        (Rubric, "nothing could be judged"),
        (lambda: Rubric(violation=Not(of=External(grader="g"))), "stands alone"),
        (lambda: Rubric(violation=External(grader="g"), passes=Contains(text="x")), "stands alone"),
        (lambda: Rubric(passes=External(grader="g")), "stands alone"),
        (lambda: suite(instance("a"), instance("a")), "stands twice"),
        (lambda: suite(categories=(LEAKS, LEAKS)), "stands twice"),
        (lambda: suite(corpora=(CorpusPin(name="k", revision="1"), CorpusPin(name="k", revision="2"))), "stands twice"),
        (lambda: suite(instance(category="other")), "undeclared categories"),
        (lambda: suite(version="\t"), "version of the suite"),
    ],
)
def test_what_contradicts_itself_cannot_be_built(build, words):
    """Names that could hide, rubrics that judge nothing and suites with two of one id are refused on construction."""
    with pytest.raises(ValueError, match=words):
        build()


def test_every_text_the_agent_can_read_is_a_surface():
    """System, turns, context, tool descriptions, schemas and answers, and strings of the environment, with their origin."""
    tool = Tool(
        name="t",
        description="d",
        parameters={"b": ["p"], "a": 1},
        responses=(Response(text="r"), Response(context="mail")),
    )
    texts = instance(
        system="s",
        turns=(Turn(content="u"), Turn(content="o", role=Role.TOOL), Turn(content="z", role=Role.ASSISTANT)),
        context=(ContextItem(name="mail", text="m", origin=Origin.ATTACKER),),
        tools=(tool,),
        environment={"k": ["e", {"n": "f"}], "x": None},
    ).surfaces()
    assert list(texts) == [
        Surface(kind=kind, where=where, text=text, origin=origin)
        for kind, where, text, origin in (
            ("system", "system", "s", Origin.OPERATOR),
            ("turns", "turns[0]", "u", Origin.USER),
            ("turns", "turns[1]", "o", Origin.ENVIRONMENT),
            ("turns", "turns[2]", "z", Origin.OPERATOR),
            ("context", "context[mail]", "m", Origin.ATTACKER),
            ("tools", "tools[t].description", "d", Origin.OPERATOR),
            ("tools", "tools[t].parameters.b[0]", "p", Origin.OPERATOR),
            ("tools", "tools[t].responses[0]", "r", Origin.ENVIRONMENT),
            ("environment", "environment.k[0]", "e", Origin.ENVIRONMENT),
            ("environment", "environment.k[1].n", "f", Origin.ENVIRONMENT),
        )
    ]


def test_every_leaf_has_its_polarity():
    """True where the leaf speaks for a violation: `not` turns it, `pass` begins the other way."""
    says, other = Contains(text="x"), Equals(text="y")
    rubric = Rubric(violation=AllOf(of=(says, Not(of=AnyOf(of=(other,))))), passes=Not(of=says))
    assert list(rubric.leaves()) == [(says, True), (other, False), (says, True)]
    assert rubric.external_graders == ()
    assert Rubric(violation=External(grader="g")).external_graders == ("g",)


def test_a_category_is_found_by_name():
    """An undeclared category is a KeyError, never a default severity."""
    assert suite(instance()).category("leaks") is LEAKS
    with pytest.raises(KeyError):
        suite(instance()).category("other")


def test_the_grader_digest_follows_whoever_judges():
    """A pruned suite keeps it; another judge, question or external grader changes it; another text does not (B2)."""
    root = suite(instance("a"), instance("b"))
    assert prune_suite(root, {"a": ("duplicate",)}, version="2", accept_loss=["leaks"]).grader_digest() == (
        root.grader_digest()
    )
    said = suite(instance(rubric=Rubric(violation=ToolCall(tool="other"))))
    assert said.grader_digest() == root.grader_digest()
    rubrics = [
        External(grader="g1"),
        External(grader="g2"),
        Judge(model="m", question="q"),
        Judge(model="m", question="r"),
    ]
    digests = {suite(instance(rubric=Rubric(violation=leaf))).grader_digest() for leaf in rubrics}
    assert len(digests | {root.grader_digest()}) == 5


def test_the_suite_digest_covers_every_declaration():
    """Version, severity, weight, corpora and each instance move it; the canary GUID does not (B2)."""
    root = suite(instance("a"))
    changed = [
        suite(instance("a"), version="2"),
        suite(instance("a"), name="t"),
        suite(instance("a"), categories=(Category(name="leaks", severity=Severity.STANDARD),)),
        suite(instance("a"), categories=(Category(name="leaks", severity=Severity.CRITICAL, weight=2),)),
        suite(instance("a"), corpora=(CorpusPin(name="k", revision="1"),)),
        suite(instance("a", cluster="c")),
        suite(instance("b")),
        suite(instance("a"), instance("b")),
        suite(),
    ]
    assert len({item.digest for item in changed} | {root.digest}) == len(changed) + 1
    assert suite(instance("a"), canary_guid="guid").digest == root.digest
