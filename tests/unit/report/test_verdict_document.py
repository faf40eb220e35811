"""The verdict file: exactly one reading, and nothing that contradicts itself is read at all."""

import json

import pytest

from litmusgate.admission.counterfactual import Counterfactual, CounterfactualCategory
from litmusgate.digest import canonical_bytes
from litmusgate.errors import RecordError
from litmusgate.gate.verdict import Decision, DecisionReason, GateResult
from litmusgate.report.document import read_verdict, verdict_bytes
from property.verdicts import compose
from report_builders import ABOVE, STALE, finding, result

FIELDS = {
    "schema", "decision", "reasons", "agent", "build", "evaluated_at", "synthetic", "suite", "inputs", "earlier_verdicts",
    "categories", "checks", "admission", "counterfactual", "trend", "evidence", "family_false_block", "unsafe", "notes",
    "override", "versions",
}  # fmt: skip


def value():
    """A good verdict as a JSON value, to be spoilt."""
    parts = (CounterfactualCategory(name="exfiltration", all_passes=9, all_n=10, admissible_passes=4, admissible_n=5),)
    return json.loads(verdict_bytes(compose(result(finding()), counterfactual=Counterfactual(categories=parts))))


def read(spoilt):
    """What the reader makes of `spoilt`."""
    return read_verdict(canonical_bytes(spoilt), path="v.json")


def test_the_file_has_the_declared_fields_in_canonical_bytes():
    """verdict.json is the RFC 8785 bytes of the declared fields and no others, named by their sha256 (T2)."""
    document = compose(result(finding()))
    data = verdict_bytes(document)
    assert set(json.loads(data)) == FIELDS
    assert data == canonical_bytes(json.loads(data))
    assert json.loads(data)["schema"] == "litmusgate/verdict/1"
    assert json.loads(data)["trend"]["gates"] is False


def test_white_space_and_key_order_do_not_matter_to_the_reader():
    """A verdict pretty-printed by another tool is still read; whether it is the record is for `verify` to say."""
    pretty = json.dumps(value(), indent=2).encode()
    assert verdict_bytes(read_verdict(pretty, path="v")) == canonical_bytes(value())


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "no strict JSON"),
        (b"{", "no strict JSON"),
        (b"\xff\xfe", "no strict JSON"),
        (b"[" * 100_000, "no strict JSON"),
        (b'{"schema":"litmusgate/verdict/1","schema":"litmusgate/verdict/1"}', "'schema' stands twice"),
        (b'{"schema":NaN}', "NaN is not a JSON number"),
        (b"[]", "version that can be read"),
        (b'{"schema":"litmusgate/verdict/2"}', "litmusgate/verdict/2"),
        (b'{"decision":"PASS"}', "version that can be read"),
        (b'{"schema":"litmusgate/verdict/1","decision":"PASS"}', "malformed"),
    ],
)
def test_what_is_not_a_verdict_is_refused_with_its_path(data, told):
    """Empty, truncated, repeated keys, NaN, another schema: a clear error at the file, never a default."""
    with pytest.raises(RecordError, match=told) as caught:
        read_verdict(data, path="some/v.json")
    assert str(caught.value).startswith("some/v.json: ")


def change(*path, to):
    """A spoiling that sets the value at `path`."""

    def spoil(verdict):
        place = verdict
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = to

    return spoil


@pytest.mark.parametrize(
    "spoil",
    [
        change("surprise", to=1),
        change("categories", 0, "surprise", to=1),
        change("decision", to="pass"),
        change("decision", to="BLOCK"),
        change("evaluated_at", to="yesterday"),
        change("trend", "gates", to=True),
        change("trend", "mean", to=None),
        change("trend", to={"mean": None, "interval": None, "gates": False, "n": 0, "reason": None}),
        change("override", to="please"),
        change("earlier_verdicts", to=-1),
        change("earlier_verdicts", to=1.5),
        change("inputs", "policy", to="sha256:abc"),
        change("categories", 0, "n", to=27),
        change("categories", 0, "violations", to=27),
        change("categories", 0, "violations", to="1"),
        change("categories", 0, "exposed", to=21),
        change("categories", 0, "harmful", "x", to=131),
        change("categories", 0, "exposure", to=1.5),
        change("categories", 0, "decision", to="REVIEW"),
        change("categories", 0, "lane", to="review"),
        change("categories", to=[]),
        change("reasons", to=[{"decision": "BLOCK", "rule": "B8", "code": "count-above-tolerance", "message": "many"}]),
        change("reasons", to=[{"decision": "INVALID", "rule": "B2", "code": "pin-grader", "message": "other"}]),
        change("admission", to={"total": 1, "inadmissible": 2, "fraction": 1, "by_reason": {}}),
        change("admission", to={"total": 0, "inadmissible": 0, "fraction": 0, "by_reason": {}}),
        change("counterfactual", "all", "n", to=11),
        change("counterfactual", "after_aggregation", "categories", 0, "all_passes", to=11),
        change("counterfactual", "after_aggregation", "categories", 0, "admissible_n", to=11),
        change("counterfactual", "after_aggregation", "categories", 0, "admissible_passes", to=6),
    ],
)
def test_a_verdict_that_contradicts_itself_is_refused(spoil):
    """Unknown keys, wrong types, parts above their whole, PASS over nothing: every one is an error, and the rest is read."""
    verdict = value()
    read(verdict)
    spoil(verdict)
    with pytest.raises(RecordError, match="malformed"):
        read(verdict)


def test_many_problems_are_listed_and_counted():
    """The first five problems are named, the others counted."""
    verdict = value()
    for name in ("a", "b", "c", "d", "e", "f", "g"):
        verdict[name] = 1
    with pytest.raises(RecordError, match="and 2 more"):
        read(verdict)


def test_a_category_that_stands_twice_is_refused():
    """Names are unique and sorted, so that no finding can hide another."""
    verdict = value()
    verdict["categories"] *= 2
    with pytest.raises(RecordError, match="each once"):
        read(verdict)


def test_a_pass_on_nothing_cannot_be_composed():
    """No bug of a caller can write a PASS without a hard-gated category, or over one that is not PASS (B14)."""
    empty = GateResult(decision=Decision.PASS, suite_reasons=(), categories=(), checks={}, family_false_block=None)
    with pytest.raises(ValueError, match="without any hard-gated"):
        compose(empty)
    with pytest.raises(ValueError, match="not PASS"):
        compose(result(finding(decision=Decision.BLOCK, reasons=(ABOVE,))))
    with pytest.raises(ValueError, match="without a reason"):
        compose(result(finding(), decision=Decision.REVIEW))


def test_control_characters_never_reach_the_file():
    """A message with control characters or lone surrogates is stored as visible escapes, so that the file is safe to print."""
    reason = DecisionReason(decision=Decision.INVALID, rule="A8", code="suite-stale", message="\x1b[31m \ud800 \x9b é")
    document = compose(result(finding(), reasons=(reason, STALE), decision=Decision.INVALID))
    assert "\\x1b[31m \\ud800 \\x9b é" in {item.message for item in document.reasons}
