"""`litmusgate corpus scan` on files: what it finds, what it cannot say, its exit codes and its result."""

import gzip
import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

from litmusgate.cli.main import main
from litmusgate.corpora.scan_result import read_scan

_SYLLABLES = ("ka", "lo", "mi", "ru", "te", "va", "zo", "ne", "pi", "su", "da", "fo", "gi", "hu", "be")


def prose(seed: int, words: int) -> str:
    """Made-up words, the same for the same seed."""
    rng = random.Random(seed)
    return " ".join("".join(rng.choices(_SYLLABLES, k=3)) for _ in range(words))


def lines(path: Path, *rows: object) -> Path:
    """A file of JSON lines."""
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    return path


@pytest.fixture(name="suite")
def _suite(tmp_path: Path) -> Path:
    """Three conversations: of own words, of own words again, and one that a stock phrase ends."""
    return lines(
        tmp_path / "suite.jsonl",
        {"id": "a", "category": "x", "turns": [{"role": "system", "content": prose(9, 30)}, {"content": prose(1, 60)}]},
        {"id": "b", "turns": [{"role": "user", "content": prose(2, 60)}, {"role": "tool", "content": prose(3, 40)}]},
        {"id": "c", "turns": [{"role": "user", "content": prose(4, 30)}, {"role": "user", "content": "go on please"}]},
    )


def clean(path: Path, count: int = 5) -> Path:
    """A corpus that has nothing to do with the suite."""
    return lines(path, *({"id": f"d{number}", "text": prose(100 + number, 80)} for number in range(count)))


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, dict[str, Any], str]:
    """Exit code, the JSON printed, and what was said on stderr."""
    capsys.readouterr()
    code = main(["corpus", "scan", "--format", "json", *map(str, arguments)])
    told = capsys.readouterr()
    return code, json.loads(told.out) if told.out else {}, told.err


def status(result: dict[str, Any]) -> dict[str, str]:
    """Status by instance."""
    return {item["instance_id"]: item["status"] for item in result["instances"]}


