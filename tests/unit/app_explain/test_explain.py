"""`explain`: every rule and every reason code has words, taken from where it is defined."""

import re

import pytest

from house.rules import OPEN_RULES, RULES, SOURCE, rule_homes
from litmusgate.admission.record import AdmissionReason
from litmusgate.app import explain as explaining
from litmusgate.app.explain import explain, known_rules, reason_codes
from litmusgate.cli.main import main
from litmusgate.errors import UsageError
from litmusgate.evidence.outcome import Reason
from litmusgate.provenance.match import ProvenanceStatus

_CODE = re.compile(r'(?:code=|_invalid\(\s*(?:None,\s*)?|problem_of\(error, )"([a-z0-9]+(?:-[a-z0-9]+)+)"')


def test_the_table_of_homes_is_the_source_itself():
    """Every rule is explained from the one function whose docstring begins with it; open rules are those of the index."""
    assert {rule: [home] for rule, home in explaining.RULE_HOMES.items()} == rule_homes()
    assert set(explaining.OPEN_RULES) == set(OPEN_RULES)
    assert known_rules() == RULES


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_is_explained(rule):
    """A rule's explanation begins with its id and is a sentence; a rule not built yet says so."""
    text = explain(rule)
    assert text.startswith(f"{rule}: ")
    assert len(text) > 20
    assert ("Not built in this version" in text) == (rule in OPEN_RULES)


def test_a_rule_is_found_whatever_its_case():
    """`a5` is A5."""
    assert explain(" a5 ") == explain("A5")


@pytest.mark.parametrize("code", [*map(str, Reason), *map(str, AdmissionReason)])
def test_every_stored_reason_code_is_explained(code):
    """Each stable code of trials and admission has its sentence."""
    assert f"{code} (" in explain(code)


@pytest.mark.parametrize("status", ProvenanceStatus)
def test_every_provenance_status_is_explained_with_what_to_do(status):
    """Whoever reads `suspect` in a list finds what it means, whether the instance votes, and the next step."""
    line = next(line for line in explain(status.value).splitlines() if "(a provenance status)" in line)
    assert line.startswith(f"{status.value} (")
    assert "(A2)" in line
    assert "To do: " in line
    votes = status.value in ("suspect", "clean", "clean-short")
    assert ("It votes" in line, "It does not vote" in line) == (votes, not votes)


def test_every_code_a_reason_is_made_with_is_explained():
    """No code reaches a verdict that `explain` does not know."""
    made = {
        code
        for room in ("gate", "app", "admission")
        for path in (SOURCE / room).glob("*.py")
        for code in _CODE.findall(path.read_text("utf-8"))
    }
    known = {code for texts in reason_codes().values() for code in texts}
    assert len(made) > 20
    assert made <= known, made - known


def test_a_code_of_several_places_is_explained_for_each(monkeypatch):
    """One word may be a reason in two places; neither hides the other."""
    monkeypatch.setattr(explaining, "reason_codes", lambda: {"here": {"twice": "one."}, "there": {"twice": "two."}})
    assert explain("twice") == "twice (here): one.\ntwice (there): two.\n"


@pytest.mark.parametrize(
    ("name", "near"), [("not-exposd", "not-exposed"), ("B99", "B9"), ("contaminatd", "contaminated")]
)
def test_an_unknown_name_lists_the_nearest(name, near):
    """A typing error is a usage error with what was perhaps meant, never an empty explanation."""
    with pytest.raises(UsageError) as caught:
        explain(name)
    assert near.lower() in str(caught.value).lower()


def test_a_name_near_nothing_is_an_error_too():
    """Empty and foreign names are refused with an example."""
    for name in ("", "@@@@@@@@", "\x1b[31m"):
        with pytest.raises(UsageError, match="a rule like"):
            explain(name)


def test_the_command_explains_and_refuses(capsys):
    """`litmusgate explain` prints to stdout with exit 0, and exits 2 for a name that is neither."""
    assert main(["explain", "E7"]) == 0
    assert capsys.readouterr().out.startswith("E7: ")
    assert main(["explain", "nonsense-\x1b[31m"]) == 2
    assert "\x1b" not in capsys.readouterr().err
