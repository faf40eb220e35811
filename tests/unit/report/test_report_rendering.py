"""The renderers on verdicts made by hand: what a reviewer must be able to see."""

import html
import re
from dataclasses import replace

import pytest

from litmusgate.admission.counterfactual import Counterfactual, CounterfactualCategory
from litmusgate.errors import UsageError
from litmusgate.gate.verdict import (
    Decision,
    Lane,
)
from litmusgate.report.compose import is_multi_turn
from litmusgate.report.formats import render
from litmusgate.report.trend import Trend
from litmusgate.suite.category import Category, Severity
from litmusgate.suite.instance import ContextItem, Tool, Turn
from litmusgate.suite.manifest import Lineage, PrunedInstance, Suite
from property.verdicts import compose
from report_builders import ABOVE, HUMAN, STALE, finding, instance, result
from unit.gate.gate_requests import make_record, make_suite


@pytest.mark.parametrize("form", HUMAN)
def test_counts_against_tolerance_stand_beside_the_mean_trend(form):
    """Every human report has the counts per category and, next to them, the mean that gates nothing (B10)."""
    shown = render(compose(result(finding())), form)
    assert "mean trend (gates nothing): 75.0 % safe over 20 instances, 95 % interval" in shown
    if form == "markdown":
        assert "| exfiltration | PASS | hard-gated | 26 | 1 | 3 |" in shown
    else:
        assert re.search(r"^exfiltration +PASS +hard-gated +26 +1 +3$", shown, flags=re.MULTILINE)


@pytest.mark.parametrize("form", HUMAN)
def test_a_tolerance_that_flips_did_not_make_is_told_from_one_they_made(form):
    """B5: an integer of the policy is shown as such, beside what `auto` would have been made of."""
    shown = _unfolded(render(compose(result(finding(tolerance=4, cap=12))), form))
    assert "tolerance 4, stated by the policy (floor 2, quantile 3, cap 12)" in shown
    assert "stated by the policy" not in _unfolded(render(compose(result(finding())), form))


@pytest.mark.parametrize("form", HUMAN)
def test_a_passing_row_of_an_invalid_build_is_not_taken_for_a_pass(form):
    """The table says what a PASS in it is worth when the build is INVALID (B13), and only then."""
    invalid = result(finding(), decision=Decision.INVALID, reasons=(STALE,))
    assert "a PASS here is what the category would have been" in _unfolded(render(compose(invalid), form))
    assert "a PASS here" not in _unfolded(render(compose(result(finding())), form))


@pytest.mark.parametrize("form", HUMAN)
def test_everything_a_reviewer_asks_is_on_every_report(form):
    """n, effective n, interval, tolerance and its parts, power, exposure, flips, baseline, lane, severity, checks."""
    shown = render(compose(result(finding(decision=Decision.BLOCK, reasons=(ABOVE,)), decision=Decision.BLOCK)), form)
    for fact in (
        "BLOCK: the build may not ship",
        "7 violations exceed the tolerance of 3",
        "B8 count-above-tolerance",
        "1 violation of n 26 (effective n 24), exact interval 0.1 % to 20.0 %",
        "tolerance 3 (floor 2, quantile 3, cap 4)",
        "4 of 260 pairs (52 independent), source declared",
        "false-block probability of an unchanged build: 0.3 %",
        "detectable 90 % of the time: 5 regressed instances or more",
        "exposure: 90.0 % (18 of 20 instances with a record met the attack)",
        "baseline: 6 violations of n 130",
        "anchor: 4 violations of n 78",
        "covert executions 1",
        "correct 17, under 7",
        "(critical, weight 5, hard-gated)",
        "provenance: done",
        "earlier verdicts on this build and suite: 0",
    ):
        assert fact in _unfolded(shown), fact


def _unfolded(shown):
    """The report as running text: line breaks and Markdown's entities undone, for looking sentences up."""
    return re.sub(r"\s+", " ", html.unescape(shown).replace("\u200b", ""))


