"""The allow-list as a file: read whole, or refused with the line that is wrong."""

from pathlib import Path

import pytest

from litmusgate.corpora.allow_list import read_allow_list
from litmusgate.errors import UsageError
from litmusgate.provenance.allowed import AllowedText


def _written(folder: Path, text: str) -> Path:
    path = folder / "allow.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_texts_stand_in_the_list_or_in_files_beside_it(tmp_path: Path) -> None:
    """Both ways give the same kind of text, in the order of the list."""
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts/mit.txt").write_text("permission is hereby granted free of charge", encoding="utf-8")
    path = _written(
        tmp_path,
        "- name: quote\n  reason: everybody says so\n  text: to be or not to be\n"
        "- name: MIT\n  reason: a licence\n  file: texts/mit.txt\n",
    )
    assert read_allow_list(path) == (
        AllowedText(name="quote", text="to be or not to be", reason="everybody says so"),
        AllowedText(name="MIT", text="permission is hereby granted free of charge", reason="a licence"),
    )


GOOD = "- name: first\n  reason: good\n  text: one two three four five\n"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("- name: a\n  reason: r\n  text: one two three four five\n  since: 1999\n", 4, "unknown key 'since'"),
        (GOOD + "- name: a\n  text: one two three four five\n", 4, "key 'reason' is missing"),
        (GOOD + "- name: a\n  reason: ' '\n  text: one two three four five\n", 4, "needs a reason"),
        (GOOD + "- name: a\n  reason: r\n  text: ''\n", 4, "has 0 words"),
        (GOOD + "- name: a\n  reason: r\n", 4, "needs its words"),
        (GOOD + "- name: a\n  reason: r\n  text: one two three four five\n  file: a.txt\n", 4, "needs its words"),
        (GOOD + "- name: a\n  reason: r\n  file: absent.txt\n", 6, "absent.txt cannot be read"),
        (GOOD + GOOD, 4, "stands twice"),
        ("[]\n", 1, "is empty"),
        ("name: a\n", 1, "allow-list"),
        ("", 1, "empty"),
    ],
)
def test_what_is_wrong_is_refused_with_its_line(tmp_path: Path, text: str, line: int, words: str) -> None:
    """A list that means something else than its author thinks allows nothing: it is refused, with file and line."""
    path = _written(tmp_path, text)
    with pytest.raises(UsageError, match=words) as refused:
        read_allow_list(path)
    assert refused.value.at is not None
    assert (refused.value.at.path, refused.value.at.line) == (str(path), line)


def test_a_list_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    """No file is not an empty list."""
    with pytest.raises(UsageError, match="cannot be read"):
        read_allow_list(tmp_path / "absent.yaml")
