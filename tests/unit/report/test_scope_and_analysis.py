"""Scope stamps, and exploratory analysis that decides nothing."""

import json

import pytest

from litmusgate.errors import UsageError
from litmusgate.evidence.columns import TrialColumns
from litmusgate.evidence.outcome import Outcome, Reason
from litmusgate.evidence.run import RunHeader, SuiteStamp, make_run
from litmusgate.evidence.trial import Trial
from litmusgate.report.analysis import ANALYSIS_FORMATS, analyse, render_analysis
from litmusgate.report.scope import scope_stamps
from litmusgate.report.shown import SuiteShown


def run(*trials, suite=None, synthetic=False):
    """A run of these trials."""
    header = RunHeader(agent="bot", build="2", suite=suite, epochs=1, engine="import/table 1", synthetic=synthetic)
    return make_run(header, TrialColumns.from_trials(trials))


def sample():
    """Five trials in two categories and one without."""
    return run(
        Trial(instance_id="a", attempt=0, outcome=Outcome.SAFE, category="x|<b>", exposed=True),
        Trial(instance_id="a", attempt=1, outcome=Outcome.VIOLATION, category="x|<b>", exposed=False),
        Trial(instance_id="b", attempt=0, outcome=Outcome.UNKNOWN, reason=Reason.TIMEOUT, category="::error"),
        Trial(instance_id="c", attempt=0, outcome=Outcome.VACUOUS, reason=Reason.NO_ATTACK),
        Trial(instance_id="d", attempt=0, outcome=Outcome.SAFE),
    )


def suite_shown(instances, multi_turn):
    """The suite part of a verdict with these counts."""
    return SuiteShown(
        name="s", version="1", digest="sha256:" + "a" * 64, instances=instances, multi_turn=multi_turn, pruned_from=None
    )


@pytest.mark.parametrize(
    ("suite", "told"),
    [
        (None, "could not be read"),
        (suite_shown(0, 0), "single-turn suite"),
        (suite_shown(9, 0), "single-turn suite"),
        (suite_shown(9, 4), "5 of 9 instances"),
    ],
)
def test_what_is_outside_the_scope_is_stamped(suite, told):
    """A single-turn suite, a partly single-turn one and one nobody could read are marked; that is scope, no decision (E11)."""
    (stamp,) = scope_stamps(suite)
    assert told in stamp


def test_a_multi_turn_suite_has_no_scope_stamp():
    """A suite whose every instance holds state over several steps is within scope (E11)."""
    assert scope_stamps(suite_shown(9, 9)) == ()


@pytest.mark.parametrize("form", ANALYSIS_FORMATS)
def test_exploratory_analysis_carries_no_decision(form):
    """Every format says that nothing was decided, and none says PASS, BLOCK, REVIEW or INVALID (E11)."""
    shown = render_analysis(analyse(sample()), form)
    assert "exploratory" in shown
    assert not any(word in shown for word in ("PASS", "BLOCK", "REVIEW", "INVALID"))
    if form == "json":
        assert json.loads(shown)["decision"] is None
    else:
        assert "NO DECISION" in shown


def test_analysis_counts_trials_per_category():
    """Counts are trials per recorded category, those without one counted apart, with reasons and exposure."""
    parts = {item.name: item for item in analyse(sample()).categories}
    assert list(parts) == ["::error", "x|<b>", None]
    assert parts["x|<b>"].outcomes == {"safe": 1, "violation": 1, "vacuous": 0, "unknown": 0}
    assert (parts["x|<b>"].instances, parts["x|<b>"].trials) == (1, 2)
    assert (parts["x|<b>"].exposed, parts["x|<b>"].exposure_known) == (1, 2)
    assert parts["::error"].reasons == {"timeout": 1}
    assert parts[None].trials == 2


def test_a_suite_supplies_the_categories_of_a_run_that_names_none():
    """Given categories win over recorded ones; ids the suite does not know stay without."""
    parts = {item.name: item.trials for item in analyse(sample(), category_of={"a": "k", "d": "k"}).categories}
    assert parts == {"k": 3, None: 2}


@pytest.mark.parametrize("form", ANALYSIS_FORMATS)
@pytest.mark.parametrize("categories", [None, {}])
def test_a_run_without_trials_is_shown_as_empty(form, categories):
    """An empty run has no category and no mean; it is not shown as safe."""
    analysis = analyse(run(), category_of=categories)
    assert analysis.categories == ()
    assert analysis.trend.mean is None
    shown = render_analysis(analysis, form)
    assert "100.0" not in shown


def test_analysis_is_inert_for_hostile_categories():
    """No markup, no command line and no raw pipe comes out of a category's name (T5)."""
    text, markdown = (render_analysis(analyse(sample()), form) for form in ("text", "markdown"))
    assert not any(line.lstrip().startswith("::") for line in (text + markdown).split("\n"))
    assert "x&#124;&lt;b&gt;" in markdown.replace("&#60;", "&lt;").replace("&#62;", "&gt;")
    assert "<b>" not in markdown


def test_analysis_shows_which_run_and_suite_it_read():
    """Run digest, suite and the synthetic stamp stand on it."""
    stamp = SuiteStamp(name="s", version="1", digest="sha256:" + "a" * 64, instances={})
    found = run(Trial(instance_id="a", attempt=0, outcome=Outcome.SAFE), suite=stamp, synthetic=True)
    text = render_analysis(analyse(found), "text")
    assert "suite s 1" in text
    assert found.digest in text
    assert "SYNTHETIC" in text
    assert "not named by the run" in render_analysis(analyse(sample()), "text")


def test_an_analysis_has_no_junit_form():
    """JUnit testcases pass or fail; an analysis does neither, so the format is refused by name (E11)."""
    with pytest.raises(UsageError, match="text, markdown, json"):
        render_analysis(analyse(sample()), "junit")
