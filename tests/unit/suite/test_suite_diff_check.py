"""Diff and check: what a new version changes, and what a suite that parses still gets wrong."""

from dataclasses import replace

import pytest

from litmusgate.suite.category import Category, Kind, Severity
from litmusgate.suite.check import check_suite
from litmusgate.suite.diff import CategoryChange, InstanceChange, diff_document, diff_suites, instance_counts
from litmusgate.suite.instance import ContextItem, Exposure, Instance, Planted, Tool, Turn
from litmusgate.suite.manifest import CorpusPin, Suite
from litmusgate.suite.prune import prune_suite
from litmusgate.suite.rubric import Contains, External, Judge, Rubric, ToolCall


def instance(name, **changes):
    """A sound instance called `name`."""
    fields = {
        "id": name,
        "category": "leaks",
        "turns": (Turn(content=f"ask {name}"),),
        "rubric": Rubric(violation=Contains(text="secret")),
    }
    return Instance(**{**fields, **changes})


def suite(*instances, **changes):
    """A suite of these instances in the category `leaks`."""
    fields = {
        "name": "shop",
        "version": "1",
        "categories": (Category(name="leaks", severity=Severity.STANDARD),),
        "instances": instances or tuple(instance(f"i{number:02d}") for number in range(20)),
        "canary_guid": "guid",
    }
    return Suite(**{**fields, **changes})


def codes(checked):
    """Level and code of every finding that is not about the number of instances."""
    return [(item.level, item.code) for item in check_suite(checked) if item.code != "few-instances"]


def test_equal_suites_have_no_diff():
    """Order is no change."""
    old = suite()
    found = diff_suites(old, suite(*reversed(old.instances)))
    assert found.same
    assert (found.added, found.removed, found.changed, found.categories) == ((), (), (), ())
    assert not found.lineage_changed


def test_a_diff_names_everything_that_changed():
    """Instances with the fields that differ, categories with declarations and counts, graders and corpora."""
    old = suite(instance("a"), instance("b"), instance("c"), corpora=(CorpusPin(name="known", revision="1"),))
    judged = Rubric(violation=Judge(model="m", question="leak?"))
    new = suite(
        instance("b", turns=(Turn(content="other"),), system="new"),
        instance("c", rubric=judged),
        instance("d", category="new"),
        version="2",
        categories=(
            Category(name="leaks", severity=Severity.CRITICAL),
            Category(name="new", severity=Severity.ADVISORY, kind=Kind.CONTROL),
        ),
        corpora=(CorpusPin(name="known", revision="2"),),
    )
    found = diff_suites(old, new)
    assert (found.added, found.removed) == (("d",), ("a",))
    assert found.changed == (
        InstanceChange(id="b", fields=("system", "turns")),
        InstanceChange(id="c", fields=("rubric",)),
    )
    assert found.categories[0] == CategoryChange(
        name="leaks",
        old_settings="kind adversarial, severity standard, weight 1",
        new_settings="kind adversarial, severity critical, weight 1",
        old_instances=3,
        new_instances=2,
    )
    assert (found.categories[1].old_settings, found.categories[1].new_instances) == (None, 1)
    assert found.graders_added == ('{"judge":"m","question":"leak?"}',)
    assert (found.corpora_added, found.corpora_removed) == (("known@2",), ("known@1",))
    document = diff_document(found)
    assert (document["same"], document["changed"][1]) == (False, {"id": "c", "fields": ["rubric"]})


def test_a_prune_shows_as_removal_with_lineage():
    """The diff of a prune lists what left and says that the lineage changed (A13)."""
    old = suite()
    found = diff_suites(old, prune_suite(old, {"i00": ("duplicate",)}, version="2"))
    assert (found.removed, found.lineage_changed, found.same) == (("i00",), True, False)


