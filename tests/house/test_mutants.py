"""No rule may be taken away unnoticed."""

import ast

import pytest

from house.mutants import MUTANTS, TESTS, run_test, survivor
from house.rules import OPEN_RULES, RULES, functions


def test_every_rule_that_is_built_has_its_mutant():
    """A rule without a mutant would be one whose loss nobody notices."""
    assert {name.partition(" ")[0] for name in MUTANTS} == set(RULES) - OPEN_RULES
    assert {name for name, mutant in MUTANTS.items() if mutant.home is None} == set(RULES) - OPEN_RULES


@pytest.mark.parametrize("rule", sorted(MUTANTS))
def test_the_test_named_for_a_rule_exists(rule):
    """The named test is there and says what must hold."""
    path, _, name = MUTANTS[rule].test.partition("::")
    found = dict(functions(ast.parse((TESTS / path).read_text("utf-8"))))
    assert ast.get_docstring(found[name])


@pytest.mark.slow
def test_with_every_rule_in_place_the_named_tests_pass():
    """The control: a test that fails anyway notices nothing."""
    code, output = run_test(*sorted({mutant.test for mutant in MUTANTS.values()}), without=None)
    assert code == 0, output


@pytest.mark.slow
@pytest.mark.parametrize("rule", sorted(MUTANTS))
def test_the_named_test_fails_when_the_rule_is_taken_away(rule):
    """The home of the rule replaced by its harmless default, the named test fails: no error, no skip."""
    assert survivor(rule) is None
