"""Every renderer says the same, and no text in a verdict can speak to a terminal, a runner, a forge or a parser."""

import html
import json
import re
import unicodedata
from dataclasses import replace
from xml.etree import ElementTree as ET

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from litmusgate.gate.verdict import Lane
from litmusgate.report.document import read_verdict, verdict_bytes
from litmusgate.report.findings import category_heading
from litmusgate.report.formats import FORMATS, render
from litmusgate.report.junit import BUILD_CLASS
from litmusgate.report.layout import cells, columns, inert_line, wrap
from litmusgate.report.markdown import markdown_text
from litmusgate.report.phrases import many
from litmusgate.report.table import counts_and_trend
from litmusgate.text import visible
from property.verdicts import compose, documents, names, results, texts

# Drawing a whole verdict takes a while on a busy machine; that is no property of it.
unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

ELEMENT = {"BLOCK": "failure", "INVALID": "error", "REVIEW": "skipped", "PASS": None}


def lines_that_command(text):
    """Lines that a CI service would obey: `::` first on a line, a `##[` or `##vso[` anywhere."""
    return [
        line
        for line in text.split("\n")
        if line.lstrip().startswith("::") or re.search(r"##(\[|vso\[|teamcity\[)", line)
    ]


def control_characters(text):
    """Characters that may not stand in any report, line feeds aside."""
    return {
        character
        for character in text
        if character != "\n" and unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp")
    }


@unhurried
@given(documents())
def test_renderers_agree_on_the_decision_and_on_every_count(document):
    """Text, Markdown, JSON and JUnit carry the same decision, and per category the same decision and counts (B10, B13)."""
    table = counts_and_trend(document)
    value = json.loads(render(document, "json"))
    assert value["decision"] == document.decision.value

    text = render(document, "text")
    assert text.startswith(f"{document.decision.value}: ")
    for line in columns(table.headers, table.rows) if table.rows else ():
        assert line in text.split("\n")

    markdown = render(document, "markdown")
    assert markdown.startswith(f"## litmusgate: {document.decision.value}: ")
    for row in table.rows:
        assert "| " + " | ".join(markdown_text(cell) for cell in row) + " |" in markdown.split("\n")

    cases = ET.fromstring(render(document, "junit")).findall("testsuite/testcase")
    of_build = [case for case in cases if case.get("classname") == BUILD_CLASS]
    of_categories = [case for case in cases if case.get("classname") != BUILD_CLASS]
    needed = not document.categories or any(reason.decision.value != "PASS" for reason in document.reasons)
    assert [outcome_of(case, BUILD_CLASS) for case in of_build] == [ELEMENT[document.decision.value]] * needed
    red = any(outcome_of(case, case.get("classname")) in ("failure", "error") for case in cases)
    assert red is (document.decision.value in ("BLOCK", "INVALID"))
    by_name = {case.get("name"): case for case in of_categories}
    assert len(by_name) == len(of_categories) == len(document.categories) == len(value["categories"])
    rows = {row[0]: row for row in table.rows}
    for category, stored in zip(document.categories, value["categories"], strict=True):
        case = by_name[inert_line(visible(category.name))]
        element = "skipped" if category.lane is Lane.ADVISORY else ELEMENT[category.decision.value]
        assert outcome_of(case, f"litmusgate.category.{category.severity.value}") == element
        violations = f"{category.violations}+{category.unknown}?" if category.unknown else str(category.violations)
        assert rows[category.name][1:5] == (category.decision.value, category.lane.value, str(category.n), violations)
        assert (stored["decision"], stored["n"], stored["violations"]) == (
            category.decision,
            category.n,
            category.violations,
        )
        if element is not None:
            assert f"{many(category.violations, 'violation')} of n {category.n}," in case.find(element).get("message")


def outcome_of(case, class_name):
    """The element that says how the testcase came out (None: passed), after checking that it is the one meant."""
    assert case.get("classname") == class_name
    found = [child.tag for child in case if child.tag in ("failure", "error", "skipped")]
    assert len(found) <= 1
    return found[0] if found else None


