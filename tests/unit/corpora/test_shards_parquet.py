"""Parquet files: every way to keep a text, and everything that makes a file no evidence."""

from pathlib import Path
from typing import Any

import pytest

from litmusgate.corpora import shard_parquet
from litmusgate.corpora.readers import Columns
from litmusgate.corpora.shards import list_shards, read_batches
from litmusgate.errors import CorpusError
from unit.corpora.corpus_files import documents

pa = pytest.importorskip("pyarrow", reason="the extra [corpora] is not installed")
pq = pytest.importorskip("pyarrow.parquet")

TEXTS = ["one", None, "", "é漢𝄞", "one"]
READ = [text or "" for text in TEXTS]


def _written(path: Path, column: Any, **how: Any) -> Path:
    pq.write_table(pa.table({"text": column, "other": list(range(len(column)))}), path, **how)
    return path


STRINGS = [
    pa.string(),
    pa.large_string(),
    pa.string_view(),
    pa.binary(),
    pa.large_binary(),
    pa.binary_view(),
    pa.dictionary(pa.int32(), pa.string()),
    pa.dictionary(pa.int8(), pa.large_string()),
]


@pytest.mark.parametrize("kind", STRINGS, ids=str)
@pytest.mark.parametrize("schema_kept", [True, False])
def test_every_kind_of_string_is_a_text(tmp_path: Path, kind: Any, schema_kept: bool) -> None:
    """Views, dictionaries and binary columns of UTF-8 too; null is the empty text."""
    plain = pa.array(TEXTS, pa.string())
    column = plain.dictionary_encode().cast(kind) if pa.types.is_dictionary(kind) else plain.cast(kind)
    path = _written(tmp_path / "a.parquet", column, store_schema=schema_kept)
    assert [document.text for document in documents(path)] == READ
    assert [document.id for document in documents(path, columns=Columns(id="other"))] == list("01234")


def test_a_column_of_nothing_but_null_is_texts_without_words(tmp_path: Path) -> None:
    """The column is there; its rows are counted as blank."""
    path = _written(tmp_path / "a.parquet", pa.nulls(3))
    assert [document.text for document in documents(path)] == [""] * 3


TURN = pa.struct([("role", pa.string()), ("content", pa.string())])
PART = pa.struct([("type", pa.string()), ("text", pa.string()), ("image", pa.binary())])
CHATS: list[tuple[Any, list[Any], list[str]]] = [
    (pa.list_(pa.string()), [["one", None, "two"], None, []], ["one\n\ntwo", "", ""]),
    (pa.large_list(pa.large_string()), [["one"], None], ["one", ""]),
    (pa.list_(pa.string(), 2), [["one", "two"], ["three", None]], ["one\ntwo", "three\n"]),
    (pa.list_(TURN), [[{"role": "u", "content": "one"}, {"role": "a", "content": None}, None], None], ["one\n\n", ""]),
    (pa.list_(pa.struct([("from", pa.string()), ("value", pa.string())])), [[{"value": "one"}]], ["one"]),
    (
        pa.list_(pa.struct([("content", pa.list_(PART)), ("n", pa.int8())])),
        [[{"content": [{"text": "one"}, {"image": b"\xff"}, {"text": "two"}]}, {"content": []}], []],
        ["one\n\ntwo\n", ""],
    ),
    (pa.list_(pa.struct([("content", pa.list_(pa.string()))])), [[{"content": ["one", "two"]}]], ["one\ntwo"]),
]


@pytest.mark.parametrize(("kind", "chats", "texts"), CHATS, ids=lambda value: str(value)[:40])
def test_chats_are_texts(tmp_path: Path, kind: Any, chats: list[Any], texts: list[str]) -> None:
    """Lists of texts and of messages, their contents in parts or not; only what was said is unpacked."""
    path = _written(tmp_path / "a.parquet", pa.array(chats, kind))
    assert [document.text for document in documents(path)] == texts


@pytest.mark.parametrize(
    ("kind", "value", "message"),
    [
        (pa.int64(), 7, "holds no text"),
        (pa.struct([("content", pa.string())]), {"content": "one"}, "holds no text"),
        (pa.list_(pa.int8()), [7], "holds no text"),
        (pa.list_(pa.list_(pa.string())), [["one"]], "holds no text"),
        (pa.list_(pa.struct([("said", pa.string())])), [{"said": "one"}], "have no content"),
        (pa.list_(pa.struct([("content", pa.int8())])), [{"content": 7}], "holds no text"),
        (
            pa.list_(pa.struct([("content", pa.list_(pa.struct([("x", pa.string())])))])),
            [{"content": [{"x": "one"}]}],
            "have no content",
        ),
    ],
)
def test_a_column_of_another_type_is_an_error(tmp_path: Path, kind: Any, value: Any, message: str) -> None:
    """What holds no text is not read as blank."""
    with pytest.raises(CorpusError, match=message):
        documents(_written(tmp_path / "a.parquet", pa.array([value], kind)))


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        (pa.array(["a", None]), r"a\.parquet:2: column 'id' holds no name"),
        (pa.array(["a", ""]), r"a\.parquet:2: column 'id' holds no name"),
        (pa.array([1, None]), r"a\.parquet:2: column 'id' holds no name"),
        (pa.array(["a", "b" * 4097]), r"a\.parquet:2: column 'id' holds a name that is too long"),
        (pa.array([True, False]), "holds no names"),
        (pa.array([1.5, 2.5]), "holds no names"),
        (pa.array([b"a", b"\xff"]), r"a\.parquet:2: column 'id' is not UTF-8"),
    ],
)
def test_an_id_that_names_nothing_is_an_error_with_its_row(tmp_path: Path, ids: Any, message: str) -> None:
    """Evidence must be able to name its document."""
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"text": ["one", "two"], "id": ids}), path)
    with pytest.raises(CorpusError, match=message):
        documents(path, columns=Columns(id="id"))


