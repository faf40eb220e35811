"""Importers under any table: what was declared comes out, what was not stops the import, order never matters."""

import json
import math
import tempfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from litmusgate.errors import ImportFormatError, UsageError
from litmusgate.evidence.outcome import Outcome, Reason
from litmusgate.importers.mapping import parse_value_map
from litmusgate.importers.table import TableImporter

MAPS = {"pass": Outcome.SAFE, "fail": Outcome.VIOLATION, "true": Outcome.VIOLATION, "skip": Outcome.VACUOUS}
VALUES = parse_value_map(["pass=safe", "fail=violation", "true=violation", "skip=vacuous:not-attempted"])
CELLS = st.sampled_from(["pass", "fail", "skip", None, True, float("nan")]) | st.sampled_from(
    ["Pass", "", 1, False, 0, ["pass"], {"pass": True}]
)
ROWS = st.lists(st.tuples(st.sampled_from("abc"), CELLS), min_size=1, max_size=8)


def read(rows, **options):
    """Import `rows` of id and verdict as JSONL."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.jsonl"
        path.write_text("".join(json.dumps({"id": name, "verdict": cell}) + "\n" for name, cell in rows), "utf-8")
        importer = TableImporter(fields={"id": "id", "outcome": "verdict"}, values=VALUES, **options)
        return importer.read([path])


def expected(cell):
    """The declared outcome of a cell; None when nothing was declared."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return Outcome.UNKNOWN
    if cell is True:
        return MAPS["true"]
    return MAPS.get(cell) if isinstance(cell, str) else None


@settings(max_examples=60, deadline=None)
@given(rows=ROWS)
def test_every_row_has_its_declared_outcome_or_nothing_is_imported(rows):
    """E1: no value that was not declared ever becomes an outcome, and none is lost."""
    wanted = Counter((name, expected(cell)) for name, cell in rows)
    if any(outcome is None for _, outcome in wanted):
        with pytest.raises(UsageError, match="mapped to no outcome"):
            read(rows, attempts_by_order=True)
        return
    trials = list(read(rows, attempts_by_order=True).columns.iter_trials())
    assert Counter((trial.instance_id, trial.outcome) for trial in trials) == wanted
    assert all(trial.reason is Reason.UNSCORED for trial in trials if trial.outcome is Outcome.UNKNOWN)


@settings(max_examples=60, deadline=None)
@given(
    rows=st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from(["pass", "fail", None])), min_size=1, max_size=8)
)
def test_without_attempts_an_id_stands_once_or_nothing_is_imported(rows):
    """E3: repeats are never merged; without repeats the order of rows changes nothing."""
    if len({name for name, _ in rows}) < len(rows):
        with pytest.raises(ImportFormatError, match="repeat an attempt"):
            read(rows)
        return
    assert read(rows).columns.trials_digest() == read(rows[::-1]).columns.trials_digest()