@unhurried
@given(documents())
def test_no_report_holds_a_control_character_or_a_line_a_runner_obeys(document):
    """Hostile text is inert: no escape sequence, no bidirectional override, no `::error` line, in any human report (T5)."""
    for form in ("text", "markdown", "junit"):
        shown = render(document, form)
        assert control_characters(shown) == set()
        assert lines_that_command(shown) == []
        assert shown.endswith("\n")
    assert not any(unicodedata.category(character) == "Cc" for character in render(document, "json"))


@unhurried
@given(documents())
def test_text_keeps_to_80_columns(document):
    """The text report is at most 80 columns wide; only the escape that disarms a runner's command may add three."""
    for line in render(document, "text").split("\n"):
        assert cells(line) <= 80 + 3 * (line.count("\\x3a") + line.count("\\x23"))


@unhurried
@given(texts)
def test_markdown_shows_exactly_the_visible_text_and_no_markup(text):
    """No character of a text keeps a meaning in Markdown or HTML, and every text comes back from what is shown (T5)."""
    shown = markdown_text(text)
    assert html.unescape(shown).replace("\u200b", "") == visible(text)
    assert not re.search(r"[<>|`*_~\[\]\\!$\"'\n]", shown)
    assert not re.search(r"@\w|#\w|://|www\.\w|::", re.sub(r"&#\d+;", "\u200b", shown))


@unhurried
@given(names, names)
def test_two_names_never_look_the_same(one, other):
    """Distinct names stay distinct in every format: escaping is injective."""
    if one != other:
        assert visible(one) != visible(other)
        assert markdown_text(one) != markdown_text(other)
        assert wrap(one) != wrap(other)
        assert columns(("category", "n"), [(one, "1")]) != columns(("category", "n"), [(other, "1")])


@unhurried
@given(texts, st.integers(1, 60))
def test_wrapping_drops_no_character(text, width):
    """The lines of a wrapped text, put together, are the text made visible."""
    lines = wrap(text, first="", rest="", width=width)
    assert lines == [inert_line(part) for part in lines] or any("\\x" in line for line in lines)
    joined = "".join(lines)
    assert joined.replace("\\x3a", ":").replace("\\x23", "#") == visible(text).replace("\\x3a", ":").replace(
        "\\x23", "#"
    )


@unhurried
@given(documents())
def test_a_verdict_file_reads_back_equal(document):
    """What is written is read: canonical bytes, read and written again, are the same bytes (T2)."""
    data = verdict_bytes(document)
    again = read_verdict(data, path="verdict.json")
    assert verdict_bytes(again) == data
    for form in FORMATS:
        assert render(again, form) == render(document, form)


@unhurried
@given(results(), st.randoms(use_true_random=False))
def test_the_order_of_parts_changes_no_byte(result, rng):
    """Categories, reasons, ids and digests in any order give the same verdict file."""

    def shuffled(items):
        return tuple(rng.sample(items, len(items)))

    mixed = replace(
        result,
        suite_reasons=shuffled(result.suite_reasons),
        unsafe=shuffled(result.unsafe),
        categories=shuffled(
            tuple(
                replace(
                    finding,
                    reasons=shuffled(finding.reasons),
                    violating_ids=shuffled(finding.violating_ids),
                    excluded_violations=shuffled(finding.excluded_violations),
                )
                for finding in result.categories
            )
        ),
        checks=dict(shuffled(tuple(result.checks.items()))),
    )
    digests = ("sha256:" + "1" * 64, "sha256:" + "2" * 64)
    one = compose(result, run_digests=digests, earlier=digests)
    other = compose(mixed, run_digests=digests[::-1], earlier=digests[::-1])
    assert verdict_bytes(one) == verdict_bytes(other)


@unhurried
@given(documents())
def test_every_reason_and_every_hidden_violation_is_shown(document):
    """All reasons, ids that exclusion hides (A13) and contradictions (E7) stand on the human reports."""
    markdown = render(document, "markdown")
    for category in document.categories:
        assert markdown_text(category_heading(category)) in markdown
        for reason in category.reasons:
            assert markdown_text(f"[{reason.rule} {reason.code}]") in markdown
        for name in (*category.excluded_violations, *category.contradictions):
            assert markdown_text(name) in markdown