@pytest.mark.parametrize("form", HUMAN)
def test_what_must_not_be_overlooked_is_stamped(form):
    """Unsafe options (T4), synthetic runs, scope (E11), accepted losses and the pruned share (A8) are on every report."""
    suite = Suite(
        name="s",
        version="2",
        categories=(Category(name="c", severity=Severity.CRITICAL),),
        instances=(instance("a"),),
        pruned_from=Lineage(
            parent="sha256:" + "e" * 64,
            root_instances=4,
            removed=tuple(
                PrunedInstance(id=name, category="c", digest="sha256:" + "f" * 64, reasons=("contaminated",))
                for name in "bcd"
            ),
            accepted_loss=("c",),
        ),
    )
    document = compose(
        result(finding(), unsafe=("unsafe-skip-staleness",)),
        suite=suite,
        synthetic=True,
        earlier=("sha256:" + "1" * 64,),
    )
    shown = _unfolded(render(document, form).replace("**", ""))
    for fact in (
        "UNSAFE: this verdict was made under unsafe-skip-staleness",
        "SYNTHETIC: the runs were produced by scripted agents",
        "SCOPE: single-turn suite",
        "ACCEPTED LOSS: pruning left these categories small on purpose: c",
        "3 of 4 instances removed in all (75.0 %), for contaminated 3",
        "earlier verdicts on this build and suite: 1",
    ):
        assert fact in shown, fact


@pytest.mark.parametrize("form", HUMAN)
def test_a_check_that_was_not_run_is_never_shown_as_done(form):
    """Not checked stays not checked, whatever its state is called (A7); no checks at all is said too."""
    checks = {"leakage": "not checked: external graders", "provenance": "skipped", "canary": ""}
    shown = _unfolded(render(compose(result(finding(), checks=checks)), form))
    assert "leakage: not checked: external graders" in shown
    assert "provenance: not checked: skipped" in shown
    assert "canary: not checked" in shown
    assert "not checked: no check is on the record" in _unfolded(render(compose(result(finding(), checks={})), form))


@pytest.mark.parametrize("form", HUMAN)
def test_nulls_are_shown_as_not_measurable_with_their_reason(form):
    """A number nobody has is never 0 and never blank: it is named with why."""
    bare = finding(
        n=0, effective_n=0, violations=0, vacuous=28, exposure=None, exposed=0, exposure_known=0, interval=None,
        tolerance=None, floor=None, quantile=None, cap=None, flips=None, false_block=None, detectable=None,
        baseline=None, anchor=None, violating_ids=(), decision=Decision.INVALID, reasons=(STALE,),
    )  # fmt: skip
    document = compose(
        result(bare, reasons=(STALE,), decision=Decision.INVALID, family_false_block=None),
        trend=Trend(mean=None, interval=None, n=0, reason="nothing was judged"),
    )
    shown = _unfolded(render(document, form))
    for fact in (
        "exact interval not measurable: no admissible instance was tested",
        "tolerance none (none could be made; the reasons say why)",
        "cap none (the policy states no max_tolerance for this category)",
        "not measured (no flips were measured or declared)",
        "false-block probability of an unchanged build: not measurable",
        "exposure: not measurable: no admissible instance has its exposure recorded",
        "baseline: none: no baseline run was used",
        "mean trend (gates nothing): not measurable, nothing was judged",
        "over all hard-gated categories: not measurable",
        "no admission record could be used",
        "not computed: there was no admission record",
        "suite: could not be read",
    ):
        assert fact in shown, fact
    category = document.categories[0]
    nulls = {name for name, value in category.model_dump().items() if value is None}
    assert set(category.absent) == nulls


@pytest.mark.parametrize("form", HUMAN)
def test_what_exclusion_hides_and_contradictions_are_listed_in_full(form):
    """Ids of excluded violations (A13) and of contradictions (E7) are never cut; violating ids are, with the number left."""
    hidden = tuple(f"hidden-{number:02}" for number in range(25))
    odd = tuple(f"odd-{number:02}" for number in range(12))
    seen = tuple(f"seen-{number:02}" for number in range(13))
    shown = _unfolded(
        render(compose(result(finding(excluded_violations=hidden, contradictions=odd, violating_ids=seen))), form)
    )
    assert all(name in shown for name in (*hidden, *odd, *seen[:10]))
    assert "seen-12" not in shown
    assert "and 3 more" in shown
    assert "exclusion hides 25 violations" in shown


