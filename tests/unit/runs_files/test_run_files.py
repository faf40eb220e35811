"""Run files on disk: one run, three formats, whole or not at all."""

import json
import os
import sys

import numpy as np
import pytest
from backports import zstd
from hypothesis import HealthCheck, given, settings

from evidence_builders import columns, digest_of, header, run, trial
from litmusgate.errors import RunError, UsageError
from litmusgate.evidence.columns import TrialColumns
from litmusgate.evidence.run import make_run
from litmusgate.runs import files
from litmusgate.runs.files import read_run, write_run
from property.strategies import trial_lists

pa = pytest.importorskip("pyarrow", reason="the extra [corpora] is not installed")
parquet = pytest.importorskip("pyarrow.parquet")

ENDINGS = ("jsonl", "jsonl.zst", "parquet")
RUN = run(
    "ab",
    trial("a", 0, "violation", said=False, did=True, flags=("x", "y"), refusal="over", graded_score=0.5),
    trial("a", 1, "unknown", "infra", detail="d"),
    trial("a", 1, refill=1, exposed=True, cached=False),
    trial("b", 0, "vacuous", "not-exposed", exposed=False),
    epochs=2,
)


@pytest.fixture(params=ENDINGS)
def path(request, tmp_path):
    """A path of each format."""
    return tmp_path / f"run.{request.param}"


def test_every_format_holds_the_same_run(path):
    """Header, trials and digest are the same whatever the file format."""
    write_run(RUN, path)
    back = read_run(path)
    assert (back.header, back.digest, back.trials_digest) == (RUN.header, RUN.digest, RUN.trials_digest)
    assert back.columns.to_trials() == RUN.columns.to_trials()


def test_a_run_of_no_trials_survives_every_format(path):
    """Zero trials are read as zero trials."""
    write_run(run(None), path)
    assert (len(read_run(path).columns), read_run(path).header.suite) == (0, None)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25, deadline=None)
@given(trial_lists())
def test_any_trials_survive_every_format(path, trials):
    """Whatever a trial may hold comes back from every format with the same digest."""
    made = make_run(header(), TrialColumns.from_trials(trials))
    write_run(made, path)
    back = read_run(path)
    assert (back.digest, back.columns.to_trials()) == (made.digest, made.columns.to_trials())


def test_truncation_at_any_byte_is_detected_in_every_format(path):
    """A file cut anywhere is an error, never a shorter run."""
    write_run(RUN, path)
    data = path.read_bytes()
    for length in {*range(0, len(data), 97), *range(len(data) - 64, len(data))}:
        path.write_bytes(data[:length])
        with pytest.raises(RunError):
            read_run(path)


def test_bytes_after_the_end_are_detected_in_every_format(path):
    """A file that goes on is an error."""
    write_run(RUN, path)
    path.write_bytes(path.read_bytes() + b"garbage after the end")
    with pytest.raises(RunError):
        read_run(path)


def test_an_empty_file_is_no_run_in_any_format(path):
    """Nothing is not a run of no trials."""
    path.write_bytes(b"")
    with pytest.raises(RunError):
        read_run(path)


def test_an_absent_file_is_an_error_naming_it(path):
    """A run that is not there is evidence that is not there."""
    with pytest.raises(RunError, match="cannot be read") as caught:
        read_run(path)
    assert caught.value.at.path == str(path)


def test_a_run_larger_than_allowed_is_refused_in_every_format(path):
    """The limit holds for what the file unpacks to."""
    write_run(RUN, path)
    with pytest.raises(RunError, match="too large"):
        read_run(path, max_bytes=100)


@pytest.mark.parametrize("name", ["run", "run.json", "run.csv", "run.zst", "run.jsonl.gz", "jsonl"])
def test_an_unknown_ending_is_refused_with_the_known_ones(tmp_path, name):
    """The format is never guessed."""
    for attempt in (lambda: read_run(tmp_path / name), lambda: write_run(RUN, tmp_path / name)):
        with pytest.raises(UsageError, match=r"\.jsonl or \.jsonl\.zst or \.parquet"):
            attempt()
    assert list(tmp_path.iterdir()) == []


def test_a_missing_extra_is_named(tmp_path, monkeypatch):
    """Without the library of `[corpora]` the error says what to install, and nothing is written."""
    path = tmp_path / "run.parquet"
    write_run(RUN, path)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UsageError, match=r"litmusgate\[corpora\]"):
        read_run(path)
    with pytest.raises(UsageError, match=r"litmusgate\[corpora\]"):
        write_run(RUN, tmp_path / "other.parquet")
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["run.jsonl", "run.jsonl.zst"])
def test_json_lines_need_no_extra(tmp_path, monkeypatch, name):
    """JSON lines, plain and compressed, work without pyarrow."""
    for module in ("pyarrow", "pyarrow.parquet"):
        monkeypatch.setitem(sys.modules, module, None)
    write_run(RUN, tmp_path / name)
    assert read_run(tmp_path / name).digest == RUN.digest


