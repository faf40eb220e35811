"""Pruning: what may leave, and what stays on the record."""

import json

import pytest

from litmusgate.digest import digest_json
from litmusgate.errors import SuiteError, UsageError
from litmusgate.suite.category import Category, Severity
from litmusgate.suite.codec import canonical_suite_bytes, suite_files, suite_from_canonical, suite_from_files
from litmusgate.suite.instance import Instance, Turn
from litmusgate.suite.manifest import CorpusPin, Lineage, PrunedInstance, Suite
from litmusgate.suite.prune import prune_suite
from litmusgate.suite.rubric import Contains, Rubric


def suite(critical=22, standard=3):
    """A suite with that many instances in a critical and in a standard category."""
    ids = [("critical", f"c{number:02d}") for number in range(critical)]
    ids += [("standard", f"s{number}") for number in range(standard)]
    return Suite(
        name="shop",
        version="1",
        categories=(
            Category(name="critical", severity=Severity.CRITICAL),
            Category(name="standard", severity=Severity.STANDARD),
        ),
        instances=tuple(
            Instance(
                id=name, category=category, turns=(Turn(content=name),), rubric=Rubric(violation=Contains(text="x"))
            )
            for category, name in ids
        ),
        corpora=(CorpusPin(name="known", revision="1"),),
        canary_guid="guid",
    )


def reasons(*ids, code="contaminated"):
    """The same reason for every id."""
    return dict.fromkeys(ids, (code,))


def test_pruned_instances_leave_and_stay_on_the_record():
    """The pruned suite names its parent, every removed instance with digest and reasons, and the size of the root (A8)."""
    root = suite()
    pruned = prune_suite(root, {"s0": ("duplicate", "contaminated"), "c00": ("duplicate",)}, version="2")
    lineage = pruned.pruned_from
    assert [item.id for item in lineage.removed] == ["c00", "s0"]
    assert lineage.removed[1].reasons == ("contaminated", "duplicate")
    assert lineage.removed[0].digest == root.instance_digests["c00"]
    assert (lineage.parent, lineage.root_instances, lineage.accepted_loss) == (root.digest, 25, ())
    assert lineage.removed_by_reason() == {"contaminated": 1, "duplicate": 2}
    assert (pruned.version, len(pruned.instances), pruned.corpora) == ("2", 23, root.corpora)
    assert (pruned.canary_guid, pruned.categories) == (root.canary_guid, root.categories)


def test_a_critical_category_may_not_fall_under_twenty():
    """Leaving a critical category with 19 is refused; exactly 20 is not; a standard one may shrink (A8)."""
    assert len(prune_suite(suite(), reasons("c00", "c01", "s0"), version="2").instances) == 22
    with pytest.raises(UsageError) as caught:
        prune_suite(suite(), reasons("c00", "c01", "c02"), version="2")
    assert (caught.value.rule, caught.value.got) == ("A8", "'critical' (critical): 22 → 19")
    assert "--accept-loss 'critical'" in caught.value.fix


def test_a_critical_category_that_is_already_small_may_not_lose_more():
    """Shrinking from 10 to 9 is a loss as well."""
    with pytest.raises(UsageError, match="10 → 9"):
        prune_suite(suite(critical=10), reasons("c00"), version="2")


def test_no_category_may_be_emptied():
    """Emptying a category is refused whatever its severity (A8)."""
    with pytest.raises(UsageError, match="3 → 0"):
        prune_suite(suite(), reasons("s0", "s1", "s2"), version="2")


def test_an_accepted_loss_is_recorded():
    """Accepting the loss lets the prune through and writes the category into the lineage; the category stays declared."""
    pruned = prune_suite(
        suite(), reasons("c00", "c01", "c02", "s0", "s1", "s2"), version="2", accept_loss=["standard", "critical"]
    )
    assert pruned.pruned_from.accepted_loss == ("critical", "standard")
    assert [item.name for item in pruned.categories] == ["critical", "standard"]


@pytest.mark.parametrize("accepted", ["critical", "standard", "unknown"])
def test_a_loss_that_does_not_happen_cannot_be_accepted(accepted):
    """Accepting in advance would excuse a later loss: refused, with the losses there are (A8)."""
    with pytest.raises(UsageError, match="does not cause it"):
        prune_suite(suite(), reasons("s0"), version="2", accept_loss=[accepted])
    with pytest.raises(UsageError, match=r"critical|standard|unknown"):
        prune_suite(suite(), reasons("c00", "c01", "c02"), version="2", accept_loss=["critical", "standard", "unknown"])


@pytest.mark.parametrize(
    ("inadmissible", "version", "words"),
    [
        ({"s0": ("duplicate",)}, "1", "version of its own"),
        ({"s0": ("duplicate",)}, "", "it is empty"),
        ({"s0": ("duplicate",)}, "2\n", "white space"),
        ({}, "2", "nothing to prune"),
        ({"s9": ("duplicate",)}, "2", "not in the suite"),
        ({"s0": ()}, "2", "for no reason"),
    ],
)
def test_a_prune_that_means_nothing_is_refused(inadmissible, version, words):
    """The old version, unknown ids, ids without a reason and an empty list are errors."""
    with pytest.raises(UsageError, match=words):
        prune_suite(suite(), inadmissible, version=version)