@pytest.mark.parametrize("form", HUMAN)
def test_the_counterfactual_shows_three_rates_and_their_shift(form):
    """Four categories at 45 %, one small one wholly contaminated at 100 %: late exclusion says 0.56, early 0.45 (A11)."""
    parts = [
        CounterfactualCategory(name=name, all_passes=45, all_n=100, admissible_passes=45, admissible_n=100)
        for name in "abcd"
    ]
    parts.append(CounterfactualCategory(name="e", all_passes=20, all_n=20, admissible_passes=0, admissible_n=0))
    shown = _unfolded(render(compose(result(finding()), counterfactual=Counterfactual(categories=tuple(parts))), form))
    assert "over everything: 47.6 % pass (200 of 420)" in shown
    assert "over admissible instances: 45.0 % pass (180 of 400), -2.6 points against everything" in shown
    assert "would have said 45.0 %, +0.0 points against admissible" in shown
    assert "every category weighed the same: 56.0 %, +11.0 points" in shown
    assert "e: 100.0 % of 20 over everything, not measurable of 0 admissible (not measurable)" in shown


@pytest.mark.parametrize("form", HUMAN)
def test_the_admission_funnel_counts_instances_and_reasons(form):
    """How many instances there are, how many may vote, and for which reasons the others may not (A7)."""
    suite = make_suite({"exfiltration": 30}, {})
    record = make_record(suite, inadmissible=frozenset({"exfiltration-00000", "exfiltration-00001"}))
    document = compose(result(finding()), suite=suite, admission=record)
    assert document.admission.fraction == pytest.approx(2 / 30)
    assert document.inputs.index == record.index.digest
    shown = _unfolded(render(document, form))
    for fact in ("30 instances in the suite", "2 inadmissible (6.7 %): contaminated 2", "28 may vote"):
        assert fact in shown, fact
    empty = compose(result(finding()), admission=replace(record, instances=(), index=None))
    assert empty.admission.fraction is None
    assert empty.inputs.index is None
    assert "0 inadmissible (not measurable): none" in _unfolded(render(empty, form))


def test_an_unknown_format_lists_the_known_ones():
    """A format nobody wrote is an error with the names there are, never an empty report."""
    with pytest.raises(UsageError, match="text, markdown, json, junit"):
        render(compose(result(finding())), "pdf")


def test_rows_lead_with_the_gravest_decision_then_weight_then_name():
    """The reader meets blocks first, whatever the order of names."""
    document = compose(
        result(
            finding("a"),
            finding("b", weight=9),
            finding("z", weight=1, decision=Decision.BLOCK, reasons=(ABOVE,), unknown=1),
            decision=Decision.BLOCK,
        )
    )
    text = render(document, "text")
    assert re.findall(r"^(\w+) +(?:PASS|BLOCK) ", text, flags=re.MULTILINE) == ["z", "b", "a"]
    assert "1+1?" in text
    assert "4+2? means" in text
    assert "4+2? means" in render(document, "markdown")
    assert "4+2? means" not in render(compose(result(finding())), "text")


def test_a_verdict_without_categories_says_so():
    """No category is said in words; an empty table would look like nothing wrong."""
    document = compose(result(reasons=(STALE,), decision=Decision.INVALID))
    assert "no category was evaluated" in render(document, "text")
    assert "No category was evaluated." in render(document, "markdown")


def test_labels_appear_only_where_they_apply():
    """Suspect (A2) and unchecked leakage (A4) are counted where there are any, and advisory categories have no tolerance."""
    shown = _unfolded(render(compose(result(finding(suspect=2, leakage_unchecked=3))), "text"))
    assert "suspect and voting: 2 instances" in shown
    assert "leakage not checked for 3 voting instances" in shown
    advisory = finding("n", lane=Lane.ADVISORY, tolerance=None, severity=Severity.ADVISORY)
    shown = _unfolded(render(compose(result(finding(), advisory)), "text"))
    assert "tolerance: none, the category is advisory" in shown
    assert "suspect" not in shown


@pytest.mark.parametrize(
    "fields",
    [
        {"turns": (Turn(content="a"), Turn(content="b"))},
        {"tools": (Tool(name="t"),)},
        {"context": (ContextItem(name="n", text="t"),)},
        {"environment": {"a": 1}},
    ],
)
def test_state_over_several_steps_makes_an_instance_multi_turn(fields):
    """More turns than one, tools, retrievable context or an environment are state; a single prompt is none (E11)."""
    assert is_multi_turn(instance("a", **fields))
    assert not is_multi_turn(instance("a"))
