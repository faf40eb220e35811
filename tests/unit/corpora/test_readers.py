"""Corpus readers: every format gives the same rows, and everything unreadable is an error with its place."""

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from backports import zstd

from litmusgate.corpora import shard_jsonl
from litmusgate.corpora.readers import Columns, corpus_file_stem
from litmusgate.errors import CorpusError
from unit.corpora.corpus_files import documents, write_rows

ROWS = [{"id": f"d{n}", "text": f'text {n} é漢\n"𝄞"', "n": n, "source": f"s{n % 3}"} for n in range(5000)]
COLUMNS = Columns(id="id")
NAMED = Columns(id="id", source="source")
FORMATS = ["a.jsonl", "a.ndjson", "a.jsonl.gz", "a.jsonl.zst", "a.parquet"]


@pytest.fixture(params=["compiled", "plain"])
def reader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both readers of JSON lines: the compiled one where numba is there, and the one that works without."""
    if request.param == "plain":
        monkeypatch.setattr(shard_jsonl, "_compiled", lambda: None)
    else:
        pytest.importorskip("numba", reason="the extra [corpora] is not installed")
        monkeypatch.setattr(shard_jsonl, "FEW_BYTES", 0)
    return str(request.param)


@pytest.mark.parametrize("ascii_only", [True, False])
@pytest.mark.parametrize("name", FORMATS)
def test_every_format_gives_the_same_rows(tmp_path: Path, name: str, ascii_only: bool, reader: str) -> None:
    """JSON lines, compressed or not (also in several frames), and Parquet are read alike, in order."""
    path = write_rows(tmp_path / name, ROWS, ascii_only=ascii_only)
    found = documents(path, columns=NAMED)
    assert [(row.id, row.text, row.source) for row in found] == [(r["id"], r["text"], r["source"]) for r in ROWS]
    assert corpus_file_stem(path) == "a"


@pytest.mark.parametrize("name", FORMATS)
def test_documents_without_names_are_called_by_file_and_row(tmp_path: Path, name: str, reader: str) -> None:
    """The line of JSON lines, the row of Parquet, counted from 1; the source is the corpus."""
    rows = [{key: value for key, value in row.items() if key != "id"} for row in ROWS]
    found = documents(write_rows(tmp_path / name, rows))
    assert [row.id for row in found] == [f"{name}:{n + 1}" for n in range(len(ROWS))]
    assert {(row.corpus, row.source) for row in found} == {("pub", "pub")}


@pytest.mark.parametrize("name", ["a.jsonl", "a.parquet"])
def test_a_column_may_tell_the_corpus(tmp_path: Path, name: str, reader: str) -> None:
    """Each document is of the corpus its row names, and that is its source unless the row tells another."""
    rows = [{"text": f"t{n}", "c": f"c{n % 2}", "s": "far" if n == 3 else None} for n in range(6)]
    path = write_rows(tmp_path / name, rows)
    found = documents(path, columns=Columns(corpus="c"))
    assert {(row.corpus, row.source, row.text) for row in found} == {
        (f"c{n % 2}", f"c{n % 2}", f"t{n}") for n in range(6)
    }
    told = documents(path, columns=Columns(corpus="c", source="s"))
    assert sorted({(row.corpus, row.source) for row in told}) == [("c0", "c0"), ("c1", "c1"), ("c1", "far")]


@pytest.mark.parametrize("name", FORMATS)
def test_a_file_that_was_cut_off_is_an_error(tmp_path: Path, name: str, reader: str) -> None:
    """A truncated file is never a shorter corpus."""
    path = write_rows(tmp_path / name, ROWS)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(CorpusError, match=name):
        documents(path, columns=COLUMNS)


@pytest.mark.parametrize("name", ["a.jsonl.gz", "a.jsonl.zst", "a.parquet", "a.jsonl"])
def test_a_file_of_other_bytes_is_an_error(tmp_path: Path, name: str, reader: str) -> None:
    """A file that is not what its suffix says is refused."""
    path = tmp_path / name
    path.write_bytes(b"\x00\x01 not this format \xff\xfe")
    with pytest.raises(CorpusError, match=name):
        documents(path, columns=COLUMNS)


BROKEN = [
    ('{"id": "b"}', "no column 'text'"),
    ('{"text": "one"}', "no column 'id'"),
    ('{"id": "b", "text": 7}', "holds no text"),
    ('{"id": "b", "text": true}', "holds no text"),
    ('{"id": "b", "text": {"content": "one"}}', "holds no text"),
    ('{"id": "b", "text": [7]}', "holds no text"),
    ('{"id": "b", "text": [["one"]]}', "holds no text"),
    ('{"id": "b", "text": [{"content": 7}]}', "holds no text"),
    ('{"id": "b", "text": [{"content": [7]}]}', "holds no text"),
    ('{"id": "b", "text": [{"content": [{"text": 7}]}]}', "holds no text"),
    ('{"id": "b", "text": [{"role": "user", "said": "one"}]}', "has no content"),
    ('{"id": "b", "text": [{}]}', "has no content"),
    ('{"id": null, "text": "one"}', "holds no name"),
    ('{"id": true, "text": "one"}', "holds no name"),
    ('{"id": 1.5, "text": "one"}', "holds no name"),
    ('{"id": "", "text": "one"}', "holds no name"),
    ('{"id": ["b"], "text": "one"}', "holds no name"),
    (json.dumps({"id": "b" * 4097, "text": "one"}), "too long"),
    ('["b", "one"]', "not a JSON object"),
    ("null", "not a JSON object"),
    ('{"id": "b", "text": "one"}{"id": "c", "text": "two"}', "Extra data"),
    ('{"id": "b", "text": "one"} null', "Extra data"),
    ('{"id": "b", "text": "one",}', "not valid JSON"),
    ('{"id": "b", "text": "one"', "not valid JSON"),
    ('{"id": "b", "text": "one", "x": 01}', "not valid JSON"),
    ('{"id": "b", "text": "one", "x": nul}', "not valid JSON"),
    ('{"id": "b", "text": "one", "x": [1}', "not valid JSON"),
    ('{"id": "b", "text": "one", "x": [1,]}', "not valid JSON"),
    ('{"id": "b", "text": "one", "x": {"y"}}', "not valid JSON"),
    ('{"id": "b", "text": "a\tb"}', "not valid JSON"),
    ('{"id": "b", "text": "\\x"}', "not valid JSON"),
    ('{"id": "b", "text": "\\u12g4"}', "not valid JSON"),
    ('{"id": "b", "text": NaN}', "NaN"),
    ('{"id": "b", "text": "one", "x": -Infinity}', "Infinity"),
    ('{"id": "b", "text": "one", "x": 1e999}', "too large"),
    ('{"id": "b", "text": "\\ud800"}', "surrogate"),
    ('{"id": "b", "text": "\\udc00 \\ud800"}', "surrogate"),
    ('{"id": "b", "text": "one", "x": "\\ud800\\u0041"}', "surrogate"),
    ('{"id": "b", "text": "one", "text": "two"}', "stands twice"),
    ('{"id": "b", "text": "one", "te\\u0078t": "two"}', "stands twice"),
    ('{"id": "b", "text": "one", "x": ' + "[" * 200 + "]" * 200 + "}", "nested too deeply"),
    ('{"id": "b", "text": "one"} // no', "Extra data"),
    ('{"id": "b", "text": "cut', "not valid JSON"),
    ("\x0b", "the text is empty"),
]


@pytest.mark.parametrize(("line", "message"), BROKEN)
def test_an_unreadable_row_is_an_error_with_its_line(tmp_path: Path, line: str, message: str, reader: str) -> None:
    """Missing columns, other types and broken lines stop the reading where they stand."""
    path = tmp_path / "a.jsonl"
    path.write_text(f'{{"id": "a", "text": "one"}}\n\n{line}\n{{"id": "c", "text": "three"}}\n')
    with pytest.raises(CorpusError, match=message) as caught:
        documents(path, columns=COLUMNS)
    assert caught.value.at is not None
    assert (caught.value.at.path, caught.value.at.line) == (str(path), 3)


def test_bytes_that_are_not_utf8_are_an_error_with_line_and_column(tmp_path: Path, reader: str) -> None:
    """A corpus in another encoding would fold to other words: refused, even where nothing is read from that column."""
    path = tmp_path / "a.jsonl"
    for broken in (b'{"id": "b", "text": "caf\xe9"}', b'{"id": "b", "xxxx": "caf\xe9", "text": ""}'):
        path.write_bytes(b'{"id": "a", "text": "one"}\n' + broken + b"\n")
        with pytest.raises(CorpusError, match=r"a\.jsonl:2:25: the line is not UTF-8"):
            documents(path, columns=COLUMNS)


def test_null_and_blank_texts_are_documents_without_text(tmp_path: Path, reader: str) -> None:
    """Blank rows are given, to be counted; numbers are good ids; a byte order mark and Windows line ends are no text."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"id": 7, "text": null}\r\n \t\r\n{"id": "b\\u0041", "text": ""}')
    assert [(row.id, row.text) for row in documents(path, columns=COLUMNS)] == [("7", ""), ("bA", "")]
    assert [row.id for row in documents(path)] == ["7", "bA"]


