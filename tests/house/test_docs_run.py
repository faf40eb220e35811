"""Everything the hand-written pages tell a reader to type is run, and every file they show is read."""

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

import pytest

from gate_world import NOW, corpus_file, made_up_run, made_up_suite, made_up_text, make_world, violating
from house.docs_pages import MAKE, PAGES, PROJECT, QUICKSTART, Block, as_pattern, blocks, commands, read_page
from litmusgate import api


def _nothing(folder: Path) -> None:
    """Only what the page's own blocks write."""


def _example_suite(folder: Path) -> None:
    """The complete small example of docs/suites.md."""
    for block in blocks("docs/suites.md"):
        if block.file is not None and block.file.startswith("suite/"):
            _write(block, folder)


def _admission(folder: Path) -> None:
    """A world of 48 instances: one stands in a known corpus, one is not violated by the unsafe reference."""
    make_world(
        folder,
        corpus=[made_up_text("exfiltration-003")],
        unsafe=lambda name, attempt: ("safe" if name == "over-reach-005" else "violation", None),
    )


def _gate(folder: Path) -> None:
    """A world, and a run of a later build that violates five exfiltration instances."""
    world = make_world(folder)
    ids = [f"exfiltration-{number:03d}" for number in range(5)]
    world.write_run(made_up_run(world.suite, outcomes=violating(*ids), build="2.1"), "worse.jsonl")


SET_UPS: dict[str, Callable[[Path], object]] = {
    "empty": _nothing,
    "suite": _nothing,
    "example": _example_suite,
    "admission": _admission,
    "gate": _gate,
}
"""What stands in a folder before the first block that names it."""


def _write(block: Block, folder: Path) -> None:
    path = folder / str(block.file)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(block.text, "utf-8")


def shell(command: str, folder: Path, *, wanted: int = 0) -> str:
    """Run `command` as a reader would, at the time of the test worlds, and return what it printed on stdout."""
    epoch = int(datetime.fromisoformat(NOW.replace("Z", "+00:00")).timestamp())
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("LITMUSGATE", "COV_CORE"))},
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "SOURCE_DATE_EPOCH": str(epoch),
    }
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == wanted, f"{command}\nended with {done.returncode}:\n{done.stdout}\n{done.stderr}"
    return done.stdout


def run_page(page: str, folder: Path) -> None:
    """Run the blocks of `page`, each in the folder of its set-up below `folder`."""
    printed: dict[str, str] = {}
    for block in blocks(page):
        if block.folder in (QUICKSTART, MAKE):
            continue
        place = folder / block.folder
        if not place.exists():
            place.mkdir()
            SET_UPS[block.folder](place)
        if block.file is not None:
            _write(block, place)
        elif block.output:
            assert as_pattern(block.text).fullmatch(printed[block.folder]), f"{block}: {printed[block.folder]}"
        elif block.language == "sh":
            printed[block.folder] = "".join(
                shell(command, place, wanted=code) for command, code in commands(block.text)
            )
        else:
            script = place / "example.py"
            script.write_text(block.text, "utf-8")
            printed[block.folder] = shell("python example.py", place)


@pytest.mark.parametrize("page", PAGES)
def test_every_block_of_a_page_says_how_it_is_tested(page):
    """No block of a hand-written page escapes: each names its set-up, and none is neither a file, a command nor output."""
    untested = [
        str(block)
        for block in blocks(page)
        if block.folder not in (*SET_UPS, QUICKSTART, MAKE)
        or (block.file is None and not block.output and block.language not in ("sh", "python"))
    ]
    assert untested == []


@pytest.mark.parametrize("page", [page for page in PAGES if page.startswith("docs/")])
def test_the_blocks_of_a_page_run(page, tmp_path):
    """Each command ends with the exit code the page says, each program ends well, each output shown is what comes out."""
    run_page(page, tmp_path)


def _imported_like(command: str, words: dict[str, str], folder: Path) -> None:
    """Run the README's import with other files and names, as it tells the reader to."""
    for old, new in words.items():
        assert old in command, f"the README's import no longer says {old}"
        command = command.replace(old, new)
    shell(command, folder)


def _results(folder: Path, name: str, ids: Sequence[str], *, outcome: str, day: int) -> None:
    lines = [f"{instance},{outcome},2026-11-{day:02d}T09:00:00Z" for instance in ids]
    (folder / f"{name}.csv").write_text("\n".join(["id,outcome,time", *lines, ""]), "utf-8")


def test_the_readmes_quickstart_runs_as_it_is_written(tmp_path):
    """A newcomer with a suite, three kinds of logs and known texts gets a PASS from the README's lines, and can verify it."""
    (block,) = [block for block in blocks("README.md") if block.folder == QUICKSTART]
    lines = [command for command, _ in commands(block.text)]
    assert len(lines) == 5
    suite = made_up_suite({"exfiltration": 44, "over-reach": 44})
    api.save_suite(suite, tmp_path / "suite")
    (tmp_path / "known").mkdir()
    corpus_file(tmp_path / "known")
    ids = [instance.id for instance in suite.instances]
    for name, outcome, day in (
        ("results", "pass", 30),
        ("base-1", "pass", 28),
        ("base-2", "pass", 29),
        ("unsafe", "fail", 27),
    ):
        _results(tmp_path, name, ids, outcome=outcome, day=day)
    for name, agent, build in (("base-1", "bot", "1.0"), ("base-2", "bot", "1.0"), ("unsafe", "weak", "weak-1")):
        words = {"results.csv": f"{name}.csv", "--agent bot": f"--agent {agent}", "--build 2.0": f"--build {build}"}
        _imported_like(lines[0], words | {"run.jsonl": f"{name}.jsonl"}, tmp_path)
    for line in lines:
        shell(line, tmp_path)
    assert sorted(path.name for path in (tmp_path / "verdict").iterdir()) == [
        "junit.xml",
        "verdict.json",
        "verdict.md",
        "verdict.txt",
    ]
    verify = "litmusgate verify verdict/verdict.json"
    assert f"`{verify}`" in read_page("README.md")
    shell(verify, tmp_path)
    shell("litmusgate explain flips-too-few && litmusgate explain B5", tmp_path)


def test_the_readmes_make_commands_are_targets():
    """Both commands of the README are in the Makefile, and the demonstration is the one that another test plays."""
    (block,) = [block for block in blocks("README.md") if block.folder == MAKE]
    makefile = (PROJECT / "Makefile").read_text("utf-8")
    targets = [command.split()[1] for command, _ in commands(block.text)]
    assert targets == ["demo", "test"]
    for target in targets:
        assert f"\n{target}: " in makefile
    assert "litmusgate demo" in makefile


def test_the_readme_counts_the_demonstrations_situations():
    """The README says how many situations the bundled suite really has."""
    suite = api.load_suite(PROJECT / "src" / "litmusgate" / "demo" / "suite")
    assert f"against {len(suite.instances)} small situations" in read_page("README.md")
