"""Finished shards, kept so that a scan can go on."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from litmusgate.corpora.checkpoints import Checkpoints
from litmusgate.corpora.shard_scan import ShardReading
from litmusgate.corpora.shards import Shard
from litmusgate.errors import CorpusError
from litmusgate.provenance.encoded import Encoding
from litmusgate.provenance.reading import Reading, TouchedDocument

PLAN = "sha256:" + "1" * 64
SHARD = Shard(uri="corpus/a.jsonl", part=None, size=100, etag="e1")


def _reading() -> Reading:
    touched = [
        TouchedDocument(
            corpus="web",
            id=f"d{number}",
            source="s",
            encoding=encoding,
            words=np.asarray([0, 7, 9][:number], np.uint32),
            grams=np.asarray([4], np.uint32),
            short_texts=(2, 5),
            text="naïve text".encode(),
        )
        for number, encoding in ((3, None), (0, Encoding.ROT13))
    ]
    return Reading(
        documents=5,
        blank=4,
        text_bytes=99,
        touched=touched,
        met_bytes=10_000,
        kept_bytes=sum(item.kept_bytes for item in touched),
        left_documents={3: 2},
        left_sources={3: frozenset({"x", "y"})},
    )


def _same(one: Reading, other: Reading) -> bool:
    def plain(item: TouchedDocument) -> tuple[object, ...]:
        return *item.order(), item.source, item.words.tolist(), item.grams.tolist(), item.short_texts

    counts = [
        (it.documents, it.blank, it.text_bytes, it.met_bytes, it.kept_bytes, it.left_documents, it.left_sources)
        for it in (one, other)
    ]
    return counts[0] == counts[1] and [*map(plain, one.touched)] == [*map(plain, other.touched)]


def test_a_finished_shard_is_found_again(tmp_path: Path) -> None:
    """Everything of its reading comes back, also to another process that opens the folder."""
    Checkpoints(tmp_path, PLAN).keep(ShardReading(shard=SHARD, reading=_reading()))
    found = Checkpoints(tmp_path, PLAN).find(SHARD)
    assert found is not None
    assert found.shard == SHARD
    assert found.problem is None
    assert _same(found.reading, _reading())


@pytest.mark.parametrize(
    ("plan", "shard"),
    [
        ("sha256:" + "2" * 64, SHARD),
        (PLAN, replace(SHARD, etag="e2")),
        (PLAN, replace(SHARD, size=101)),
        (PLAN, replace(SHARD, part=(0, 1))),
        (PLAN, replace(SHARD, uri="corpus/b.jsonl")),
    ],
)
def test_another_plan_or_a_changed_shard_is_scanned_again(tmp_path: Path, plan: str, shard: Shard) -> None:
    """What decides what is found is in the key: suite, columns and fold by the plan, the file by address, size and etag."""
    Checkpoints(tmp_path, PLAN).keep(ShardReading(shard=SHARD, reading=_reading()))
    assert Checkpoints(tmp_path, plan).find(shard) is None


def test_a_damaged_file_is_no_reading(tmp_path: Path) -> None:
    """Every truncation and every flipped byte: scanned again, and said so."""
    Checkpoints(tmp_path, PLAN).keep(ShardReading(shard=SHARD, reading=_reading()))
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    damaged = [whole[:length] for length in range(len(whole))]
    damaged += [whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :] for at in range(len(whole))]
    for data in damaged:
        file.write_bytes(data)
        checkpoints = Checkpoints(tmp_path, PLAN)
        assert checkpoints.find(SHARD) is None
        assert len(checkpoints.notes) == 1
        assert "scanned again" in checkpoints.notes[0]


def test_a_shard_with_a_problem_is_never_kept(tmp_path: Path) -> None:
    """The next scan must try it again."""
    with pytest.raises(ValueError, match="not read to its end"):
        Checkpoints(tmp_path, PLAN).keep(ShardReading(shard=SHARD, reading=Reading(), problem="cut off"))
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    """A file in its place is named before anything is scanned."""
    (tmp_path / "file").write_text("")
    with pytest.raises(CorpusError, match="cannot be kept"):
        Checkpoints(tmp_path / "file", PLAN)
