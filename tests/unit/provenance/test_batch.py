"""Batches: documents as one piece of memory, and long ones in parts that lose nothing."""

import numpy as np
import pytest

from litmusgate.provenance.batch import (
    PART_BYTES,
    DocumentBatch,
    batch_of,
    batches_of,
    documents_told,
    in_parts,
)
from litmusgate.provenance.match import ProvenanceStatus
from litmusgate.provenance.scan import overlap_bytes, scan_suite
from litmusgate.provenance.suite_texts import suite_texts
from unit.provenance.made_suite import TAU, document, instance, prose

LONG = {
    "prose": prose(1, 3000) * 60,
    "one word": "a" * (3 * PART_BYTES + 17),
    "three bytes a character": "狐" * (PART_BYTES + 5),
    "four bytes a character": "😀" * PART_BYTES,
    "a space now and then": ("x" * 700 + " ") * 1500,
}


def _starts(parts: DocumentBatch) -> list[int]:
    return [int(name.rpartition("@")[2]) if "@" in name else 0 for name in parts.ids]


@pytest.mark.parametrize("kind", LONG)
@pytest.mark.parametrize("overlap", [40, 4096, PART_BYTES])
def test_every_window_of_half_the_overlap_stands_whole_in_a_part(kind: str, overlap: int) -> None:
    """Parts are pieces of the text at the places they name; consecutive ones have half the overlap and more in common."""
    text = LONG[kind].encode()
    parts = in_parts(batch_of([document("d", LONG[kind])]), overlap_bytes=overlap)
    starts = _starts(parts)
    ends = [start + len(parts.text(number)) for number, start in enumerate(starts)]
    assert [parts.text(number) for number in range(len(parts))] == [
        text[start:end] for start, end in zip(starts, ends, strict=True)
    ]
    assert (starts[0], ends[-1]) == (0, len(text))
    assert starts == sorted(set(starts))
    assert all(end - start >= overlap // 2 for start, end in zip(starts[1:], ends, strict=False))


@pytest.mark.parametrize("kind", LONG)
def test_parts_are_cut_between_characters(kind: str) -> None:
    """No part begins or ends inside a character: every one is valid UTF-8."""
    parts = in_parts(batch_of([document("d", LONG[kind])]), overlap_bytes=100)
    assert len(parts) > 1
    assert "".join(parts.text(number).decode("utf-8") for number in range(len(parts)))


def test_short_documents_keep_their_names_beside_long_ones() -> None:
    """Only the long document is cut; sources stay with their documents."""
    batch = batch_of([document("a", "x y", source="s"), document("b", LONG["prose"], source="t"), document("c", "")])
    parts = in_parts(batch, overlap_bytes=50)
    assert (parts.ids[0], parts.ids[1], parts.ids[-1]) == ("a", "b", "c")
    assert {parts.sources[n] for n, name in enumerate(parts.ids) if name.startswith("b")} == {"t"}
    assert in_parts(batch_of([document("a", "x")]), overlap_bytes=50).ids == ["a"]


@pytest.mark.parametrize("place", range(-700, 701, 35))
def test_a_short_text_across_a_cut_is_found_however_it_is_spelt(place: int) -> None:
    """A2: ten words in full width around the end of the first part, every one of them three bytes a letter."""
    text = prose(2, 10)
    wide = "".join(chr(ord(letter) + 0xFEE0) if letter != " " else letter for letter in text)
    filler = ("z" * 9 + " ") * (2 * PART_BYTES // 10)
    at = (PART_BYTES + place) // 10 * 10
    known = document("d", f"{filler[:at]}{wide} {filler[at:]}")
    found = scan_suite([instance("i", text)], [known], tau=TAU)[0]
    assert found.status is ProvenanceStatus.CONTAMINATED


def test_the_overlap_grows_with_the_longest_text_in_bytes() -> None:
    """Texts of scripts that take three bytes a character are bounded by their bytes."""
    assert overlap_bytes(suite_texts([instance("i", "狐" * 100)])) >= 2 * 3 * 100
    assert overlap_bytes(suite_texts([instance("i", "wort " * 100)])) >= 2 * 500


def test_batches_end_where_the_corpus_changes_and_keep_every_document() -> None:
    """A batch is of one corpus; lone surrogates do not stop it."""
    documents = [document(f"d{n}", "\ud800x" * n, corpus="a" if n < 3 else "b") for n in range(6)]
    batches = list(batches_of(documents, most_bytes=4))
    assert [name for batch in batches for name in batch.ids] == [f"d{n}" for n in range(6)]
    assert {(batch.corpus, name) for batch in batches for name in batch.ids} >= {("a", "d2"), ("b", "d3")}
    assert all(batch.text(0).decode("utf-8") is not None for batch in batches)


def test_a_batch_may_be_a_window_on_a_larger_piece_of_memory() -> None:
    """Offsets need not begin at 0, nor cover all the data: columns come so from disk."""
    batch = DocumentBatch(
        corpus="c",
        data=np.frombuffer(b"..one twoxx", np.uint8),
        offsets=np.asarray([2, 5, 9]),
        ids=["a", "b"],
        sources=["", ""],
    )
    assert ([batch.text(0), batch.text(1)], batch.text_bytes) == ([b"one", b" two"], 7)


def test_a_long_document_is_one_document_however_many_its_parts() -> None:
    """Counts of documents are counts of documents; a blank one is none."""
    batch = batch_of([document("long", prose(1, 120_000)), document("blank", " \n"), document("short", prose(2, 9))])
    parts = in_parts(batch, overlap_bytes=1000)
    assert len(parts) > len(batch) + 1
    assert documents_told(len(parts) - 1, batch, parts) == 2
    assert documents_told(0, batch, batch) == 0
