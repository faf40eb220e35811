"""Hostile corpora: read or refused by name, in bounded memory, whatever they unpack to."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from backports import zstd

from litmusgate.corpora import line_blocks
from litmusgate.errors import CorpusError
from unit.corpora.corpus_files import documents

_MEBIBYTE = 1 << 20

_MEASURED = """
import pathlib, re, sys
from litmusgate.corpora.readers import Columns
from litmusgate.corpora.shards import list_shards, read_batches
from litmusgate.errors import CorpusError
try:
    read = sum(batch.text_bytes for shard in list_shards(sys.argv[1:]) for batch in read_batches(shard, Columns(), corpus="c"))
except CorpusError as problem:
    read = problem.what
print(read, int(re.search(r"VmHWM:\\s+(\\d+)", pathlib.Path("/proc/self/status").read_text())[1]) // 1024, sep="|")
"""


def _measured(path: Path) -> tuple[str, int]:
    """What reading `path` in a process of its own gives, and the most memory it took, in MiB."""
    if not Path("/proc/self/status").exists():
        pytest.skip("the memory a process took is measured on Linux only")
    ran = subprocess.run([sys.executable, "-c", _MEASURED, str(path)], capture_output=True, text=True, check=True)
    read, memory = ran.stdout.strip().split("|")
    return read, int(memory)


def _packed(path: Path, piece: bytes, times: int, *, before: bytes = b"", after: bytes = b"") -> Path:
    with zstd.open(path, "wb") as stream:
        stream.write(before)
        for _ in range(times):
            stream.write(piece)
        stream.write(after)
    return path


@pytest.mark.slow
def test_a_gigabyte_in_one_line_is_refused_in_bounded_memory(tmp_path: Path) -> None:
    """The line is named long before it is unpacked."""
    path = _packed(tmp_path / "a.jsonl.zst", b"word " * (_MEBIBYTE // 5), 1000, before=b'{"text":"', after=b'"}\n')
    read, memory = _measured(path)
    assert (read, memory < 700) == ("the line is too long", True)


@pytest.mark.slow
def test_a_gigabyte_of_text_without_a_space_is_read_in_parts(tmp_path: Path) -> None:
    """In bounded memory; the overlaps are read twice."""
    read, memory = _measured(_packed(tmp_path / "a.txt.zst", b"w" * _MEBIBYTE, 1000))
    assert int(read) > 1000 * _MEBIBYTE
    assert memory < 700


@pytest.mark.slow
def test_a_text_that_repeats_hundreds_of_times_is_read_in_bounded_memory(tmp_path: Path) -> None:
    """Nearly a gigabyte of text in a few kilobytes of Parquet."""
    arrow = pytest.importorskip("pyarrow", reason="the extra [corpora] is not installed")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(
        arrow.table({"text": arrow.array(["x" * 10**6] * 900, arrow.large_string())}), tmp_path / "a.parquet"
    )
    read, memory = _measured(tmp_path / "a.parquet")
    assert (int(read), memory < 700) == (900 * 10**6, True)


@pytest.mark.slow
def test_a_flood_of_line_ends_is_no_document(tmp_path: Path) -> None:
    """A hundred million blank lines end in an error like one does."""
    assert _measured(_packed(tmp_path / "a.jsonl.zst", b"\n" * _MEBIBYTE, 100))[0] == "the file holds no document"
    assert _measured(_packed(tmp_path / "b.jsonl.zst", b" \r\n" * _MEBIBYTE, 30))[0] == "the file holds no document"


def test_a_line_beyond_the_limit_is_refused_with_its_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One byte decides, whether the line ends or not."""
    monkeypatch.setattr(line_blocks, "MAX_LINE_BYTES", 1000)
    path = tmp_path / "a.jsonl"
    fitting = json.dumps({"text": "x" * 988})
    for end in ("", "\n"):
        path.write_text(f'{{"text": "one"}}\n{fitting}{end}')
        assert [len(document.text) for document in documents(path)] == [3, 988]
        path.write_text(f'{{"text": "one"}}\n{fitting[:-2]}y"}}{end}')
        with pytest.raises(CorpusError, match=r"a\.jsonl:2: the line is too long"):
            documents(path)


def test_floods_of_marks_and_controls_are_texts_like_others(tmp_path: Path) -> None:
    """Combining marks, right-to-left marks, zero bytes and unassigned characters come through unchanged."""
    texts = ["a" + "\u0301" * 300_000, "\u202e\u200f" * 1000, "\x00\x01\x7f", "\ufdd0\U0010ffff", '\\\\"' * 5000]
    for ascii_only in (True, False):
        path = tmp_path / "a.jsonl"
        path.write_text(
            "\n".join(json.dumps({"text": text}, ensure_ascii=ascii_only) for text in texts), encoding="utf-8"
        )
        assert [document.text for document in documents(path)] == texts
