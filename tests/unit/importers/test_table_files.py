"""Reading tables: three formats give the same rows, and nothing truncated or malformed passes."""

import gzip
import json
import sys

import pytest
from backports import zstd

from litmusgate.errors import ImportFormatError, UsageError
from litmusgate.importers import batches, streams
from litmusgate.importers.batches import read_batches

pa = pytest.importorskip("pyarrow", reason="the extra [corpora] is not installed")
pq = pytest.importorskip("pyarrow.parquet")

WANTED = frozenset({"id", "verdict"})
ROWS = [{"id": "a", "verdict": "pass"}, {"id": "b", "verdict": None}, {"id": "c", "verdict": "fail"}]
CSV = b"id,verdict,more\na,pass,1\nb,,2\nc,fail,3\n"
JSONL = b"".join(json.dumps(row).encode() + b"\n" for row in ROWS)


def read(path, wanted=WANTED):
    """All rows of a file as one list per column."""
    found = {name: [] for name in wanted}
    for batch in read_batches(path, wanted):
        for name, values in batch.columns.items():
            found[name] += values
    return found


def written(tmp_path, name, data):
    """A file of these bytes."""
    path = tmp_path / name
    path.write_bytes(data)
    return path


def parquet(tmp_path, columns):
    """A Parquet file of these columns."""
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table(columns), path)
    return path


def test_all_formats_give_the_same_rows(tmp_path):
    """CSV (empty is null), JSONL, both compressed forms and Parquet agree."""
    expected = {"id": ["a", "b", "c"], "verdict": ["pass", None, "fail"]}
    assert read(written(tmp_path, "t.csv", CSV)) == expected
    assert read(written(tmp_path, "t.csv.gz", gzip.compress(CSV))) == expected
    assert read(written(tmp_path, "t.jsonl", JSONL)) == expected
    assert read(written(tmp_path, "t.ndjson.zst", zstd.compress(JSONL))) == expected
    assert read(parquet(tmp_path, {name: [row[name] for row in ROWS] for name in ROWS[0]})) == expected


def test_batches_cut_nothing_off(tmp_path, monkeypatch):
    """Rows beyond one batch arrive too, with their own line numbers."""
    monkeypatch.setattr(batches, "BATCH_ROWS", 2)
    path = written(tmp_path, "t.csv", CSV)
    assert read(path)["id"] == ["a", "b", "c"]
    places = [str(batch.place(0)) for batch in read_batches(path, WANTED)]
    assert places == [f"{path}:2", f"{path}:4"]
    assert read(written(tmp_path, "t.jsonl", JSONL))["id"] == ["a", "b", "c"]
    places = [
        str(batch.place(0))
        for batch in read_batches(parquet(tmp_path, {"id": ["x"] * 3, "verdict": [1, 2, 3]}), WANTED)
    ]
    assert [place.rpartition(" ")[2] for place in places] == ["1", "3"]


def test_a_column_missing_from_a_whole_batch_may_come_later(tmp_path, monkeypatch):
    """A sparse JSONL column is found wherever it first occurs, and its absence everywhere is an error."""
    monkeypatch.setattr(batches, "BATCH_ROWS", 2)
    rows = [{"id": "a"}, {"id": "b"}, {"id": "c", "verdict": "pass"}, {"id": "d"}]
    data = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
    assert read(written(tmp_path, "t.jsonl", data))["verdict"] == [None, None, "pass", None]
    with pytest.raises(UsageError, match="no column 'verdict'"):
        read(written(tmp_path, "u.jsonl", b'{"id": "a"}\n' * 4))


@pytest.mark.parametrize(("name", "data"), [("t.csv", b"id,other\na,1\n"), ("t.jsonl", b'{"id": "a", "other": 1}\n')])
def test_an_unknown_column_lists_the_known_ones(tmp_path, name, data):
    """A mistyped column is a usage error that says what the file has."""
    with pytest.raises(UsageError, match="'verdict'") as raised:
        read(written(tmp_path, name, data))
    assert "'id', 'other'" in raised.value.got


def test_an_unknown_parquet_column_lists_the_known_ones(tmp_path):
    """The same for Parquet."""
    with pytest.raises(UsageError, match="'verdict'"):
        read(parquet(tmp_path, {"id": ["a"]}))


@pytest.mark.parametrize("name", ["t.txt", "t", "t.json", "t.parquet.gz", "t.tsv"])
def test_the_format_is_that_of_the_ending_and_never_guessed(tmp_path, name):
    """Another ending is a usage error that lists the endings."""
    with pytest.raises(UsageError, match="not a table by its name"):
        read(written(tmp_path, name, CSV))


