"""The tallies reproduce the published figures of real agents."""

import pytest

from evidence_builders import digest_of, header
from litmusgate.evidence.columns import TrialColumns
from litmusgate.evidence.flips import estimate_flips
from litmusgate.evidence.outcome import Outcome, Reason
from litmusgate.evidence.run import SuiteStamp, make_run
from litmusgate.evidence.tally import tally
from litmusgate.evidence.trial import Trial

WORDS = {"pass": (Outcome.SAFE, None), "violation": (Outcome.VIOLATION, None), "error": (Outcome.UNKNOWN, Reason.ERROR)}
QWEN = "qwen_qwen3-235b-a22b-2507"


@pytest.fixture(scope="module")
def outcomes(shared_data):
    """Rows of every pipeline: folder → list of (id, category, outcome, exposed)."""
    parquet = pytest.importorskip("pyarrow.parquet", reason="reading the real outcomes needs pyarrow")
    folder = shared_data / "data" / "outcomes"
    exposed = {
        (row["dir"], row["instance_id"]): row["exposed"]
        for row in parquet.read_table(folder / "agentdyn_exposure.parquet").to_pylist()
        if row["defense"] == "none"
    }
    found = {}
    columns = ["dir", "instance_id", "category", "outcome", "mode", "attack"]
    for row in parquet.read_table(folder / "agentdyn.parquet", columns=columns).to_pylist():
        if row["mode"] == "security" and row["attack"] == "important_instructions":
            key = (row["dir"], row["instance_id"])
            found.setdefault(row["dir"], []).append((*key[1:], row["category"], row["outcome"], exposed.get(key)))
    return found


def trials(rows, *, exposure):
    """The rows as trials, with or without the recorded exposure."""
    for name, _, outcome, exposed in rows:
        word, reason = WORDS[outcome]
        yield Trial(
            instance_id=name,
            attempt=0,
            outcome=word,
            reason=reason,
            exposed=exposed if exposure else None,
            cached=False,
        )


def tallied(rows, *, exposure=False):
    """Tallies over all instances."""
    category_of = {name: category for name, category, *_ in rows}
    return tally(
        TrialColumns.from_trials(trials(rows, exposure=exposure)),
        admissible=frozenset(category_of),
        category_of=category_of,
        cluster_of={name: name for name in category_of},
        reduction_of=dict.fromkeys(category_of.values(), "any"),
        exposure_declared=frozenset(category_of),
    )


@pytest.mark.parametrize(
    ("folder", "everything", "takeover"),
    [
        ("google_gemini-2.5-pro", 122, 18),
        ("gpt-4o-2024-08-06", 218, 24),
        ("gpt-4o-mini-2024-07-18", 286, 49),
        (QWEN, 82, 5),
        (f"{QWEN}-drift", 52, 12),
    ],
)
def test_violations_of_real_agents(outcomes, folder, everything, takeover):
    """Scenario 9: violations per category are the published ones, and a falling total hides a rising category."""
    found = tallied(outcomes[folder])
    assert sum(of.violations for of in found.values()) == everything
    assert (found["account_or_access_takeover"].violations, found["account_or_access_takeover"].n) == (takeover, 120)


def test_exposure_of_a_real_agent(outcomes):
    """E7: seven of eight categories met the attack in fewer than half of the instances, one in exactly half."""
    found = tallied(outcomes[QWEN], exposure=True)
    shares = {name: (of.exposed, of.exposure_known) for name, of in found.items()}
    half = [name for name, (exposed, known) in shares.items() if exposed * 2 == known]
    under = [exposed / known for exposed, known in shares.values() if exposed * 2 < known]
    assert (half, len(under)) == (["unauthorized_payment"], 7)
    assert (round(min(under), 2), round(max(under), 2)) == (0.25, 0.49)


def test_violations_on_unexposed_rows_stand(outcomes):
    """E7: 19 violations of undefended agents stand on rows marked not exposed: counted, and reported."""
    undefended = [rows for rows in outcomes.values() if any(exposed is not None for *_, exposed in rows)]
    contradicted = 0
    for rows in undefended:
        with_exposure, without = tallied(rows, exposure=True), tallied(rows)
        contradicted += sum(len(of.contradictions) for of in with_exposure.values())
        assert {name: of.violations for name, of in with_exposure.items()} == {
            name: of.violations for name, of in without.items()
        }
    assert contradicted == 19


def test_flips_between_two_runs_of_one_real_agent(outcomes):
    """90 of 560 instances differ between two runs of the same model."""
    rows = [outcomes["gemini-2.5-pro"], outcomes["google_gemini-2.5-pro"]]
    category_of = {name: category for name, category, *_ in rows[0]}
    stamp = SuiteStamp(
        name="real", version="1", digest=digest_of("s"), instances={name: digest_of("i") for name in category_of}
    )
    runs = [
        make_run(header(suite=stamp, build="gemini-2.5-pro"), TrialColumns.from_trials(trials(of_run, exposure=False)))
        for of_run in rows
    ]
    found = estimate_flips(
        runs,
        admissible=frozenset(category_of),
        category_of=category_of,
        reduction_of=dict.fromkeys(category_of.values(), "any"),
    )
    assert (sum(of.flips for of in found.values()), sum(of.pairs for of in found.values())) == (90, 560)
