"""The store: append-only, named by content, all or nothing, and never silent about an altered file."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from litmusgate.digest import canonical_bytes, digest_bytes
from litmusgate.errors import RecordError
from litmusgate.store import records as records_module
from litmusgate.store.location import default_store
from litmusgate.store.records import Kind, Store

DIGEST = "sha256:" + "a" * 64
OTHER = "sha256:" + "b" * 64


def verdict(**changes):
    """The few keys of a verdict that the store itself reads, as canonical bytes."""
    value = {
        "agent": "bot",
        "build": "2",
        "decision": "BLOCK",
        "evaluated_at": "2026-11-30T12:00:00Z",
        "suite": {"digest": DIGEST},
        "inputs": {"run": [OTHER]},
    }
    return canonical_bytes(value | changes)


def test_a_record_is_named_by_the_sha256_of_its_bytes(tmp_path):
    """What is put comes back under the digest of exactly these bytes."""
    store = Store(tmp_path / "store")
    data = canonical_bytes({"b": 1, "a": [1.5, None]})
    digest = store.put_record(Kind.ADMISSION, data)
    assert digest == digest_bytes(data)
    assert store.get_record(Kind.ADMISSION, digest) == data
    assert store.has_record(Kind.ADMISSION, digest)
    assert not store.has_record(Kind.VERDICT, digest)


def test_putting_the_same_record_again_changes_nothing(tmp_path):
    """Writing is idempotent: one file, same content, no temporary files left."""
    store = Store(tmp_path)
    data = canonical_bytes({"a": 1})
    assert store.put_record(Kind.POLICY, data) == store.put_record(Kind.POLICY, data)
    assert [path.name for path in (tmp_path / "records" / "policy").iterdir()] == [digest_bytes(data)[7:] + ".json"]


@pytest.mark.parametrize("data", [b'{"a": 1}', b'{"b":1,"a":1}', b"", b"{", b'{"a":NaN}', b"\xff"])
def test_a_record_must_be_canonical_json(tmp_path, data):
    """Bytes whose digest another writer of the same content would not get are refused."""
    with pytest.raises(RecordError, match="record must be"):
        Store(tmp_path).put_record(Kind.RUN, data)


def test_an_altered_record_is_refused_by_name_when_read_listed_or_put(tmp_path):
    """A record whose bytes no longer match its name is an error naming the file, never its new content (T2)."""
    store = Store(tmp_path)
    data = canonical_bytes({"decision": "BLOCK"})
    digest = store.put_record(Kind.VERDICT, data)
    path = tmp_path / "records" / "verdict" / f"{digest[7:]}.json"
    path.write_bytes(data.replace(b"BLOCK", b"PASS"))
    for read in (
        lambda: store.get_record(Kind.VERDICT, digest),
        lambda: list(store.iter_records(Kind.VERDICT)),
        lambda: store.put_record(Kind.VERDICT, data),
    ):
        with pytest.raises(RecordError, match="altered") as caught:
            read()
        assert str(path) in str(caught.value)


def test_an_absent_record_is_an_error_and_an_absent_store_is_empty(tmp_path):
    """Missing is never an empty record; listing where nothing was written gives nothing."""
    store = Store(tmp_path / "nowhere")
    assert not store.exists
    assert list(store.iter_records(Kind.VERDICT)) == []
    assert store.earlier_verdicts(agent="bot", build="2", suite_digest=DIGEST) == ()
    with pytest.raises(RecordError, match="not in the store"):
        store.get_record(Kind.VERDICT, DIGEST)


@pytest.mark.parametrize(
    "digest", ["", "sha256:abc", "../../etc/passwd", "sha256:" + "A" * 64, "sha256:" + "a" * 64 + "/.."]
)
def test_only_a_digest_becomes_a_file_name(tmp_path, digest):
    """No text from a record reaches a path: what is not a digest is refused (T5)."""
    with pytest.raises(RecordError, match="not a digest"):
        Store(tmp_path).get_record(Kind.VERDICT, digest)
    with pytest.raises(RecordError, match="not a digest"):
        Store(tmp_path).put_input(digest, b"x")


def test_records_are_listed_sorted_and_strangers_are_named(tmp_path):
    """Listing is in the order of digests; a dot file is passed over, any other stranger is an error."""
    store = Store(tmp_path)
    digests = [store.put_record(Kind.RUN, canonical_bytes({"n": number})) for number in range(5)]
    (tmp_path / "records" / "run" / ".writing-x").write_bytes(b"half")
    assert [digest for digest, _ in store.iter_records(Kind.RUN)] == sorted(digests)
    (tmp_path / "records" / "run" / "note.json").write_bytes(b"{}")
    with pytest.raises(RecordError, match=r"not a record") as caught:
        list(store.iter_records(Kind.RUN))
    assert "note.json" in str(caught.value)


def test_concurrent_writers_of_one_record_leave_it_whole(tmp_path):
    """Many writers of the same records end with every record intact and nothing else in the folder."""
    bodies = [canonical_bytes({"n": number, "text": "x" * 50_000}) for number in range(3)]

    def write(number):
        return Store(tmp_path).put_record(Kind.BASELINE, bodies[number % 3])

    with ThreadPoolExecutor(8) as pool:
        digests = set(pool.map(write, range(48)))
    assert {digest for digest, _ in Store(tmp_path).iter_records(Kind.BASELINE)} == digests
    assert len(list((tmp_path / "records" / "baseline").iterdir())) == 3


def test_a_write_that_fails_leaves_no_trace(tmp_path, monkeypatch):
    """A full disk is an error naming the file, with neither a half record nor a temporary file left behind."""

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(RecordError, match="cannot be written"):
        Store(tmp_path).put_record(Kind.RUN, b"{}")
    assert list((tmp_path / "records" / "run").iterdir()) == []


def test_an_input_keeps_its_format_and_nothing_else_of_its_name(tmp_path):
    """An input is found under its content digest with the ending its reader needs (T5)."""
    source = tmp_path / "evil ::error name.jsonl.zst"
    source.write_bytes(b"data")
    store = Store(tmp_path / "store")
    store.put_input(DIGEST, source)
    assert store.input_path(DIGEST).name == "a" * 64 + ".jsonl.zst"
    assert store.input_path(DIGEST).read_bytes() == b"data"
    store.put_input(OTHER, b"{}", suffix=".json")
    assert store.input_path(OTHER).name == "b" * 64 + ".json"
    bare = "sha256:" + "c" * 64
    store.put_input(bare, b"raw", suffix=".exe")
    assert store.input_path(bare).name == "c" * 64
    assert store.input_path(bare).read_bytes() == b"raw"


def test_an_input_already_kept_is_never_replaced(tmp_path):
    """Append-only: other bytes under the same digest and format change nothing; the reader's check decides which is true."""
    store = Store(tmp_path)
    store.put_input(DIGEST, b"first", suffix=".json")
    store.put_input(DIGEST, b"second", suffix=".json")
    assert store.input_path(DIGEST).read_bytes() == b"first"


