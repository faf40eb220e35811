"""Segments of an index: texts or fingerprints, retired, put together, and replaced by their source files."""

import base64
import json
from pathlib import Path

import numpy as np
import pytest

from litmusgate.app.corpus import add_corpus, compact_index, list_index, retire_corpus, verify_index
from litmusgate.corpora import segment_order
from litmusgate.corpora.index import Index, open_index
from litmusgate.corpora.querying import query_index
from litmusgate.corpora.segment_lookup import look_up
from litmusgate.corpora.source_texts import SourceTexts
from litmusgate.errors import CorpusError, UsageError
from litmusgate.provenance.engine import PlainEngine
from litmusgate.provenance.match import ProvenanceResult, ProvenanceStatus
from litmusgate.provenance.scan import judge
from litmusgate.provenance.suite_texts import suite_texts
from litmusgate.suite.instance import Instance
from unit.corpora.corpus_files import NOW, jsonl, request
from unit.provenance.made_suite import TAU, instance, prose
from unit.provenance.test_fingerprints import plain_fingerprints

LATER = "2026-12-24T00:00:00Z"
CONTAMINATED, SUSPECT, CLEAN = ProvenanceStatus.CONTAMINATED, ProvenanceStatus.SUSPECT, ProvenanceStatus.CLEAN


def results(index: Index, suite: list[Instance], *texts: Path) -> list[ProvenanceResult]:
    """What the index says about `suite`, with source files at hand."""
    prepared = suite_texts(suite)
    engine = PlainEngine()
    at_hand = SourceTexts([str(path) for path in texts]) if texts else None
    reading, hashes = query_index(index, prepared, engine=engine, texts=at_hand)
    return list(judge(prepared, reading, tau=TAU, engine=engine, hashes=hashes))


def _rows(count: int, *, planted: str = "") -> list[dict[str, str]]:
    rows = [{"id": f"d{number:03}", "text": prose(1000 + number, 90)} for number in range(count)]
    return [*rows, {"id": "plant", "text": f"{prose(7, 90)} {planted} {prose(8, 90)}"}] if planted else rows


@pytest.mark.parametrize(("keep", "expected"), [("text", CONTAMINATED), ("hashes", SUSPECT)])
def test_a_copy_is_contaminated_where_texts_are_kept_and_suspect_where_they_are_not(
    tmp_path: Path, keep: str, expected: ProvenanceStatus
) -> None:
    """A2: the document is named either way, and what is clean is clean either way."""
    text = prose(1, 80)
    file = jsonl(tmp_path / "a.jsonl", _rows(20, planted=text))
    index = add_corpus(request(tmp_path / "index", file, keep=keep)).index
    found = results(index, [instance("i", text), instance("j", prose(2, 80))])
    assert [result.status for result in found] == [expected, CLEAN]
    assert [match.document for match in found[0].matches] == ["plant"]


def test_fingerprints_on_disk_are_those_of_the_definition(tmp_path: Path) -> None:
    """Sorted, each once, with its document, its words, its source and its name; no text is in the file."""
    rows = [{"id": f"n{n}", "text": prose(n, 30 * n + 3), "from": f"s{n % 2}"} for n in range(8)]
    file = jsonl(tmp_path / "a.jsonl", [*rows, rows[3]])
    done = add_corpus(request(tmp_path / "index", file, source="from", keep="hashes"))
    segment = done.added[0]
    path = done.index.segment_path(segment)
    wanted = [plain_fingerprints(row["text"]) for row in rows]
    values = np.asarray(sorted(set().union(*wanted)), np.uint64)
    found = look_up(path, segment, (values, values[:1]), np.zeros(0, np.uint64))
    pairs = list(zip(found.tables[0].numbers.tolist(), found.tables[0].rows.tolist(), strict=True))
    assert pairs == sorted(set(pairs))
    assert (segment.documents, found.fingerprints) == (8, len(pairs))
    assert len(found.tables[1].rows) == 1
    for row in range(8):
        number = int(found.names[row][1:])
        assert {int(values[value]) for value, owner in pairs if owner == row} == wanted[number]
        assert (found.words[row], found.source_names[int(found.sources[row])]) == (30 * number + 3, f"s{number % 2}")
    assert rows[7]["text"].split()[0].encode() not in path.read_bytes()


