"""The provenance index: what it holds, what pins it, and what it refuses."""

import json
import random
from datetime import date
from pathlib import Path

import pytest

from litmusgate.app.corpus import AddRequest, add_corpus, list_index, verify_index
from litmusgate.corpora.index import MANIFEST, open_index
from litmusgate.corpora.manifest import manifest_bytes
from litmusgate.errors import CorpusError, UsageError
from litmusgate.provenance.fold import FOLD_VERSION
from litmusgate.provenance.known import KnownDocument
from unit.corpora.corpus_files import NOW, jsonl, request

LATER = "2026-12-24T00:00:00Z"


def _added(tmp_path: Path, **changes: object) -> Path:
    file = jsonl(tmp_path / "pub.jsonl", [{"id": "a", "text": "one two"}, {"id": "b", "text": "three"}])
    add_corpus(request(tmp_path / "index", file, **changes))
    return tmp_path / "index"


def test_what_was_added_comes_back(tmp_path: Path) -> None:
    """Every document of every corpus, with its corpus and id, and the corpus as its source."""
    index = open_index(_added(tmp_path))
    assert sorted(index.documents(), key=lambda item: item.id) == [
        KnownDocument(corpus="pub", id="a", text="one two", source="pub"),
        KnownDocument(corpus="pub", id="b", text="three", source="pub"),
    ]


def test_the_use_of_an_index_names_everything_it_depends_on(tmp_path: Path) -> None:
    """A14: digest, fold version, corpora with revisions and the oldest check."""
    index = open_index(_added(tmp_path))
    use = index.use()
    assert (use.digest, use.fold, use.documents) == (index.digest, FOLD_VERSION, 2)
    assert (dict(use.corpora), use.checked_at, use.ignored) == ({"pub": "r1"}, NOW, ())


def test_the_order_of_adding_changes_no_digest(tmp_path: Path) -> None:
    """The same corpora added in another order, and from rows in another order, are the same index."""
    rows = [{"id": str(n), "text": f"text {n}"} for n in range(20)]
    first, second = tmp_path / "one", tmp_path / "two"
    a, b = jsonl(tmp_path / "a.jsonl", rows), jsonl(tmp_path / "b.jsonl", rows[:3])
    add_corpus(request(first, a, name="a"))
    add_corpus(request(first, b, name="b"))
    random.Random(1).shuffle(rows)
    add_corpus(request(second, b, name="b", now=LATER))
    add_corpus(request(second, jsonl(tmp_path / "c.jsonl", rows), name="a", now=LATER))
    assert open_index(first).digest == open_index(second).digest


def test_the_digest_moves_with_everything_that_can_move_a_result(tmp_path: Path) -> None:
    """Text, name, revision, publication date and tuning are in the digest; times of adding and checking are not."""
    file = jsonl(tmp_path / "a.jsonl", [{"id": "a", "text": "one"}])
    other = jsonl(tmp_path / "b.jsonl", [{"id": "a", "text": "two"}])
    variants = [
        {},
        {"name": "other"},
        {"revision": "r2"},
        {"published": "2026-01-01"},
        {"fine_tuning_of": "desk"},
        {"files": (other,)},
    ]
    digests = set()
    for number, changes in enumerate(variants):
        add_corpus(request(tmp_path / str(number), file, **changes))
        digests.add(open_index(tmp_path / str(number)).digest)
    assert len(digests) == len(variants)
    add_corpus(request(tmp_path / "again", file, now=LATER))
    assert open_index(tmp_path / "again").digest in digests


def test_adding_the_same_again_changes_no_byte(tmp_path: Path) -> None:
    """Same name, revision and content: a no-op that says so."""
    folder = _added(tmp_path)
    before = (folder / MANIFEST).read_bytes()
    done = add_corpus(request(folder, tmp_path / "pub.jsonl", now=LATER))
    assert (done.added, [segment.corpus for segment in done.unchanged]) == ((), ["pub"])
    assert (folder / MANIFEST).read_bytes() == before