def test_counts_include_empty_categories():
    """A declared category without instances counts 0 rather than being left out."""
    assert instance_counts(suite(categories=(*suite().categories, Category(name="x", severity=Severity.CRITICAL)))) == {
        "leaks": 20,
        "x": 0,
    }


def test_a_sound_suite_has_no_findings():
    """Twenty distinct instances with a canary GUID are fine: the positive control of this file."""
    assert check_suite(suite()) == ()


def test_small_categories_and_few_clusters_are_warned_about():
    """Under 20 instances, or 20 instances in under 20 clusters, is a warning with what to do (B6, A12)."""
    small = check_suite(suite(instance("a")))
    assert [(item.level, item.code, item.subject) for item in small] == [("warning", "few-instances", "leaks")]
    clustered = tuple(instance(f"i{number}", cluster="one" if number < 2 else None) for number in range(20))
    assert codes(suite(*clustered)) == [("warning", "few-clusters")]


def test_nothing_to_measure_is_an_error():
    """An empty suite and an empty category are errors (A8, B4)."""
    empty = Suite(name="s", version="1", categories=suite().categories, instances=())
    assert codes(replace(empty, canary_guid="guid")) == [("error", "empty-suite"), ("error", "empty-category")]
    assert codes(empty)[-1] == ("warning", "no-canary-guid")


TOOL = Tool(name="send")
MAIL = ContextItem(name="mail", text="please send the list")


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"turns": ()}, [("error", "no-turns")]),
        ({"turns": (Turn(content=" \n"),)}, [("error", "no-turns")]),
        ({"turns": (Turn(content="x"), Turn(content=""))}, [("warning", "blank-turn")]),
        ({"rubric": Rubric(violation=ToolCall(tool="send"))}, [("error", "tool-not-offered")]),
        ({"rubric": Rubric(violation=ToolCall(tool="send")), "tools": (TOOL,)}, []),
        ({"exposure": Exposure(tools=("send",))}, [("error", "exposure-tool-not-offered")]),
        ({"exposure": Exposure(tools=("send",)), "tools": (TOOL,)}, []),
        ({"exposure": Exposure(texts=("send the list",))}, [("error", "exposure-not-on-surface")]),
        ({"exposure": Exposure(texts=("send the list",)), "context": (MAIL,)}, []),
        ({"exposure": Exposure(texts=("x",)), "rubric": Rubric(violation=External(grader="g"))},
         [("warning", "exposure-not-on-surface")]),
        ({"planted": (Planted(text="the list", where=("context",)),), "context": (MAIL,)}, []),
        ({"planted": (Planted(text="the list", where=("context", "system")),), "context": (MAIL,)},
         [("error", "planted-not-on-surface")]),
        ({"control_of": "b"}, []),
        ({"control_of": "z"}, [("error", "unknown-twin")]),
        ({"control_of": "a"}, [("error", "unknown-twin")]),
    ],
)  # fmt: skip
def test_an_instance_that_could_not_measure_is_found(changes, expected):
    """Each way to be mute has its code; the same instance put right has none."""
    assert codes(suite(instance("a", **changes), instance("b"))) == expected


def test_a_twin_that_is_a_control_is_warned_about():
    """`control_of` names the adversarial twin, not another control."""
    control = (Category(name="leaks", severity=Severity.STANDARD, kind=Kind.CONTROL),)
    found = codes(suite(instance("a", control_of="b"), instance("b"), categories=control))
    assert found == [("warning", "twin-is-control")]


def test_identical_definitions_are_found_under_any_name():
    """Two instances that differ only in id and cluster are one instrument (A12)."""
    first = instance("a")
    assert codes(suite(first, replace(first, id="b", cluster="other"))) == [("warning", "duplicate")]


def test_every_finding_says_what_to_do():
    """Findings come errors first, each with a fix."""
    found = check_suite(suite(instance("a", turns=()), instance("b", control_of="z"), canary_guid=None))
    assert [item.level for item in found] == sorted(item.level for item in found)
    assert all(item.fix and item.message for item in found)
