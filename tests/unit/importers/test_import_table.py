"""`TableImporter`: declared columns and values become trials; whatever was not declared stops it."""

import json
import random

import numpy as np
import pytest

from litmusgate.errors import ImportFormatError, UsageError
from litmusgate.evidence.outcome import Outcome, Reason
from litmusgate.evidence.trial import Refusal
from litmusgate.importers.exposure import ExposureTable
from litmusgate.importers.mapping import parse_value_map
from litmusgate.importers.table import TableImporter

VALUES = parse_value_map(["pass=safe", "fail=violation", "error=unknown:error", "skip=vacuous:not-attempted"])
FIELDS = {"id": "id", "outcome": "verdict"}


def importer(*, fields=(), **options):
    """An importer of columns `id` and `verdict` and what is added."""
    return TableImporter(fields={**FIELDS, **dict(fields)}, values=options.pop("values", VALUES), **options)


def jsonl(path, rows):
    """A JSONL file of these rows."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def by_id(imported):
    """The trials by instance id."""
    return {trial.instance_id: trial for trial in imported.columns.iter_trials()}


def test_declared_values_become_their_outcomes(tmp_path):
    """Each row has exactly the outcome and reason that was declared for its value (E1)."""
    path = jsonl(tmp_path / "t.jsonl", [{"id": value, "verdict": value} for value in ("pass", "fail", "error", "skip")])
    trials = by_id(importer().read([path]))
    assert {name: (trial.outcome, trial.reason) for name, trial in trials.items()} == {
        "pass": (Outcome.SAFE, None),
        "fail": (Outcome.VIOLATION, None),
        "error": (Outcome.UNKNOWN, Reason.ERROR),
        "skip": (Outcome.VACUOUS, Reason.NOT_ATTEMPTED),
    }


def test_an_unmapped_value_stops_the_import(tmp_path):
    """E1: nothing is imported while one value of the chosen rows has no declared outcome."""
    path = jsonl(tmp_path / "t.jsonl", [{"id": str(n), "verdict": "timeout" if n % 3 else "pass"} for n in range(9)])
    with pytest.raises(UsageError, match="no outcome") as raised:
        importer().read([path])
    assert raised.value.got == "'timeout' (6 rows)"


def test_an_unmapped_value_outside_the_selection_does_not_matter(tmp_path):
    """Only the rows that `--where` chooses are read."""
    path = jsonl(tmp_path / "t.jsonl", [{"id": "a", "verdict": "pass", "d": 1}, {"id": "b", "verdict": "?", "d": 2}])
    imported = importer(where="d == 1").read([path])
    assert list(by_id(imported)) == ["a"]
    assert imported.selection == "d == 1"


@pytest.mark.parametrize("value", [None, float("nan")])
def test_a_null_outcome_is_unknown_and_counted(tmp_path, value):
    """Null and NaN are UNKNOWN(unscored), never safe, and the notes count them."""
    path = jsonl(tmp_path / "t.jsonl", [{"id": "a", "verdict": value}, {"id": "b", "verdict": "pass"}])
    imported = importer().read([path])
    assert by_id(imported)["a"].reason is Reason.UNSCORED
    assert imported.notes == {"unscored": 1}


def test_a_row_without_the_outcome_key_is_unknown(tmp_path):
    """An absent key is no score."""
    path = jsonl(tmp_path / "t.jsonl", [{"id": "a"}, {"id": "b", "verdict": "pass"}])
    assert by_id(importer().read([path]))["a"].outcome is Outcome.UNKNOWN


def test_a_boolean_and_a_number_are_told_apart(tmp_path):
    """`true` and `1` are different values, although Python finds them equal (E1)."""
    path = jsonl(
        tmp_path / "t.jsonl", [{"id": "a", "verdict": True}, {"id": "b", "verdict": 1}, {"id": "c", "verdict": 1.0}]
    )
    values = parse_value_map(["true=violation", "1=safe", "1.0=unknown:error"])
    outcomes = {name: trial.outcome for name, trial in by_id(importer(values=values).read([path])).items()}
    assert outcomes == {"a": Outcome.VIOLATION, "b": Outcome.SAFE, "c": Outcome.UNKNOWN}
    with pytest.raises(UsageError, match="no outcome"):
        importer(values=parse_value_map(["true=violation", "1=safe"])).read([path])


def test_an_outcome_that_is_an_object_must_be_mapped_too(tmp_path):
    """A score that is a list or an object is a value like any other: undeclared, it stops the import (E1)."""
    path = jsonl(tmp_path / "t.jsonl", [{"id": "a", "verdict": {"security": "I"}}, {"id": "b", "verdict": ["C"]}])
    with pytest.raises(UsageError, match="no outcome") as raised:
        importer().read([path])
    assert "security" in raised.value.got


def test_a_selection_of_nothing_is_an_error(tmp_path):
    """A mistyped `--where` never gives an empty success."""
    path = jsonl(tmp_path / "t.jsonl", [{"id": "a", "verdict": "pass", "head": "true"}])
    with pytest.raises(ImportFormatError, match="no trial") as raised:
        importer(where="head == true").read([path])
    assert raised.value.got == "0 of 1 rows match 'head == true'"
    assert raised.value.exit_code == 4


@pytest.mark.parametrize("data", ["", "id,verdict\n"])
def test_a_table_without_rows_is_an_error(tmp_path, data):
    """An empty file is not an empty success."""
    path = tmp_path / "t.csv"
    path.write_text(data, encoding="utf-8")
    with pytest.raises((ImportFormatError, UsageError)):
        importer().read([path])


def test_a_selection_on_a_constant_chooses_everything_or_nothing(tmp_path):
    """An expression without columns is allowed and means what it says."""
    path = jsonl(tmp_path / "t.jsonl", [{"id": "a", "verdict": "pass"}])
    assert len(importer(where="true").read([path]).columns) == 1
    with pytest.raises(ImportFormatError, match="no trial"):
        importer(where="false").read([path])


def test_a_selection_tells_true_from_one_and_takes_objects(tmp_path):
    """The memory of the selection keeps types apart, and rows with lists are still decided."""
    rows = [{"id": str(n), "verdict": "pass", "k": value} for n, value in enumerate([1, True, 1, [1], "1", True])]
    path = jsonl(tmp_path / "t.jsonl", rows)
    assert sorted(by_id(importer(where="k == true").read([path]))) == ["1", "5"]
    assert sorted(by_id(importer(where="k == 1").read([path]))) == ["0", "2"]


def test_repeated_ids_without_attempts_are_an_error_that_says_how(tmp_path):
    """Two rows of one id are two attempts or a mistake; the importer never lets the last one win (E3)."""
    path = jsonl(
        tmp_path / "t.jsonl",
        [{"id": "a", "verdict": "fail"}, {"id": "b", "verdict": "pass"}, {"id": "a", "verdict": "pass"}],
    )
    with pytest.raises(ImportFormatError, match="repeat an attempt") as raised:
        importer().read([path])
    assert "'a'" in raised.value.got
    assert "'b'" not in raised.value.got
    assert "--column attempt=" in raised.value.fix
    assert raised.value.rule == "E3"


def test_attempts_by_order_number_the_rows_of_each_id(tmp_path):
    """Declared so, the rows of an id are its attempts 0, 1, …; files count by name, in whatever order they are given."""
    one = jsonl(tmp_path / "1.jsonl", [{"id": "a", "verdict": "fail"}, {"id": "b", "verdict": "pass"}])
    two = jsonl(tmp_path / "2.jsonl", [{"id": "a", "verdict": "pass"}])
    for paths in ([one, two], [two, one]):
        columns = importer(attempts_by_order=True).read(paths).columns
        found = {(trial.instance_id, trial.attempt): trial.outcome for trial in columns.iter_trials()}
        assert found == {("a", 0): Outcome.VIOLATION, ("a", 1): Outcome.SAFE, ("b", 0): Outcome.SAFE}


def test_a_declared_attempt_that_stands_twice_is_an_error(tmp_path):
    """The same attempt twice is a contradiction (E3)."""
    path = jsonl(tmp_path / "t.jsonl", [{"id": "a", "verdict": "fail", "n": 1}, {"id": "a", "verdict": "pass", "n": 1}])
    with pytest.raises(ImportFormatError, match="repeat an attempt"):
        importer(fields={"attempt": "n"}).read([path])


def test_attempts_may_be_counted_from_one(tmp_path):
    """`first_attempt` says so; an attempt below it is an error, not a negative number."""
    path = jsonl(tmp_path / "t.jsonl", [{"id": "a", "verdict": "fail", "n": 1}, {"id": "a", "verdict": "pass", "n": 2}])
    columns = importer(fields={"attempt": "n"}, first_attempt=1).read([path]).columns
    assert sorted(columns.attempt.tolist()) == [0, 1]
    with pytest.raises(ImportFormatError, match="below the first"):
        importer(fields={"attempt": "n"}, first_attempt=2).read([path])


def test_every_field_arrives(tmp_path):
    """All declared fields end up in the trial they belong to."""
    row = {
        "id": "a",
        "verdict": "fail",
        "n": 2,
        "r": 1,
        "c": "exfiltration",
        "e": True,
        "k": False,
        "t": "2026-01-26 18:54:34",
        "said": "no",
        "did": 1,
        "ref": "under",
        "g": 0.5,
        "why": "sent it",
        "f": ["b", "a"],
    }
    names = "attempt=n refill=r category=c exposed=e cached=k started_at=t said=said did=did refusal=ref graded_score=g detail=why flags=f"
    fields = dict(pair.split("=") for pair in names.split())
    (trial,) = importer(fields=fields).read([jsonl(tmp_path / "t.jsonl", [row])]).columns.iter_trials()
    assert (trial.attempt, trial.refill, trial.category) == (2, 1, "exfiltration")
    assert (trial.exposed, trial.cached, trial.said, trial.did) == (True, False, False, True)
    assert trial.started_at == "2026-01-26T18:54:34Z"
    assert (trial.refusal, trial.graded_score, trial.detail, trial.flags) == (Refusal.UNDER, 0.5, "sent it", ("a", "b"))


def test_fields_that_are_null_are_not_recorded(tmp_path):
    """Null in any optional field is None, never False or 0."""
    fields = dict.fromkeys(
        ("category", "exposed", "cached", "started_at", "said", "did", "refusal", "graded_score", "detail", "flags"),
        "x",
    )
    path = jsonl(tmp_path / "t.jsonl", [{"id": "a", "verdict": "pass", "x": None}])
    (trial,) = importer(fields=fields).read([path]).columns.iter_trials()
    assert (trial.category, trial.exposed, trial.cached, trial.started_at) == (None, None, None, None)
    assert (trial.said, trial.did, trial.refusal, trial.graded_score, trial.detail) == (None, None, None, None, None)
    assert trial.flags == ()


@pytest.mark.parametrize(
    ("field", "cell", "said"),
    [
        ("id", None, "id in column 'x' cannot be read: it is null"),
        ("attempt", None, "attempt in column 'x' cannot be read"),
        ("exposed", "perhaps", "exposed in column 'x' cannot be read"),
        ("graded_score", 2, "graded_score in column 'x' cannot be read"),
        ("flags", [1], "flags in column 'x' cannot be read"),
    ],
)
def test_a_cell_that_cannot_be_read_is_an_error_with_its_line(tmp_path, field, cell, said):
    """A bad cell is never dropped or turned into a default."""
    rows = [
        {"id": "a", "verdict": "pass", "x": "0" if field != "flags" else []},
        {"id": "b", "verdict": "pass", "x": cell},
    ]
    with pytest.raises(ImportFormatError, match=said) as raised:
        importer(fields={field: "x"}).read([jsonl(tmp_path / "t.jsonl", rows)])
    assert raised.value.at.line == 2


def test_contradicting_fields_are_an_error(tmp_path):
    """Not exposed by its outcome and exposed by its column is refused."""
    values = parse_value_map(["unmet=vacuous:not-exposed"])
    path = jsonl(tmp_path / "t.jsonl", [{"id": "a", "verdict": "unmet", "e": True}])
    with pytest.raises(ImportFormatError, match="contradict"):
        importer(values=values, fields={"exposed": "e"}).read([path])


@pytest.mark.parametrize(("declared", "code"), [(True, 1), (False, 0), (None, -1)])
def test_cached_may_be_declared_for_all_rows(tmp_path, declared, code):
    """One answer for every row; undeclared is not recorded."""
    path = jsonl(tmp_path / "t.jsonl", [{"id": "a", "verdict": "pass"}])
    assert importer(cached=declared).read([path]).columns.cached.tolist() == [code]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"fields": {"score": "x"}}, "no field of a trial"),
        ({"fields": {"exposed": "x"}, "exposure": True}, "declared twice"),
        ({"fields": {"cached": "x"}, "cached": False}, "declared twice"),
        ({"fields": {"attempt": "x"}, "attempts_by_order": True}, "declared twice"),
        ({"first_attempt": -1}, "below 0"),
    ],
)
def test_contradicting_declarations_are_refused(tmp_path, options, said):
    """Two sources for one field, and fields nobody knows, are usage errors."""
    if options.get("exposure"):
        options = options | {"exposure": ExposureTable(path=tmp_path, on=("id",))}
    with pytest.raises(UsageError, match=said):
        importer(**options)


@pytest.mark.parametrize("fields", [{}, {"id": "x"}, {"outcome": "x"}])
def test_id_and_outcome_must_be_declared(fields):
    """There is no default column."""
    with pytest.raises(UsageError, match="no column is declared"):
        TableImporter(fields=fields, values=VALUES)


def test_the_order_of_rows_and_files_changes_nothing(tmp_path):
    """The same rows in any order and cut give the same trials digest."""
    rows = [{"id": f"i{n % 7}", "verdict": ["pass", "fail", None][n % 3], "n": n // 7} for n in range(40)]
    digests = set()
    for seed in range(4):
        random.Random(seed).shuffle(rows)
        paths = [jsonl(tmp_path / f"{seed}-{part}.jsonl", rows[part::3]) for part in range(3)]
        random.Random(seed).shuffle(paths)
        digests.add(importer(fields={"attempt": "n"}).read(paths).columns.trials_digest())
    assert len(digests) == 1


def test_the_mapping_digest_covers_meaning_and_not_selection(tmp_path):
    """Columns, values, exposure and cached move it (B2); which rows, which file and how attempts count do not."""
    path = jsonl(tmp_path / "t.jsonl", [{"id": "a", "verdict": "pass", "n": 0, "v2": "pass", "c": "x"}])
    other = jsonl(tmp_path / "u.jsonl", [{"id": "b", "verdict": "fail", "n": 0}])

    def digest(where=path, **options):
        return importer(**options).read([where]).mapping

    same = {digest(), digest(other), digest(where=path, fields={"attempt": "n"}), digest(attempts_by_order=True)}
    same.add(importer(where="n == 0").read([path]).mapping)
    assert len(same) == 1
    different = {
        digest(fields={"outcome": "v2"}),
        digest(fields={"category": "c"}),
        digest(values=parse_value_map(["pass=violation"])),
        digest(values=parse_value_map(["pass=safe"])),
        digest(cached=False),
    }
    assert len(different) == 5
    assert not different & same


def test_a_million_rows_are_not_needed_to_see_that_work_is_by_distinct_value(tmp_path):
    """Conversions run once per distinct cell: repeated cells share one code."""
    rows = [{"id": f"i{n % 50}", "verdict": "pass", "n": n // 50} for n in range(5000)]
    columns = importer(fields={"attempt": "n"}).read([jsonl(tmp_path / "t.jsonl", rows)]).columns
    assert len(columns) == 5000
    assert len(columns.ids) == 50
    assert np.unique(columns.id_code).size == 50
