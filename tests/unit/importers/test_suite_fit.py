"""Imported trials against their suite: foreign ids, other categories, too many attempts."""

import numpy as np
import pytest

from litmusgate.errors import ImportFormatError, UsageError
from litmusgate.evidence.columns import TrialColumns
from litmusgate.evidence.outcome import Outcome
from litmusgate.evidence.trial import Trial
from litmusgate.importers.imported import Imported
from litmusgate.importers.suite_fit import epochs_of, fit_to_suite, suite_stamp
from litmusgate.suite.category import Category, Severity
from litmusgate.suite.instance import Instance, Turn
from litmusgate.suite.manifest import Lineage, PrunedInstance, Suite
from litmusgate.suite.rubric import External, Rubric


def suite(names, *, pruned=()):
    """A suite of one category with these ids, pruned of others."""
    rubric = Rubric(violation=External(grader="outside"))
    removed = tuple(
        PrunedInstance(id=name, category="c", digest="sha256:" + "0" * 64, reasons=("x",)) for name in pruned
    )
    lineage = Lineage(parent="sha256:" + "1" * 64, root_instances=len(names) + len(pruned), removed=removed)
    return Suite(
        name="s",
        version="1",
        categories=(Category(name="c", severity=Severity.STANDARD),),
        instances=tuple(
            Instance(id=name, category="c", turns=(Turn(content="hello"),), rubric=rubric) for name in names
        ),
        pruned_from=lineage if pruned else None,
    )


def imported(*names, category="c", declared=False):
    """Safe trials at these ids."""
    trials = [Trial(instance_id=name, attempt=0, outcome=Outcome.SAFE, category=category) for name in names]
    return Imported(columns=TrialColumns.from_trials(trials), mapping="m", category_declared=declared)


def test_ids_of_the_suite_stay_and_lose_their_category():
    """A run of a suite takes its categories from the suite."""
    columns, left_out = fit_to_suite(imported("a", "b"), suite(["a", "b", "c"]), subset=False)
    assert columns.ids == ("a", "b")
    assert left_out == 0
    assert columns.category.values == ()


def test_ids_outside_the_suite_are_an_error_that_lists_them():
    """A foreign id is never quietly dropped (E2)."""
    with pytest.raises(ImportFormatError, match="1 of 2 ids are not in suite 's' 1") as raised:
        fit_to_suite(imported("a", "x"), suite(["a"]), subset=False)
    assert raised.value.got == "'x'"
    assert "--subset" in raised.value.fix


def test_with_subset_foreign_rows_are_left_out_and_counted():
    """The number of rows left out goes into the header (E2)."""
    columns, left_out = fit_to_suite(imported("a", "x", "y"), suite(["a"]), subset=True)
    assert columns.ids == ("a",)
    assert left_out == 2


def test_a_log_of_another_suite_is_an_error_even_with_subset():
    """Zero overlap is no evidence."""
    with pytest.raises(ImportFormatError, match="no id of the log") as raised:
        fit_to_suite(imported("x"), suite(["a"]), subset=True)
    assert "'a'" in raised.value.wanted
    with pytest.raises(ImportFormatError, match="no id of the log"):
        fit_to_suite(imported("x"), suite([]), subset=True)


def test_pruned_instances_stay_and_are_stamped():
    """Subset or not, trials at pruned instances are kept, with the digest they had (A13)."""
    pruned = suite(["a"], pruned=["gone", "never-run"])
    columns, left_out = fit_to_suite(imported("a", "gone", "x"), pruned, subset=True)
    assert columns.ids == ("a", "gone")
    assert left_out == 1
    stamp = suite_stamp(pruned, columns)
    assert dict(stamp.instances) == {"gone": "sha256:" + "0" * 64, **pruned.instance_digests}
    assert (stamp.name, stamp.version, stamp.digest) == ("s", "1", pruned.digest)


def test_the_stamp_of_an_ordinary_run_is_exactly_the_suite():
    """Without pruned trials nothing is added to the suite's own digests."""
    whole = suite(["a", "b"])
    assert dict(suite_stamp(whole, imported("a").columns).instances) == dict(whole.instance_digests)


def test_a_declared_category_must_be_the_suites():
    """A category column that disagrees is an error that names the ids; undeclared or null is not compared."""
    with pytest.raises(ImportFormatError, match="1 ids have another category") as raised:
        fit_to_suite(imported("a", category="other", declared=True), suite(["a"]), subset=False)
    assert "'a'" in raised.value.got
    assert len(fit_to_suite(imported("a", category="other"), suite(["a"]), subset=False)[0]) == 1
    assert len(fit_to_suite(imported("a", category=None, declared=True), suite(["a"]), subset=False)[0]) == 1
    assert len(fit_to_suite(imported("a", declared=True), suite(["a"]), subset=False)[0]) == 1


def test_epochs_are_found_or_asked_for_but_never_too_few():
    """Fewer epochs than attempts would drop evidence; more leave slots that the gate calls missing (E2)."""
    columns = TrialColumns.build(ids=("a",), id_code=np.zeros(3, int), attempt=np.arange(3), outcome=np.zeros(3, int))
    assert epochs_of(columns, None) == 3
    assert epochs_of(columns, 5) == 5
    with pytest.raises(UsageError, match="more attempts"):
        epochs_of(columns, 2)