@pytest.mark.parametrize(
    ("data", "line", "said"),
    [
        (b"id,verdict\na,pass,x\n", 2, "number of cells"),
        (b"id,verdict\na,pass\nb\n", 3, "number of cells"),
        (b'id,verdict\na,"pa', 2, "not valid CSV"),
        (b'id,verdict\na,"x"y\n', 2, "not valid CSV"),
        (b"id,verdict,id\na,pass,b\n", 1, "twice in the header"),
        (b"id,verdict\na,\xff\n", 2, "UTF-8"),
        ("id,verdict\n".encode("utf-16"), 1, "UTF-8"),
    ],
)
def test_malformed_csv_is_an_error_with_its_line(tmp_path, data, line, said):
    """Ragged rows, open quotes, doubled columns and other encodings never become trials."""
    with pytest.raises(ImportFormatError, match=said) as raised:
        read(written(tmp_path, "t.csv", data))
    assert raised.value.at.line == line


@pytest.mark.parametrize(
    ("last", "said"),
    [
        (b'{"id": "b", "verd', "not valid JSON"),
        (b"[1]\n", "not a JSON object"),
        (b"null\n", "not a JSON object"),
        (b'{"id": "a", "id": "b"}\n', "stands twice"),
        (b'{"id": "b"} {"id": "c"}\n', "not valid JSON"),
        (b'{"id": ' + b"7" * 5000 + b"}\n", "not valid JSON"),
        (b'{"id": ' + b"[" * 100_000 + b"\n", "nested too deeply|not valid JSON"),
    ],
)
def test_malformed_jsonl_is_an_error_with_its_line(tmp_path, last, said):
    """A cut line, a line that is no object and a doubled key never become trials."""
    with pytest.raises(ImportFormatError, match=said) as raised:
        read(written(tmp_path, "t.jsonl", b'{"id": "a", "verdict": "pass"}\n\n' + last))
    assert raised.value.at.line == 3


def test_a_byte_order_mark_and_windows_line_ends_are_read_over(tmp_path):
    """They change no column name and no value."""
    assert read(written(tmp_path, "t.csv", b"\xef\xbb\xbf" + CSV.replace(b"\n", b"\r\n")))["verdict"] == [
        "pass",
        None,
        "fail",
    ]
    assert read(written(tmp_path, "t.jsonl", b"\xef\xbb\xbf" + JSONL))["id"] == ["a", "b", "c"]


@pytest.mark.parametrize("compress", [gzip.compress, zstd.compress])
@pytest.mark.parametrize("kept", [0.3, 0.7, 0.95])
def test_a_compressed_file_cut_anywhere_is_an_error(tmp_path, compress, kept):
    """A stream that stops in the middle is truncated, however many whole lines it gives."""
    rows = b"".join(
        json.dumps({"id": f"i{number * 7919}", "verdict": "pass"}).encode() + b"\n" for number in range(3000)
    )
    data = compress(rows)
    name = "t.jsonl.gz" if compress is gzip.compress else "t.jsonl.zst"
    assert len(read(written(tmp_path, name, data))["id"]) == 3000
    with pytest.raises(ImportFormatError, match="cannot be read"):
        read(written(tmp_path, name, data[: int(len(data) * kept)]))


def test_a_damaged_parquet_file_is_an_error(tmp_path):
    """A cut Parquet file has no footer and is unreadable."""
    path = parquet(tmp_path, {"id": ["a"] * 100, "verdict": ["pass"] * 100})
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(ImportFormatError, match="cannot be read"):
        read(path)


def test_an_absent_file_is_an_error(tmp_path):
    """What is not there gives no rows and no success."""
    for name in ("t.csv", "t.jsonl", "t.parquet", "t.csv.gz", "t.jsonl.zst"):
        with pytest.raises(ImportFormatError, match="cannot be read"):
            read(tmp_path / name)


def test_an_endless_line_is_refused(tmp_path, monkeypatch):
    """A line beyond the limit stops the reader instead of filling memory."""
    monkeypatch.setattr(streams, "MAX_LINE_BYTES", 100)
    with pytest.raises(ImportFormatError, match="longer than 100 bytes"):
        read(written(tmp_path, "t.csv", CSV + b"x" * 200))


def test_a_missing_library_names_the_extra(tmp_path, monkeypatch):
    """Without the corpora extra Parquet is a usage error that says what to install."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UsageError, match="pyarrow") as raised:
        read(written(tmp_path, "t.parquet", b"x"))
    assert "litmusgate[corpora]" in raised.value.fix


def test_parquet_types_arrive_as_their_python_values(tmp_path):
    """Dictionaries, nanosecond times, booleans, nested columns and nulls survive."""
    table = {
        "d": pa.array(["x", None, "x"]).dictionary_encode(),
        "t": pa.array([1, None, 2], pa.timestamp("ns", "UTC")),
        "b": [True, None, False],
        "f": [1.5, None, float("nan")],
        "l": [["a"], None, []],
    }
    found = read(parquet(tmp_path, table), frozenset(table))
    assert found["d"] == ["x", None, "x"]
    assert found["t"][0].year == 1970
    assert found["t"][1] is None
    assert found["b"] == [True, None, False]
    assert found["f"][:2] == [1.5, None]
    assert found["f"][2] != found["f"][2]
    assert found["l"] == [["a"], None, []]
