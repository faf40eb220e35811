"""The exposure table: a row without a match is unknown, never not exposed."""

import json

import pytest

from litmusgate.errors import ImportFormatError, UsageError
from litmusgate.importers.exposure import ExposureTable
from litmusgate.importers.mapping import parse_value_map
from litmusgate.importers.table import TableImporter

LOG = [{"dir": "d", "id": name, "verdict": "pass"} for name in ("met", "unmet", "null", "absent")]
EXPOSURE = [
    {"dir": "d", "id": "met", "exposed": True, "defense": "none"},
    {"dir": "d", "id": "unmet", "exposed": False, "defense": "none"},
    {"dir": "d", "id": "null", "exposed": None, "defense": "none"},
    {"dir": "e", "id": "absent", "exposed": False, "defense": "filter"},
]


def jsonl(path, rows):
    """A JSONL file of these rows."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def imported(tmp_path, exposure=EXPOSURE, log=LOG, **options):
    """The log joined with the exposure table."""
    table = ExposureTable(path=jsonl(tmp_path / "e.jsonl", exposure), on=("dir", "id"), **options)
    importer = TableImporter(
        fields={"id": "id", "outcome": "verdict"}, values=parse_value_map(["pass=safe"]), exposure=table
    )
    return importer.read([jsonl(tmp_path / "t.jsonl", log)])


def exposed(result):
    """Exposure by instance id."""
    return {trial.instance_id: trial.exposed for trial in result.columns.iter_trials()}


def test_exposure_is_joined_by_all_declared_columns(tmp_path):
    """True and False come from the table; null and a row of another run are unknown (E7)."""
    result = imported(tmp_path)
    assert exposed(result) == {"met": True, "unmet": False, "null": None, "absent": None}
    assert result.notes == {"exposure-unknown": 2}


def test_rows_that_may_not_be_believed_leave_exposure_unknown(tmp_path):
    """Behind a filter the log shows text after the filter: such rows are left out, and exposure is not False (E7)."""
    log = [{"dir": "e", "id": "absent", "verdict": "pass"}]
    assert exposed(imported(tmp_path, log=log)) == {"absent": False}
    assert exposed(imported(tmp_path, log=log, where="defense == 'none'")) == {"absent": None}


def test_a_null_key_matches_nothing(tmp_path):
    """Two nulls are not the same run."""
    log = [{"dir": None, "id": "met", "verdict": "pass"}]
    assert exposed(imported(tmp_path, exposure=[*EXPOSURE, {"dir": None, "id": "met", "exposed": True}], log=log)) == {
        "met": None
    }


def test_two_rows_for_one_key_are_an_error(tmp_path):
    """Neither of two answers wins."""
    with pytest.raises(ImportFormatError, match="two rows for one key") as raised:
        imported(tmp_path, exposure=[*EXPOSURE, {"dir": "d", "id": "met", "exposed": False}])
    assert "'met'" in raised.value.got
    assert raised.value.at.line == 5


def test_a_table_of_which_nothing_is_chosen_is_an_error(tmp_path):
    """A mistyped `--exposure-where` does not quietly make everything unknown."""
    with pytest.raises(ImportFormatError, match="gives nothing") as raised:
        imported(tmp_path, where="defense == 'nothing'")
    assert "0 of 4 rows" in raised.value.got


def test_an_exposure_that_is_neither_is_an_error(tmp_path):
    """The exposure column holds true, false or null."""
    with pytest.raises(ImportFormatError, match="cannot be read"):
        imported(tmp_path, exposure=[{"dir": "d", "id": "met", "exposed": "seen"}])


def test_the_exposure_column_can_be_named(tmp_path):
    """Another column than `exposed` is read when declared, and an absent one is an error that lists the others."""
    rows = [{"dir": "d", "id": "met", "seen": True}]
    assert exposed(imported(tmp_path, exposure=rows, column="seen"))["met"] is True
    with pytest.raises(UsageError, match="'exposed'"):
        imported(tmp_path, exposure=rows)


@pytest.mark.parametrize("on", [(), ("id", "id")])
def test_the_join_needs_distinct_columns(tmp_path, on):
    """No column would join everything with everything."""
    with pytest.raises(UsageError, match="cannot be joined"):
        ExposureTable(path=tmp_path, on=on)


def test_what_may_be_believed_is_part_of_the_mapping(tmp_path):
    """The rule that chooses exposure rows can move a verdict, so the mapping digest covers it (B2)."""
    digests = {imported(tmp_path).mapping, imported(tmp_path, where="defense == 'none'").mapping}
    assert len(digests) == 2