CHATS: list[tuple[Any, str]] = [
    (["one", "two"], "one\ntwo"),
    ([], ""),
    (None, ""),
    ([{"role": "user", "content": "one"}, {"role": "assistant", "content": "two"}], "one\ntwo"),
    ([{"from": "human", "value": "one"}, {"from": "gpt", "value": None}], "one\n"),
    (
        [{"content": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]}, {"content": None}],
        "one\ntwo\n",
    ),
    ([{"content": ["one", "two"], "tool_calls": [{"function": {"arguments": "{}"}}]}], "one\ntwo"),
    ([{"content": [], "role": "user"}, {"content": ["three"], "role": "user"}], "\nthree"),
    ([{"content": None, "value": "one"}, {"content": "two", "value": None}], "one\ntwo"),
    ([{"content": "one", "text": "three", "value": "two", "role": "user"}], "one\ntwo\nthree"),
    ([{"content": [{"type": "x", "text": None, "content": "one"}, {"text": "two", "content": None}]}], "one\ntwo"),
    ([{"content": [{"text": "one"}], "value": None}, {"content": None, "value": "two"}], "one\ntwo"),
]


@pytest.mark.parametrize(("chat", "text"), CHATS)
@pytest.mark.parametrize("name", ["a.jsonl", "a.parquet"])
def test_the_turns_of_a_chat_are_one_text(tmp_path: Path, name: str, chat: Any, text: str, reader: str) -> None:
    """Lists of texts or messages, whose contents may be in parts, are joined by line feeds; null says nothing."""
    path = write_rows(
        tmp_path / name, [{"messages": chat}, {"messages": [{"content": "x"}] if name == "a.jsonl" else chat}]
    )
    assert documents(path, columns=Columns(text="messages"))[0].text == text


