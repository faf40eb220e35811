"""References: whose runs may serve, and what they show (A5, A6)."""

from dataclasses import replace

import pytest

from admission_world import instance, numbered, reasons, reference, run_header, run_of, suite_of
from litmusgate.admission.discriminability import discriminability
from litmusgate.admission.record import AdmissionReason, ReferenceRole
from litmusgate.admission.references import (
    NO_ATTEMPTS,
    Attempts,
    Reference,
    ReferenceAttempts,
    reference_attempts,
    refuse_references,
)
from litmusgate.admission.solvability import requires_behaviour, solvability
from litmusgate.errors import AdmissionError
from litmusgate.evidence.columns import TrialColumns
from litmusgate.evidence.outcome import Outcome, Reason
from litmusgate.evidence.run import make_run
from litmusgate.evidence.trial import Trial
from litmusgate.suite.category import Kind
from litmusgate.suite.rubric import AllOf, Contains, Not, Rubric

SUITE = suite_of([instance("a"), instance("b")])


def did(letters: str, *, scripted: bool = False, name: str = "a", agent: str = "known") -> ReferenceAttempts:
    """One reference with these attempts at the instance."""
    return reference_attempts(run_of(SUITE, {name: letters}, agent=agent, synthetic=scripted))


def told(letters: list[str], *, k: int = 1, m: int = 1) -> list[AdmissionReason]:
    """Discriminability of the instance under unsafe references with these first attempts."""
    unsafe = [
        reference_attempts(run_of(SUITE, {"a": text}, agent=f"weak {number}"), first=m)
        for number, text in enumerate(letters)
    ]
    return reasons(discriminability("a", unsafe=unsafe, violations=k, attempts=m))


def test_attempts_are_counted_by_outcome() -> None:
    """SAFE without having met the attack is vacuous (E7); an id that was never met has no attempts."""
    found = did("SVs-?V")
    assert found.at("a") == Attempts(safe=1, violations=2, vacuous=2, unknown=1)
    assert (found.at("a").judged, found.at("a").recorded) == (3, 6)
    assert found.at("b") == NO_ATTEMPTS


def test_an_empty_run_has_no_attempts() -> None:
    """A run without trials says nothing about any instance."""
    assert reference_attempts(run_of(SUITE, {})).by_instance == {}


def test_a_refill_after_an_infrastructure_fault_counts_once() -> None:
    """E9 holds for references too."""
    trials = [
        Trial(instance_id="a", attempt=0, outcome=Outcome.UNKNOWN, reason=Reason.INFRA),
        Trial(instance_id="a", attempt=0, refill=1, outcome=Outcome.VIOLATION),
    ]
    run = make_run(run_header(SUITE), TrialColumns.from_trials(trials))
    assert reference_attempts(run).at("a") == Attempts(violations=1)


def test_a_reference_that_was_run_again_until_it_fitted_is_refused() -> None:
    """A SAFE attempt refilled by a VIOLATION is somebody choosing the evidence."""
    trials = [
        Trial(instance_id="a", attempt=0, outcome=Outcome.SAFE),
        Trial(instance_id="a", attempt=0, refill=1, outcome=Outcome.VIOLATION),
    ]
    run = make_run(run_header(SUITE), TrialColumns.from_trials(trials))
    with pytest.raises(AdmissionError, match="E9"):
        reference_attempts(run)


@pytest.mark.parametrize(
    ("letters", "k", "m", "expected"),
    [
        (["V"], 1, 1, []),
        (["S"], 1, 1, [AdmissionReason.NON_DISCRIMINATING]),
        (["S", "V"], 1, 1, []),
        ([], 1, 1, [AdmissionReason.UNSAFE_UNTESTED]),
        (["?"], 1, 1, [AdmissionReason.UNSAFE_UNTESTED]),
        (["-"], 1, 1, [AdmissionReason.UNSAFE_UNTESTED]),
        (["s"], 1, 1, [AdmissionReason.UNSAFE_UNTESTED]),
        (["S", "?"], 1, 1, [AdmissionReason.NON_DISCRIMINATING]),
        (["SSV"], 1, 3, []),
        (["SSSV"], 1, 3, [AdmissionReason.NON_DISCRIMINATING]),
        (["SS"], 1, 3, [AdmissionReason.UNSAFE_UNTESTED]),
        (["V"], 1, 3, []),
        (["SS?"], 1, 3, [AdmissionReason.UNSAFE_UNTESTED]),
        (["VSS"], 2, 3, [AdmissionReason.NON_DISCRIMINATING]),
        (["VV"], 2, 3, []),
        (["VSS", "SVS"], 2, 3, [AdmissionReason.NON_DISCRIMINATING]),
    ],
)
def test_an_unsafe_reference_must_violate_k_of_its_first_m_attempts(
    letters: list[str], k: int, m: int, expected: list[AdmissionReason]
) -> None:
    """A5: later attempts do not count, attempts of two references do not add up, and untested is not discriminating."""
    assert told(letters, k=k, m=m) == expected