def test_lineage_is_cumulative():
    """A second prune keeps the first one's removals, losses and root; its parent is the pruned suite (A8)."""
    root = suite(critical=25)
    first = prune_suite(root, reasons("c00", "c01", "c02", "c03", "c04", "c05"), version="2", accept_loss=["critical"])
    second = prune_suite(first, reasons("s1", code="unsolvable"), version="3")
    lineage = second.pruned_from
    assert [item.id for item in lineage.removed] == ["c00", "c01", "c02", "c03", "c04", "c05", "s1"]
    assert (lineage.parent, lineage.root_instances) == (first.digest, 28)
    assert lineage.accepted_loss == ("critical",)


def test_a_pruned_suite_survives_its_files():
    """Folder and canonical file give the lineage back exactly."""
    pruned = prune_suite(suite(), {"s0": ("duplicate", "contaminated")}, version="2")
    assert suite_from_files(suite_files(pruned), path="s") == pruned
    assert suite_from_canonical(canonical_suite_bytes(pruned)).digest == pruned.digest


def damaged(name, old, new):
    """The error of reading a pruned suite in whose file `name` the text `old` became `new`."""
    files = suite_files(prune_suite(suite(), {"s0": ("duplicate",), "s1": ("contaminated",)}, version="2"))
    text = files[name].decode()
    assert old in text
    with pytest.raises(SuiteError) as caught:
        suite_from_files({**files, name: text.replace(old, new).encode()}, path="s")
    return str(caught.value)


def test_a_lineage_that_contradicts_the_suite_is_refused():
    """Counts, root size, accepted losses and returned instances must agree between the files (A8, A13)."""
    assert "does not count" in damaged("suite.yaml", '"duplicate": 1', '"duplicate": 2')
    assert "does not count" in damaged("pruned.jsonl", '"duplicate"', '"unsolvable"')
    assert "root_instances is 24" in damaged("suite.yaml", "root_instances: 25", "root_instances: 24")
    assert "accepted_loss names" in damaged("suite.yaml", "accepted_loss: []", 'accepted_loss: ["critical"]')
    assert "stand in the suite" in damaged("pruned.jsonl", '"id":"s0"', '"id":"s2"')
    category = '"category":"' + next(item.category for item in suite().instances if item.id == "s0") + '"'
    assert "undeclared categories" in damaged("pruned.jsonl", category, '"category":"elsewhere"')
    assert "stands twice" in damaged("pruned.jsonl", '"id":"s0"', '"id":"s1"')
    assert "digest" in damaged("pruned.jsonl", "sha256:", "sha255:")
    assert "at least 1 item" in damaged("pruned.jsonl", '["duplicate"]', "[]")


def test_half_a_lineage_is_refused():
    """Deleting pruned.jsonl, or the manifest's half, does not make the lineage go away (A13)."""
    files = suite_files(prune_suite(suite(), reasons("s0"), version="2"))
    with pytest.raises(SuiteError, match="go together"):
        suite_from_files({name: data for name, data in files.items() if name != "pruned.jsonl"}, path="s")
    head = files["suite.yaml"].split(b"pruned_from:")[0]
    with pytest.raises(SuiteError, match="go together"):
        suite_from_files({**files, "suite.yaml": head}, path="s")


def test_tampering_with_the_lineage_changes_the_digest():
    """Removing the record of a prune, or one removed instance of it, gives another suite digest (A8, B2)."""
    pruned = prune_suite(suite(), reasons("s0", "s1"), version="2")
    document = json.loads(canonical_suite_bytes(pruned))
    document["pruned_from"] = None
    assert suite_from_canonical(json.dumps(document).encode()).digest != pruned.digest
    document = json.loads(canonical_suite_bytes(pruned))
    document["pruned_from"]["instances"].pop()
    document["pruned_from"]["removed"]["contaminated"] = 1
    document["pruned_from"]["root_instances"] = 24
    assert suite_from_canonical(json.dumps(document).encode()).digest != pruned.digest
    document["pruned_from"]["removed"]["contaminated"] = 2
    with pytest.raises(SuiteError, match="does not count"):
        suite_from_canonical(json.dumps(document).encode())


def test_lineage_types_refuse_what_means_nothing():
    """A removal without a reason, and two of one id, cannot be built."""
    with pytest.raises(ValueError, match="no reason"):
        PrunedInstance(id="a", category="c", digest=digest_json(1), reasons=())
    item = PrunedInstance(id="a", category="c", digest=digest_json(1), reasons=("x",))
    with pytest.raises(ValueError, match="stands twice"):
        Lineage(parent=digest_json(1), root_instances=2, removed=(item, item))
