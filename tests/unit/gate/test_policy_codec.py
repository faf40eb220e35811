"""The gate policy between its file and its type."""

import dataclasses
import re
from fractions import Fraction

import pytest

from litmusgate.admission.record import Check, ReferenceRole
from litmusgate.digest import digest_bytes
from litmusgate.errors import EXIT_USAGE, PolicyError
from litmusgate.gate.policy import CategoryPolicy, FlipsDeclared, FlipsFromBaseline, FlipsUnmeasured, Reduction, Unsafe
from litmusgate.gate.policy_codec import policy_bytes, read_policy, with_digest
from litmusgate.gate.policy_document import policy_document

D = "sha256:" + "a" * 64
E = "sha256:" + "e" * 64

TEXT = f"""\
schema: litmusgate/policy/1
suite: {{name: demo, version: "1.10", digest: "{D}"}}
admission:
  index: "{D}"
  tau: 0.85
  require: [provenance, leakage, discriminability]
  discriminate: {{violations: 1, attempts: 3}}
  references: {{unsafe: ["{E}", "{D}"], safe: [], canary: ["{D}"]}}
epochs: 5
max_unknown: 0.1
lane_on: n
categories:
  exfiltration: {{tolerance: auto, max_tolerance: 3, max_detectable: 5, min_exposure: 0.5}}
  persistence: {{tolerance: 2, max_tolerance: 3}}
flips: {{from: baseline, min_pairs: 60}}
baseline: {{last: ["{E}", "{D}"], anchor: same}}
"""


def read(*changes):
    """The policy in TEXT after (old, new) replacements, each of which must apply."""
    text = TEXT
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    return read_policy(text.encode(), path="policy.yaml")


def refusal(*changes):
    """The error that TEXT after the replacements raises."""
    with pytest.raises(PolicyError) as caught:
        read(*changes)
    assert caught.value.exit_code == EXIT_USAGE
    return caught.value


def test_policy_is_read_whole():
    """Every part lands in its field; shares are exact, lists sorted, defaults those of the type."""
    policy = read()
    assert (policy.suite.name, policy.suite.version, policy.suite.digest) == ("demo", "1.10", D)
    assert policy.admission.tau == Fraction(17, 20)
    assert policy.max_unknown == Fraction(1, 10)
    assert (policy.admission.discriminate_violations, policy.admission.discriminate_attempts) == (1, 3)
    assert policy.admission.references == {ReferenceRole.UNSAFE: (D, E), ReferenceRole.CANARY: (D,)}
    assert policy.categories["exfiltration"] == CategoryPolicy(tolerance=None, max_tolerance=3, max_detectable=5)
    assert policy.categories["persistence"] == CategoryPolicy(tolerance=2, max_tolerance=3)
    assert policy.flips == FlipsFromBaseline(min_pairs=60, max_age_days=30)
    assert policy.baseline == policy.anchor == (D, E)
    assert (policy.reduce_critical, policy.reduce_standard) == (Reduction.ANY, Reduction.MAJORITY)
    assert (policy.grader, policy.importer, policy.mapping, policy.unsafe) == (None, None, None, ())
    assert policy.epochs == 5
    assert policy.adjudication_alpha is None


def test_annotated_example_is_a_policy(shared_data):
    """The example policy, with digests put in, reads as what its comments say."""
    text = (shared_data / "examples" / "policy.yaml").read_text("utf-8").replace("sha256:…", D)
    policy = read_policy(text.encode(), path="policy.yaml")
    assert policy.adjudication_alpha == Fraction(1, 100)
    assert policy.adjudication_max_extra_runs == Fraction(1, 10)
    assert policy.max_false_block == Fraction(1, 100)
    assert (policy.signers, policy.history, policy.lane_on) == ("allowed_signers", "if-present", "n")
    assert read_policy(policy_bytes(policy), path="stored.json") == policy


