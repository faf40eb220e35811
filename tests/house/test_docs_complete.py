"""The hand-written pages leave nothing out: every field, flag and code they are about, and figures the code computes."""

import dataclasses
import json
import re
from fractions import Fraction
from pathlib import Path

import pytest
import typer
from pydantic import BaseModel

from house.docs_pages import PAGES, PROJECT, read_page, table_rows
from litmusgate import api
from litmusgate.admission.reasons import STALENESS_EXPLANATIONS
from litmusgate.admission.record import AdmissionReason
from litmusgate.admission.wire import WireRecord
from litmusgate.cli.main import app
from litmusgate.corpora.scan_result import ScanResult, scan_bytes
from litmusgate.documents import parse_yaml
from litmusgate.errors import SuiteError
from litmusgate.evidence.flips import FlipEstimate
from litmusgate.evidence.outcome import UNKNOWN_REASONS, VACUOUS_REASONS
from litmusgate.evidence.trial import Trial
from litmusgate.gate import policy_wire
from litmusgate.gate.interval import violation_interval
from litmusgate.gate.policy import CategoryPolicy, FlipsFromBaseline, Unsafe
from litmusgate.gate.power import noise_of, power
from litmusgate.gate.tolerance import tolerance
from litmusgate.report import shown
from litmusgate.report.document import VerdictDocument
from litmusgate.suite.manifest_wire import LineageEntry, ManifestEntry
from litmusgate.suite.rubric_wire import PredicateEntry
from litmusgate.suite.wire import InstanceEntry


def keys_of(*models: type[BaseModel]) -> set[str]:
    """The keys of these parts of a file, as they are written there."""
    return {field.alias or name for model in models for name, field in model.model_fields.items()}


def named_in(text: str) -> set[str]:
    """Every word that `text` shows as code."""
    return set(re.findall(r"`([^`\n]+)`", text))


def named_in_table(page: str, name: str, *, cells: slice = slice(None)) -> set[str]:
    """Every word that the table shows as code, in these columns."""
    return named_in(" ".join(cell for row in table_rows(page, name) for cell in row[cells]))


EMPTY_SCAN = ScanResult(
    suite="sha256:" + "0" * 64,
    tau=Fraction(1),
    encoded=True,
    corpus="c",
    shards=0,
    documents=0,
    text_bytes=0,
    problems=(),
    results=(),
)

TABLES = {
    ("docs/gate.md", "policy fields"): {
        *(keys_of(policy_wire.PolicyWire) - {"admission"}),
        *(f"admission.{key}" for key in keys_of(policy_wire.AdmissionWire)),
    },
    ("docs/gate.md", "category fields"): keys_of(policy_wire.CategoryWire),
    ("docs/gate.md", "verdict fields"): keys_of(VerdictDocument),
    ("docs/gate.md", "finding fields"): keys_of(shown.CategoryShown),
    ("docs/admission.md", "record fields"): keys_of(WireRecord),
    ("docs/scan.md", "result fields"): set(json.loads(scan_bytes(EMPTY_SCAN, show_text=False))),
    ("docs/evidence.md", "trial fields"): {field.name for field in dataclasses.fields(Trial)},
    ("docs/evidence.md", "header fields"): set(
        api.RunHeader(agent="a", build="b", suite=None, epochs=1, engine="e").document()
    ),
    ("docs/suites.md", "manifest fields"): keys_of(ManifestEntry),
    ("docs/suites.md", "instance fields"): keys_of(InstanceEntry),
}
"""Page and table → the fields that its first column must name, no more and no less."""

PARTS = {
    ("docs/gate.md", "policy fields"): keys_of(
        policy_wire.SuiteWire,
        policy_wire.DiscriminateWire,
        policy_wire.LeakageWire,
        policy_wire.ReferencesWire,
        policy_wire.FlipsWire,
        policy_wire.DeclaredWire,
        policy_wire.ReduceWire,
        policy_wire.BaselineWire,
        policy_wire.AdjudicationWire,
        policy_wire.ReviewWire,
    ),
    ("docs/gate.md", "verdict fields"): keys_of(
        shown.Reason,
        shown.SuiteShown,
        shown.Inputs,
        shown.AdmissionShown,
        shown.CounterfactualShown,
        shown.TrendShown,
        shown.EvidenceShown,
    ),
    ("docs/gate.md", "finding fields"): keys_of(shown.Harmful, shown.Flips, shown.Baseline),
    ("docs/suites.md", "manifest fields"): keys_of(LineageEntry) - {"digest"},
}
"""Page and table → the keys of nested parts that some cell must name."""


@pytest.mark.parametrize(("page", "table"), TABLES)
def test_a_table_of_fields_names_each_field(page, table):
    """The first column names exactly the fields that there are."""
    assert named_in_table(page, table, cells=slice(0, 1)) == TABLES[page, table]


@pytest.mark.parametrize(("page", "table"), PARTS)
def test_a_table_of_fields_names_the_parts_of_its_fields(page, table):
    """What stands inside a field is named beside it."""
    assert PARTS[page, table] <= named_in_table(page, table)


def test_the_policy_table_states_the_defaults():
    """Where a setting has a plain default, the last column says it."""
    rows = {row[0].strip("`"): row[2].strip("`") for row in table_rows("docs/gate.md", "policy fields")}
    checked = 0
    for prefix, model in (("", policy_wire.PolicyWire), ("admission.", policy_wire.AdmissionWire)):
        for name, field in model.model_fields.items():
            if isinstance(field.default, (int, float, str)):
                checked += 1
                assert rows[f"{prefix}{name}"] == str(field.default)
    assert checked > 10


