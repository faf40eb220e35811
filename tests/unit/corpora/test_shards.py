"""Shards: what a path stands for, and what tells that a file is not the one that was listed."""

import os
import pickle
from pathlib import Path

import pytest

from litmusgate.corpora import shard_parquet, shard_text, shards
from litmusgate.corpora.readers import Columns
from litmusgate.corpora.shards import Shard, list_shards, read_batches
from litmusgate.errors import CorpusError
from unit.corpora.corpus_files import documents, jsonl, of_batch, write_rows

ROWS = [{"text": "one"}]


def _names(*paths: Path | str) -> list[str]:
    return [Path(shard.uri).name for shard in list_shards([str(path) for path in paths])]


def test_a_folder_is_every_file_under_it_but_hidden_ones_and_readmes(tmp_path: Path) -> None:
    """Recursively, in order; names that begin with a dot or an underscore, read-mes and licences are passed over."""
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    kept = ["a.jsonl", "deep/b.parquet", "deep/er/c.txt.gz", "deep/LICENSED.jsonl", "z.csv"]
    for name in [
        *kept,
        ".hidden.jsonl",
        "_SUCCESS",
        "README.md",
        "README",
        "LICENSE",
        "LICENSE-MIT.txt",
        ".git/d.jsonl",
    ]:
        (tmp_path / name).write_text("x")
    found = [str(Path(shard.uri).relative_to(tmp_path)) for shard in list_shards([str(tmp_path)])]
    assert found == sorted(kept)


def test_a_file_of_an_unknown_format_in_a_folder_is_a_shard_that_fails_by_name(tmp_path: Path) -> None:
    """What cannot be read is not left out: scanning the folder without it would be a smaller corpus."""
    jsonl(tmp_path / "a.jsonl", ROWS)
    (tmp_path / "b.csv").write_text("text\none\n")
    shard = list_shards([str(tmp_path)])[1]
    with pytest.raises(CorpusError, match=r"b\.csv: the file is of no known corpus format"):
        list(read_batches(shard, Columns(), corpus="pub"))


def test_a_hidden_file_that_is_named_is_read(tmp_path: Path) -> None:
    """Only folders pass files over; who names a file means it."""
    assert [document.text for document in documents(jsonl(tmp_path / "_a.jsonl", ROWS))] == ["one"]


@pytest.mark.parametrize("path", ["absent.jsonl", "absent", "absent/*.jsonl", "empty"])
def test_a_path_without_a_corpus_file_is_an_error(tmp_path: Path, path: str) -> None:
    """An absent path, an empty folder and a pattern that matches nothing are no corpus."""
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "README.md").write_text("x")
    with pytest.raises(CorpusError, match=path.split("/", maxsplit=1)[0]):
        list_shards([str(tmp_path / path)])


def test_a_pattern_stands_for_the_files_it_matches(tmp_path: Path) -> None:
    """Stars match as in a shell, folders are no files, and a file whose name looks like a pattern is that file."""
    (tmp_path / "c.jsonl").mkdir()
    for name in ("a.jsonl", "b.jsonl", "d.txt", "[a].jsonl"):
        (tmp_path / name).write_text("x")
    assert _names(tmp_path / "?.jsonl") == ["a.jsonl", "b.jsonl"]
    assert _names(tmp_path / "[a].jsonl") == ["[a].jsonl"]


def test_a_file_that_is_named_twice_is_read_once(tmp_path: Path) -> None:
    """Within a folder and by itself: documents are not doubled."""
    path = jsonl(tmp_path / "a.jsonl", ROWS)
    assert _names(tmp_path, path) == ["a.jsonl"]


def test_links_are_followed_and_circles_end(tmp_path: Path) -> None:
    """A linked folder is part of the corpus; one that leads back is entered once."""
    (tmp_path / "far").mkdir()
    (tmp_path / "corpus").mkdir()
    jsonl(tmp_path / "far" / "a.jsonl", ROWS)
    (tmp_path / "corpus" / "linked").symlink_to(tmp_path / "far")
    (tmp_path / "far" / "back").symlink_to(tmp_path / "corpus")
    assert _names(tmp_path / "corpus") == ["a.jsonl"]


def test_a_link_to_nothing_is_an_error(tmp_path: Path) -> None:
    """A file that is gone is not a file less."""
    jsonl(tmp_path / "a.jsonl", ROWS)
    (tmp_path / "b.jsonl").symlink_to(tmp_path / "gone")
    with pytest.raises(CorpusError, match=r"b\.jsonl: the corpus cannot be listed"):
        list_shards([str(tmp_path)])