@pytest.mark.parametrize("changes", [{"published": "2026-01-01"}, {"fine_tuning_of": "desk"}])
def test_a_revision_has_one_date(tmp_path: Path, changes: dict[str, str]) -> None:
    """A10: the same revision published or tuned on otherwise is an error and adds nothing: a date must not be chosen."""
    folder = _added(tmp_path)
    before = (folder / MANIFEST).read_bytes()
    with pytest.raises(CorpusError, match="other dates"):
        add_corpus(request(folder, tmp_path / "pub.jsonl", **changes))
    assert (folder / MANIFEST).read_bytes() == before


def test_revisions_of_a_corpus_stand_side_by_side(tmp_path: Path) -> None:
    """A14: every revision counts for contamination, and the record names the declared one, else the newest."""
    folder = _added(tmp_path)
    more = jsonl(tmp_path / "more.jsonl", [{"id": "c", "text": "four"}])
    add_corpus(request(folder, more, revision="r2", published="2026-06-01", now=LATER))
    index = open_index(folder)
    assert sorted(item.text for item in index.documents()) == ["four", "one two", "three"]
    assert index.use().corpora == {"pub": "r2"}
    assert index.use(declared={"pub": "r1"}).corpora == {"pub": "r1"}
    assert index.use(declared={"pub": "r9"}).corpora == {"pub": "r2"}
    early = index.use(date(2026, 5, 31), declared={"pub": "r1"})
    assert (early.ignored, early.documents) == (("pub r2",), 2)


def test_a_corpus_may_come_in_several_parts(tmp_path: Path) -> None:
    """Further documents of the same revision are a further segment; what was there stays as it is."""
    folder = _added(tmp_path)
    more = jsonl(tmp_path / "more.jsonl", [{"id": "c", "text": "four"}])
    done = add_corpus(request(folder, more))
    assert [segment.documents for segment in done.added] == [1]
    assert done.index.use().documents == 3
    assert add_corpus(request(folder, more)).added == ()


def test_corpora_of_one_call_are_added_together_or_not_at_all(tmp_path: Path) -> None:
    """One unreadable file among many adds nothing, not even the index."""
    good = jsonl(tmp_path / "good.jsonl", [{"id": "a", "text": "one"}])
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"id": "a", "text": "one"}\n{"id": "b", "te')
    with pytest.raises(CorpusError, match=r"bad\.jsonl:2"):
        add_corpus(request(tmp_path / "index", good, bad, name=None, name_from="file"))
    assert not (tmp_path / "index").exists()


def test_an_index_where_a_file_stands_is_refused(tmp_path: Path) -> None:
    """The folder of the index cannot be a file."""
    file = jsonl(tmp_path / "a.jsonl", [{"id": "a", "text": "one"}])
    with pytest.raises(CorpusError, match="cannot be written"):
        add_corpus(request(file, file))


@pytest.mark.parametrize("text", ["", " ", "\u200b… \n"])
def test_a_corpus_of_blank_rows_is_refused(tmp_path: Path, text: str) -> None:
    """A corpus without any text would make every instance look clean."""
    file = jsonl(tmp_path / "a.jsonl", [{"id": "a", "text": text}])
    with pytest.raises(CorpusError, match="holds no text"):
        add_corpus(request(tmp_path / "index", file))


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    """A file without rows holds no document, also beside one that has some."""
    empty = tmp_path / "empty.jsonl"
    empty.write_text("\n\n")
    good = jsonl(tmp_path / "a.jsonl", [{"id": "a", "text": "one"}])
    with pytest.raises(CorpusError, match=r"empty\.jsonl.*no document"):
        add_corpus(request(tmp_path / "index", good, empty))


@pytest.mark.parametrize("keep", ["text", "hashes"])
def test_an_altered_segment_is_an_error_when_read(tmp_path: Path, keep: str) -> None:
    """Any byte that says something changed, any piece missing or more: never a shorter or other corpus."""
    folder = _added(tmp_path, keep=keep)
    index = open_index(folder)
    file = index.segment_path(index.segments[0])
    whole = file.read_bytes()
    assert verify_index(folder, now=NOW).differences == ()
    said = len(whole.rstrip(b"\0"))
    for place in range(0, said, 3):
        if whole[place] == ord(" "):  # the padding of the header
            continue
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert verify_index(folder, now=LATER).differences, place
    for altered in (whole[: said - 1], whole[:64], b"", whole[64:], b"\n" + whole):
        file.write_bytes(altered)
        assert verify_index(folder, now=LATER).differences
    assert open_index(folder).use().checked_at == NOW


def test_a_missing_segment_is_an_error_when_opened(tmp_path: Path) -> None:
    """An index without one of its files does not open."""
    folder = _added(tmp_path)
    index = open_index(folder)
    index.segment_path(index.segments[0]).unlink()
    with pytest.raises(CorpusError, match="missing"):
        open_index(folder)
    with pytest.raises(CorpusError, match="cannot be read"):
        list(index.documents())


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("fold", "litmusgate/fold/0@sha256:0", "another fold version"),
        ("hash", "litmusgate/gram-hash/0", "another hash version"),
        ("digest", "sha256:" + "0" * 64, "does not match"),
        ("schema", "litmusgate/index/9", "not valid"),
        ("digest", "none", "not valid"),
        ("extra", 1, "not valid"),
    ],
)
def test_an_altered_manifest_does_not_open(tmp_path: Path, key: str, value: object, message: str) -> None:
    """Another fold version, a digest that does not fit, unknown keys and schemas: an error, never a smaller index."""
    folder = _added(tmp_path)
    manifest = json.loads((folder / MANIFEST).read_text())
    (folder / MANIFEST).write_text(json.dumps({**manifest, key: value}))
    with pytest.raises(CorpusError, match=message):
        open_index(folder)


