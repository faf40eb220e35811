"""Whole scans of an S3 store on this machine: the report of a folder, changed objects, and a store that goes away."""

import json
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from litmusgate.app.corpus_scan import ScanProgress, ScanRequest, scan_corpus
from litmusgate.app.scan_report import scan_exit_code
from litmusgate.corpora.readers import Columns
from litmusgate.provenance.match import ProvenanceStatus
from unit.corpora.scanned_copies import scan_command, write_corpus, write_suite

fsspec = pytest.importorskip("fsspec", reason="the extra [corpora] is not installed")
pytest.importorskip("pyarrow", reason="the extra [corpora] is not installed")
pytest.importorskip("s3fs", reason="the extra [s3] is not installed")
moto = pytest.importorskip("moto.server", reason="moto is not installed")

CORPUS = "s3://bucket/corpus"
ENVIRONMENT = {
    "AWS_ACCESS_KEY_ID": "a",
    "AWS_SECRET_ACCESS_KEY": "b",
    "AWS_DEFAULT_REGION": "us-east-1",
    "AWS_MAX_ATTEMPTS": "1",
}


class Store:
    """A store that can be stopped, with the small corpus in it; `folder` holds the same on disk."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        self._server.start()
        self._runs = True
        host, port = self._server.get_host_and_port()
        self.endpoint = f"http://{host}:{port}"
        reset = urllib.request.Request(f"{self.endpoint}/moto-api/reset", method="POST")
        urllib.request.urlopen(reset).close()  # all stores of one process hold the same

    def put(self, path: Path, address: str = CORPUS) -> None:
        """Upload a file or a folder."""
        self.system().put(str(path), address, recursive=path.is_dir())

    def system(self) -> Any:
        """A file system that remembers nothing of other stores."""
        fsspec.filesystem("s3").clear_instance_cache()
        return fsspec.filesystem("s3")

    def stop(self) -> None:
        """Hear nobody any more."""
        if self._runs:
            self._runs = False
            self._server.stop()
            self._server._server.server_close()


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """The small corpus as Parquet and JSON lines, in a store and on disk."""
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    running = Store(write_corpus(tmp_path))
    monkeypatch.setenv("AWS_ENDPOINT_URL", running.endpoint)
    running.system().mkdir("bucket")
    running.put(running.folder)
    yield running
    running.stop()


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["threads:2", "processes:2"])
def test_a_store_gives_the_report_that_a_folder_gives(workers: str, store: Store, tmp_path: Path) -> None:
    """Byte for byte: where the bytes came from is no part of what was found in them."""
    scan = ("--suite", write_suite(tmp_path), "--format", "json", "--workers", workers)
    near, far = (scan_command(*scan, place) for place in (store.folder, CORPUS))
    assert (far.returncode, far.stdout) == (near.returncode, near.stdout) == (1, near.stdout), far.stderr
    told = {item["instance_id"]: item["status"] for item in json.loads(far.stdout)["instances"]}
    assert told == {"copied": "contaminated", "hidden": "contaminated", "clean": "clean"}


@pytest.mark.slow
def test_an_object_that_changed_is_scanned_again(store: Store, tmp_path: Path) -> None:
    """Its tag is another one, even where size and name are the same; all others are taken over."""
    request = _request(tmp_path, resume=tmp_path / "kept")
    assert _statuses(request)["copied"] is ProvenanceStatus.CONTAMINATED
    part = store.folder / "part-0.jsonl"
    changed = (
        part.read_bytes().replace(b"wire", b"give").replace(b"harbour", b"reading").replace(b"tonight", b"at dawn")
    )
    changed = changed.replace(b"escrow", b"brandy").replace(b"estate", b"wagons").replace(b"balance", b"cellar ")
    assert len(changed) == part.stat().st_size
    part.write_bytes(changed)
    store.put(part, f"{CORPUS}/part-0.jsonl")
    again = scan_corpus(request)
    assert again.reused == 5
    (copied,) = (item for item in again.result.results if item.instance_id == "copied")
    assert copied.status is not ProvenanceStatus.CONTAMINATED


@pytest.mark.slow
def test_a_store_that_goes_away_in_the_middle_makes_the_scan_incomplete(store: Store, tmp_path: Path) -> None:
    """What it did not give is named, shard by shard; what was found before stands, all else is unknown, exit 4."""

    def stop_after_one(progress: ScanProgress) -> None:
        if progress.shards_done:
            store.stop()

    scan = scan_corpus(_request(tmp_path, workers="threads:1"), on_progress=stop_after_one)
    statuses = {item.instance_id: item.status for item in scan.result.results}
    assert statuses == {
        "copied": ProvenanceStatus.CONTAMINATED,
        "hidden": ProvenanceStatus.UNKNOWN,
        "clean": ProvenanceStatus.UNKNOWN,
    }
    assert scan_exit_code(scan.result) == 4
    assert {name.rpartition("/")[0] for name, _ in scan.result.problems} == {CORPUS}
    assert 2 <= len(scan.result.problems) <= 5
    assert all("cannot be read to its end" in problem for _, problem in scan.result.problems)


@pytest.mark.slow
def test_a_store_that_cannot_be_listed_ends_the_scan(store: Store, tmp_path: Path) -> None:
    """No such bucket, nothing under the address, nobody there: exit 4 and the address, never a report."""
    suite = write_suite(tmp_path)
    for address in ("s3://absent/corpus", "s3://bucket/nothing"):
        done = scan_command("--suite", suite, "--format", "json", address)
        assert (done.returncode, done.stdout) == (4, b""), done.stderr
        assert address.encode() in done.stderr
    store.stop()
    done = scan_command("--suite", suite, "--format", "json", CORPUS)
    assert (done.returncode, done.stdout) == (4, b""), done.stderr
    assert CORPUS.encode() in done.stderr


def _request(folder: Path, *, workers: str | None = None, resume: Path | None = None) -> ScanRequest:
    return ScanRequest(
        suite=write_suite(folder), paths=(CORPUS,), columns=Columns(), engine="plain", workers=workers, resume=resume
    )


def _statuses(request: ScanRequest) -> dict[str, ProvenanceStatus]:
    return {item.instance_id: item.status for item in scan_corpus(request).result.results}
