"""The provenance index is maintained."""

import dataclasses

import pytest

from litmusgate.admission.record import Check
from litmusgate.gate.evaluate import evaluate
from litmusgate.gate.instants import parse_instant
from litmusgate.gate.policy import Unsafe
from litmusgate.gate.verdict import Decision
from unit.gate.gate_requests import changed, codes, make_policy, make_record, make_request, make_tally


def gate(now="2026-11-30T12:00:00Z", **changes):
    """Suite-level reason codes of a gate whose index differs in `changes`."""
    request = make_request((make_tally("a", n=30),), now=now)
    index = dataclasses.replace(request.record.index, **changes)
    result = evaluate(changed(request, record=dataclasses.replace(request.record, index=index)))
    assert (result.decision is Decision.INVALID) is bool(result.suite_reasons)
    return codes(result.suite_reasons)


@pytest.mark.parametrize(
    ("checked_at", "wanted"),
    [
        ("2026-10-31T12:00:00Z", set()),
        ("2026-10-31T11:59:59Z", {"index-too-old"}),
        ("2026-10-31", {"index-too-old"}),
        ("2026-11-01", set()),
        ("2026-10-31T13:00:00+01:00", set()),
        ("2026-11-30T12:00:00Z", set()),
        ("2026-11-30T12:00:01Z", {"index-from-the-future"}),
        ("2026-11-20T00:00:00", {"index-undated"}),
        ("last week", {"index-undated"}),
        ("", {"index-undated"}),
    ],
)
def test_index_is_checked_no_longer_than_the_policy_allows_ago(checked_at, wanted):
    """A14: 30 days to the second; no readable time, and one in the future, are no check."""
    assert gate(checked_at=checked_at) == wanted


def test_unreadable_time_of_the_gate_is_no_age():
    """A14: without a `now` the age is unknown; so is that of the flips."""
    assert "index-undated" in gate(now="soon")


def test_declared_corpus_must_be_held_at_its_revision():
    """A14: missing, or at another revision, is INVALID; more corpora than declared are fine."""
    assert gate(corpora={}) == {"corpus-missing"}
    assert gate(corpora={"public": "2026-10"}) == {"corpus-revision"}
    assert gate(corpora={"public": "2026-11", "more": "1"}) == set()


def test_empty_index_is_invalid():
    """A14: an index of nothing makes every instance look clean."""
    assert gate(documents=0) == {"index-empty"}


def test_no_index_is_invalid_where_provenance_is_required():
    """A14: nothing was searched."""
    request = make_request((make_tally("a", n=30),), record={"index": None})
    assert codes(evaluate(request).suite_reasons) == {"index-missing", "pin-index"}


def test_no_index_is_accepted_only_under_the_unsafe_option():
    """T4: provenance switched off by name, stamped on the result."""
    require = (Check.LEAKAGE, Check.DISCRIMINABILITY)
    request = make_request((make_tally("a", n=30),))
    admission = dataclasses.replace(request.policy.admission, index=None, require=require)
    settings = dataclasses.replace(request.record.settings, require=require, unsafe=("unsafe-skip-provenance",))
    request = changed(
        request,
        policy=make_policy(request.suite, admission=admission, unsafe=(Unsafe.SKIP_PROVENANCE,)),
        record=make_record(request.suite, index=None, settings=settings),
    )
    result = evaluate(request)
    assert result.decision is Decision.PASS
    assert result.unsafe == ("unsafe-skip-provenance",)


def test_a_date_alone_is_its_midnight_in_utc():
    """And a time without an offset is no instant."""
    assert parse_instant("2026-11-01").isoformat() == "2026-11-01T00:00:00+00:00"
    assert parse_instant("2026-11-01T00:00:00") is None
    assert parse_instant("2026-13-01") is None


@pytest.mark.parametrize("late", ["run", "admission"])
def test_a_gate_is_not_earlier_than_its_evidence(late):
    """A14: a gate said to be before its run or its admission would make an old index look fresh; it is INVALID."""
    request = make_request((make_tally("a", n=30),))
    after = "2099-01-01T00:00:00Z"
    if late == "run":
        (run,) = request.runs
        request = changed(
            request, runs=(dataclasses.replace(run, header=dataclasses.replace(run.header, started=after)),)
        )
    else:
        request = changed(request, record=dataclasses.replace(request.record, admitted_at=after))
    result = evaluate(request)
    assert result.decision is Decision.INVALID
    assert "evidence-from-the-future" in codes(result.suite_reasons)
