"""Corpus readers: every format gives the same rows, and everything unreadable is an error with its place."""

import gzip
import json
import sys
from pathlib import Path

import pytest
from backports import zstd

from litmusgate.corpora import compression
from litmusgate.corpora.readers import Columns, corpus_file_stem, read_rows
from litmusgate.errors import CorpusError

ROWS = [{"id": f"d{n}", "text": f"text {n} é漢", "n": n} for n in range(5000)]
COLUMNS = Columns(id="id")
LINES = "".join(json.dumps(row) + "\n" for row in ROWS).encode()


def _write(path: Path) -> Path:
    if path.suffix == ".zst":
        half = LINES.index(b"\n", len(LINES) // 2) + 1
        frames = (zstd.compress(part) for part in (LINES[:half], LINES[half:]))
        path.write_bytes(b"".join(frames))
    elif path.suffix == ".parquet":
        pa = pytest.importorskip("pyarrow", reason="the extra [corpora] is not installed")
        pq = pytest.importorskip("pyarrow.parquet")
        pq.write_table(pa.Table.from_pylist(ROWS), path)
    else:
        path.write_bytes(gzip.compress(LINES) if path.suffix == ".gz" else LINES)
    return path


@pytest.mark.parametrize("name", ["a.jsonl", "a.ndjson", "a.jsonl.gz", "a.jsonl.zst", "a.parquet"])
def test_every_format_gives_the_same_rows(tmp_path: Path, name: str) -> None:
    """JSON lines, compressed or not (also in several frames), and Parquet are read alike."""
    rows = list(read_rows(_write(tmp_path / name), COLUMNS))
    assert [(row.id, row.text) for row in rows] == [(row["id"], row["text"]) for row in ROWS]
    assert rows[6].at.line == 7
    assert corpus_file_stem(tmp_path / name) == "a"


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.jsonl.zst", "a.parquet"])
def test_a_file_that_was_cut_off_is_an_error(tmp_path: Path, name: str) -> None:
    """A truncated file is never a shorter corpus."""
    path = _write(tmp_path / name)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(CorpusError, match=name):
        list(read_rows(path, COLUMNS))


@pytest.mark.parametrize("name", ["a.jsonl.gz", "a.jsonl.zst", "a.parquet", "a.jsonl"])
def test_a_file_of_other_bytes_is_an_error(tmp_path: Path, name: str) -> None:
    """A file that is not what its suffix says is refused."""
    path = tmp_path / name
    path.write_bytes(b"\x00\x01 not this format \xff\xfe")
    if name.endswith((".zst", ".parquet")):
        _write(tmp_path / f"probe{path.suffix}")
    with pytest.raises(CorpusError, match=name):
        list(read_rows(path, COLUMNS))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": "b"}', "no column 'text'"),
        ('{"text": "one"}', "no column 'id'"),
        ('{"id": "b", "text": 7}', "holds no text"),
        ('{"id": "b", "text": ["one"]}', "holds no text"),
        ('{"id": null, "text": "one"}', "holds no text"),
        ('{"id": true, "text": "one"}', "holds no text"),
        ('{"id": "", "text": "one"}', "holds no text"),
        ('["b", "one"]', "not a JSON object"),
        ('{"id": "b", "text": NaN}', "NaN"),
        ('{"id": "b", "text": "\\ud800"}', "surrogate"),
        ('{"id": "b", "text": "cut', "not valid JSON"),
    ],
)
def test_an_unreadable_row_is_an_error_with_its_line(tmp_path: Path, line: str, message: str) -> None:
    """Missing columns, other types and broken lines stop the reading where they stand."""
    path = tmp_path / "a.jsonl"
    path.write_text(f'{{"id": "a", "text": "one"}}\n\n{line}\n')
    with pytest.raises(CorpusError, match=message) as caught:
        list(read_rows(path, COLUMNS))
    assert caught.value.at is not None
    assert caught.value.at.line == 3


def test_bytes_that_are_not_utf8_are_an_error_with_line_and_column(tmp_path: Path) -> None:
    """A corpus in another encoding would fold to other words: refused."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"id": "a", "text": "one"}\n{"id": "b", "text": "caf\xe9"}\n')
    with pytest.raises(CorpusError, match=r"a\.jsonl:2:25: the line is not UTF-8"):
        list(read_rows(path, COLUMNS))


def test_null_and_blank_texts_are_rows_without_text(tmp_path: Path) -> None:
    """Blank rows are given, to be counted; numbers are good ids; without an id column a document is file:line."""
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": 7, "text": null}\n{"id": "b", "text": ""}\n')
    assert [(row.id, row.text) for row in read_rows(path, COLUMNS)] == [("7", ""), ("b", "")]
    assert [row.id for row in read_rows(path, Columns())] == ["a.jsonl:1", "a.jsonl:2"]


def test_a_text_file_is_one_document(tmp_path: Path) -> None:
    """Plain text has no columns: its name is its id, and a corpus column cannot be asked for."""
    path = tmp_path / "a.txt"
    path.write_text("one\ntwo\n")
    assert [(row.id, row.text) for row in read_rows(path, COLUMNS)] == [("a.txt", "one\ntwo")]
    with pytest.raises(CorpusError, match="no columns"):
        list(read_rows(path, Columns(corpus="corpus")))


@pytest.mark.parametrize("name", ["a.csv", "a", "a.parquet.gz", "a.zip"])
def test_an_unknown_format_is_refused_with_the_known_ones(tmp_path: Path, name: str) -> None:
    """The format is the suffix; nothing is guessed."""
    with pytest.raises(CorpusError, match=r"\.parquet"):
        list(read_rows(tmp_path / name, COLUMNS))


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.parquet"])
def test_a_missing_file_is_an_error(tmp_path: Path, name: str) -> None:
    """A file that is not there is named."""
    with pytest.raises(CorpusError, match=name):
        list(read_rows(tmp_path / name, COLUMNS))


def test_a_missing_parquet_column_is_an_error(tmp_path: Path) -> None:
    """The columns there are listed."""
    path = _write(tmp_path / "a.parquet")
    with pytest.raises(CorpusError, match="no column 'body'"):
        list(read_rows(path, Columns(text="body")))


def test_a_missing_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without `litmusgate[corpora]` Parquet says which extra it needs."""
    path = _write(tmp_path / "a.parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(CorpusError, match=r"litmusgate\[corpora\]"):
        list(read_rows(path, COLUMNS))


def test_a_decompression_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """T5: a file that grows beyond the limit stops there."""
    path = _write(tmp_path / "a.jsonl.gz")
    monkeypatch.setattr(compression, "MAX_DECOMPRESSED_BYTES", 1000)
    with pytest.raises(CorpusError, match="too large"):
        list(read_rows(path, COLUMNS))