@pytest.mark.parametrize("keep", ["text", "hashes"])
def test_runs_on_disk_give_the_same_segment_as_memory(
    tmp_path: Path, keep: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sorting in many small runs changes no byte, and neither does the order of rows, the file's format or its name."""
    rows = _rows(60)
    first = add_corpus(request(tmp_path / "one", jsonl(tmp_path / "a.jsonl", rows), keep=keep)).index
    monkeypatch.setattr(segment_order, "RUN_RECORDS", 64)
    monkeypatch.setattr(segment_order, "_SAMPLED", 4)
    second = add_corpus(request(tmp_path / "two", tmp_path / "a.jsonl", keep=keep)).index
    assert [segment.digest for segment in first.segments] == [segment.digest for segment in second.segments]
    assert first.segment_path(first.segments[0]).read_bytes() == second.segment_path(second.segments[0]).read_bytes()
    if keep == "text":
        turned = add_corpus(request(tmp_path / "three", jsonl(tmp_path / "b.jsonl", rows[::-1]), keep=keep)).index
        assert turned.digest == first.digest


def test_encoded_copies_are_found_among_fingerprints(tmp_path: Path) -> None:
    """What stands in base64 in a document is fingerprinted with it."""
    text = prose(1, 80)
    rows = [{"id": "b", "text": f"{prose(7, 60)} {base64.b64encode(text.encode()).decode()} {prose(8, 60)}"}]
    index = add_corpus(request(tmp_path / "index", jsonl(tmp_path / "a.jsonl", rows), keep="hashes")).index
    assert results(index, [instance("i", text)])[0].status is SUSPECT


def test_a_long_document_stands_in_parts_and_counts_once(tmp_path: Path) -> None:
    """Fingerprints of a book are not thrown together: its parts have names of their own, and it is one document."""
    text = prose(1, 80)
    rows = [{"id": "book", "text": f"{prose(7, 60000)} {text} {prose(8, 60000)}"}]
    done = add_corpus(request(tmp_path / "index", jsonl(tmp_path / "a.jsonl", rows), keep="hashes"))
    assert done.added[0].documents == 1
    found = results(done.index, [instance("i", text)])[0]
    assert found.status is SUSPECT
    assert found.matches[0].document.startswith("book@")


def test_a_segment_is_scanned_in_its_source_files_where_they_are_at_hand(tmp_path: Path) -> None:
    """Stage 2: all files of a segment take its place; some are scanned besides; a file of another digest is not it."""
    text, other = prose(1, 80), prose(2, 80)
    first = jsonl(tmp_path / "a.jsonl", _rows(5, planted=text))
    second = jsonl(tmp_path / "b.jsonl", [{"id": "p2", "text": other}])
    index = add_corpus(request(tmp_path / "index", first, second, keep="hashes")).index
    suite = [instance("i", text), instance("j", other), instance("k", prose(3, 5))]
    short = ProvenanceStatus.NOT_ASSESSABLE
    assert [found.status for found in results(index, suite)] == [SUSPECT, SUSPECT, short]
    assert [found.status for found in results(index, suite, first)] == [CONTAMINATED, SUSPECT, short]
    everything = [found.status for found in results(index, suite, first, second)]
    assert everything == [CONTAMINATED, CONTAMINATED, ProvenanceStatus.CLEAN_SHORT]
    assert [found.status for found in results(index, suite, tmp_path)][:2] == [CONTAMINATED, CONTAMINATED]
    first.write_text(first.read_text().replace("plant", "plan7"))
    assert results(index, suite, first)[0].status is SUSPECT


def test_a_source_file_cannot_be_swapped_for_another(tmp_path: Path) -> None:
    """The digests of source files and their columns are in a hash-only segment's own digest: the manifest alone says nothing."""
    index = add_corpus(request(tmp_path / "index", jsonl(tmp_path / "a.jsonl", _rows(5)), keep="hashes")).index
    manifest = json.loads((tmp_path / "index" / "index.json").read_text())
    manifest["segments"][0]["sources"][0]["digest"] = "sha256:" + "0" * 64
    (tmp_path / "index" / "index.json").write_text(json.dumps(manifest))
    with pytest.raises(CorpusError, match="not the one its manifest describes"):
        results(open_index(index.path), [instance("i", prose(1, 80))])


def test_a_retired_corpus_no_longer_counts_and_stays_on_the_list(tmp_path: Path) -> None:
    """A14: with reason and date; the digest that a policy pins changes; what is left is as it was."""
    index = tmp_path / "index"
    for revision, word in (("r1", "one"), ("r2", "two")):
        add_corpus(request(index, jsonl(tmp_path / f"{word}.jsonl", [{"id": word, "text": word}]), revision=revision))
    before = open_index(index)
    done = retire_corpus(index, "pub", revision="r1", reason="withdrawn by its owner", now=LATER)
    after = done.index
    assert [(entry.corpus, entry.revision) for entry in done.retired] == [("pub", "r1")]
    assert (after.digest != before.digest, [item.text for item in after.documents()]) == (True, ["two"])
    listed = list_index(index)["retired"]
    assert isinstance(listed, list)
    assert [(entry["revision"], entry["reason"], entry["retired_at"]) for entry in listed] == [
        ("r1", "withdrawn by its owner", LATER)
    ]
    assert after.use().corpora == {"pub": "r2"}
    last = retire_corpus(index, "pub", reason="all of it", now=LATER)
    gone = last.index
    assert [entry.revision for entry in last.retired] == ["r2"]
    assert (gone.segments, len(gone.retired)) == ((), 2)
    again = add_corpus(request(index, tmp_path / "two.jsonl", revision="r2")).index
    assert ([item.text for item in again.documents()], len(again.retired)) == (["two"], 2)


def test_retiring_asks_for_a_reason_and_a_corpus_that_is_there(tmp_path: Path) -> None:
    """A blank reason, another name and another revision are refused, and nothing changes; without an index none is made."""
    index = tmp_path / "index"
    add_corpus(request(index, jsonl(tmp_path / "a.jsonl", [{"id": "a", "text": "one"}])))
    before = (index / "index.json").read_bytes()
    with pytest.raises(UsageError, match="reason"):
        retire_corpus(index, "pub", reason=" ")
    for corpus, revision in (("other", None), ("pub", "r9")):
        with pytest.raises(CorpusError, match="no such corpus"):
            retire_corpus(index, corpus, revision=revision, reason="x")
    assert (index / "index.json").read_bytes() == before
    with pytest.raises(CorpusError, match="no provenance index"):
        retire_corpus(tmp_path / "none", "pub", reason="x")
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("keep", ["text", "hashes"])
def test_compacting_puts_parts_together_and_keeps_the_digest(tmp_path: Path, keep: str) -> None:
    """Fewer files, every document, the same pin; again is no change; a later part joins them."""
    index = tmp_path / "index"
    texts = [prose(number, 80) for number in range(3)]
    for number, text in enumerate(texts):
        add_corpus(request(index, jsonl(tmp_path / f"{number}.jsonl", [{"id": f"{number}", "text": text}]), keep=keep))
    before = open_index(index)
    suite = [instance(f"i{number}", text) for number, text in enumerate(texts)]
    found = results(before, suite)
    assert {result.status for result in found} == {CONTAMINATED if keep == "text" else SUSPECT}
    done = compact_index(index)
    assert (done.index.digest, done.moved, len(done.deleted)) == (before.digest, 3, 3)
    assert len({segment.file for segment in done.index.segments}) == 1
    assert verify_index(index, now=NOW).differences == ()
    assert results(done.index, suite) == found
    again = compact_index(index)
    assert (again.moved, again.deleted) == (0, ())
    add_corpus(request(index, jsonl(tmp_path / "9.jsonl", [{"id": "9", "text": prose(9, 80)}]), keep=keep))
    assert compact_index(index).moved == 4
    assert len(open_index(index).segments) == 4


def test_compacting_deletes_what_nothing_refers_to_and_only_that(tmp_path: Path) -> None:
    """Files of retired segments and of killed changes go; other people's files stay."""
    index = tmp_path / "index"
    add_corpus(request(index, jsonl(tmp_path / "a.jsonl", [{"id": "a", "text": "one"}])))
    retired = open_index(index).segments[0].file
    retire_corpus(index, "pub", reason="x", now=NOW)
    add_corpus(request(index, jsonl(tmp_path / "b.jsonl", [{"id": "b", "text": "two"}]), name="other"))
    (index / ".writing-00").write_bytes(b"half")
    (index / "notes.md").write_text("mine")
    assert set(compact_index(index).deleted) == {retired, ".writing-00"}
    assert (index / "notes.md").exists()
    assert [item.text for item in open_index(index).documents()] == ["two"]


def test_a_damaged_segment_is_not_put_together(tmp_path: Path) -> None:
    """Compacting copies nothing that is not what the manifest says, and deletes nothing then."""
    index = tmp_path / "index"
    for number in range(2):
        add_corpus(request(index, jsonl(tmp_path / f"{number}.jsonl", [{"id": "a", "text": f"text {number}"}])))
    opened = open_index(index)
    path = opened.segment_path(opened.segments[1])
    path.write_bytes(path.read_bytes()[:-1])
    files = sorted(index.iterdir())
    with pytest.raises(CorpusError, match="altered"):
        compact_index(index)
    assert sorted(index.iterdir()) == files


def test_a_corpus_of_texts_and_one_of_hashes_count_together(tmp_path: Path) -> None:
    """The same corpus may be kept in both ways under two revisions; the graver finding stands."""
    text = prose(1, 80)
    file = jsonl(tmp_path / "a.jsonl", _rows(3, planted=text))
    add_corpus(request(tmp_path / "index", file, keep="hashes"))
    index = add_corpus(request(tmp_path / "index", file, revision="r2")).index
    assert results(index, [instance("i", text)])[0].status is CONTAMINATED
    assert index.use().documents == 8
