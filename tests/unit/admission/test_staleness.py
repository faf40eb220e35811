"""Staleness: exclusion may not open a hole (A8)."""

from dataclasses import replace
from fractions import Fraction

import pytest

from admission_world import numbered, record_excluding, suite_of
from litmusgate.admission.record import AdmissionRecord
from litmusgate.admission.staleness import StalenessFinding, category_sizes, staleness
from litmusgate.suite.category import Severity
from litmusgate.suite.manifest import Lineage, PrunedInstance, Suite

FIVE = Fraction(5, 100)


def stale(
    suite: Suite, excluded: list[str] | None = None, *, tested: dict[str, int] | None = None
) -> tuple[StalenessFinding, ...]:
    """Staleness after excluding ids, everything admissible tested unless said otherwise."""
    record = record_excluding(suite, excluded or [])
    sizes = category_sizes(record=record, suite=suite)
    counts = {name: size.admissible for name, size in sizes.items()} | (tested or {})
    return staleness(record=record, suite=suite, max_inadmissible=FIVE, tested=counts)


def codes(findings: tuple[StalenessFinding, ...]) -> list[tuple[str | None, str, bool]]:
    """Scope, code and whether it is INVALID."""
    return [(finding.scope, finding.code, finding.invalid) for finding in findings]


def pruned(suite: Suite, removed: list[str], *, category: str, root: int, accepted: tuple[str, ...] = ()) -> Suite:
    """The suite with a lineage that says these ids were removed."""
    gone = tuple(
        PrunedInstance(id=name, category=category, digest=f"sha256:{'0' * 64}", reasons=("contaminated",))
        for name in removed
    )
    return replace(
        suite,
        pruned_from=Lineage(parent=f"sha256:{'2' * 64}", root_instances=root, removed=gone, accepted_loss=accepted),
    )


def test_five_of_a_hundred_is_not_stale_and_six_is() -> None:
    """A8: more than 5 % of the suite inadmissible is INVALID; exactly 5 % is not, counted in integers."""
    suite = suite_of(numbered(100))
    ids = [item.id for item in suite.instances]
    assert stale(suite, ids[:5]) == ()
    assert codes(stale(suite, ids[:6])) == [(None, "suite-stale", True)]


def test_the_limit_is_exact_where_floats_are_not() -> None:
    """A8: 29 of 100 does not exceed 0.29, although 0.29 * 100 is less than 29 in floats."""
    suite = suite_of(numbered(100), severity={"exfiltration": Severity.STANDARD})
    ids = [item.id for item in suite.instances]
    counts = {"exfiltration": 71}
    found = staleness(
        record=record_excluding(suite, ids[:29]), suite=suite, max_inadmissible=Fraction("0.29"), tested=counts
    )
    assert found == ()


def test_an_empty_suite_is_invalid() -> None:
    """A8: a suite without instances measures nothing, so it can never pass."""
    suite = suite_of([], severity={"exfiltration": Severity.CRITICAL})
    assert codes(stale(suite)) == [(None, "empty-suite", True)]


def test_more_than_a_fifth_of_a_critical_category_is_invalid() -> None:
    """A8: 20 % of a critical category may be inadmissible, not more; a standard one is bound by the suite's share only."""
    standard = {"reach": Severity.STANDARD}
    suite = suite_of([*numbered(30), *numbered(30, "reach"), *numbered(400, "rest")], severity=standard)
    critical = [f"exfiltration-{number:03d}" for number in range(7)]
    assert stale(suite, critical[:6]) == ()
    assert codes(stale(suite, critical)) == [("exfiltration", "critical-category-stale", True)]
    assert stale(suite, [f"reach-{number:03d}" for number in range(7)]) == ()


def test_an_emptied_category_is_invalid_whatever_its_severity() -> None:
    """A8: a category of which exclusion leaves nothing is INVALID, advisory ones too."""
    suite = suite_of([*numbered(200), *numbered(3, "rare")], severity={"rare": Severity.ADVISORY})
    found = stale(suite, [f"rare-{number:03d}" for number in range(3)])
    assert codes(found) == [("rare", "category-emptied", True)]


@pytest.mark.parametrize(
    ("severity", "expected"),
    [
        (Severity.CRITICAL, [("exfiltration", "pushed-under-20", True)]),
        (Severity.STANDARD, [("exfiltration", "pushed-under-20", False)]),
        (Severity.ADVISORY, []),
    ],
)
def test_exclusion_that_pushes_a_category_under_twenty_shows_by_severity(
    severity: Severity, expected: list[tuple[str, str, bool]]
) -> None:
    """A8: 20 instances of which one is excluded: critical INVALID, standard REVIEW, advisory nothing."""
    suite = suite_of([*numbered(20), *numbered(100, "rest")], severity={"exfiltration": severity})
    assert codes(stale(suite, ["exfiltration-000"])) == expected


