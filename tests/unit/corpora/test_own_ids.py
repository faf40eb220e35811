"""Documents name themselves by their column `id`, where nobody declared another."""

import json
from pathlib import Path

import pytest

from litmusgate.corpora.readers import Columns
from litmusgate.corpora.shards import list_shards, read_batches


def _names(path: Path, columns: Columns) -> list[str]:
    return [
        batch.ids[number]
        for shard in list_shards([str(path)])
        for batch in read_batches(shard, columns, corpus="c")
        for number in range(len(batch))
    ]


ROWS = [
    {"id": "one", "text": "a"},
    {"id": 2, "text": "b"},
    {"id": None, "text": "c"},
    {"id": "", "text": "d"},
    {"text": "e"},
    {"id": ["x"], "text": "f"},
    {"id": "z" * 5000, "text": "g"},
    {"id": "naïve\n", "text": "h"},
]


def test_json_rows_name_themselves_where_they_can(tmp_path: Path) -> None:
    """A text or a whole number names its row; any other row is its line, and no row is refused for want of a name."""
    path = tmp_path / "c.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in ROWS))
    wanted = ["one", "2", *(f"c.jsonl:{line}" for line in range(3, 8)), "naïve\n"]
    assert _names(path, Columns()) == wanted


def test_a_file_whose_first_row_has_no_name_is_named_by_lines(tmp_path: Path) -> None:
    """Columns do not come and go within a file; where they do, lines are names too."""
    path = tmp_path / "c.jsonl"
    path.write_text('{"text": "a"}\n{"text": "b", "id": "x"}\n')
    assert _names(path, Columns()) == ["c.jsonl:1", "c.jsonl:2"]


def test_a_declared_column_must_be_there(tmp_path: Path) -> None:
    """What somebody asked for by name is never replaced."""
    path = tmp_path / "c.jsonl"
    path.write_text('{"text": "a", "id": "x", "key": "k"}\n')
    assert _names(path, Columns(id="key")) == ["k"]
    assert _names(path, Columns(text="id")) == ["c.jsonl:1"]


@pytest.mark.parametrize(
    ("ids", "wanted"),
    [
        (["one", "two"], ["one", "two"]),
        ([1, 2], ["1", "2"]),
        (["one", None], ["c.parquet:1", "c.parquet:2"]),
        ([[1], [2]], ["c.parquet:1", "c.parquet:2"]),
        (["one", ""], ["c.parquet:1", "c.parquet:2"]),
    ],
)
def test_parquet_rows_name_themselves_where_all_can(tmp_path: Path, ids: list[object], wanted: list[str]) -> None:
    """A column that cannot name every row of a batch names none."""
    pa = pytest.importorskip("pyarrow", reason="the extra [corpora] is not installed")
    parquet = pytest.importorskip("pyarrow.parquet", reason="the extra [corpora] is not installed")
    path = tmp_path / "c.parquet"
    parquet.write_table(pa.table({"id": ids, "text": ["a", "b"]}), path)
    assert _names(path, Columns()) == wanted
