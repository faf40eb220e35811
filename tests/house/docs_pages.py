"""The code blocks of the hand-written pages, with the marker that says what each one is and which folder it needs.

A marker is an HTML comment on the line before a fence: `<!-- in: FOLDER -->`, where FOLDER names a set-up (`SET_UPS` in
`test_docs_run.py`). Blocks of one page that name the same set-up share one folder and run in their order. `file: NAME`
makes the block a file of that folder; `output` makes it what the command before it prints, where `…` stands for anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
PAGES = (
    "README.md",
    "docs/suites.md",
    "docs/evidence.md",
    "docs/admission.md",
    "docs/index.md",
    "docs/scan.md",
    "docs/gate.md",
    "docs/api.md",
    "docs/calibration.md",
)
"""Hand-written pages whose blocks run. The other pages show no command to type, or are generated."""

QUICKSTART = "quickstart"
MAKE = "make"

_FENCE = re.compile(r"^```(\w*)$")
_MARKER = re.compile(r"^<!-- (.+?) -->$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One fenced block. `folder` is the set-up it needs (empty: it has no marker), `file` the file it is, if it is one."""

    page: str
    line: int
    language: str
    text: str
    folder: str
    file: str | None = None
    output: bool = False

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def read_page(page: str) -> str:
    """The text of a page of the project."""
    return (PROJECT / page).read_text("utf-8")


def blocks(page: str) -> Iterator[Block]:
    """The fenced blocks of `page`, in order. Raises `ValueError` for a fence that is never closed."""
    lines = read_page(page).split("\n")
    number = 0
    while number < len(lines):
        fence = _FENCE.match(lines[number])
        if fence is None:
            number += 1
            continue
        end = next((at for at in range(number + 1, len(lines)) if lines[at] == "```"), None)
        if end is None:
            raise ValueError(f"{page}:{number + 1}: the fence is never closed")
        marker = _MARKER.match(lines[number - 1]) if number else None
        text = "\n".join(lines[number + 1 : end]) + "\n"
        yield _block(page, number + 1, fence.group(1), text, "" if marker is None else marker.group(1))
        number = end + 1


def _block(page: str, line: int, language: str, text: str, marker: str) -> Block:
    if marker in (QUICKSTART, MAKE):
        return Block(page=page, line=line, language=language, text=text, folder=marker)
    parts = dict(part.partition(": ")[::2] for part in marker.split(", ") if part)
    unknown = sorted(parts.keys() - {"in", "file", "output"})
    if unknown:
        raise ValueError(f"{page}:{line}: unknown words in the marker: {unknown}")
    return Block(
        page=page,
        line=line,
        language=language,
        text=text,
        folder=parts.get("in", ""),
        file=parts.get("file"),
        output="output" in parts,
    )


def commands(text: str) -> Iterator[tuple[str, int]]:
    """The commands of a shell block, continued lines joined, each with the exit code it says (`# exit 4`; else 0)."""
    for line in text.replace("\\\n", " ").split("\n"):
        command, _, comment = line.partition("#")
        if command.strip():
            said = re.search(r"exit (\d+)", comment)
            yield command.strip(), 0 if said is None else int(said.group(1))


def as_pattern(text: str) -> re.Pattern[str]:
    """`text` as a pattern in which `…` stands for anything, line ends included, and trailing white space is ignored."""
    lines = [re.escape(line.rstrip()).replace("…", r"[\s\S]*?") for line in text.strip("\n").split("\n")]
    return re.compile(r"\s*" + r"[ \t]*\n".join(lines) + r"\s*")


def table_rows(page: str, name: str) -> list[list[str]]:
    """The rows, without the head, of the table that follows the marker `<!-- table: NAME -->`."""
    lines = read_page(page).split("\n")
    start = lines.index(f"<!-- table: {name} -->") + 1
    rows = []
    for line in lines[start:]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows[2:]
