"""Properties of the corpus readers: the compiled reader is the plain one, formats agree, and nothing is lost in silence."""

import gzip
import io
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from backports import zstd
from hypothesis import example, given
from hypothesis import strategies as st

from litmusgate.corpora import shard_jsonl
from litmusgate.corpora.document_names import Origin
from litmusgate.corpora.line_blocks import line_blocks
from litmusgate.corpora.readers import Columns
from litmusgate.corpora.shard_jsonl import read_json_lines
from litmusgate.errors import CorpusError
from unit.corpora.corpus_files import documents, of_batch, write_rows

ORIGIN = Origin(path="a.jsonl", file="a.jsonl", corpus="pub")
COLUMNS = Columns(id="id", source="source")

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=80)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)
PARTS = st.none() | TEXTS | st.fixed_dictionaries({}, optional={"type": TEXTS, "text": st.none() | TEXTS, "x": JSON})
CONTENTS = st.none() | TEXTS | st.lists(PARTS, max_size=3)
MESSAGES = st.fixed_dictionaries(
    {}, optional={"role": TEXTS, "content": CONTENTS, "value": CONTENTS, "text": CONTENTS, "tool_calls": JSON}
)
ROWS = st.fixed_dictionaries(
    {"text": st.none() | TEXTS | st.lists(st.none() | TEXTS | MESSAGES, max_size=4) | JSON},
    optional={"id": st.integers() | TEXTS | JSON, "source": st.none() | TEXTS, "x": JSON},
)
SIMPLE = st.lists(
    st.fixed_dictionaries({"text": st.none() | TEXTS, "id": st.text("abc", min_size=1)}), min_size=1, max_size=9
)


def _read(data: bytes, columns: Columns, *, block_bytes: int = 1 << 20) -> list[Any] | tuple[str, str]:
    """What comes out: the documents, or the error."""
    try:
        batches = list(read_json_lines(io.BytesIO(data), columns, ORIGIN, block_bytes=block_bytes))
    except CorpusError as problem:
        return problem.what, str(problem.at)
    return [document for batch in batches for document in of_batch(batch)]


def _both(data: bytes, columns: Columns) -> None:
    pytest.importorskip("numba", reason="the extra [corpora] is not installed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shard_jsonl, "FEW_BYTES", 0)
        compiled = _read(data, columns)
        patch.setattr(shard_jsonl, "_compiled", lambda: None)
        assert compiled == _read(data, columns)


@given(st.lists(ROWS, max_size=4), st.booleans(), st.booleans())
def test_the_compiled_reader_reads_what_the_plain_one_reads(
    rows: list[dict[str, Any]], ascii_only: bool, named: bool
) -> None:
    """Whatever stands in the rows: the same documents with the same names, or the same error at the same place."""
    lines = [json.dumps(row, ensure_ascii=ascii_only).encode() for row in rows]
    _both(b"\n".join(lines), COLUMNS if named else Columns())


@given(st.lists(ROWS, min_size=1, max_size=2), st.data())
def test_damaged_lines_are_read_alike_too(rows: list[dict[str, Any]], data: st.DataObject) -> None:
    """A byte more, less or other changes nothing about that. Keys that stand twice where nothing is read are the plain
    reader's own error; such lines are left out here.
    """
    text = b"\n".join(json.dumps(row, ensure_ascii=False).encode() for row in rows)
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(text)))
        new = data.draw(
            st.sampled_from(
                [b"", b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"0", b"-", b"e", b"\n", b" ", b"\xff", b"n"]
            )
        )
        text = text[:place] + new + text[place + data.draw(st.integers(0, 1)) :]
    plain = None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shard_jsonl, "_compiled", lambda: None)
        plain = _read(text, Columns())
    if not (isinstance(plain, tuple) and "stands twice" in plain[0]):
        _both(text, Columns())


@given(SIMPLE, st.integers(1, 200))
def test_blocks_of_any_size_give_the_same_documents(rows: list[dict[str, Any]], block_bytes: int) -> None:
    """Where a block ends is nothing that a document could tell."""
    data = b"\r\n\n".join(json.dumps(row).encode() for row in rows)
    assert _read(data, COLUMNS_OF_SIMPLE, block_bytes=block_bytes) == _read(data, COLUMNS_OF_SIMPLE)


COLUMNS_OF_SIMPLE = Columns(id="id")


@given(
    st.lists(st.sampled_from([b"a", b"", b" ", b"\t\r", b"bc ", b"  d"]), max_size=30),
    st.integers(1, 12),
    st.booleans(),
)
def test_blocks_hold_every_line_that_is_not_blank(lines: list[bytes], block_bytes: int, ended: bool) -> None:
    """With its number in the file, whether the last line has an end or not."""
    data = b"\n".join(lines) + b"\n" * ended
    found = [
        (int(block.numbers[row]), block.line(row))
        for block in line_blocks(io.BytesIO(data), path="a", block_bytes=block_bytes)
        for row in range(len(block.starts))
    ]
    assert found == [(number, line) for number, line in enumerate(lines, 1) if line.strip()]


@given(SIMPLE)
@example([{"text": "one", "id": "a"}, {"text": None, "id": "b"}, {"text": "", "id": "c"}])
def test_every_format_gives_the_same_documents(rows: list[dict[str, Any]]) -> None:
    """JSON lines, their compressed forms and Parquet: the same names and texts."""
    pytest.importorskip("pyarrow", reason="the extra [corpora] is not installed")
    with tempfile.TemporaryDirectory() as folder:
        found = [
            documents(write_rows(Path(folder) / name, rows), columns=COLUMNS_OF_SIMPLE)
            for name in ("a.jsonl", "a.jsonl.gz", "a.jsonl.zst", "a.parquet")
        ]
    assert [(document.id, document.text) for document in found[0]] == [(row["id"], row["text"] or "") for row in rows]
    assert found[1:] == found[:1] * 3


def _small_files(folder: Path) -> Iterator[tuple[Path, bool]]:
    """Files of ten documents, and whether a cut between two lines can be told from the end."""
    rows = [{"id": f"d{n}", "text": f"text {n} é"} for n in range(10)]
    data = "".join(json.dumps(row) + "\n" for row in rows).encode()
    for name, packed in (("a.jsonl", data), ("a.jsonl.gz", gzip.compress(data)), ("a.jsonl.zst", zstd.compress(data))):
        (folder / name).write_bytes(packed)
        yield folder / name, name != "a.jsonl"
    pytest.importorskip("pyarrow", reason="the extra [corpora] is not installed")
    yield write_rows(folder / "a.parquet", rows), True


def test_no_cut_anywhere_loses_a_document_in_silence(tmp_path: Path) -> None:
    """At every byte: an error, or all documents. Of plain JSON lines a cut between two lines is a shorter file like any
    other: only what listed the file before can tell.
    """
    for path, told in _small_files(tmp_path):
        whole, data = documents(path, columns=COLUMNS_OF_SIMPLE), path.read_bytes()
        survived = 0
        for length in range(len(data)):
            path.write_bytes(data[:length])
            try:
                found = documents(path, columns=COLUMNS_OF_SIMPLE)
            except CorpusError:
                continue
            survived += 1
            assert found == whole or (
                not told and found == whole[: len(found)] and data[length - 1 : length + 1].count(b"\n")
            ), length
        assert survived <= (len(whole) * 2 if not told else 1)