def test_messages_that_are_not_alike_are_read_too(tmp_path: Path, reader: str) -> None:
    """JSON lines need no schema: texts, messages, parts and pictures side by side."""
    chat = [
        "a",
        None,
        {"content": "b"},
        {"value": "c"},
        {"text": "d"},
        {"content": [{"image": 1}, "e", None, {"text": "f"}]},
    ]
    path = write_rows(tmp_path / "a.jsonl", [{"m": chat}, {"m": "plain"}])
    found = documents(path, columns=Columns(text="m"))
    assert [row.text for row in found] == ["a\n\nb\nc\nd\n\ne\n\nf", "plain"]


def test_what_a_tool_answered_is_said_too(tmp_path: Path, reader: str) -> None:
    """The content of a part may have parts of its own."""
    chat = [{"role": "user", "content": [{"type": "tool_result", "content": [{"type": "text", "text": "one"}, "two"]}]}]
    path = write_rows(tmp_path / "a.jsonl", [{"m": chat}])
    assert documents(path, columns=Columns(text="m"))[0].text == "one\ntwo"


def test_a_text_file_is_one_document(tmp_path: Path) -> None:
    """Plain text has no columns: its name is its id, and a corpus column cannot be asked for."""
    path = tmp_path / "a.txt"
    path.write_bytes(b"\xef\xbb\xbfone\ntwo\n")
    assert [(row.id, row.text) for row in documents(path, columns=COLUMNS)] == [("a.txt", "one\ntwo\n")]
    for name, pack in (("a.txt.gz", gzip.compress), ("a.txt.zst", zstd.compress)):
        (tmp_path / name).write_bytes(pack(b"one\ntwo\n"))
        assert [(row.id, row.text) for row in documents(tmp_path / name)] == [(name, "one\ntwo\n")]
    with pytest.raises(CorpusError, match="no columns"):
        documents(path, columns=Columns(corpus="corpus"))


