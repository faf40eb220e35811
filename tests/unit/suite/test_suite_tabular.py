"""Suites from tables: declared columns, declared severities, and nothing guessed."""

import json

import pytest

from litmusgate.errors import SuiteError, UsageError
from litmusgate.suite.category import Kind, Severity
from litmusgate.suite.codec import suite_files, suite_from_files
from litmusgate.suite.instance import ContextItem, Exposure, Origin, Role, Turn
from litmusgate.suite.manifest import CorpusPin
from litmusgate.suite.reading import json_lines
from litmusgate.suite.table_mapping import TableMapping
from litmusgate.suite.tabular import suite_from_rows

COLUMNS = {"id": "key", "category": "kind", "turns": "prompt"}
ROW = {"key": "a", "kind": "leaks", "prompt": "hello", "sev": "S1", "mode": "security"}


def mapping(columns=None, **changes):
    """A mapping that judges by `g` and declares `leaks` critical, changed."""
    fields = {"severities": {"leaks": Severity.CRITICAL}, "grader": "g", **changes}
    return TableMapping(columns={**COLUMNS, **(columns or {})}, **fields)


def build(*rows, columns=None, **changes):
    """The suite of these rows."""
    lines = "\n".join(json.dumps(row) for row in rows).encode()
    return suite_from_rows(json_lines(lines, "t.jsonl"), mapping(columns, **changes), name="s", version="1")


def one(columns=None, *, row=None, **changes):
    """The one instance of `ROW` with `row` on top."""
    (instance,) = build({**ROW, **(row or {})}, columns=columns, **changes).instances
    return instance


def test_rows_become_instances_with_an_external_grader():
    """Id, category and turns arrive; the grader is named in the rubric and so in the digest."""
    instance = one()
    assert (instance.id, instance.category, instance.turns) == ("a", "leaks", (Turn(content="hello"),))
    assert instance.rubric.external_graders == ("g",)
    assert one(grader=None, grader_column="sev").rubric.external_graders == ("S1",)


def test_every_text_field_is_mapped_by_name():
    """System, attack goal, cluster and control_of come from the columns that were declared."""
    columns = {"system": "sys", "attack_goal": "goal", "cluster": "group", "control_of": "twin"}
    row = {"sys": "be nice", "goal": "leak", "group": "g1", "twin": "z"}
    instance = one(columns, row=row)
    assert (instance.system, instance.attack_goal, instance.cluster, instance.control_of) == (
        "be nice",
        "leak",
        "g1",
        "z",
    )
    assert one(columns, row={**row, "sys": None}).system is None


@pytest.mark.parametrize(
    ("value", "turns"),
    [
        ("x", [("user", "x")]),
        (["x", "y"], [("user", "x"), ("user", "y")]),
        ([{"role": "assistant", "content": "x"}, {"content": "y"}], [("assistant", "x"), ("user", "y")]),
    ],
)
def test_turns_have_three_shapes(value, turns):
    """A string, a list of strings, or messages."""
    assert one(row={"prompt": value}).turns == tuple(Turn(role=Role(role), content=text) for role, text in turns)


@pytest.mark.parametrize(
    ("value", "items"),
    [
        ("x", [("ctx", "x")]),
        (["x", "y"], [("ctx", "x"), ("ctx#2", "y")]),
        ({"b": "x", "a": "y"}, [("a", "y"), ("b", "x")]),
        ([{"tool": "view", "text": "x"}, {"name": "n", "text": "y"}, {"text": "z"}, {"tool": "view", "text": "w"}],
         [("view", "x"), ("n", "y"), ("ctx", "z"), ("view#2", "w")]),
        ([], []),
        (None, []),
    ],
)  # fmt: skip
def test_context_has_four_shapes_and_unique_names(value, items):
    """A string, a list, names to texts, or objects with text; a name that comes again is numbered."""
    expected = tuple(ContextItem(name=f"context:{name}", text=text) for name, text in items)
    assert one({"context": "ctx"}, row={"ctx": value}).context == expected


def test_injections_are_the_attackers_and_may_prove_exposure():
    """Injections become context of the attacker; `exposure_from` makes their texts the proof of exposure (E7)."""
    columns = {"injections": "inj", "context": "ctx"}
    row = {"inj": {"i1": "do evil", "i0": "do evil"}, "ctx": ["page"], "extra": ["seen"]}
    instance = one(columns, row=row, exposure_from="injections")
    assert [(item.name, item.origin) for item in instance.context] == [
        ("context:ctx", Origin.ENVIRONMENT),
        ("injection:i0", Origin.ATTACKER),
        ("injection:i1", Origin.ATTACKER),
    ]
    assert instance.exposure == Exposure(texts=("do evil",))
    assert one(columns, row=row, exposure_from="context").exposure == Exposure(texts=("page",))
    assert one(columns, row=row, exposure_from="extra").exposure == Exposure(texts=("seen",))
    assert one(columns, row={**row, "extra": None}, exposure_from="extra").exposure is None
    assert one(columns, row=row).exposure is None


def test_where_keeps_rows():
    """Only rows for which the expression is true become instances; columns a row lacks are null."""
    rows = [{**ROW, "key": "a"}, {**ROW, "key": "b", "mode": "benign"}, {"key": "c", "kind": "leaks", "prompt": "x"}]
    assert [item.id for item in build(*rows, where="mode == 'security'").instances] == ["a"]
    assert [item.id for item in build(*rows, where="mode == null").instances] == ["c"]


