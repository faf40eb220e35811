"""Everything that can move the verdict is what the policy pins."""

import dataclasses
from fractions import Fraction

import pytest

from litmusgate.admission.record import Check, ReferenceRole, ReferenceUse
from litmusgate.gate.evaluate import evaluate
from litmusgate.gate.policy import SuitePin
from litmusgate.gate.verdict import Decision
from unit.gate.gate_requests import changed, codes, digest, make_policy, make_record, make_request, make_run, make_tally


@pytest.fixture
def request_():
    """A request that passes, critical nothing, two baseline runs."""
    request = make_request((make_tally("a", n=30),))
    assert evaluate(request).decision is Decision.PASS
    return request


def decided(request, **changes):
    """Suite-level codes after `changes`; they must make the build INVALID exactly when there are any."""
    result = evaluate(changed(request, **changes))
    assert (result.decision is Decision.INVALID) is bool(result.suite_reasons)
    return codes(result.suite_reasons)


def with_policy(request, **changes):
    """The same request under another policy."""
    return changed(request, policy=make_policy(request.suite, **changes))


@pytest.mark.parametrize(("field", "value"), [("name", "other"), ("version", "1.1"), ("digest", digest("other"))])
def test_suite_must_be_the_pinned_one(request_, field, value):
    """B2: name, version and digest, each on its own (a suite bump is a reviewed change)."""
    pin = dataclasses.asdict(request_.policy.suite) | {field: value}
    assert decided(with_policy(request_, suite=SuitePin(**pin))) == {f"pin-suite-{field}"}


@pytest.mark.parametrize(("pinned", "used"), [(None, "2026-01-31"), ("2026-01-31", None), ("2026-01-31", "2020-01-31")])
def test_the_cutoff_of_admission_must_be_the_pinned_one(request_, pinned, used):
    """B2, A10: a cut-off leaves corpora out of the scan, so admission may not choose one that the policy does not state."""
    policy = dataclasses.replace(request_.policy.admission, cutoff=pinned)
    record = dataclasses.replace(request_.record, cutoff=used)
    assert decided(with_policy(request_, admission=policy), record=record) == {"pin-cutoff"}
    same = dataclasses.replace(request_.record, cutoff=pinned)
    assert decided(with_policy(request_, admission=policy), record=same) == set()


@pytest.mark.parametrize(
    ("setting", "value", "wanted"),
    [
        ("tau", Fraction(9, 10), {"pin-tau"}),
        ("require", (Check.PROVENANCE, Check.LEAKAGE), {"pin-require"}),
        ("require", (Check.DISCRIMINABILITY, Check.LEAKAGE, Check.PROVENANCE), set()),
        ("canary_pass", "flag", {"pin-canary-pass"}),
        ("discriminate_violations", 2, {"pin-discriminate-violations"}),
        ("discriminate_attempts", 3, {"pin-discriminate-attempts"}),
        ("leakage_unchecked", "refuse", {"pin-leakage-unchecked"}),
        ("allow", digest("texts"), {"pin-allow"}),
        ("unsafe", ("unsafe-skip-leakage",), {"admission-unsafe"}),
    ],
)
def test_admission_must_have_been_run_as_pinned(request_, setting, value, wanted):
    """B2: another threshold, other checks or a danger the policy does not name are INVALID; order is not."""
    settings = dataclasses.replace(request_.record.settings, **{setting: value})
    assert decided(request_, record=dataclasses.replace(request_.record, settings=settings)) == wanted


def test_an_allow_list_must_be_the_pinned_one(request_):
    """B2: a pinned allow-list must have been used, and the same one."""
    policy = dataclasses.replace(request_.policy.admission, allow=digest("texts"))
    pinned = with_policy(request_, admission=policy)
    assert decided(pinned) == {"pin-allow"}
    settings = dataclasses.replace(request_.record.settings, allow=digest("texts"))
    record = dataclasses.replace(request_.record, settings=settings, allowed={"a licence": "everybody quotes it"})
    assert decided(pinned, record=record) == set()


def test_admission_of_another_suite_index_or_agent_is_invalid(request_):
    """A10: admission belongs to one suite, one index and one agent."""
    record = request_.record
    assert decided(request_, record=dataclasses.replace(record, suite_digest=digest("x"))) == {"admission-suite"}
    assert decided(request_, record=dataclasses.replace(record, agent="other")) == {"admission-agent"}
    index = dataclasses.replace(record.index, digest=digest("x"))
    assert decided(request_, record=dataclasses.replace(record, index=index)) == {"pin-index"}


@pytest.mark.parametrize("state", ["not checked: no index", None])
def test_required_check_must_have_been_done(request_, state):
    """A7: a required check that is not checked, or not on the record, is never passed."""
    checks = {name: text for name, text in request_.record.checks.items() if name != "leakage"}
    if state is not None:
        checks["leakage"] = state
    assert decided(request_, record=dataclasses.replace(request_.record, checks=checks)) == {"required-check-not-done"}


