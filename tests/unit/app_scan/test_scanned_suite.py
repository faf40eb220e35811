"""What a scan looks for: folders, canonical files and bare JSON lines."""

import json
from pathlib import Path

import pytest

from litmusgate.app.scan_suite import load_scanned_suite
from litmusgate.errors import SuiteError
from litmusgate.suite.instance import Role


def _write(path: Path, *rows: object) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    return path


def test_bare_lines_are_a_suite(tmp_path: Path) -> None:
    """Rows need an id and turns, or a text; the rest is not looked at, and said so."""
    rows = (
        {"id": "b", "turns": [{"role": "system", "content": "s"}, {"content": "u"}, {"role": "tool", "content": "t"}]},
        {"id": "a", "category": "x", "text": "one two", "rubric": {}, "context": []},
    )
    found = load_scanned_suite(_write(tmp_path / "suite.jsonl", *rows))
    assert [item.id for item in found.instances] == ["a", "b"]
    assert [turn.role for turn in found.instances[1].turns] == [Role.SYSTEM, Role.USER, Role.TOOL]
    assert found.instances[0].turns[0].content == "one two"
    assert found.unread_keys == ("context", "rubric")


def test_the_digest_is_of_what_is_looked_for(tmp_path: Path) -> None:
    """The order of the rows and their other keys change nothing; a word does."""
    one = {"id": "a", "text": "one two"}
    other = {"id": "b", "text": "three"}
    first = load_scanned_suite(_write(tmp_path / "1.jsonl", one, other))
    second = load_scanned_suite(_write(tmp_path / "2.jsonl", {**other, "category": "z"}, one))
    third = load_scanned_suite(_write(tmp_path / "3.jsonl", one, {**other, "text": "four"}))
    assert first.digest == second.digest != third.digest


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ((), "holds no instance"),
        (([],), "not a JSON object"),
        (({"text": "x"},), "no usable id"),
        (({"id": "", "text": "x"},), "no usable id"),
        (({"id": 3, "text": "x"},), "no usable id"),
        (({"id": "a"},), "exactly one of the keys"),
        (({"id": "a", "text": "x", "turns": ["y"]},), "exactly one of the keys"),
        (({"id": "a", "text": None},), "text holds no text"),
        (({"id": "a", "turns": []},), "not a list of turns"),
        (({"id": "a", "turns": "x"},), "not a list of turns"),
        (({"id": "a", "turns": [{"role": "user"}]},), r"turns\[0\] holds no text"),
        (({"id": "a", "turns": [{"role": "narrator", "content": "x"}]},), "unknown role"),
        (({"id": "a", "turns": [{"role": [], "content": "x"}]},), "unknown role"),
        (({"id": "a", "text": "x"}, {"id": "a", "text": "y"}), "stands twice"),
    ],
)
def test_what_is_no_suite_is_refused_with_its_line(tmp_path: Path, rows: tuple[object, ...], message: str) -> None:
    """Nothing is skipped: a row that cannot be looked for ends the scan before it begins."""
    path = _write(tmp_path / "suite.jsonl", *rows)
    with pytest.raises(SuiteError, match=message) as caught:
        load_scanned_suite(path)
    assert str(path) in str(caught.value)
    if rows:
        assert f"{path}:{len(rows)}" in str(caught.value)
