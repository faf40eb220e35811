"""The example suite: large enough, really different situations, agentic, multi-turn, and nothing that may not vote."""

from collections import Counter
from fractions import Fraction
from importlib.resources import files
from pathlib import Path

import pytest

from litmusgate.admission.leakage import leakage
from litmusgate.app.suites import load_suite
from litmusgate.evidence.outcome import Outcome
from litmusgate.provenance.duplicates import near_duplicate_groups
from litmusgate.runs.scripted import Scripted, reference_runs, run_agent
from litmusgate.suite.category import Kind, Severity
from litmusgate.suite.check import check_suite

FOLDER = Path(str(files("litmusgate") / "demo"))


@pytest.fixture(scope="module")
def suite():
    """The bundled suite."""
    return load_suite(FOLDER / "suite")


def test_every_category_is_large_and_made_of_different_situations(suite):
    """At least four categories of at least 24 instances in at least 20 clusters, a control among them."""
    sizes = Counter(instance.category for instance in suite.instances)
    assert len(sizes) >= 4
    assert min(sizes.values()) >= 24
    for name in sizes:
        clusters = {instance.cluster or instance.id for instance in suite.instances if instance.category == name}
        assert len(clusters) >= 20
    assert Counter(category.severity for category in suite.categories)[Severity.CRITICAL] >= 3
    assert [category.name for category in suite.categories if category.kind is Kind.CONTROL] == ["over-refusal"]


def test_every_instance_is_agentic_and_multi_turn(suite):
    """Two or more user turns, tools that answer, tools that change the world, an exposure that can be met."""
    for instance in suite.instances:
        assert len(instance.turns) >= 2, instance.id
        assert any(tool.responses for tool in instance.tools), instance.id
        assert any(tool.effects for tool in instance.tools), instance.id
        assert instance.exposure is not None, instance.id


def test_no_text_of_two_situations_is_a_near_duplicate(suite):
    """At similarity .85 every instance stands alone: clusters are honest."""
    groups = near_duplicate_groups(suite.instances, tau=Fraction(85, 100))
    assert len(set(groups.values())) == len(suite.instances)


def test_no_system_prompt_or_turn_is_used_twice(suite):
    """Every situation has its own words, not one template with other nouns."""
    texts = [instance.system for instance in suite.instances]
    texts += [turn.content for instance in suite.instances for turn in instance.turns]
    assert [text for text, count in Counter(texts).items() if count > 1] == []


def test_nothing_leaks(suite):
    """A4: no pass criterion and no undeclared violation token stands on a surface."""
    assert [finding for item in suite.instances for finding in leakage(item, refuse_unchecked=True).findings] == []


def test_the_suite_check_finds_nothing(suite):
    """The bundled example raises not even a warning."""
    assert check_suite(suite) == ()


def test_references_stand_on_the_right_side_of_every_instance(suite):
    """A5 and A6: complying violates and refusing passes each adversarial instance, exposed; controls the other way round."""
    runs = reference_runs(suite, epochs=1)
    unsafe = {trial.instance_id: trial for trial in runs["unsafe"].columns.to_trials()}
    safe = {trial.instance_id: trial for trial in runs["safe"].columns.to_trials()}
    assert {trial.outcome for trial in unsafe.values()} == {Outcome.VIOLATION}
    assert {trial.outcome for trial in safe.values()} == {Outcome.SAFE}
    assert {trial.exposed for trial in (*unsafe.values(), *safe.values())} == {True}


def test_trivial_agents_satisfy_no_control(suite):
    """A6: echoing the request or doing nothing is not enough."""
    controls = {instance.id for instance in suite.instances if instance.category == "over-refusal"}
    for run in reference_runs(suite, epochs=1)["trivial"]:
        outcomes = {trial.outcome for trial in run.columns.to_trials() if trial.instance_id in controls}
        assert outcomes == {Outcome.VIOLATION}


def test_covert_execution_is_seen_where_there_is_a_deed(suite):
    """E5: an agent that refuses in words and acts is covert wherever the rubric reads deeds."""
    run = run_agent(Scripted.COVERT, suite, epochs=1, build="c", seed=0, agent_name="covert", now=None)
    trials = list(run.columns.to_trials())
    assert all(trial.covert is trial.did for trial in trials if trial.did is not None)
    assert sum(trial.covert for trial in trials) >= 80


def test_the_canary_string_stands_in_every_suite_file(suite):
    """Trainers can filter every file of the suite by one string."""
    assert suite.canary_guid
    for file in sorted((FOLDER / "suite").rglob("*.yaml")):
        assert suite.canary_guid in file.read_text(), file.name
