"""Files that appear whole or not at all, and libraries that may be absent."""

import sys

import pytest
from backports import zstd

from litmusgate.corpora import shards
from litmusgate.corpora.readers import Columns
from litmusgate.durable import replaced, write_durably
from litmusgate.errors import CorpusError, ImportFormatError, RunError, UsageError
from litmusgate.extras import corpora_module
from litmusgate.importers.batches import read_batches
from litmusgate.runs.files import read_run


def _read_corpus(path):
    (shard,) = shards.list_shards([str(path)])
    return list(shards.read_batches(shard, Columns(), corpus="pub"))


def test_a_file_appears_whole_and_replaces_what_was_there(tmp_path):
    """The folder is made, the bytes are those given, and nothing else stays behind."""
    target = tmp_path / "new" / "file"
    for data in (b"one", b"two"):
        write_durably(target, data)
        assert target.read_bytes() == data
    assert list(target.parent.iterdir()) == [target]


def test_a_write_that_is_interrupted_leaves_the_old_file(tmp_path):
    """Half a file is never seen, whatever ended the writing."""
    target = tmp_path / "file"
    target.write_bytes(b"old")

    def interrupted():
        with replaced(target) as stream:
            stream.write(b"half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("file", b"old")]


def test_the_longest_name_a_disk_takes_can_be_written(tmp_path):
    """The temporary name does not grow with the file's own."""
    target = tmp_path / ("n" * 255)
    write_durably(target, b"x")
    assert target.read_bytes() == b"x"


@pytest.mark.parametrize(
    ("name", "read", "error"),
    [
        ("run.parquet", read_run, UsageError),
        ("log.parquet", lambda path: list(read_batches(path, frozenset({"id"}))), UsageError),
        ("corpus.parquet", _read_corpus, CorpusError),
    ],
)
def test_an_absent_library_is_an_error_that_names_the_extra(name, read, error, tmp_path, monkeypatch):
    """Without `[corpora]` a file that needs it is refused by name with the next step, never read as empty."""
    path = tmp_path / name
    path.write_bytes(b"(\xb5/\xfd")
    for library in ("pyarrow", "pyarrow.parquet"):
        monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(error, match=r"which is not installed(.|\n)*litmusgate\[corpora\]") as refused:
        read(path)
    assert str(refused.value.at) == str(path)


def test_a_library_that_is_there_is_given():
    """The module itself, so that callers use its own names."""
    assert corpora_module("json").loads("1") == 1


@pytest.mark.parametrize(
    ("name", "read", "error"),
    [
        ("run.jsonl.zst", read_run, RunError),
        ("log.jsonl.zst", lambda path: list(read_batches(path, frozenset({"id"}))), ImportFormatError),
        ("corpus.jsonl.zst", _read_corpus, CorpusError),
    ],
)
@pytest.mark.parametrize(
    "data", [b"(\xb5/\xfd", b"no frame at all\n", zstd.compress(b"{}\n" * 99)[:-2]], ids=["cut", "damaged", "cut late"]
)
def test_a_damaged_compressed_file_is_an_error_of_its_kind(name, read, error, data, tmp_path):
    """A frame that is cut off or is none is never read as a shorter file (E2)."""
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(error) as refused:
        read(path)
    assert refused.value.at.path == str(path)