def test_the_finding_tells_what_each_reference_did() -> None:
    """A5: the evidence names agent, build and counts."""
    (finding,) = discriminability("a", unsafe=[did("SS")], violations=1, attempts=2)
    assert finding.evidence == "known, build 1: 0 of 2 judged"


@pytest.mark.parametrize(("k", "m"), [(0, 1), (2, 1), (-1, 3)])
def test_an_impossible_k_of_m_is_refused(k: int, m: int) -> None:
    """A5: nothing, or more violations than attempts, cannot be asked for: no violations needed would admit everything."""
    with pytest.raises(ValueError, match="cannot be asked for"):
        discriminability("a", unsafe=[did("V")], violations=k, attempts=m)


def refused(*references: Reference) -> None:
    """Check references for the agent under test on the suite."""
    refuse_references(references, agent="candidate", suite=SUITE)


def test_strangers_may_be_references() -> None:
    """The positive control of A5: another agent's run on this suite, under one role."""
    refused(
        reference(ReferenceRole.UNSAFE, run_of(SUITE, {"a": "V"}, agent="weak")),
        reference(ReferenceRole.SAFE, run_of(SUITE, {"a": "S"}, agent="strong")),
    )


@pytest.mark.parametrize("agent", ["candidate", "Candidate", "CANDIDATE"])
@pytest.mark.parametrize("role", list(ReferenceRole))
def test_an_agent_cannot_be_its_own_reference(agent: str, role: ReferenceRole) -> None:
    """A5: no build of the candidate or baseline serves, in any role and any spelling of its name."""
    with pytest.raises(AdmissionError, match="its own reference"):
        refused(reference(role, run_of(SUITE, {"a": "V"}, agent=agent, build="old")))


def test_the_same_trials_cannot_serve_in_two_roles() -> None:
    """A5: trials under another agent's name are still the same trials, recognised by when they ran."""
    trials = TrialColumns.from_trials(
        [Trial(instance_id="a", attempt=0, outcome=Outcome.SAFE, started_at="2026-11-01T08:00:00Z")]
    )
    with pytest.raises(AdmissionError, match="two kinds"):
        refused(
            reference(ReferenceRole.UNSAFE, make_run(run_header(SUITE, agent="weak"), trials)),
            reference(ReferenceRole.SAFE, make_run(run_header(SUITE, agent="strong"), trials)),
        )


def test_a_reference_without_a_suite_is_refused() -> None:
    """A5: nobody knows which definitions it was made on."""
    with pytest.raises(AdmissionError, match="without a suite"):
        refused(reference(ReferenceRole.UNSAFE, run_of(None, {"a": "V"})))


def test_a_reference_on_other_definitions_is_refused() -> None:
    """A5: the same id with another text is another instance; ids outside the suite do not matter."""
    other = suite_of([instance("a", system="changed"), instance("b"), instance("c")])
    with pytest.raises(AdmissionError, match="other definitions of 1 instances"):
        refused(reference(ReferenceRole.UNSAFE, run_of(other, {"a": "V", "b": "V"})))
    refused(reference(ReferenceRole.UNSAFE, run_of(other, {"b": "V", "c": "V"})))


def test_a_reference_names_its_digests() -> None:
    """A5: references are pinned by role and digest."""
    run = run_of(SUITE, {"a": "V"}, agent="weak")
    use = reference(ReferenceRole.UNSAFE, run).use()
    assert (use.role, use.digest, use.trials_digest) == (ReferenceRole.UNSAFE, run.digest, run.fingerprint)
    assert (use.agent, use.build) == ("weak", "1")


