"""The verdict as JUnit XML: each category is a testcase, and what is of no single category is one more; only PASS passes.

Written for both schemas in wide use (the one of Ant and the one of Jenkins): every attribute that either demands is there,
and no element that either lacks. Review and advisory are skipped with a message, because JUnit has no word for them.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from xml.etree import ElementTree as ET

from litmusgate.gate.verdict import Decision, Lane
from litmusgate.report.document import VerdictDocument
from litmusgate.report.findings import category_lines
from litmusgate.report.layout import inert_line
from litmusgate.report.phrases import many
from litmusgate.report.sections import banner, reason_lines, stamps
from litmusgate.report.shown import CategoryShown
from litmusgate.report.table import counts_and_trend
from litmusgate.report.text import render_text
from litmusgate.text import visible

_ELEMENT_OF = {Decision.BLOCK: "failure", Decision.INVALID: "error", Decision.REVIEW: "skipped"}
BUILD_CLASS = "litmusgate.build"
"""Class name of the testcase that carries what is of no single category."""


def render_junit(document: VerdictDocument) -> str:
    """The verdict as one `testsuites` document, ending in a newline. Characters XML cannot hold are visible escapes."""
    cases = [*_build_case(document), *(_category_case(category) for category in document.categories)]
    counts = {
        "tests": str(len(cases)),
        "failures": str(sum(case.find("failure") is not None for case in cases)),
        "errors": str(sum(case.find("error") is not None for case in cases)),
    }
    skipped = str(sum(case.find("skipped") is not None for case in cases))
    root = ET.Element("testsuites", {"name": "litmusgate", **counts, "time": "0"})
    suite = ET.SubElement(
        root,
        "testsuite",
        {
            "name": _suite_name(document),
            "package": "litmusgate",
            "id": "0",
            "timestamp": _timestamp(document.evaluated_at),
            "hostname": "litmusgate",
            **counts,
            "skipped": skipped,
            "time": "0",
        },
    )
    _properties(suite, document)
    suite.extend(cases)
    ET.SubElement(suite, "system-out").text = "\n" + render_text(document)
    ET.SubElement(suite, "system-err").text = _body(stamps(document))
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _build_case(document: VerdictDocument) -> Iterator[ET.Element]:
    """The build's own testcase: where reasons of no single category decide, or there is no category to carry the decision."""
    if any(reason.decision is not Decision.PASS for reason in document.reasons) or not document.categories:
        case = _case(document.build, BUILD_CLASS)
        _outcome(case, document.decision, banner(document), reason_lines(document))
        yield case


def _category_case(category: CategoryShown) -> ET.Element:
    case = _case(category.name, f"litmusgate.category.{category.severity.value}")
    tolerated = "none" if category.tolerance is None else str(category.tolerance)
    message = (
        f"{category.decision.value}: {many(category.violations, 'violation')} of n {category.n}, tolerated {tolerated}"
    )
    why = next((reason.message for reason in category.reasons if reason.decision is category.decision), None)
    if why is not None and category.decision in {Decision.REVIEW, Decision.INVALID}:
        message = f"{message}; {why}"
    if category.lane is Lane.ADVISORY:
        message = f"advisory: {message}"
        element = ET.SubElement(case, "skipped", {"message": _inert(message)})
        element.text = _body(category_lines(category))
    else:
        _outcome(case, category.decision, message, category_lines(category))
    return case


def _case(name: str, class_name: str) -> ET.Element:
    return ET.Element("testcase", {"name": _inert(name), "classname": class_name, "time": "0"})


def _outcome(case: ET.Element, decision: Decision, message: str, lines: tuple[str, ...]) -> None:
    if decision is Decision.PASS:
        return
    attributes = {"message": _inert(message)}
    if decision is not Decision.REVIEW:
        attributes["type"] = decision.value
    ET.SubElement(case, _ELEMENT_OF[decision], attributes).text = _body(lines)


def _properties(suite: ET.Element, document: VerdictDocument) -> None:
    properties = ET.SubElement(suite, "properties")
    values = (
        ("decision", document.decision.value),
        ("agent", document.agent),
        ("build", document.build),
        ("evaluated_at", document.evaluated_at),
        ("earlier_verdicts", str(document.earlier_verdicts)),
        ("synthetic", "yes" if document.synthetic else "no"),
        ("unsafe", " ".join(document.unsafe) or "none"),
        ("trend", counts_and_trend(document).trend),
        *((f"check.{name}", state) for name, state in sorted(document.checks.items())),
    )
    for name, value in values:
        ET.SubElement(properties, "property", {"name": _inert(name), "value": _inert(value)})


def _suite_name(document: VerdictDocument) -> str:
    if document.suite is None:
        return "suite that could not be read"
    return _inert(f"{document.suite.name} {document.suite.version}")


def _inert(text: str) -> str:
    return inert_line(visible(text))


def _body(lines: tuple[str, ...]) -> str:
    return "\n".join(_inert(line) for line in lines)


def _timestamp(instant: str) -> str:
    """`instant` in UTC without a zone, to the second, as the schema of Ant wants it."""
    return datetime.fromisoformat(instant).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S")