def test_what_is_no_regular_file_is_an_error(tmp_path: Path) -> None:
    """Reading a pipe could wait for ever."""
    os.mkfifo(tmp_path / "a.jsonl")
    with pytest.raises(CorpusError, match="no regular file"):
        list_shards([str(tmp_path)])


def test_a_file_that_changed_since_it_was_listed_is_an_error(tmp_path: Path) -> None:
    """Cut off between two lines, it would read like a shorter corpus."""
    for name in ("a.jsonl", "a.parquet", "a.txt"):
        path = write_rows(tmp_path / name, [*ROWS, *ROWS])
        (shard,) = list_shards([str(path)])
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
        with pytest.raises(CorpusError, match=f"{name}: the file has changed since it was listed"):
            list(read_batches(shard, Columns(), corpus="pub"))


def test_a_file_that_grows_while_it_is_read_is_an_error(tmp_path: Path) -> None:
    """What was read is not what was listed."""
    path = jsonl(tmp_path / "a.jsonl", ROWS * 10)
    (shard,) = list_shards([str(path)])
    grown = Shard(uri=shard.uri, part=None, size=shard.size - 1, etag=shard.etag)
    with pytest.raises(CorpusError, match="other bytes than when it was listed"):
        list(read_batches(grown, Columns(), corpus="pub"))


def test_a_shard_can_be_sent_to_another_process(tmp_path: Path) -> None:
    """It is a value, equal after the journey."""
    shards_found = list_shards([str(jsonl(tmp_path / "a.jsonl", ROWS))])
    assert pickle.loads(pickle.dumps(shards_found)) == shards_found


def test_a_large_parquet_file_is_several_shards_that_are_the_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Row groups are shared out, none twice and none left out; rows keep their numbers in the file."""
    arrow = pytest.importorskip("pyarrow", reason="the extra [corpora] is not installed")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "a.parquet"
    parquet.write_table(arrow.table({"text": [f"text {n}" * 50 for n in range(1000)]}), path, row_group_size=90)
    whole = documents(path)
    for module in (shards, shard_parquet):
        monkeypatch.setattr(module, "PART_BYTES", path.stat().st_size // 4)
    parts = list_shards([str(path)])
    assert len(parts) > 2
    assert [part.part[0] for part in parts[1:] if part.part] == [part.part[1] for part in parts[:-1] if part.part]
    assert sum(part.size for part in parts) <= path.stat().st_size
    assert documents(path) == whole
    broken = path.read_bytes()
    path.write_bytes(broken[:-3])
    assert [shard.part for shard in list_shards([str(path)])] == [None]
    with pytest.raises(CorpusError, match=r"a\.parquet"):
        documents(path)


def test_a_long_text_file_is_read_in_parts_that_overlap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts are named by their first byte; each repeats the end of the one before, and together they are the file."""
    monkeypatch.setattr(shard_text, "PART_BYTES", 1000)
    monkeypatch.setattr(shard_text, "OVERLAP_BYTES", 100)
    for text in (" ".join(f"wörd{n}" for n in range(1000)), "é" * 3000, "漢" * 3000):
        path = tmp_path / "a.txt"
        path.write_text(text, encoding="utf-8")
        data = path.read_bytes()
        found = documents(path)
        assert len(found) > 5
        end = 0
        for document in found:
            start = int((document.id + "@0").split("@")[1])
            part = document.text.encode()
            assert data[start : start + len(part)] == part
            assert start == 0 or 90 <= end - start <= 400
            end = start + len(part)
        assert end == len(data)
        assert documents(path)[0].id == "a.txt"


def test_real_corpora_are_read_whole(shared_data: Path) -> None:
    """Every line of every shared corpus, and every row of the benchmark's, is a document."""
    folder = shared_data / "data" / "corpora"
    lines = sum(len(path.read_bytes().splitlines()) for path in folder.glob("*.jsonl"))
    found = documents(folder, columns=Columns(id="item_id", corpus="corpus"))
    assert len(found) == lines > 10_000
    assert {document.corpus for document in found} == {path.stem for path in folder.glob("*.jsonl")}
    pytest.importorskip("pyarrow", reason="the extra [corpora] is not installed")
    (shard, *_) = list_shards([str(shared_data / "bench" / "provenance" / "corpus")])
    rows = [
        row for batch in read_batches(shard, Columns(id="id", source="source"), corpus="c") for row in of_batch(batch)
    ]
    assert len(rows) == len({row.id for row in rows}) == 1876
