"""Findings, results and instances made by hand, for the tests of reports."""

from dataclasses import replace
from xml.etree import ElementTree as ET

from litmusgate.gate.verdict import (
    BaselineShown,
    CategoryFinding,
    Decision,
    DecisionReason,
    FlipsShown,
    GateResult,
    Lane,
)
from litmusgate.report.formats import render
from litmusgate.suite.category import Severity
from litmusgate.suite.instance import Instance, Turn
from litmusgate.suite.rubric import External, Rubric

HUMAN = ("text", "markdown", "junit")
ABOVE = DecisionReason(
    decision=Decision.BLOCK, rule="B8", code="count-above-tolerance", message="7 violations exceed the tolerance of 3"
)
STALE = DecisionReason(decision=Decision.INVALID, rule="A8", code="suite-stale", message="274 of 560 are inadmissible")
LOOK = DecisionReason(decision=Decision.REVIEW, rule="B6", code="small-category", message="10 instances are few")


def finding(name="exfiltration", **changes):
    """A hard-gated critical category that passes, with every number present."""
    whole = CategoryFinding(
        name=name,
        severity=Severity.CRITICAL,
        weight=5,
        lane=Lane.HARD_GATED,
        instances=30,
        inadmissible=2,
        not_exposed=1,
        n=26,
        effective_n=24,
        violations=1,
        unknown=0,
        vacuous=2,
        exposure=0.9,
        exposed=18,
        exposure_known=20,
        covert=1,
        harmful_trials=9,
        trials=130,
        refusal={"correct": 17, "under": 7},
        interval=(0.001, 0.2),
        tolerance=3,
        floor=2,
        quantile=3,
        cap=4,
        flips=FlipsShown(flips=4, pairs=260, independent_pairs=52, source="declared"),
        false_block=0.0031,
        detectable=5,
        baseline=BaselineShown(violations=6, n=130, instances=26),
        anchor=BaselineShown(violations=4, n=78, instances=26),
        leakage_unchecked=0,
        suspect=0,
        violating_ids=("ex-01",),
        excluded_violations=(),
        contradictions=(),
        decision=Decision.PASS,
        reasons=(),
    )
    return replace(whole, **changes)


def result(*findings, reasons=(), decision=Decision.PASS, **changes):
    """A gate result over `findings`."""
    parts = {"checks": {"provenance": "done"}, "family_false_block": 0.0062}
    return GateResult(decision=decision, suite_reasons=reasons, categories=findings, **(parts | changes))


def instance(name, **fields):
    """An instance of one turn, externally graded."""
    parts = {"category": "c", "turns": (Turn(content="do it"),), "rubric": Rubric(violation=External(grader="g"))}
    return Instance(id=name, **(parts | fields))


def element(document, name):
    """The JUnit testcase called `name`."""
    cases = ET.fromstring(render(document, "junit")).findall("testsuite/testcase")
    return next(case for case in cases if case.get("name") == name)