def test_a_large_input_is_referred_to_by_path_and_digest(tmp_path, monkeypatch):
    """Above the limit the store keeps a reference; it leads to the file while it is there and says so when it is gone."""
    monkeypatch.setattr(records_module, "COPY_LIMIT_BYTES", 3)
    source = tmp_path / "big.parquet"
    source.write_bytes(b"four")
    store = Store(tmp_path / "store")
    store.put_input(DIGEST, source)
    assert store.input_path(DIGEST) == source.resolve()
    reference = tmp_path / "store" / "inputs" / ("a" * 64 + ".ref")
    assert json.loads(reference.read_bytes()) == {"path": str(source.resolve()), "digest": DIGEST, "bytes": 4}
    before = reference.stat().st_ino
    store.put_input(DIGEST, source)
    assert reference.stat().st_ino == before
    moved = source.rename(tmp_path / "moved.parquet")
    with pytest.raises(RecordError, match="is gone"):
        store.input_path(DIGEST)
    store.put_input(DIGEST, moved)
    assert store.input_path(DIGEST) == moved.resolve()


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'{"path":1,"digest":2}'])
def test_a_malformed_reference_is_an_error(tmp_path, content):
    """A reference that cannot be read leads nowhere and says so."""
    (tmp_path / "inputs").mkdir()
    (tmp_path / "inputs" / ("a" * 64 + ".ref")).write_bytes(content)
    with pytest.raises(RecordError, match="malformed"):
        Store(tmp_path).input_path(DIGEST)