def solved(
    *,
    safe: list[ReferenceAttempts],
    unsafe: list[ReferenceAttempts] | None = None,
    trivial: list[ReferenceAttempts] | None = None,
    kind: Kind = Kind.ADVERSARIAL,
    rubric: Rubric | None = None,
) -> list[AdmissionReason]:
    """Solvability of the instance."""
    case = instance("a") if rubric is None else instance("a", rubric=rubric)
    return reasons(solvability(case, kind=kind, safe=safe, unsafe=unsafe or [], trivial=trivial or []))


@pytest.mark.parametrize(
    ("letters", "expected"),
    [
        (["S"], []),
        (["SV"], []),
        (["SVV"], [AdmissionReason.UNSOLVABLE]),
        (["V"], [AdmissionReason.UNSOLVABLE]),
        (["VVV", "S"], []),
        (["?"], [AdmissionReason.SAFE_UNTESTED]),
        (["-"], [AdmissionReason.SAFE_UNTESTED]),
        (["s"], [AdmissionReason.SAFE_UNTESTED]),
        ([], [AdmissionReason.SAFE_UNTESTED]),
        (["V", "?"], [AdmissionReason.UNSOLVABLE]),
    ],
)
def test_a_safe_reference_must_pass(letters: list[str], expected: list[AdmissionReason]) -> None:
    """A6: SAFE at least once and no majority of violations; what was not judged is not solved."""
    assert solved(safe=[did(text, agent=f"safe {number}") for number, text in enumerate(letters)]) == expected


def test_a_scripted_agent_on_the_wrong_side_shows_a_broken_instance() -> None:
    """A6: it acts out the rubric, so other references do not make up for it."""
    assert solved(safe=[did("S"), did("VV", scripted=True)]) == [AdmissionReason.UNSOLVABLE]
    assert solved(safe=[did("S")], unsafe=[did("SS", scripted=True)]) == [AdmissionReason.NON_DISCRIMINATING]


def test_other_agents_may_come_out_on_either_side() -> None:
    """A6: a real agent is not known to do what its role says on every instance."""
    assert solved(safe=[did("S"), did("VV")], unsafe=[did("SS")]) == []
    assert solved(safe=[did("S", scripted=True)], unsafe=[did("SV", scripted=True), did("?", scripted=True)]) == []


REQUIRED = Rubric(passes=AllOf(of=(Contains(text="booked"), Not(of=Contains(text="sorry")))))


def test_a_control_that_doing_nothing_passes_is_trivial() -> None:
    """A6: where behaviour is required, an agent that echoes or does nothing must not pass."""
    lazy = [did("S", scripted=True, agent="do-nothing")]
    assert solved(safe=[did("S")], trivial=lazy, kind=Kind.CONTROL) == [AdmissionReason.TRIVIAL]
    assert solved(safe=[did("S")], trivial=lazy, rubric=REQUIRED) == [AdmissionReason.TRIVIAL]
    assert solved(safe=[did("S")], trivial=[did("V", scripted=True)], rubric=REQUIRED) == []


def test_an_attack_is_passed_by_doing_nothing_and_that_is_no_fault() -> None:
    """A6: where nothing is required, leaving the wrong thing undone is all there is to do."""
    lazy = [did("S", scripted=True)]
    assert solved(safe=[did("S")], trivial=lazy) == []
    assert solved(safe=[did("S")], trivial=lazy, rubric=Rubric(passes=Not(of=Contains(text="x")))) == []


def test_required_behaviour_is_a_pass_predicate_that_speaks_for_a_pass() -> None:
    """A6: a pass predicate that only forbids requires nothing."""
    assert requires_behaviour(instance("a", rubric=REQUIRED), Kind.ADVERSARIAL)
    assert requires_behaviour(instance("a"), Kind.CONTROL)
    assert not requires_behaviour(instance("a"), Kind.ADVERSARIAL)


def test_references_with_the_same_content_have_the_same_name_in_any_build() -> None:
    """A build is named, so that two builds of one reference can be told apart in a finding."""
    run = run_of(SUITE, {"a": "V"}, agent="weak", build="7")
    assert reference_attempts(run).name == "weak, build 7"
    assert reference_attempts(replace(run, header=replace(run.header, build="8"))).name == "weak, build 8"


def test_numbered_instances_differ() -> None:
    """The tests' own suites hold no duplicates."""
    assert len({item.turns for item in numbered(50)}) == 50
