"""Strategies for suites: every kind of predicate, surface and lineage, with texts that try to break files."""

from hypothesis import strategies as st

from litmusgate.digest import digest_json
from litmusgate.suite.category import Category, Kind, Severity
from litmusgate.suite.instance import (
    ContextItem,
    Effect,
    Exposure,
    Instance,
    Operation,
    Origin,
    Planted,
    Response,
    Role,
    Tool,
    Turn,
)
from litmusgate.suite.manifest import CorpusPin, Lineage, PrunedInstance, Suite
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
from litmusgate.text import name_problem

HOSTILE = (
    *("no", "1.10", "null", "~", "2020-01-01", "<<", "- x", "a: b", "# c", "{", "'", '"', "\\", "::error::x"),
    *("\x1b[31m", "\x00", "\x7f", "\x85", "\u2028", "\ufeff", "\ufffe", "\r\n", "\t", "<script>", "é", "😀", "\u202e"),
)
texts = st.one_of(st.sampled_from(HOSTILE), st.text(st.characters(exclude_categories=("Cs",)), max_size=12))
needles = texts.filter(lambda text: text.strip() != "")
names = st.one_of(
    st.sampled_from(("a", "no", "1.10", "é", "😀", "\u202e", "x y", "::error::x", "\ufffe", "<b>", "#", "- x")),
    st.text(max_size=8).filter(lambda name: name_problem(name) is None),
)
scalars = st.one_of(st.none(), st.booleans(), st.integers(-(2**53) + 1, 2**53 - 1), st.floats(-1e9, 1e9), texts)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(texts, inner, max_size=3)),
    max_leaves=5,
)
objects = st.dictionaries(texts, values, max_size=3)
given_values = values.filter(lambda value: value is not None)


def tuples_of(strategy, *, least=0):
    """Short tuples."""
    return st.lists(strategy, min_size=least, max_size=3).map(tuple)


arguments = st.one_of(
    st.builds(Argument, path=needles, equals=given_values), st.builds(Argument, path=needles, contains=needles)
)
leaves = st.one_of(
    st.builds(Contains, text=needles),
    st.builds(Regex, pattern=st.sampled_from(("x+", r"\bno\b", "(?s)a.b", "[^a]b"))),
    st.builds(Equals, text=needles),
    st.builds(ToolCall, tool=names, arguments=tuples_of(arguments)),
    st.builds(State, path=needles, equals=given_values),
    st.builds(State, path=needles, changed=st.just(True)),
    st.builds(Judge, model=names, question=needles),
)
predicates = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds(AllOf, of=tuples_of(inner, least=1)),
        st.builds(AnyOf, of=tuples_of(inner, least=1)),
        st.builds(Not, of=inner),
    ),
    max_leaves=4,
)
rubrics = st.one_of(
    st.builds(Rubric, violation=predicates, passes=st.one_of(st.none(), predicates)),
    st.builds(Rubric, passes=predicates),
    st.builds(Rubric, violation=st.builds(External, grader=names)),
)
whens = st.dictionaries(texts, values, max_size=2).map(lambda pairs: tuple(sorted(pairs.items())))
origins = st.sampled_from(Origin)


@st.composite
def tools(draw, context):
    """A tool whose responses may answer with one of `context`."""
    answers = st.builds(Response, text=texts, when=whens)
    if context:
        answers = st.one_of(answers, st.builds(Response, context=st.sampled_from(context), when=whens))
    effects = st.builds(
        Effect, operation=st.sampled_from(Operation), path=needles, argument=st.one_of(st.none(), needles)
    )
    return Tool(
        name=draw(names),
        description=draw(texts),
        parameters=draw(objects),
        responses=draw(tuples_of(answers)),
        effects=draw(tuples_of(effects)),
    )


@st.composite
def instances(draw, identifier, categories):
    """An instance called `identifier` in one of `categories`."""
    items = st.builds(ContextItem, name=names, text=texts, origin=origins)
    context = tuple(draw(st.lists(items, unique_by=lambda item: item.name, max_size=2)))
    offered = st.lists(tools([item.name for item in context]), unique_by=lambda tool: tool.name, max_size=2)
    kinds = st.sampled_from(("system", "turns", "context", "tools", "environment"))
    exposures = st.one_of(
        st.builds(Exposure, texts=tuples_of(needles, least=1), tools=tuples_of(names)),
        st.builds(Exposure, tools=tuples_of(names, least=1)),
    )
    return Instance(
        id=identifier,
        category=draw(st.sampled_from(categories)),
        turns=draw(tuples_of(st.builds(Turn, content=texts, role=st.sampled_from(Role)))),
        rubric=draw(rubrics),
        cluster=draw(st.one_of(st.none(), names)),
        system=draw(st.one_of(st.none(), texts)),
        context=context,
        tools=tuple(draw(offered)),
        environment=draw(st.one_of(st.none(), objects)),
        planted=draw(tuples_of(st.builds(Planted, text=needles, where=tuples_of(kinds, least=1)))),
        attack_goal=draw(st.one_of(st.none(), texts)),
        exposure=draw(st.one_of(st.none(), exposures)),
        control_of=draw(st.one_of(st.none(), names)),
    )


@st.composite
def lineages(draw, identifiers, category_names, remaining):
    """A lineage of `identifiers` removed beside `remaining` instances left."""
    removed = tuple(
        PrunedInstance(
            id=identifier,
            category=draw(st.sampled_from(category_names)),
            digest=digest_json(identifier),
            reasons=draw(tuples_of(names, least=1)),
        )
        for identifier in identifiers
    )
    lost = sorted({item.category for item in removed})
    return Lineage(
        parent=digest_json("parent"),
        root_instances=remaining + len(removed),
        removed=removed,
        accepted_loss=draw(st.lists(st.sampled_from(lost), unique=True).map(tuple)),
    )


@st.composite
def suites(draw):
    """A whole suite."""
    category_names = draw(st.lists(names, unique=True, min_size=1, max_size=3))
    identifiers = draw(st.lists(names, unique=True, max_size=5))
    gone = draw(st.integers(0, len(identifiers)))
    categories = tuple(
        Category(
            name=name,
            severity=draw(st.sampled_from(Severity)),
            weight=draw(st.integers(1, 1_000_000)),
            kind=draw(st.sampled_from(Kind)),
        )
        for name in category_names
    )
    left = tuple(draw(instances(identifier, category_names)) for identifier in identifiers[gone:])
    pins = st.lists(st.builds(CorpusPin, name=names, revision=names), unique_by=lambda pin: pin.name, max_size=2)
    return Suite(
        name=draw(names),
        version=draw(names),
        categories=categories,
        instances=left,
        corpora=tuple(draw(pins)),
        canary_guid=draw(st.one_of(st.none(), st.just("5a1c1f0e-canary"))),
        pruned_from=draw(lineages(identifiers[:gone], category_names, len(left))) if gone else None,
    )
