"""JUnit: a category is a testcase, and CI reads failure, error and skipped for what they are."""

import re
from xml.etree import ElementTree as ET

from litmusgate.gate.verdict import (
    Decision,
    Lane,
)
from litmusgate.report.formats import render
from litmusgate.suite.category import Severity
from property.verdicts import compose
from report_builders import ABOVE, LOOK, STALE, element, finding, result


def test_junit_says_in_the_message_why_a_category_is_no_pass():
    """A list of failed tests shows the message only, so it holds the reason; a category is the only testcase it needs."""
    looked = finding(decision=Decision.REVIEW, reasons=(LOOK,))
    root = ET.fromstring(render(compose(result(looked, decision=Decision.REVIEW)), "junit"))
    (category,) = root.iter("skipped")
    assert category.get("message").endswith("; 10 instances are few")


def test_junit_says_failure_error_and_skipped_for_what_they_are():
    """BLOCK is a failure, INVALID an error, REVIEW and advisory are skipped with a message; only PASS passes."""
    document = compose(
        result(
            finding("blocked", decision=Decision.BLOCK, reasons=(ABOVE,)),
            finding("invalid", decision=Decision.INVALID, reasons=(STALE,)),
            finding("review", decision=Decision.REVIEW, reasons=(LOOK,)),
            finding("advisory", lane=Lane.ADVISORY, severity=Severity.ADVISORY),
            finding("fine"),
            decision=Decision.BLOCK,
        )
    )
    assert element(document, "blocked").find("failure").get("type") == "BLOCK"
    assert element(document, "invalid").find("error").get("type") == "INVALID"
    assert element(document, "review").find("skipped").get("message").startswith("REVIEW")
    assert element(document, "advisory").find("skipped").get("message").startswith("advisory")
    assert list(element(document, "fine")) == []
    suite = ET.fromstring(render(document, "junit")).find("testsuite")
    assert [suite.get(name) for name in ("tests", "failures", "errors", "skipped")] == ["5", "1", "1", "2"]


def test_junit_shows_a_suite_level_invalid_as_an_error_of_the_build():
    """An INVALID of the whole suite is an error testcase even when no category has one; its reason is in the body."""
    document = compose(result(finding(), reasons=(STALE,), decision=Decision.INVALID))
    error = element(document, "2").find("error")
    assert "274 of 560 are inadmissible" in error.text
    assert error.get("message").startswith("INVALID: the evidence cannot be believed")


JUNIT_SHAPE = {
    "testsuites": ({"name", "tests", "failures", "errors", "time"}, ["testsuite"]),
    "testsuite": (
        {"name", "package", "id", "timestamp", "hostname", "tests", "failures", "errors", "skipped", "time"},
        ["properties", "testcase", "system-out", "system-err"],
    ),
    "properties": (set(), ["property"]),
    "property": ({"name", "value"}, []),
    "testcase": ({"name", "classname", "time"}, ["skipped", "error", "failure"]),
    "failure": ({"message", "type"}, []),
    "error": ({"message", "type"}, []),
    "skipped": ({"message"}, []),
    "system-out": (set(), []),
    "system-err": (set(), []),
}
"""The part of the common JUnit schemas we rely on: attributes of each element, and its children in order."""


def test_junit_keeps_to_the_common_schemas():
    """Every element has exactly the attributes and, in order, the children that both JUnit schemas in use allow."""
    document = compose(
        result(
            finding("a", decision=Decision.BLOCK, reasons=(ABOVE,)),
            finding("b", decision=Decision.REVIEW, reasons=(LOOK,)),
            finding("c"),
            decision=Decision.BLOCK,
        ),
        evaluated_at="2026-11-30T12:00:00+02:00",
    )
    root = ET.fromstring(render(document, "junit"))
    for node in root.iter():
        attributes, children = JUNIT_SHAPE[node.tag]
        assert set(node.attrib) == attributes, node.tag
        places = [children.index(child.tag) for child in node]
        assert places == sorted(places), node.tag
    suite = root.find("testsuite")
    assert suite.get("timestamp") == "2026-11-30T10:00:00"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", suite.get("timestamp"))
    assert int(suite.get("tests")) == len(suite.findall("testcase"))