def test_a_broken_reference_is_mended_by_keeping_the_input_again(tmp_path, monkeypatch):
    """A reference that leads nowhere is no record: keeping the large input again writes one that leads to it."""
    monkeypatch.setattr(records_module, "COPY_LIMIT_BYTES", 0)
    source = tmp_path / "x.parquet"
    source.write_bytes(b"x")
    (tmp_path / "inputs").mkdir()
    (tmp_path / "inputs" / ("a" * 64 + ".ref")).write_bytes(b"not json")
    store = Store(tmp_path)
    store.put_input(DIGEST, source)
    assert store.input_path(DIGEST) == source.resolve()


def test_a_reference_to_another_input_is_an_error(tmp_path):
    """A reference copied under another name is noticed."""
    target = tmp_path / "x"
    target.write_bytes(b"x")
    (tmp_path / "inputs").mkdir()
    (tmp_path / "inputs" / ("a" * 64 + ".ref")).write_text(json.dumps({"path": str(target), "digest": OTHER}))
    with pytest.raises(RecordError, match="another input"):
        Store(tmp_path).input_path(DIGEST)


def test_a_missing_input_names_its_digest(tmp_path):
    """An input that was never kept is an error with the digest in it (T2)."""
    with pytest.raises(RecordError, match=DIGEST):
        Store(tmp_path).input_path(DIGEST)
    with pytest.raises(RecordError, match="cannot be read"):
        Store(tmp_path).put_input(DIGEST, tmp_path / "nothing.json")


def test_unreadable_files_are_errors_and_not_absences(tmp_path):
    """A folder in a file's place is not taken for an absent record."""
    (tmp_path / "records" / "run" / ("a" * 64 + ".json")).mkdir(parents=True)
    with pytest.raises(RecordError, match="cannot be read"):
        Store(tmp_path).get_record(Kind.RUN, DIGEST)


def test_earlier_verdicts_are_those_of_this_build_on_this_suite(tmp_path):
    """Other agents, builds, suites and unreadable suites do not count; the oldest comes first, with its runs (B15)."""
    store = Store(tmp_path)
    late = store.put_record(Kind.VERDICT, verdict(evaluated_at="2026-12-01T00:00:00Z"))
    early = store.put_record(Kind.VERDICT, verdict())
    for change in ({"agent": "x"}, {"build": "1"}, {"suite": {"digest": OTHER}}, {"suite": None}):
        store.put_record(Kind.VERDICT, verdict(**change))
    found = store.earlier_verdicts(agent="bot", build="2", suite_digest=DIGEST)
    assert [item.digest for item in found] == [early, late]
    assert found[0].runs == (OTHER,)
    assert found[0].decision == "BLOCK"


@pytest.mark.parametrize("data", [b"{}", b"[]", b"1", b"", b"no JSON", b"\xff", b"[" * 100_000])
def test_a_verdict_record_without_a_verdicts_keys_is_an_error(tmp_path, data):
    """History that cannot be read is not an empty history, and not a crash, whatever stands in the file (B15)."""
    store = Store(tmp_path)
    store.put_record(Kind.VERDICT, verdict())
    (tmp_path / "records" / "verdict" / f"{digest_bytes(data)[7:]}.json").write_bytes(data)
    with pytest.raises(RecordError, match="lacks"):
        store.earlier_verdicts(agent="bot", build="2", suite_digest=DIGEST)


def test_the_default_store_is_given_then_named_then_beside(tmp_path):
    """`--store` wins over the environment, which wins over the folder of the policy or record."""
    beside = tmp_path / "policy.yaml"
    assert default_store(Path("s"), beside=beside, environment={"LITMUSGATE_STORE": "e"}).path == Path("s")
    assert default_store(None, beside=beside, environment={"LITMUSGATE_STORE": "e"}).path == Path("e")
    assert default_store(None, beside=beside, environment={"LITMUSGATE_STORE": ""}).path == tmp_path / ".litmusgate"
    assert default_store(None, beside=beside, environment={}).path == tmp_path / ".litmusgate"


def test_the_store_is_readable_for_others_of_the_team(tmp_path):
    """Records are ordinary files, not private to whoever wrote them."""
    store = Store(tmp_path)
    store.put_input(DIGEST, b"x")
    assert store.input_path(DIGEST).stat().st_mode & 0o777 == 0o644