def test_a_text_that_is_not_utf8_is_an_error_with_its_place(tmp_path: Path) -> None:
    """Line and column are those of the first wrong byte."""
    path = tmp_path / "a.txt"
    path.write_bytes(b"one\ntw\xff")
    with pytest.raises(CorpusError, match=r"a\.txt:2:3: the text is not UTF-8"):
        documents(path)


@pytest.mark.parametrize("name", ["a.csv", "a", "a.parquet.gz", "a.zip"])
def test_an_unknown_format_is_refused_with_the_known_ones(tmp_path: Path, name: str) -> None:
    """The format is the suffix; nothing is guessed."""
    (tmp_path / name).write_text("one")
    with pytest.raises(CorpusError, match=r"\.parquet"):
        documents(tmp_path / name)


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.parquet", "a.txt"])
def test_a_missing_file_is_an_error(tmp_path: Path, name: str) -> None:
    """A file that is not there is named."""
    with pytest.raises(CorpusError, match=name):
        documents(tmp_path / name)


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.jsonl.zst", "a.parquet", "a.txt", "a.txt.gz"])
def test_an_empty_file_is_an_error(tmp_path: Path, name: str) -> None:
    """No document is no evidence: neither an empty file nor one whose only content is nothing."""
    path = tmp_path / name
    path.write_bytes(b"")
    with pytest.raises(CorpusError, match=name):
        documents(path)
    if path.suffix in (".gz", ".zst"):
        path.write_bytes({".gz": gzip.compress, ".zst": zstd.compress}[path.suffix](b""))
        with pytest.raises(CorpusError, match=name):
            documents(path)


@pytest.mark.parametrize("name", ["a.jsonl", "a.parquet"])
def test_a_missing_column_is_an_error(tmp_path: Path, name: str) -> None:
    """The columns there are listed."""
    with pytest.raises(CorpusError, match=r"no column 'body'(.|\n)*'id'(.|\n)*'text'"):
        documents(write_rows(tmp_path / name, ROWS), columns=Columns(text="body"))


def test_a_missing_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without `litmusgate[corpora]` Parquet and addresses say which extra they need."""
    path = write_rows(tmp_path / "a.parquet", ROWS)
    for module in ("pyarrow", "pyarrow.parquet", "fsspec", "fsspec.core"):
        monkeypatch.setitem(sys.modules, module, None)
    for asked in (path, "memory://a/b.jsonl"):
        with pytest.raises(CorpusError, match=r"litmusgate\[corpora\]"):
            documents(asked)