@pytest.mark.parametrize(
    "changes",
    [
        (),
        (("flips: {from: baseline, min_pairs: 60}", "flips: unmeasured"),),
        (("flips: {from: baseline, min_pairs: 60}", "flips: {declared: {flips: 3, pairs: 600, why: study}}"),),
        (("epochs: 5", "epochs: 5\nadjudication: {alpha: 0.01}\nmax_false_block: 1.0e-7"),),
        (("epochs: 5", "epochs: 5\nunsafe: [unsafe-skip-staleness, unsafe-skip-leakage]\nalpha_tol: 0.5"),),
        (("min_exposure: 0.5", "min_exposure: 1"), ("max_unknown: 0.1", "max_unknown: 0")),
        (("tau: 0.85", "tau: 0.85\n  cutoff: '2026-01-31'"),),
        (("tolerance: 2, max_tolerance: 3", "tolerance: 2"),),
    ],
)
def test_policy_survives_its_canonical_bytes(changes):
    """Reading back what is stored gives the same policy, and its digest is that of the stored bytes."""
    policy = read(*changes)
    assert read_policy(policy_bytes(policy), path="stored.json") == policy
    assert digest_bytes(policy_bytes(policy)) == policy.digest


def test_digest_covers_what_is_said_and_not_how():
    """Comments, key order, list order and defaults written out change nothing; a tolerance does."""
    same = read(("epochs: 5", "epochs: 5   # five\nhistory: if-present"), (f'["{E}", "{D}"]', f'["{D}", "{E}"]'))
    assert same.digest == read().digest
    assert read(("tolerance: 2", "tolerance: 1")).digest != read().digest


def test_adjudication_without_a_budget_survives_too():
    """A policy made in code may state alpha alone."""
    policy = with_digest(dataclasses.replace(read(), adjudication_alpha=Fraction(1, 100)))
    assert policy_document(policy)["adjudication"] == {"alpha": 0.01}


def test_share_that_no_decimal_states_is_refused():
    """1/3 could not be read back, so it has no digest."""
    with pytest.raises(ValueError, match="not exactly a decimal"):
        policy_document(dataclasses.replace(read(), max_unknown=Fraction(1, 3)))


@pytest.mark.parametrize("pins", [("last: null", ()), (f'last: "{D}"', (D,)), ("last: []", ())])
@pytest.mark.parametrize(
    ("anchor", "wanted"), [("null", ()), (f'"{E}"', (E,)), (f'["{E}", "{D}"]', (D, E)), ("same", None)]
)
def test_baseline_and_anchor_take_one_many_or_none(pins, anchor, wanted):
    """null, one digest, a list, and `same` for the anchor."""
    text, last = pins
    policy = read((f'{{last: ["{E}", "{D}"], anchor: same}}', f"{{{text}, anchor: {anchor}}}"))
    assert policy.baseline == last
    assert policy.anchor == (last if wanted is None else wanted)


@pytest.mark.parametrize(
    ("form", "wanted"),
    [
        ("unmeasured", FlipsUnmeasured()),
        ("{from: baseline}", FlipsFromBaseline(min_pairs=40, max_age_days=30)),
        ("{from: baseline, max_age_days: 7}", FlipsFromBaseline(min_pairs=40, max_age_days=7)),
        ("{declared: {flips: 0, pairs: 9, why: study}}", FlipsDeclared(flips=0, pairs=9, why="study")),
    ],
)
def test_flips_take_three_forms(form, wanted):
    """From the baseline, declared by somebody, or unmeasured."""
    assert read(("{from: baseline, min_pairs: 60}", form)).flips == wanted


@pytest.mark.parametrize(
    ("form", "message"),
    [
        (f'{{record: "{D}"}}', "flip records cannot be read yet"),
        ("{}", "wanted exactly one of"),
        ("baseline", "wanted {from: baseline}"),
        ("{from: baseline, declared: {flips: 0, pairs: 9, why: x}}", "wanted exactly one of"),
        ("{declared: {flips: 0, pairs: 9, why: x}, min_pairs: 3}", "belong to from: baseline"),
        ("{declared: {flips: 10, pairs: 9, why: x}}", "10 flips in 9 pairs is impossible"),
        ("{declared: {flips: 0, pairs: 0, why: x}}", "greater than or equal to 1"),
        ('{declared: {flips: 0, pairs: 9, why: " "}}', "why is blank"),
        ("{declared: {flips: 0, pairs: 9}}", "'why' is missing"),
        ("null", "flips"),
    ],
)
def test_other_flips_are_refused(form, message):
    """A flip record, two forms at once, none, impossible counts, no reason: an error that says which."""
    assert message in str(refusal(("{from: baseline, min_pairs: 60}", form)))


