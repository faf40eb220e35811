"""`litmusgate admit`: the page names who may not vote."""

from pathlib import Path

import pytest

from cli.test_admit_command import _folder, add, admit  # noqa: F401 - the fixture


def test_the_excluded_are_named_with_reason_and_document(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A7: who may not vote stands on the page with why and by which document; nobody else does."""
    add(folder, "known")
    capsys.readouterr()
    assert admit(folder) == 0
    lines = capsys.readouterr().out.splitlines()
    start = lines.index("may not vote")
    assert lines[start + 1].startswith("  case-00: contaminated (")
    assert lines[start + 1].endswith(" in known: k)")
    assert not any("case-01" in line for line in lines)


def test_of_many_excluded_the_first_twenty_are_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A7: the page stays short and says how many it leaves to the record; a clean suite has no such list."""
    assert admit(folder) == 0
    assert "may not vote" not in capsys.readouterr().out.splitlines()
    assert admit(folder, index=False) == 4
    lines = capsys.readouterr().out.splitlines()
    start = lines.index("may not vote")
    assert [line.split(":")[0].strip() for line in lines[start + 1 : start + 21]] == [
        f"case-{n:02d}" for n in range(20)
    ]
    assert lines[start + 21] == "  and 4 more, in the record"