def test_a_manifest_may_not_name_a_segment_twice_nor_hide_its_date(tmp_path: Path) -> None:
    """Dates are inside the segment's own header: changing one in the manifest is found when the segment is read."""
    folder = _added(tmp_path)
    manifest = json.loads((folder / MANIFEST).read_text())
    manifest["segments"][0]["published"] = "2030-01-01"
    (folder / MANIFEST).write_text(json.dumps(manifest))
    with pytest.raises(CorpusError, match="not the one its manifest describes"):
        list(open_index(folder).documents())
    manifest["segments"] *= 2
    (folder / MANIFEST).write_text(json.dumps(manifest))
    with pytest.raises(CorpusError, match="twice"):
        open_index(folder)


def test_an_index_of_the_first_format_is_refused_with_the_way_out(tmp_path: Path) -> None:
    """An older index has no fingerprints and no parts: the error says to add the corpora again."""
    (tmp_path / MANIFEST).write_text('{"schema": "litmusgate/index/1", "fold": "x", "segments": []}')
    with pytest.raises(CorpusError, match=r"earlier version[\s\S]*corpus add"):
        open_index(tmp_path)


@pytest.mark.parametrize("content", [None, b"\xff", b"", b"{"])
def test_what_is_no_index_does_not_open(tmp_path: Path, content: bytes | None) -> None:
    """A folder without a readable manifest is an error that says what to do."""
    if content is not None:
        (tmp_path / MANIFEST).write_bytes(content)
    with pytest.raises(CorpusError):
        open_index(tmp_path)


def test_an_index_without_a_corpus_cannot_be_used(tmp_path: Path) -> None:
    """A14: an empty index is evidence of nothing: no use, and verify finds that."""
    (tmp_path / MANIFEST).write_bytes(manifest_bytes([], []))
    with pytest.raises(CorpusError, match="no corpus"):
        open_index(tmp_path).use()
    assert verify_index(tmp_path, now=LATER).differences == ("the index holds no corpus",)
    assert list_index(tmp_path)["documents"] == 0