@pytest.mark.parametrize(
    ("old", "new", "message", "line"),
    [
        ("epochs: 5", "epochz: 5", "did you mean 'epochs'?", 9),
        ("litmusgate/policy/1", "litmusgate/policy/2", "litmusgate/policy/1", 1),
        ('version: "1.10"', "version: 1.10", 'quote it: "1.10"', 2),
        ("tau: 0.85", "tau: 0", "greater than 0", 5),
        ("tau: 0.85", 'tau: "0.85"', "valid number", 5),
        ("tau: 0.85", "tau: 1.1", "less than or equal to 1", 5),
        ("{violations: 1, attempts: 3}", "{violations: 4, attempts: 3}", "impossible", 7),
        ("epochs: 5", "epochs: 0", "greater than or equal to 1", 9),
        ("epochs: 5", "epochs: true", "valid integer", 9),
        ("max_unknown: 0.1", "max_unknown: -0.1", "greater than or equal to 0", 10),
        ("lane_on: n", "lane_on: m", "'n' or 'effective_n'", 11),
        ("tolerance: auto", "tolerance: some", "wanted auto or an integer", 13),
        ("tolerance: auto", "tolerance: null", "wanted auto or an integer", 13),
        ("tolerance: auto", "tolerance: -1", "greater than or equal to 0", 13),
        ("tolerance: auto, ", "", "'tolerance' is missing", 13),
        ("tolerance: 2", "tolerance: 4", "tolerance 4 is above max_tolerance 3", 14),
        ("tolerance: 2", "tolerance: 2.0", "valid integer", 14),
        (f'index: "{D}"', "index: sha256:abc", "wanted a digest", 4),
        (f'index: "{D}"', "index: null", "no index is pinned", 4),
        ("tau: 0.85", "tau: 0.85\n  cutoff: '2026-02-30'", "wanted a date: YYYY-MM-DD", 6),
        ("tau: 0.85", "tau: 0.85\n  cutoff: '20260131'", "wanted a date: YYYY-MM-DD", 6),
        ("tau: 0.85", "tau: 0.85\n  cutoff: 20260131", "valid string", 6),
        (f'["{E}", "{D}"], safe', f'["{D}", "{D}"], safe', "says something twice", 8),
        ("[provenance, leakage, discriminability]", "[provenance, provenance, leakage, discriminability]", "twice", 6),
        (f'last: ["{E}", "{D}"]', f'last: ["{D}", "{D}"]', "twice", 16),
        ("anchor: same", "anchor: other", "wanted a digest", 16),
        ("  persistence:", '  " persistence":', "cannot be a name", 14),
        ("  persistence:", "  exfiltration:", "exfiltration", 14),
    ],
)
def test_what_is_no_policy_is_refused_with_its_place(old, new, message, line):
    """Unknown keys, wrong types, values out of range, repeats: the message says what, the location which line."""
    error = refusal((old, new))
    assert message in str(error)
    assert error.at.path == "policy.yaml"
    assert error.at.line == line


@pytest.mark.parametrize(
    ("check", "option"),
    [
        ("provenance", "unsafe-skip-provenance"),
        ("leakage", "unsafe-skip-leakage"),
        ("discriminability", "unsafe-skip-discriminability"),
    ],
)
def test_required_check_is_dropped_only_by_its_name(check, option):
    """T4: leaving out a default check needs the unsafe option that names the danger; any other does not do."""
    rest = [name for name in ("provenance", "leakage", "discriminability") if name != check]
    drop = ("[provenance, leakage, discriminability]", f"[{', '.join(rest)}]")
    error = refusal(drop)
    assert error.rule == "T4"
    assert option in error.fix
    assert refusal(drop, ("epochs: 5", "epochs: 5\nunsafe: [unsafe-skip-staleness]")).rule == "T4"
    policy = read(drop, ("epochs: 5", f"epochs: 5\nunsafe: [{option}]"))
    assert policy.unsafe == (Unsafe(option),)
    assert [item.value for item in policy.admission.require] == sorted(rest)


def test_named_danger_takes_the_check_out_of_the_list():
    """T4: an option and a list that still requires the check mean the option; the index may then be unpinned."""
    changes = (("epochs: 5", "epochs: 5\nunsafe: [unsafe-skip-provenance]"), (f'index: "{D}"', "index: null"))
    assert Check.PROVENANCE not in read(*changes).admission.require


@pytest.mark.parametrize("data", [b"", b"[]", b"just text", b"\xff\xfe", b"schema: litmusgate/policy/1\n", b"{"])
def test_files_that_are_no_policy_at_all_are_refused(data):
    """Empty, another shape, not UTF-8, cut off: PolicyError, never a default policy."""
    with pytest.raises(PolicyError, match=re.escape("policy.yaml")):
        read_policy(data, path="policy.yaml")
