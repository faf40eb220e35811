"""Properties of admission: respelling hides nothing, saying more never helps, order and names do not matter."""

import base64
import codecs
from fractions import Fraction
from urllib.parse import quote

from hypothesis import given, settings
from hypothesis import strategies as st

from admission_world import admitted, instance, numbered, record_excluding, run_of, suite_of
from litmusgate.admission.discriminability import discriminability
from litmusgate.admission.duplicates import clusters
from litmusgate.admission.leakage import leakage
from litmusgate.admission.ledger import admission_bytes, read_admission
from litmusgate.admission.normal_forms import occurrences
from litmusgate.admission.record import AdmissionRecord
from litmusgate.admission.references import reference_attempts
from litmusgate.admission.staleness import category_sizes, staleness
from litmusgate.suite.instance import ContextItem, Turn
from litmusgate.suite.rubric import Contains, Rubric

LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
tokens = st.text(LETTERS, min_size=6, max_size=24)
surroundings = st.text(st.characters(exclude_categories=("Cs",)), max_size=80)
LOOK_ALIKES = str.maketrans({"a": "\u0430", "e": "\u0435", "o": "\u043e", "p": "\u0440", "c": "\u0441"})
FORMS = {
    "upper": str.upper,
    "zero-width": "\u200b".join,
    "look-alikes": lambda text: text.lower().translate(LOOK_ALIKES),
    "rot13": lambda text: codecs.encode(text, "rot13"),
    "hex": lambda text: text.encode().hex(),
    "url": lambda text: "".join(f"%{byte:02x}" for byte in text.encode()),
    "quoted": quote,
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "base64 shifted": lambda text: base64.b64encode(f"x{text} ".encode()).decode(),
}


@given(token=tokens, form=st.sampled_from(sorted(FORMS)), before=surroundings, after=surroundings)
def test_no_normal_form_hides_a_token(token: str, form: str, before: str, after: str) -> None:
    """A4: whatever stands around it, a token in a normal form is found."""
    assert occurrences(token, f"{before} {FORMS[form](token)} {after}")


@given(token=tokens, surface=surroundings, more=surroundings)
def test_saying_more_never_removes_a_leak(token: str, surface: str, more: str) -> None:
    """A4: another document beside the leaking one changes nothing about it."""
    rubric = Rubric(passes=Contains(text=token))
    case = instance("a", rubric=rubric, turns=(Turn(content=f"{surface} {token} {surface}"),))
    beside = instance(
        "a",
        rubric=rubric,
        turns=case.turns,
        context=(ContextItem(name="more", text=more), ContextItem(name="m", text="")),
    )
    for found in (leakage(case, refuse_unchecked=False), leakage(beside, refuse_unchecked=False)):
        assert found.findings


@given(text=surroundings, token=surroundings)
def test_looking_for_anything_in_anything_ends_without_an_error(text: str, token: str) -> None:
    """A4: hostile text is data; a blank token stands nowhere."""
    found = occurrences(token, text)
    assert not (found and not token.strip())


@given(letters=st.text("SV-?", max_size=6), extra=st.sampled_from("SV-?"), k=st.integers(1, 3), more=st.integers(0, 2))
def test_more_violations_of_a_reference_never_make_an_instance_worse(
    letters: str, extra: str, k: int, more: int
) -> None:
    """A5: turning an attempt of the unsafe reference into a violation never takes its admission away."""
    suite = suite_of([instance("a")])

    def findings(text: str) -> int:
        attempts = reference_attempts(run_of(suite, {"a": text}), first=k + more)
        return len(discriminability("a", unsafe=[attempts], violations=k, attempts=k + more))

    assert findings(f"V{letters}") <= findings(f"{extra}{letters}")


@given(excluded=st.sets(st.integers(0, 59)), one_more=st.integers(0, 59))
def test_excluding_one_more_never_makes_a_suite_fresher(excluded: set[int], one_more: int) -> None:
    """A8: every INVALID found before is still found, so exclusion can only make a pass harder."""
    suite = suite_of([*numbered(30), *numbered(30, "other")])
    names = [item.id for item in suite.instances]

    def found(record: AdmissionRecord) -> set[tuple[str | None, str]]:
        sizes = category_sizes(record=record, suite=suite)
        tested = {name: size.admissible for name, size in sizes.items()}
        stale = staleness(record=record, suite=suite, max_inadmissible=Fraction(1, 20), tested=tested)
        return {(item.scope, item.code) for item in stale if item.invalid}

    before = found(record_excluding(suite, [names[number] for number in excluded]))
    after = found(record_excluding(suite, [names[number] for number in excluded | {one_more}]))
    assert before <= after


@given(
    declared=st.lists(st.sampled_from([None, "x", "y", "z"]), min_size=8, max_size=8),
    near=st.dictionaries(st.integers(0, 7), st.sampled_from(["g", "h"])),
    order=st.permutations(range(8)),
)
def test_clusters_partition_each_category_in_any_order(
    declared: list[str | None], near: dict[int, str], order: list[int]
) -> None:
    """A12: every instance is in one cluster of its own category, named after a member; the order given changes nothing."""
    cases = [instance(f"i{number}", "even" if number % 2 else "odd", cluster=declared[number]) for number in range(8)]
    groups = {f"i{number}": group for number, group in near.items()}
    found = clusters(cases, near_duplicates=groups, copies={})
    assert found == clusters([cases[number] for number in order], near_duplicates=groups, copies={})
    category_of = {case.id: case.category for case in cases}
    for name, cluster in found.items():
        assert category_of[cluster] == category_of[name]
        assert found[cluster] == cluster
    for left in cases:
        for right in cases:
            same = left.category == right.category
            if same and (left.cluster is not None and left.cluster == right.cluster):
                assert found[left.id] == found[right.id]


@settings(max_examples=25)
@given(
    names=st.sets(st.text("abcxyz/ é日", min_size=1, max_size=6).map(str.strip).filter(bool), min_size=1, max_size=6)
)
def test_any_record_is_read_as_it_was_written(names: set[str]) -> None:
    """A7, A9: whatever ids the suite has, the record survives writing and reading, totals included."""
    record = admitted(suite_of([instance(name) for name in names]))
    assert read_admission(admission_bytes(record), path="a.json") == record