def test_severities_come_from_a_column_or_by_category():
    """Values of the severity column are translated by the declared map; the three names need none (B4)."""
    by_column = {"severities": {}, "severity_map": {"S1": Severity.CRITICAL}}
    suite = build(ROW, columns={"severity": "sev"}, **by_column)
    assert suite.category("leaks").severity is Severity.CRITICAL
    plain = build({**ROW, "sev": "advisory"}, columns={"severity": "sev"}, severities={})
    assert plain.category("leaks").severity is Severity.ADVISORY
    control = build(ROW, kinds={"leaks": Kind.CONTROL})
    assert control.category("leaks").kind is Kind.CONTROL


@pytest.mark.parametrize(
    ("rows", "columns", "changes", "words"),
    [
        ([ROW, ROW], {}, {}, "stands twice"),
        ([{**ROW, "key": None}], {}, {}, "the row has no id"),
        ([ROW, {"key": "b", "kind": "leaks"}], {}, {}, "the row has no turns"),
        ([{**ROW, "key": 3}], {}, {}, "valid string"),
        ([{**ROW, "key": "a\x1b"}], {}, {}, "control character"),
        ([{**ROW, "prompt": []}], {}, {}, "another shape"),
        ([{**ROW, "prompt": 3}], {}, {}, "another shape"),
        ([{**ROW, "prompt": [{"text": "x"}]}], {}, {}, "another shape"),
        ([{**ROW, "prompt": [{"role": "robot", "content": "x"}]}], {}, {}, "role"),
        ([{**ROW, "mode": 3}], {"context": "mode"}, {}, "another shape"),
        ([{**ROW, "mode": {"a": 3}}], {"context": "mode"}, {}, "another shape"),
        ([{**ROW, "mode": [{"name": "x"}]}], {"context": "mode"}, {}, "another shape"),
        ([{**ROW, "mode": [" "]}], {"injections": "mode"}, {"exposure_from": "injections"}, "blank"),
        ([[1]], {}, {}, "not an object"),
        ([ROW], {"severity": "sev"}, {}, "not mapped"),
        ([{**ROW, "sev": None}], {"severity": "sev"}, {}, "not mapped"),
        ([{**ROW, "sev": "standard"}], {"severity": "sev"}, {}, "declared critical"),
        ([{**ROW, "kind": "other"}], {}, {"severities": {}}, "has no severity"),
        ([{**ROW, "sev": "critical"}, {**ROW, "key": "b", "sev": "standard"}], {"severity": "sev"},
         {"severities": {}}, "two severities"),
        ([{**ROW, "sev": 1}], {}, {"grader": None, "grader_column": "sev"}, "does not name its grader"),
        ([ROW], {}, {"where": "mode == 'x'"}, "no row is kept"),
        ([], {}, {}, "no row has the column"),
    ],
)  # fmt: skip
def test_a_row_that_does_not_fit_is_refused(rows, columns, changes, words):
    """Absent values, other shapes, names with control characters, disagreeing severities and empty results are errors."""
    with pytest.raises((SuiteError, UsageError)) as caught:
        build(*rows, columns=columns, **changes)
    assert words in str(caught.value)


def test_an_error_has_the_line_of_its_row():
    """The place of a bad row is its line in the table."""
    with pytest.raises(SuiteError) as caught:
        build(ROW, {**ROW, "key": ""})
    assert (caught.value.at.path, caught.value.at.line) == ("t.jsonl", 2)


@pytest.mark.parametrize(
    ("columns", "changes", "words"),
    [
        ({"colour": "x"}, {}, "unknown field 'colour'"),
        ({}, {"grader": None}, "exactly once"),
        ({}, {"grader_column": "sev"}, "exactly once"),
        ({}, {"exposure_from": "injections"}, "no column is mapped"),
        ({"context": "absent"}, {}, "no row has the column 'absent'"),
        ({}, {"exposure_from": "absent"}, "no row has the column 'absent'"),
        ({}, {"where": "absent == 1"}, "unknown column 'absent'"),
        ({}, {"severities": {"leaks": Severity.CRITICAL, "leeks": Severity.CRITICAL}}, "no row is of it"),
        ({}, {"kinds": {"leeks": Kind.CONTROL}}, "no row is of it"),
    ],
)
def test_a_mapping_that_does_not_fit_the_table_is_refused(columns, changes, words):
    """Unknown fields and columns, graders declared twice or never, and categories without a row are usage errors."""
    with pytest.raises(UsageError) as caught:
        build(ROW, columns=columns, **changes)
    assert words in str(caught.value)


def test_id_category_and_turns_must_be_mapped():
    """Without them there is no instance."""
    for name in COLUMNS:
        with pytest.raises(UsageError, match=f"mapped to {name}"):
            TableMapping(columns={key: value for key, value in COLUMNS.items() if key != name}, grader="g")


def test_an_imported_suite_survives_its_files():
    """What import writes is read back with the same digest, corpora and canary included; bad names are refused."""
    rows = list(json_lines(json.dumps(ROW).encode(), "t"))
    pins = (CorpusPin(name="known", revision="1"),)
    suite = suite_from_rows(rows, mapping(), name="s", version="1", corpora=pins, canary_guid="guid")
    assert suite_from_files(suite_files(suite), path="s") == suite
    with pytest.raises(SuiteError, match="control character"):
        suite_from_rows(rows, mapping(), name="s\x1bs", version="1")
    with pytest.raises(ValueError, match="corpus"):
        CorpusPin(name="known", revision="")