@pytest.mark.parametrize(
    ("page", "words"),
    [
        ("docs/gate.md", {option.value for option in Unsafe}),
        ("docs/admission.md", {reason.value for reason in AdmissionReason}),
        ("docs/admission.md", set(STALENESS_EXPLANATIONS)),
        ("docs/evidence.md", {reason.value for reason in UNKNOWN_REASONS | VACUOUS_REASONS}),
    ],
    ids=["unsafe", "reasons", "staleness", "outcomes"],
)
def test_a_page_names_every_code_it_is_about(page, words):
    """No unsafe option, admission reason, staleness finding or outcome reason is missing from its page."""
    assert words <= named_in(read_page(page))


def test_every_kind_of_predicate_is_explained():
    """The rubric's table has an entry for each key a predicate may have."""
    entries = " ".join(named_in_table("docs/suites.md", "predicates", cells=slice(0, 1)))
    assert {entry for entry in keys_of(PredicateEntry) if f"{entry}:" not in entries} == set()


FLAGS = {
    "docs/suites.md": ("suite import jsonl", "suite prune", "suite digest", "suite check", "suite diff"),
    "docs/evidence.md": ("import table", "import agentdojo"),
    "docs/admission.md": ("admit",),
    "docs/index.md": ("corpus add", "corpus list", "corpus verify", "corpus retire", "corpus compact"),
    "docs/scan.md": ("corpus scan",),
    "docs/gate.md": ("gate", "verify"),
    "docs/calibration.md": ("calibrate tau",),
}


def command_named(words: str) -> object:
    """The command of these words; None where there is none."""
    found: object = typer.main.get_command(app)
    for word in words.split():
        found = getattr(found, "commands", {}).get(word)
    return found


@pytest.mark.parametrize("page", FLAGS)
def test_every_flag_of_a_command_is_on_its_page(page):
    """A flag that the page of its command does not mention cannot be found by a reader."""
    text = read_page(page)
    missing = [
        f"{words} {flag}"
        for words in FLAGS[page]
        for option in command_named(words).params
        for flag in option.opts
        if flag.startswith("--") and flag not in ("--help", "--force") and flag not in text
    ]
    assert missing == []


@pytest.mark.parametrize("page", [*PAGES, "docs/README.md", "docs/glossary.md", "CONTRIBUTING.md"])
def test_commands_and_links_in_running_text_exist(page):
    """A command named in a sentence is one, and a link to a file or a heading leads somewhere."""
    text = read_page(page)
    for words in re.findall(r"`litmusgate ((?:[a-z]+ ?)+)", text):
        known = [word for word in words.split() if command_named(word) or command_named(words)]
        assert known, f"{page} names the command {words!r}"
    for target in re.findall(r"\]\(([^)#\s]*)(?:#[^)]*)?\)", text):
        generated = Path(target).name in ("commands.md", "rules.md", "reasons.md")
        assert not target or "://" in target or generated or ((PROJECT / page).parent / target).exists(), target


def test_links_to_headings_lead_to_headings():
    """Every `page.md#heading` names a heading of that page."""
    for page in PAGES:
        for target, heading in re.findall(r"\]\(([^)#\s]*)#([^)]+)\)", read_page(page)):
            other = f"{Path(page).parent / target}".removeprefix("./") if target else page
            titles = re.findall(r"^#+ (.+)$", read_page(other), re.MULTILINE)
            anchors = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
            assert heading in anchors, f"{page} links to {target}#{heading}"


@pytest.mark.parametrize("row", table_rows("docs/suites.md", "traps"), ids=lambda row: row[0])
def test_a_yaml_trap_is_refused_and_its_remedy_is_read(row):
    """What the table calls a trap is refused with a hint, and each spelling it offers instead is accepted."""
    with pytest.raises(SuiteError) as caught:
        parse_yaml(f"key: {row[0].strip('`')}\n", path="suite.yaml", error=SuiteError)
    assert caught.value.fix
    assert caught.value.at.line == 1
    for remedy in named_in(row[2]):
        parse_yaml(f"key: {remedy}\n", path="suite.yaml", error=SuiteError)


@pytest.mark.parametrize("row", table_rows("docs/gate.md", "tolerance"), ids=lambda row: "-".join(row[:5]))
def test_the_table_of_tolerances_is_what_the_code_computes(row):
    """Floor, quantile, tolerance (or the reason there is none) and the detectable regression are the gate's own (B5, B11)."""
    n, flips, pairs, independent, cap = map(int, row[:5])
    estimate = FlipEstimate(flips=flips, pairs=pairs, independent_pairs=independent, instances=n)
    found = tolerance(
        category=CategoryPolicy(tolerance=None, max_tolerance=cap),
        n=n,
        flips=estimate,
        source=FlipsFromBaseline(min_pairs=40),
        alpha_tol=Fraction(1, 100),
    )
    seen = power(tolerance=found.applied, n=n, noise=noise_of(baseline=None, flips=estimate))
    decided = str(found.applied) if found.problem is None else found.problem.code
    assert row[5:] == [str(found.floor), str(found.quantile), decided, str(seen.detectable)]


@pytest.mark.parametrize("row", table_rows("docs/gate.md", "intervals"), ids=lambda row: "-".join(row[:3]))
def test_the_table_of_intervals_is_what_the_code_computes(row):
    """Both ends of each interval are the gate's own (B7)."""
    violations, n, effective_n = map(int, row[:3])
    low, high = violation_interval(violations=violations, unknown=0, n=n, effective_n=effective_n)
    assert row[3:] == [f"{100 * low:.1f} %", f"{100 * high:.1f} %"]