def test_vacuous_instances_push_a_category_under_twenty_as_exclusion_does() -> None:
    """A8: 25 admissible instances of which 19 were tested are pushed under 20; the counts stand in the message."""
    suite = suite_of(numbered(25))
    found = stale(suite, tested={"exfiltration": 19})
    assert codes(found) == [("exfiltration", "pushed-under-20", True)]
    assert "19 tested" in found[0].message
    assert "6 vacuous" in found[0].message


def test_a_category_that_nobody_tested_is_not_taken_for_tested() -> None:
    """A8: a category missing from the tested counts was tested on no instance."""
    suite = suite_of(numbered(25))
    found = staleness(record=record_excluding(suite, []), suite=suite, max_inadmissible=FIVE, tested={})
    assert codes(found) == [("exfiltration", "pushed-under-20", True)]


def test_more_tested_than_admissible_is_not_believed() -> None:
    """Counts of tested instances never exceed the admissible ones."""
    suite = suite_of(numbered(20))
    record = record_excluding(suite, ["exfiltration-000"])
    assert category_sizes(record=record, suite=suite, tested={"exfiltration": 99})["exfiltration"].tested == 19


def test_a_category_that_was_small_by_design_was_not_pushed() -> None:
    """A8: 19 instances from the start are the review lane's business, not staleness."""
    assert stale(suite_of([*numbered(19), *numbered(100, "rest")])) == ()


def test_pruning_counts_as_pushing_unless_the_loss_was_accepted() -> None:
    """A8: 40 pruned to 19 is pushed under 20; with an accepted loss it is small by design."""
    suite = suite_of([*numbered(19), *numbered(1000, "rest")])
    gone = [f"gone-{number}" for number in range(21)]
    unaccepted = pruned(suite, gone, category="exfiltration", root=1040)
    assert codes(stale(unaccepted)) == [("exfiltration", "pushed-under-20", True)]
    assert stale(pruned(suite, gone, category="exfiltration", root=1040, accepted=("exfiltration",))) == ()


def test_an_accepted_loss_excuses_no_later_push() -> None:
    """A8: what pruning left (20 of 40) is the size by design; excluding one more pushes it under 20."""
    suite = suite_of([*numbered(20), *numbered(1000, "rest")])
    gone = [f"gone-{number}" for number in range(20)]
    accepted = pruned(suite, gone, category="exfiltration", root=1040, accepted=("exfiltration",))
    assert stale(accepted) == ()
    assert codes(stale(accepted, ["exfiltration-000"])) == [("exfiltration", "pushed-under-20", True)]


def test_a_category_that_pruning_emptied_is_invalid() -> None:
    """A8: pruning cannot make a category disappear quietly."""
    suite = suite_of(numbered(100), severity={"gone": Severity.STANDARD})
    found = stale(pruned(suite, ["gone-1"], category="gone", root=101))
    assert codes(found) == [("gone", "category-emptied", True)]


def test_the_pruned_share_accumulates_since_the_root() -> None:
    """A8: 5 of 100 pruned is within the limit, 6 needs an override; the root's size is the denominator."""
    within = pruned(suite_of(numbered(95)), [f"g{number}" for number in range(5)], category="exfiltration", root=100)
    above = pruned(suite_of(numbered(94)), [f"g{number}" for number in range(6)], category="exfiltration", root=100)
    assert stale(within) == ()
    assert codes(stale(above)) == [(None, "pruned-share", True)]
    assert "override" in stale(above)[0].message


@pytest.mark.parametrize("root", [0, 5, 1000])
def test_a_lineage_that_does_not_add_up_is_invalid(root: int) -> None:
    """A8: a root smaller than what was removed, or larger than all there is, hides the pruned share."""
    suite = pruned(suite_of(numbered(94)), [f"g{number}" for number in range(6)], category="exfiltration", root=root)
    assert codes(stale(suite)) == [(None, "lineage-impossible", True)]


def test_a_record_that_does_not_cover_the_suite_is_invalid() -> None:
    """A8: an instance the record does not list, or lists in another category, is not silently admissible."""
    suite = suite_of(numbered(100))
    record = record_excluding(suite, [])
    short: AdmissionRecord = replace(record, instances=record.instances[:-1])
    moved = replace(record, instances=(replace(record.instances[0], category="else"), *record.instances[1:]))
    foreign = replace(record, instances=(*record.instances, replace(record.instances[0], id="zz")))
    for wrong in (short, moved, foreign):
        found = staleness(record=wrong, suite=suite, max_inadmissible=FIVE, tested={"exfiltration": 100})
        assert (None, "admission-incomplete", True) in codes(found)


def test_a_limit_that_is_no_share_is_refused() -> None:
    """A limit above 1 or below 0 is a broken contract."""
    suite = suite_of(numbered(20))
    for limit in (Fraction(-1, 100), Fraction(101, 100)):
        with pytest.raises(ValueError, match="share"):
            staleness(record=record_excluding(suite, []), suite=suite, max_inadmissible=limit, tested={})
