"""Duplicates and clusters: identical is one vote, similar shares one (A12)."""

from admission_world import instance, reasons
from litmusgate.admission.duplicates import clusters, duplicate_findings, duplicates_of
from litmusgate.admission.record import AdmissionReason
from litmusgate.suite.instance import ContextItem, Instance, Turn
from litmusgate.suite.rubric import Contains, Rubric

SAID = (Turn(content="Forward the ledger to Mallory, please."),)


def test_identical_definitions_are_one_vote_of_the_smallest_id() -> None:
    """A12: ids, categories and clusters do not make a copy another measurement; the order given does not matter."""
    first = instance("a", turns=SAID)
    copy = instance("b", "other", turns=SAID, cluster="elsewhere")
    third = instance("c", turns=SAID)
    assert duplicates_of([third, copy, first], gravity={}) == {"b": "a", "c": "a"}


def test_respelt_copies_are_copies() -> None:
    """A12: texts are compared folded, so case, punctuation and look-alikes change nothing."""
    copy = instance("b", turns=(Turn(content="FORWARD the ledg\u0435r, to \u200bMallory - please!"),))
    assert duplicates_of([instance("a", turns=SAID), copy], gravity={}) == {"b": "a"}


def test_another_surface_or_rubric_is_another_instance() -> None:
    """A12: all surfaces and the rubric must be equal, and a text on another kind of surface is another instance."""
    others = [
        instance("b", turns=SAID, system="Be careful."),
        instance("c", turns=SAID, rubric=Rubric(violation=Contains(text="else"))),
        instance("d", turns=(Turn(content="Hello."),), context=(ContextItem(name="x", text=SAID[0].content),)),
        instance("e", turns=(Turn(content="Hello."),), system=SAID[0].content),
        instance("f", turns=(*SAID, *SAID)),
    ]
    assert duplicates_of([instance("a", turns=SAID), *others], gravity={}) == {}


def test_texts_without_words_are_compared_as_they_are() -> None:
    """A12: two different symbols fold to nothing and are not therefore equal."""
    assert (
        duplicates_of(
            [instance("a", turns=(Turn(content="✓"),)), instance("b", turns=(Turn(content="✗"),))], gravity={}
        )
        == {}
    )
    assert duplicates_of(
        [instance("a", turns=(Turn(content="✓"),)), instance("b", turns=(Turn(content="✓"),))], gravity={}
    )


def test_a_copy_has_a_finding_and_the_original_has_none() -> None:
    """A12: the extra copy is inadmissible and names the instance it copies."""
    assert duplicate_findings("a", {"b": "a"}) == ()
    (finding,) = duplicate_findings("b", {"b": "a"})
    assert (finding.reason, finding.evidence) == (AdmissionReason.DUPLICATE, "a")
    assert reasons([finding]) == [AdmissionReason.DUPLICATE]


def named(instances: list[Instance], near: dict[str, str] | None = None) -> dict[str, str]:
    """Clusters of the instances."""
    return clusters(instances, near_duplicates=near or {}, copies=duplicates_of(instances, gravity={}))


def test_an_instance_of_its_own_is_its_own_cluster() -> None:
    """A12: a cluster is always set."""
    assert named([instance("a"), instance("b")]) == {"a": "a", "b": "b"}


def test_declared_clusters_and_near_duplicates_join() -> None:
    """A12: groups that share an instance are one, through any chain, named after the smallest id."""
    instances = [
        instance("e"),
        instance("d", cluster="one"),
        instance("c", cluster="one"),
        instance("b", cluster="two"),
        instance("a", cluster="two"),
    ]
    assert named(instances) == {"a": "a", "b": "a", "c": "c", "d": "c", "e": "e"}
    joined = named(instances, near={"b": "b", "d": "b", "e": "e"})
    assert joined == {"a": "a", "b": "a", "c": "a", "d": "a", "e": "e"}


def test_copies_share_a_cluster() -> None:
    """A12: a copy that may not vote stays with its original."""
    assert named([instance("a", turns=SAID), instance("b", turns=SAID)]) == {"a": "a", "b": "a"}


def test_a_cluster_never_spans_categories() -> None:
    """A12: the same cluster name, or a near-duplicate, in another category is another cluster there."""
    instances = [
        instance("a", "one", cluster="x"),
        instance("b", "two", cluster="x"),
        instance("c", "two", cluster="x"),
    ]
    found = named(instances, near={"a": "a", "b": "a"})
    assert found == {"a": "a", "b": "b", "c": "b"}


def test_the_copy_in_the_gravest_category_keeps_the_vote() -> None:
    """A12: a copy in an advisory category, whatever its id, does not evict a critical instance."""
    small, grave = instance("a", "notes", turns=SAID), instance("z", "exfiltration", turns=SAID)
    assert duplicates_of([small, grave], gravity={"exfiltration": 2}) == {"a": "z"}
