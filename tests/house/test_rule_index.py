"""Every rule has one home in the source and a test that names it."""

import re

import pytest

from house.rules import OPEN_RULES, PROJECT, RULES, rule_homes, rules_in_tests


@pytest.mark.parametrize("rule", RULES)
def test_rule_stands_in_the_docstring_of_exactly_one_function(rule):
    """A rule that is built has exactly one home function; one that is open has none."""
    homes = rule_homes().get(rule, [])
    assert len(homes) == (0 if rule in OPEN_RULES else 1), homes


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule not in OPEN_RULES])
def test_rule_is_named_by_a_test(rule):
    """At least one test's docstring names the rule it holds the code to."""
    assert rules_in_tests().get(rule)


def test_no_docstring_claims_a_rule_that_does_not_exist():
    """A home for an unknown rule id would be a rule nobody reads."""
    assert set(rule_homes()) <= set(RULES)


def test_the_rules_are_those_of_the_rule_document(shared_data):
    """The ids in this index are those of RULES.md."""
    text = (shared_data / "RULES.md").read_text("utf-8")
    assert set(re.findall(r"^\| ([ABET]\d{1,2}) \|", text, flags=re.MULTILINE)) == set(RULES)
    assert PROJECT.joinpath("docs", "rules.md").exists()