def test_a_failed_write_leaves_what_was_there(path, monkeypatch):
    """Nobody ever sees half a run, and no temporary file stays behind."""
    write_run(RUN, path)
    before = path.read_bytes()
    monkeypatch.setattr(os, "fsync", _no_space)
    with pytest.raises(UsageError, match="No space left"):
        write_run(run("ab", trial("b")), path)
    assert (path.read_bytes(), list(path.parent.iterdir())) == (before, [path])


def _no_space(handle):
    raise OSError(28, "No space left on device")


def test_a_folder_is_made_and_a_file_replaced(tmp_path):
    """Writing makes the folder and replaces an older run as a whole."""
    path = tmp_path / "deep" / "run.jsonl"
    write_run(run("ab", trial("a")), path)
    write_run(RUN, path)
    assert read_run(path).digest == RUN.digest


def test_a_place_that_cannot_be_written_is_an_error(tmp_path):
    """A folder in the way of the file is said to be so."""
    (tmp_path / "run.jsonl").mkdir()
    with pytest.raises(UsageError, match="cannot be written"):
        write_run(RUN, tmp_path / "run.jsonl")
    with pytest.raises(RunError, match="cannot be read"):
        read_run(tmp_path / "run.jsonl")


def test_a_decompression_bomb_stops_at_the_limit(tmp_path):
    """A few kilobytes that unpack to gigabytes are refused after the limit, not after the memory."""
    path = tmp_path / "bomb.jsonl.zst"
    path.write_bytes(zstd.compress(b" " * 2**28))
    with pytest.raises(RunError, match=r"too large|too long"):
        read_run(path, max_bytes=2**26)


def test_frames_one_after_another_are_one_file(tmp_path):
    """Zstandard files may be concatenated; an end in the middle of any frame is still noticed."""
    path = tmp_path / "run.jsonl.zst"
    write_run(RUN, tmp_path / "run.jsonl")
    data = (tmp_path / "run.jsonl").read_bytes()
    frames = [zstd.compress(part) for part in (data[:300], data[300:])]
    path.write_bytes(b"".join(frames))
    assert read_run(path).digest == RUN.digest
    path.write_bytes(b"".join(frames)[:-1])
    with pytest.raises(RunError, match="cut off"):
        read_run(path)


def test_a_damaged_frame_is_an_error(tmp_path):
    """A changed byte does not pass the frame's checksum."""
    path = tmp_path / "run.jsonl.zst"
    write_run(RUN, path)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(bytes(data))
    with pytest.raises(RunError):
        read_run(path)


# --- Parquet written by somebody else -------------------------------------------------------------------------------


def table(**arrays):
    """Two SAFE trials as an Arrow table, with some columns exchanged (None: left out)."""
    given = {"instance_id": ["a", "b"], "attempt": [0, 0], "outcome": ["safe", "safe"]} | arrays
    return pa.table({name: values for name, values in given.items() if values is not None})


def from_table(tmp_path, arrow_table, trials=None, made_header=None, **metadata):
    """The run in a Parquet file of this table."""
    end = {"schema": "litmusgate/run-end/1", "trials": arrow_table.num_rows if trials is None else trials}
    header_text = json.dumps((made_header or header(["a", "b"])).document())
    given = {b"litmusgate.run": header_text.encode(), b"litmusgate.run-end": json.dumps(end).encode()}
    parquet.write_table(arrow_table.replace_schema_metadata(given | metadata), tmp_path / "t.parquet")
    return read_run(tmp_path / "t.parquet")


def test_plain_columns_are_read_like_dictionaries(tmp_path):
    """A file whose writer used no dictionaries, wider integers or large strings holds the same run."""
    wanted = run(
        "ab",
        trial("a", 0, "unknown", "error", exposed=True, graded_score=0.5, flags=("x",), refusal="n/a"),
        trial("b", 1),
    )
    found = from_table(
        tmp_path,
        table(
            instance_id=pa.array(["a", "b"], pa.large_string()),
            attempt=pa.array([0, 1], pa.int64()),
            refill=pa.array([0, None], pa.int8()),
            outcome=["unknown", "safe"],
            reason=["error", None],
            exposed=[True, None],
            graded_score=pa.array([0.5, None], pa.float32()),
            flags=['["x"]', None],
            refusal=["n/a", None],
            detail=pa.nulls(2),
            cached=pa.nulls(2),
            said=None,
        ),
    )
    assert found.digest == wanted.digest