def test_verify_stamps_only_what_it_checked(tmp_path: Path) -> None:
    """A14: a verification without a difference moves the date of the check and no digest."""
    folder = _added(tmp_path)
    before = open_index(folder).digest
    found = verify_index(folder, now=LATER)
    assert (found.differences, found.index.digest, found.index.use().checked_at) == ((), before, LATER)


def test_a_corpus_after_the_cutoff_is_not_read(tmp_path: Path) -> None:
    """A10: its documents do not come, it is named as ignored, and it still stands among the corpora."""
    folder = _added(tmp_path, published="2026-06-01")
    add_corpus(request(folder, jsonl(tmp_path / "old.jsonl", [{"id": "o", "text": "five"}]), name="old"))
    index = open_index(folder)
    assert [item.id for item in index.documents(date(2026, 5, 31))] == ["o"]
    use = index.use(date(2026, 5, 31))
    assert (use.ignored, use.documents, set(use.corpora)) == (("pub",), 1, {"pub", "old"})
    assert len(list(index.documents(date(2026, 6, 1)))) == 3


def test_equal_ids_with_other_text_are_two_documents(tmp_path: Path) -> None:
    """The text is the evidence and the id its name: nothing is lost when a corpus repeats an id, and equal rows are one."""
    file = jsonl(tmp_path / "a.jsonl", [{"id": "a", "text": t} for t in ("one", "two", "one", " ")])
    done = add_corpus(request(tmp_path / "index", file))
    assert sorted((item.id, item.text) for item in done.index.documents()) == [("a", "one"), ("a", "two")]
    assert done.added[0].blank == 1


def test_many_corpora_can_be_named_by_a_column(tmp_path: Path) -> None:
    """`--name-from column`: each value is a corpus of its own, added in one step."""
    file = jsonl(tmp_path / "a.jsonl", [{"corpus": c, "id": c, "text": "one", "from": f"s{c}"} for c in "yx"])
    done = add_corpus(request(tmp_path / "index", file, name=None, name_from="column", corpus="corpus", source="from"))
    assert [segment.corpus for segment in done.added] == ["x", "y"]
    assert [item.source for item in done.index.documents()] == ["sx", "sy"]


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"name": None}, UsageError),
        ({"name_from": "file"}, UsageError),
        ({"published": "yesterday"}, UsageError),
        ({"files": ()}, UsageError),
        ({"name": None, "name_from": "column"}, UsageError),
        ({"name": "a\nb"}, (CorpusError, UsageError)),
        ({"revision": ""}, CorpusError),
    ],
)
def test_contradicting_flags_are_refused(tmp_path: Path, changes: dict[str, object], error: type[Exception]) -> None:
    """Flags that do not say what the corpus is are an error, and nothing is added."""
    file = jsonl(tmp_path / "a.jsonl", [{"id": "a", "text": "one"}])
    with pytest.raises(error):
        add_corpus(request(tmp_path / "index", file, **changes))
    assert not (tmp_path / "index" / MANIFEST).exists()


def test_a_file_given_twice_is_refused(tmp_path: Path) -> None:
    """Reading a file twice would be a mistake in the call."""
    file = jsonl(tmp_path / "a.jsonl", [{"id": "a", "text": "one"}])
    with pytest.raises(UsageError, match="twice"):
        add_corpus(request(tmp_path / "index", file, file))


def test_files_of_the_same_name_are_both_on_the_record(tmp_path: Path) -> None:
    """Sources are recorded by name and digest; a second file of that name keeps its folder, no machine path appears."""
    files = []
    for part in ("one", "two"):
        (tmp_path / part).mkdir()
        files.append(jsonl(tmp_path / part / "a.jsonl", [{"id": part, "text": part}]))
    done = add_corpus(request(tmp_path / "index", *files))
    assert [source.name for source in done.added[0].sources] == ["a.jsonl", "two/a.jsonl"]


def test_a_request_is_a_plain_value(tmp_path: Path) -> None:
    """Requests compare by value, so that a command can be tested by what it asks for."""
    assert request(tmp_path, tmp_path) == request(tmp_path, tmp_path)
    assert isinstance(request(tmp_path), AddRequest)