def test_nothing_found_is_0(tmp_path: Path, suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The positive control: every instance was looked for in every document and is clean."""
    code, result, _ = run(capsys, "--suite", suite, clean(tmp_path / "c.jsonl"))
    assert (code, result["status"], result["documents"], result["problems"]) == (0, "clean", 5, [])
    assert status(result) == {"a": "clean", "b": "clean", "c": "clean"}


def test_rows_without_a_word_are_counted(tmp_path: Path, suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A corpus of which half says nothing is not the corpus it seems: the result and stderr tell how many rows."""
    corpus = lines(tmp_path / "c.jsonl", *({"text": text} for text in (None, "", " ...", prose(70, 40))))
    code, result, told = run(capsys, "--suite", suite, corpus)
    assert (code, result["documents"], result["blank"]) == (0, 1, 3)
    assert "3 more documents hold no word" in told


def test_a_copy_is_1_with_its_places(tmp_path: Path, suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The evidence is the document, and where the words stand in both texts, in words and in characters."""
    copy = f"{prose(50, 20)} {prose(1, 60)} {prose(51, 20)}"
    corpus = lines(tmp_path / "c.jsonl", {"id": "leak", "text": copy}, {"id": "other", "text": prose(7, 50)})
    code, result, _ = run(capsys, "--suite", suite, corpus)
    assert (code, result["status"], status(result)["a"]) == (1, "contaminated", "contaminated")
    match = result["instances"][0]["matches"][0]
    assert (match["document"], match["field"], match["similarity"], match["run"]) == ("leak", "turns[1]", 1, 60)
    start, end = match["document_characters"]
    assert copy[start:end] == prose(1, 60)
    assert prose(1, 60)[slice(*match["instance_characters"])] == prose(1, 60)
    assert match["document_words"] == [20, 80]
    assert prose(1, 60) not in json.dumps(result)


def test_texts_are_shown_on_request(tmp_path: Path, suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--show-text` writes both spans."""
    corpus = lines(tmp_path / "c.jsonl", {"id": "leak", "text": prose(1, 60).upper()})
    _, result, _ = run(capsys, "--suite", suite, "--show-text", corpus)
    match = result["instances"][0]["matches"][0]
    assert match["document_text"] == prose(1, 60).upper()
    assert match["instance_text"] == prose(1, 60)


def test_half_a_copy_is_suspect_and_1(tmp_path: Path, suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Something was found: exit 0 says that nothing was."""
    words = prose(1, 60).split()
    spaced = " ".join(f"{' '.join(words[at : at + 8])} {prose(900 + at, 2)}" for at in range(0, 40, 10))
    code, result, _ = run(capsys, "--suite", suite, lines(tmp_path / "c.jsonl", {"id": "x", "text": spaced}))
    assert (code, status(result)["a"]) == (1, "suspect")


BROKEN = {
    "cut.jsonl": b'{"text": "one two',
    "empty.jsonl": b"",
    "column.jsonl": b'{"body": "one two three"}\n',
    "blank.jsonl": b'{"text": null}\n{"text": "  "}\n',
    "latin.jsonl": b'{"text": "caf\xe9"}\n',
    "surrogate.jsonl": b'{"text": "\\ud800"}\n',
    "cut.jsonl.gz": gzip.compress(b'{"text": "one two three"}\n' * 50)[:-9],
    "no.parquet": b"PAR1",
    "what.arrow": b"x",
}
"""Files that are no evidence, by name."""


@pytest.mark.parametrize("name", BROKEN)
def test_what_cannot_be_read_is_unknown_and_4(
    tmp_path: Path, suite: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """One bad file in a folder: named, nobody is clean, and what was found in the good ones still stands."""
    folder = tmp_path / "corpus"
    folder.mkdir()
    lines(folder / "good.jsonl", {"id": "leak", "text": prose(1, 60)})
    (folder / name).write_bytes(BROKEN[name])
    code, result, told = run(capsys, "--suite", suite, folder)
    assert (code, result["status"]) == (4, "unknown")
    assert status(result) == {"a": "contaminated", "b": "unknown", "c": "unknown"}
    assert [Path(item["shard"]).name for item in result["problems"]] == [name]
    assert name in told


def test_a_path_that_is_not_there_is_4_and_nothing_is_written(
    tmp_path: Path, suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A mistyped folder must not look like an empty corpus."""
    code, result, told = run(capsys, "--suite", suite, "--out", tmp_path / "r.json", tmp_path / "nowhere")
    assert (code, result) == (4, {})
    assert "nowhere" in told
    assert not (tmp_path / "r.json").exists()


def test_an_instance_that_cannot_be_assessed_is_4(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Three words are never clean."""
    suite = lines(tmp_path / "suite.jsonl", {"id": "a", "text": "go on please"})
    code, result, _ = run(capsys, "--suite", suite, clean(tmp_path / "c.jsonl"))
    assert (code, result["status"], status(result)["a"]) == (4, "not-assessable", "not-assessable")


@pytest.mark.parametrize(
    "flags",
    [
        ["--tau", "0"],
        ["--tau", "1.5"],
        ["--tau", "much"],
        ["--workers", "horses:3"],
        ["--workers", "threads:0"],
        ["--name", ""],
        ["--embed", "."],
        ["--embed", ".", "--embed-tau", "2"],
        ["--allow", "nowhere.yaml"],
        ["--embed-tau", "0.7"],
        ["--out", "/"],
    ],
)
def test_wrong_usage_is_2(tmp_path: Path, suite: Path, capsys: pytest.CaptureFixture[str], flags: list[str]) -> None:
    """Flags that make no sense end before anything is read."""
    code, result, told = run(capsys, "--suite", suite, *flags, clean(tmp_path / "c.jsonl"))
    assert (code, result) == (2, {})
    assert flags[0].lstrip("-").partition("-")[0] in told or flags[1] in told


def test_the_result_is_the_same_whatever_read_it(
    tmp_path: Path, suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One thread, two, and a scan that goes on from a finished one write the same bytes; the file is what is printed."""
    folder = tmp_path / "corpus"
    folder.mkdir()
    for number in range(4):
        lines(folder / f"{number}.jsonl", {"id": f"d{number}", "text": f"{prose(number, 60)} {prose(60, 9)}"})
    flags = (
        ["--workers", "threads:1"],
        ["--workers", "threads:2"],
        ["--resume", tmp_path / "kept"],
        ["--resume", tmp_path / "kept"],
    )
    results = set()
    for number, more in enumerate(flags):
        out = tmp_path / f"{number}.json"
        assert run(capsys, "--suite", suite, "--out", out, *more, folder)[0] == 1
        results.add(out.read_bytes())
    assert len(results) == 1
    assert read_scan(results.pop(), path="0.json").documents == 4
    _, _, told = run(capsys, "--suite", suite, "--resume", tmp_path / "kept", folder)
    assert "4 of them from an earlier scan" in told


def test_a_changed_file_is_read_again(tmp_path: Path, suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A finished shard counts only for the file it was made of."""
    corpus = clean(tmp_path / "c.jsonl")
    assert run(capsys, "--suite", suite, "--resume", tmp_path / "kept", corpus)[0] == 0
    lines(corpus, {"id": "leak", "text": prose(1, 60)})
    assert run(capsys, "--suite", suite, "--resume", tmp_path / "kept", corpus)[0] == 1


def test_two_files_of_one_name_size_and_time_are_two(
    tmp_path: Path, suite: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A finished shard is of one file, wherever the scan was called from and however alike another one is."""
    for name, text in (("one", prose(70, 60)), ("two", prose(1, 60))):
        (tmp_path / name).mkdir()
        lines(tmp_path / name / "c.jsonl", {"id": "d", "text": text})
        os.utime(tmp_path / name / "c.jsonl", ns=(10**18, 10**18))
    codes = []
    for name in ("one", "two"):
        monkeypatch.chdir(tmp_path / name)
        codes.append(run(capsys, "--suite", suite, "--resume", tmp_path / "kept", "c.jsonl")[0])
    assert codes == [0, 1]


def test_a_finished_shard_is_of_the_same_columns(
    tmp_path: Path, suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The column of ids is not that of sources, even under one name."""
    corpus = lines(tmp_path / "c.jsonl", {"key": "k", "text": prose(1, 60)})
    kept = ("--suite", suite, "--resume", tmp_path / "kept", corpus)
    assert run(capsys, "--source-column", "key", *kept)[1]["instances"][0]["matches"][0]["document"] == "c.jsonl:1"
    assert run(capsys, "--id-column", "key", *kept)[1]["instances"][0]["matches"][0]["document"] == "k"


def test_a_name_that_cannot_be_written_down_is_an_error(
    tmp_path: Path, suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file name that is not UTF-8 ends the scan with a message, not with a crash."""
    folder = tmp_path / "corpus"
    folder.mkdir()
    try:
        Path(os.fsdecode(os.fsencode(folder) + b"/\xff.jsonl")).write_text('{"text": "a"}\n')
    except OSError:
        pytest.skip("this file system takes only UTF-8 names")
    code, _, told = run(capsys, "--suite", suite, folder)
    assert (code, "not UTF-8" in told) == (4, True)


def test_a_line_end_in_a_name_makes_no_line(tmp_path: Path, suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is told of a bad file cannot forge another line."""
    (tmp_path / "a\nclean: 3 instances.jsonl").write_text("{")
    code, _, told = run(capsys, "--suite", suite, tmp_path / "a\nclean: 3 instances.jsonl")
    assert code == 4
    assert not any(line.startswith("clean") for line in told.splitlines())


def test_utf_16_without_a_mark_is_no_text(tmp_path: Path, suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Latin text in UTF-16 is valid UTF-8 full of NUL bytes, in which no word could be found."""
    (tmp_path / "c.txt").write_bytes(prose(1, 60).encode("utf-16-le"))
    code, _, told = run(capsys, "--suite", suite, tmp_path / "c.txt")
    assert (code, "NUL bytes" in told) == (4, True)


def test_texts_are_shown_where_they_can_be(tmp_path: Path, suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--show-text` writes into the result: without one it is wrong usage."""
    assert main(["corpus", "scan", "--suite", str(suite), "--show-text", str(clean(tmp_path / "c.jsonl"))]) == 2


def test_for_people_the_worst_comes_first(tmp_path: Path, suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Counts, then the instances that were found, with where."""
    corpus = lines(tmp_path / "c.jsonl", {"id": "leak\x1b[2J", "text": prose(2, 60)})
    capsys.readouterr()
    assert main(["corpus", "scan", "--suite", str(suite), str(corpus)]) == 1
    told = capsys.readouterr().out
    assert told.splitlines()[0] == "contaminated: 3 instances"
    assert "contaminated b 100 % of its own words, run of 60: turns[0] in scanned / leak\\x1b[2J" in told


def test_encoded_copies_can_be_left_out(tmp_path: Path, suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By default a hexadecimal copy is found and said to be one."""
    corpus = lines(tmp_path / "c.jsonl", {"id": "h", "text": f"see {prose(1, 60).encode().hex()} ."})
    code, result, _ = run(capsys, "--suite", suite, corpus)
    assert (code, result["instances"][0]["matches"][0]["encoding"]) == (1, "hex")
    code, result, _ = run(capsys, "--suite", suite, "--no-encoded", corpus)
    assert (code, result["encoded"]) == (0, False)