@pytest.mark.parametrize(
    ("arrays", "why"),
    [
        ({"outcome": None}, "'outcome'"),
        ({"colour": ["red", "red"]}, "'colour'"),
        ({"instance_id": ["a", None]}, "instance_id has 1 nulls"),
        ({"attempt": [0, None]}, "attempt has 1 nulls"),
        ({"outcome": ["safe", None]}, "outcome has 1 nulls"),
        ({"outcome": ["safe", "pass"]}, "unknown outcome 'pass' in 1 trials"),
        ({"outcome": ["unknown", "safe"]}, "does not go with"),
        ({"outcome": [0, 1]}, "outcome is int64, wanted text"),
        ({"reason": ["error", None]}, "does not go with"),
        ({"reason": ["bored", None]}, "unknown reason 'bored'"),
        ({"refusal": ["maybe", None]}, "unknown refusal 'maybe'"),
        ({"attempt": [0.0, 1.0]}, "attempt is double, wanted integers"),
        ({"attempt": [0, 2**40]}, "int32 cannot hold"),
        ({"attempt": pa.array([0, 2**64 - 1], pa.uint64())}, "cannot be read|cannot hold"),
        ({"exposed": [0, 1]}, "exposed is int64, wanted booleans"),
        ({"graded_score": [0.5, float("nan")]}, "holds NaN"),
        ({"graded_score": [0.5, 1.5]}, "share"),
        ({"graded_score": [0, 1]}, "floating point"),
        ({"flags": ["x", None]}, "not valid JSON"),
        ({"flags": ["[]", None]}, "no JSON array"),
        ({"flags": ["[1]", None]}, "no JSON array"),
        ({"flags": ['"x"', None]}, "no JSON array"),
        ({"instance_id": ["a", "b\x1b"]}, "control character"),
        ({"instance_id": ["a", ""]}, "empty"),
        ({"instance_id": ["a", "a"]}, "repeat an attempt"),
    ],
)
def test_a_table_that_holds_no_trials_is_an_error(tmp_path, arrays, why):
    """E1: unknown columns and words, nulls, NaN and wrong types are refused, with the file named."""
    with pytest.raises(RunError, match=why) as caught:
        from_table(tmp_path, table(**arrays))
    assert caught.value.at.path.endswith("t.parquet")


def test_a_table_without_header_is_no_run(tmp_path):
    """Outcomes from elsewhere go through `import table`."""
    parquet.write_table(table(), tmp_path / "t.parquet")
    with pytest.raises(RunError, match="import table"):
        read_run(tmp_path / "t.parquet")


@pytest.mark.parametrize("trials", [0, 1, 3])
def test_the_end_record_counts_the_rows(tmp_path, trials):
    """Rows that were dropped or added after writing are noticed."""
    with pytest.raises(RunError, match="end record"):
        from_table(tmp_path, table(), trials=trials)


def test_repeated_columns_are_refused(tmp_path):
    """Two columns of one name would let the last one win."""
    twice = table().append_column("outcome", pa.array(["violation", "safe"]))
    with pytest.raises(RunError, match="'outcome'"):
        from_table(tmp_path, twice)


def test_a_table_in_many_pieces_is_one_run(tmp_path):
    """Row groups with dictionaries of their own are joined."""
    trials = [trial(f"i{number % 7}", number, outcome=("safe", "violation")[number % 2]) for number in range(40)]
    made = make_run(header(epochs=40), columns(*trials))
    path = tmp_path / "run.parquet"
    write_run(made, path)
    whole = parquet.read_table(path)
    parquet.write_table(whole, path, row_group_size=3)
    assert parquet.ParquetFile(path).num_row_groups > 1
    assert read_run(path).digest == made.digest


def test_a_damaged_page_is_an_error(tmp_path):
    """Pages carry checksums, and reading holds them to these."""
    path = tmp_path / "run.parquet"
    write_run(RUN, path)
    data = bytearray(path.read_bytes())
    for position in range(4, 400, 7):
        damaged = bytearray(data)
        damaged[position] ^= 0x55
        path.write_bytes(bytes(damaged))
        try:
            found = read_run(path)
        except RunError:
            continue
        assert found.digest == RUN.digest, position


def test_a_promise_of_more_rows_than_allowed_is_refused(tmp_path):
    """The number of rows is bounded before any is unpacked."""
    path = tmp_path / "run.parquet"
    rows = 20_000
    many = TrialColumns.build(ids=["a"], id_code=np.zeros(rows), attempt=np.arange(rows), outcome=np.zeros(rows))
    write_run(make_run(header(epochs=rows), many), path)
    assert path.stat().st_size < 1_000_000
    with pytest.raises(RunError, match="20000 trials"):
        read_run(path, max_bytes=1_000_000)


def test_the_extension_of_the_real_format_is_kept_apart(tmp_path):
    """`files.read_run` reads by ending: JSON lines named Parquet are an error, not a guess."""
    write_run(RUN, tmp_path / "run.jsonl")
    (tmp_path / "run.jsonl").rename(tmp_path / "run.parquet")
    with pytest.raises(RunError, match="Parquet"):
        files.read_run(tmp_path / "run.parquet")


def test_a_digest_is_never_taken_from_the_file(tmp_path):
    """A header that claims other instances gives another run digest."""
    one = from_table(tmp_path, table(), made_header=header(["a", "b"]))
    other = from_table(tmp_path, table(), made_header=header(["a", "b"], grader=digest_of("g")))
    assert one.digest != other.digest
    assert one.trials_digest == other.trials_digest
