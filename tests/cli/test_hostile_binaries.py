"""Parquet of other types, cut or damaged, and files that unpack to far more than they are (T5)."""

import gzip
import resource
import sys

import pytest

from hostile_files import importing, run, written
from litmusgate.packed import zstd_writer

PARQUET = {
    "a float attempt": {"attempt": [0.0, 1.0]},
    "a null attempt": {"attempt": [0, None]},
    "a negative attempt": {"attempt": [0, -1]},
    "an attempt beyond 32 bits": {"attempt": [0, 2**40]},
    "a null id": {"instance_id": ["a", None]},
    "a number as id": {"instance_id": [1, 2]},
    "bytes as id": {"instance_id": [b"a", b"\xff"]},
    "an id with an escape": {"instance_id": ["a\x1b", "b"]},
    "a null outcome": {"outcome": ["safe", None]},
    "an unknown outcome": {"outcome": ["safe", "PASS"]},
    "an outcome as number": {"outcome": [0, 1]},
    "a score that is NaN": {"graded_score": [float("nan"), None]},
    "an infinite score": {"graded_score": [float("inf"), None]},
    "a truth as number": {"said": [1, 0]},
    "flags of deep JSON": {"flags": ["[" * 100_000 + "]" * 100_000, None]},
    "flags of numbers": {"flags": ["[1]", None]},
    "no outcome": {"outcome": None},
    "an unknown column": {"surprise": [1, 2]},
    "a list as id": {"instance_id": [["a"], ["b"]]},
}


@pytest.fixture(name="parquet")
def _parquet(tmp_path):
    """A good Parquet run of two trials."""
    pytest.importorskip("pyarrow")
    log = written(tmp_path / "log.csv", "id,o\na,x\nb,x\n")
    assert run(*importing(log, tmp_path / "good.parquet"))[0] == 0
    assert run("report", "--analysis", tmp_path / "good.parquet")[0] == 0
    return tmp_path / "good.parquet"


@pytest.mark.parametrize("change", PARQUET.values(), ids=PARQUET)
def test_parquet_of_other_types_is_refused(parquet, change):
    """E1: a column of another type, a null, NaN or word that has no meaning is an error that names it, never a default."""
    import pyarrow as pa
    from pyarrow import parquet as pq

    table = pq.read_table(parquet)
    arrays = {name: table.column(name) for name in table.column_names}
    arrays |= {name: None if values is None else pa.array(values) for name, values in change.items()}
    spoilt = pa.table({name: array for name, array in arrays.items() if array is not None})
    pq.write_table(spoilt.replace_schema_metadata(table.schema.metadata), parquet)
    code, err = run("report", "--analysis", parquet)
    assert (code, "Traceback" in err) == (4, False)
    assert str(parquet) in err


@pytest.mark.parametrize("share", [0, 0.01, 0.5, 0.99])
def test_parquet_cut_short_is_refused(parquet, share):
    """E2: half a Parquet file is unreadable evidence, not fewer trials."""
    data = parquet.read_bytes()
    parquet.write_bytes(data[: int(len(data) * share)])
    code, err = run("report", "--analysis", parquet)
    assert (code, "Traceback" in err) == (4, False)


def test_damaged_parquet_never_reads_as_another_run(parquet):
    """E2: with any one byte changed a Parquet run is refused, or reads as exactly the run it was."""
    from litmusgate import api

    data, digest = parquet.read_bytes(), api.load_run(parquet).digest
    refused = 0
    for place in range(0, len(data), 97):
        spoilt = bytearray(data)
        spoilt[place] ^= 0xFF
        parquet.write_bytes(bytes(spoilt))
        try:
            assert api.load_run(parquet).digest == digest
        except api.RunError:
            refused += 1
    assert refused > len(data) // 97 // 2


BOMBS = [("run", "b.jsonl.zst"), *(("table", f"b.{name}") for name in ("jsonl.zst", "jsonl.gz", "csv.zst", "csv.gz"))]
BOMBS += [("corpus", "b.jsonl.zst"), ("corpus", "b.jsonl.gz")]


@pytest.mark.parametrize(("verb", "name"), BOMBS)
def test_a_bomb_is_refused_in_bounded_memory(tmp_path, verb, name):
    """T5: a small file that unpacks to a great one without a line end is refused long before it is unpacked."""

    block = b"0" * 2**24
    with (
        (tmp_path / name).open("wb") as file,
        zstd_writer(file) if name.endswith(".zst") else gzip.open(file, "wb", 1) as stream,
    ):
        for _ in range(16):
            stream.write(block)
    words = {
        "run": ["report", "--analysis", tmp_path / name],
        "table": importing(tmp_path / name, tmp_path / "out.jsonl"),
        "corpus": ["corpus", "add", tmp_path / "new", tmp_path / name, "--name", "n", "--revision", "1"],
    }[verb]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    code, err = run(*words)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * (1 if sys.platform == "darwin" else 1024)
    assert (code, "Traceback" in err, "line" in err) == (4, False, True)
    assert grown < 250 * 2**20
