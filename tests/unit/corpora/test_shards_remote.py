"""Addresses with a scheme: the same shards and documents as on disk, and every failure of a store named."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from litmusgate.corpora import remote_files
from litmusgate.corpora.readers import Columns
from litmusgate.corpora.shards import Shard, list_shards, read_batches
from litmusgate.errors import CorpusError
from unit.corpora.corpus_files import documents, write_rows

fsspec = pytest.importorskip("fsspec", reason="the extra [corpora] is not installed")
ROWS = [{"id": f"d{n}", "text": f"text {n} é"} for n in range(300)]
NAMES = ("a.jsonl", "deep/b.jsonl.zst", "deep/c.parquet", "deep/d.jsonl.gz")


@pytest.fixture
def local(tmp_path: Path) -> Path:
    """A folder with one file of each format, and files that are passed over."""
    pytest.importorskip("pyarrow", reason="the extra [corpora] is not installed")
    (tmp_path / "corpus" / "deep").mkdir(parents=True)
    for name in NAMES:
        write_rows(tmp_path / "corpus" / name, ROWS)
    (tmp_path / "corpus" / "README.md").write_text("x")
    (tmp_path / "corpus" / "deep" / "_SUCCESS").write_text("")
    return tmp_path / "corpus"


@pytest.fixture
def remote(local: Path) -> Iterator[str]:
    """The same in memory."""
    system = fsspec.filesystem("memory")
    system.put(str(local), "/corpus", recursive=True)
    yield "memory://corpus"
    system.rm("/corpus", recursive=True)


def test_a_store_gives_the_documents_that_a_folder_gives(local: Path, remote: str) -> None:
    """Folders, single files and patterns; names come from the file and not from where it is."""
    assert documents(remote) == documents(local)
    assert documents(f"{remote}/a.jsonl") == documents(local / "a.jsonl")
    assert documents(f"{remote}/deep/*.jsonl.*") == [
        *documents(local / "deep" / "b.jsonl.zst"),
        *documents(local / "deep" / "d.jsonl.gz"),
    ]
    assert documents(f"file://{local}") == documents(local)
    assert [shard.uri for shard in list_shards([remote])] == [f"memory:///corpus/{name}" for name in NAMES]


def test_a_file_that_changes_has_another_tag(local: Path, remote: str) -> None:
    """Also where its size is the same."""
    first = list_shards([f"{remote}/a.jsonl"])
    fsspec.filesystem("memory").pipe("/corpus/a.jsonl", (local / "a.jsonl").read_bytes())
    assert list_shards([f"{remote}/a.jsonl"])[0].etag != first[0].etag


def test_a_file_that_was_cut_off_after_it_was_listed_is_an_error(local: Path, remote: str) -> None:
    """Between two lines too: it has other bytes than were promised."""
    (shard,) = list_shards([f"{remote}/a.jsonl"])
    data = (local / "a.jsonl").read_bytes()
    fsspec.filesystem("memory").pipe("/corpus/a.jsonl", data[: data.index(b"\n") + 1])
    with pytest.raises(CorpusError, match="other bytes than when it was listed"):
        list(read_batches(shard, Columns(), corpus="pub"))


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("memory://absent", "cannot be listed"),
        ("memory://absent/*.jsonl", "no corpus file here"),
        ("nosuchscheme://a/b.jsonl", "cannot be opened"),
    ],
)
def test_an_address_where_nothing_is_is_an_error(address: str, message: str) -> None:
    """An absent file, a pattern without a match, and a scheme that nobody knows."""
    with pytest.raises(CorpusError, match=message) as caught:
        list_shards([address])
    assert str(caught.value.at) == address


def test_a_file_that_is_gone_is_an_error(remote: str) -> None:
    """It was listed; that it cannot be opened is named."""
    for name in ("gone.jsonl", "gone.parquet"):
        with pytest.raises(CorpusError, match=f"{name}: the file cannot be read"):
            list(read_batches(Shard(uri=f"{remote}/{name}", part=None, size=7, etag="x"), Columns(), corpus="pub"))


@pytest.mark.parametrize("name", ["a.jsonl", "deep/c.parquet", "deep/b.jsonl.zst"])
def test_a_connection_that_breaks_is_an_error(remote: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a store's library raises half-way; what was read until then counts for nothing."""

    class _BrokenError(Exception):
        pass

    class _Breaking:
        closed, reads = False, 0

        def __init__(self, stream: Any) -> None:
            self._stream = stream

        def __getattr__(self, name: str) -> Any:
            return getattr(self._stream, name)

        def read(self, size: int) -> bytes:
            self.reads += 1
            if self.reads > 1:
                raise _BrokenError("the other side hung up")
            return bytes(self._stream.read(size))

    asked = remote_files._system

    def breaking(uri: str) -> tuple[Any, str]:
        system, path = asked(uri)
        stream = system.open(path, "rb")

        class _System:
            @staticmethod
            def open(*_: Any, **__: Any) -> _Breaking:
                return _Breaking(stream)

        return _System, path

    (shard,) = list_shards([f"{remote}/{name}"])
    monkeypatch.setattr(remote_files, "_system", breaking)
    with pytest.raises(CorpusError, match=r"cannot be read to its end(.|\n)*hung up"):
        list(read_batches(shard, Columns(), corpus="pub"))


@pytest.fixture
def bucket(local: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The same in an S3 store on this machine."""
    pytest.importorskip("s3fs", reason="the extra [s3] is not installed")
    server = pytest.importorskip("moto.server", reason="moto is not installed")
    for name, value in {
        "AWS_ACCESS_KEY_ID": "a",
        "AWS_SECRET_ACCESS_KEY": "b",
        "AWS_DEFAULT_REGION": "us-east-1",
    }.items():
        monkeypatch.setenv(name, value)
    running = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
    fsspec.filesystem("s3").clear_instance_cache()
    system = fsspec.filesystem("s3")
    system.mkdir("shards")  # a name of its own: stores of one process share their buckets
    system.put(str(local), "shards/corpus", recursive=True)
    yield "s3://shards/corpus"
    running.stop()
    assert threading.active_count() < 50


@pytest.mark.slow
def test_an_object_store_gives_the_documents_that_a_folder_gives(local: Path, bucket: str) -> None:
    """Over HTTP, by ranges; the tag is the store's own, and an absent bucket is named."""
    assert documents(bucket) == documents(local)
    assert all(len(shard.etag) > 20 for shard in list_shards([bucket]))
    with pytest.raises(CorpusError, match="s3://absent"):
        list_shards(["s3://absent/corpus"])