def test_bytes_that_are_not_utf8_are_an_error_with_their_row(tmp_path: Path) -> None:
    """Also in a column that says it is of strings, and where two texts together would be valid."""
    for values in ([b"a", b"b", b"\xff"], [b"a", b"b", b"\xc3", b"\xa9"]):
        offsets, data = pa.array(values, pa.binary()).buffers()[1:]
        for column in (
            pa.array(values, pa.binary()),
            pa.Array.from_buffers(pa.string(), len(values), [None, offsets, data]),
        ):
            with pytest.raises(CorpusError, match=r"a\.parquet:3: column 'text' is not UTF-8"):
                documents(_written(tmp_path / "a.parquet", column, row_group_size=2))


def test_a_file_without_a_row_is_an_error(tmp_path: Path) -> None:
    """Nothing read is no evidence."""
    with pytest.raises(CorpusError, match="holds no document"):
        documents(_written(tmp_path / "a.parquet", pa.array([], pa.string())))


def test_an_encrypted_file_is_an_error(tmp_path: Path) -> None:
    """It says that it cannot be read, whether the footer is open or not."""
    from pyarrow.parquet import encryption

    class _Keys(encryption.KmsClient):
        def wrap_key(self, key_bytes: bytes, master_key_identifier: str) -> str:
            return key_bytes.hex()

        def unwrap_key(self, wrapped_key: str, master_key_identifier: str) -> bytes:
            return bytes.fromhex(wrapped_key)

    factory = encryption.CryptoFactory(lambda _: _Keys())
    for open_footer in (False, True):
        settings = encryption.EncryptionConfiguration(
            footer_key="f", column_keys={"c": ["text"]}, plaintext_footer=open_footer
        )
        properties = factory.file_encryption_properties(encryption.KmsConnectionConfig(), settings)
        path = _written(tmp_path / "a.parquet", pa.array(["one"]), encryption_properties=properties)
        with pytest.raises(CorpusError, match=r"a\.parquet"):
            documents(path)


def test_rows_that_are_not_as_many_as_promised_are_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that stopped early is found out by the footer."""
    path = _written(tmp_path / "a.parquet", pa.array(["one", "two", "three"]), row_group_size=1)
    opened = shard_parquet._opened

    class _Short:
        def __init__(self, file: Any) -> None:
            self._file = file

        def __getattr__(self, name: str) -> Any:
            return getattr(self._file, name)

        def iter_batches(self, **how: Any) -> Any:
            yield from list(self._file.iter_batches(**how))[:-1]

    monkeypatch.setattr(shard_parquet, "_opened", lambda *args, **how: _Short(opened(*args, **how)))
    monkeypatch.setattr(shard_parquet, "_MOST_ROWS", 1)
    with pytest.raises(CorpusError, match="other rows than its footer says"):
        documents(path)


@pytest.mark.parametrize("as_dictionary", [True, False])
def test_texts_that_repeat_are_unpacked_piece_by_piece(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, as_dictionary: bool
) -> None:
    """A text that stands once in the file and a thousand times in the column makes no batch larger than any other."""
    monkeypatch.setattr(shard_parquet, "_MOST_BATCH_BYTES", 1 << 16)
    text = "word " * 2000
    path = _written(tmp_path / "a.parquet", pa.array([text] * 1000 + [None]), use_dictionary=as_dictionary)
    (shard,) = list_shards([str(path)])
    batches = list(read_batches(shard, Columns(), corpus="pub"))
    assert max(batch.text_bytes for batch in batches) <= 1 << 16
    assert sum(batch.text_bytes for batch in batches) == 1000 * len(text)
    assert sum(len(batch) for batch in batches) == 1001


def test_a_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A column that unpacks to hundreds of times its size at once, and rows too long to be held, are named."""
    monkeypatch.setattr(shard_parquet, "_BOMB_BYTES", 1 << 20)
    monkeypatch.setattr(shard_parquet, "MAX_LINE_BYTES", 3 << 20)
    path = _written(tmp_path / "a.parquet", pa.array(["0" * (2 << 20)] * 2), use_dictionary=False, compression="zstd")
    with pytest.raises(CorpusError, match=r"too large to be unpacked(.|\n)*unpack to"):
        documents(path)
    path = _written(tmp_path / "a.parquet", pa.array(["0" * (4 << 20)]), use_dictionary=False, compression="none")
    with pytest.raises(CorpusError, match=r"too large to be unpacked(.|\n)*a row"):
        documents(path)


def test_a_file_with_any_byte_changed_is_an_error_or_the_same_rows(tmp_path: Path) -> None:
    """Never fewer rows, and never an error that is not named."""
    path = _written(tmp_path / "a.parquet", pa.array([f"text {n}" for n in range(50)]), write_page_checksum=True)
    data, whole = path.read_bytes(), len(documents(path))
    for place in range(4, len(data) - 4):
        path.write_bytes(data[:place] + bytes([data[place] ^ 0x5A]) + data[place + 1 :])
        try:
            found = len(documents(path))
        except CorpusError:
            continue
        assert found == whole, place