def reference(name, **changes):
    """A reference run."""
    parts = {
        "role": ReferenceRole.UNSAFE,
        "digest": digest(name),
        "trials_digest": digest(f"{name} trials"),
        "agent": "villain",
        "build": "1",
    }
    return ReferenceUse(**(parts | changes))


@pytest.mark.parametrize(
    ("references", "wanted"),
    [
        ((), {"reference-not-used"}),
        ((reference("other"),), {"reference-not-used", "reference-not-pinned"}),
        ((reference("unsafe"), reference("other")), {"reference-not-pinned"}),
        ((reference("unsafe", role=ReferenceRole.SAFE),), {"reference-not-used", "reference-not-pinned"}),
        ((reference("unsafe", agent="bot"),), {"reference-of-same-agent"}),
        ((reference("unsafe", trials_digest=digest("candidate trials")),), {"reference-under-test"}),
        ((reference("unsafe", trials_digest=digest("base one trials")),), {"reference-under-test"}),
    ],
)
def test_references_are_the_pinned_ones_and_strangers(request_, references, wanted):
    """B2 and A5: by role and digest, none left out, none of the agent under test or with its trials."""
    assert decided(request_, record=make_record(request_.suite, references=references)) == wanted


@pytest.mark.parametrize("role", ["runs", "baseline_runs"])
@pytest.mark.parametrize(
    ("field", "value", "wanted"),
    [
        ("grader", digest("x"), "pin-grader"),
        ("grader", None, "pin-grader"),
        ("importer", digest("x"), "pin-importer"),
        ("mapping", digest("x"), "pin-mapping"),
        ("epochs", 2, "pin-epochs"),
        ("suite", None, "run-without-suite"),
        ("agent", "other", "admission-agent"),
    ],
)
def test_every_run_must_come_from_the_pinned_harness(request_, role, field, value, wanted):
    """B2: grader, importer, mapping and epochs of candidate and baseline runs; a run without a suite answers nothing."""
    names = {"runs": ["candidate"], "baseline_runs": ["base one", "base two"]}[role]
    build = "2" if role == "runs" else "1"
    runs = tuple(make_run(request_.suite, name, build=build, **{field: value}) for name in names)
    assert wanted in decided(request_, **{role: runs})


def test_no_run_is_invalid(request_):
    """An empty run list decides nothing."""
    assert decided(request_, runs=()) == {"no-run"}


def test_runs_of_several_builds_are_invalid(request_):
    """Evidence pooled over builds is of none."""
    runs = tuple(make_run(request_.suite, name, build=name) for name in ("base one", "base two"))
    assert decided(request_, baseline_runs=runs) == {"mixed-builds"}


def test_candidate_may_not_be_its_own_baseline(request_):
    """The same trials under both names compare nothing."""
    policy = {"baseline": (digest("candidate"),)}
    runs = (make_run(request_.suite, "candidate", build="2"),)
    assert "candidate-is-baseline" in decided(with_policy(request_, **policy), baseline_runs=runs)


def test_baseline_is_exactly_the_pinned_set(request_):
    """B2: given and not pinned, and pinned and not given, are both INVALID."""
    one, two = request_.baseline_runs
    assert decided(request_, baseline_runs=(one,)) == {"baseline-not-given"}
    assert decided(request_, baseline_runs=(two, one)) == set()
    extra = make_run(request_.suite, "chosen", build="1")
    assert decided(request_, baseline_runs=(one, two, extra)) == {"baseline-not-pinned"}
    assert decided(request_, baseline_runs=()) == {"baseline-not-given"}


def test_anchor_is_exactly_the_pinned_set(request_):
    """B2: as the baseline; an anchor pinned as the baseline itself may be left out."""
    anchor = make_run(request_.suite, "anchor", build="0")
    assert decided(request_, anchor_runs=(anchor,)) == {"anchor-not-pinned"}
    pinned = with_policy(request_, anchor=(digest("anchor"),))
    assert decided(pinned) == {"anchor-not-given"}
    assert decided(pinned, anchor_runs=(anchor,)) == set()
    same = with_policy(request_, anchor=request_.policy.baseline)
    assert decided(same) == set()
    assert decided(same, anchor_runs=request_.baseline_runs) == set()
    assert decided(same, anchor_runs=request_.baseline_runs[:1]) == {"anchor-not-given"}


def test_mismatch_says_what_was_pinned_and_what_was_found(request_):
    """A reader can act on the message alone."""
    (reason,) = evaluate(with_policy(request_, epochs=5, baseline=())).suite_reasons[:1]
    assert reason.rule == "B2"
    messages = [item.message for item in evaluate(with_policy(request_, epochs=5)).suite_reasons]
    assert any("the policy pins 5, found 1" in message for message in messages)
