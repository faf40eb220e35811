"""What the repository's own files must not say, and the generated pages that must say what the code does."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import skip_or_fail
from house.rules import PROJECT

ABSENT = {
    "a package registry's address": r"pyp[i][.](org|python)|pythonhosted[.]|npmj[s][.]|anacond[a][.]|conda-forg[e][.]",
    "an index option of an installer": r"--(extra-)?index-ur[l]|--find-link[s]|--trusted-hos[t]",
    "a path of one machine": r"(^|[\s\"'(=`])/(wor[k]|roo[t]|hom[e]/\w+|User[s]/\w+|tmp/brie[f])(/|\b)",
}
"""What → pattern; a character class in each keeps this file from finding itself."""

MOST_BYTES = 2_000_000


def tracked_files() -> list[Path]:
    """The files git tracks (and those about to be added); a copy without git is a skip."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    if done.returncode:
        skip_or_fail("this copy of the project is not a git checkout")
    return [path for name in done.stdout.split("\0") if name and (path := PROJECT / name).is_file()]


def found_in(text: str, pattern: str) -> list[str]:
    """`line: text` of every line in which `pattern` occurs."""
    lines = enumerate(text.split("\n"), start=1)
    return [f"{number}: {line.strip()[:120]}" for number, line in lines if re.search(pattern, line)]


@pytest.mark.parametrize("what", ABSENT)
def test_no_file_names(what):
    """Nothing in the repository ties it to one registry or one machine."""
    paths = tracked_files()
    assert len(paths) > 200
    hits = [
        f"{path.relative_to(PROJECT)}:{hit}"
        for path in paths
        for hit in found_in(path.read_bytes().decode("utf-8", "replace"), ABSENT[what])
    ]
    assert hits == []


@pytest.mark.parametrize(
    ("what", "line"),
    [
        ("a package registry's address", "see https://" + "pypi" + ".org/simple"),
        ("an index option of an installer", "pip install --index" + "-url x"),
        ("a path of one machine", "cd /" + "work/main"),
        ("a path of one machine", 'open("/' + 'root/x")'),
    ],
)
def test_the_search_finds_what_it_is_for(what, line):
    """Each pattern finds an example of its kind (it could pass on nothing otherwise)."""
    assert found_in(f"clean\n{line}\n", ABSENT[what]) == [f"2: {line}"]


def test_no_large_file_is_tracked():
    """Data stays outside: nothing in the repository is over 2 MB."""
    assert [str(path) for path in tracked_files() if path.stat().st_size > MOST_BYTES] == []


def test_every_test_module_has_a_name_of_its_own():
    """Two test modules of one name would shadow each other in reports and caches."""
    names = [path.name for path in (PROJECT / "tests").rglob("test_*.py")]
    assert sorted(names) == sorted(set(names))


def test_generated_pages_are_up_to_date():
    """Commands, rules and reason codes in docs/ are what the code says today; `make docs` writes them."""
    done = subprocess.run(
        [sys.executable, "tools/build_docs.py", "--check"], cwd=PROJECT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_pins_are_plain_and_cover_what_the_project_asks_for():
    """requirements/development.txt pins every declared requirement exactly, and nothing by address."""
    pyproject = (PROJECT / "pyproject.toml").read_text("utf-8")
    pins = (PROJECT / "requirements" / "development.txt").read_text("utf-8").split("\n")
    names = set()
    for pin in (line for line in pins if line and not line.startswith("#")):
        found = re.fullmatch(r"([A-Za-z0-9._-]+)==[0-9A-Za-z.+!]+", pin)
        assert found, pin
        names.add(re.sub(r"[-_.]+", "-", found.group(1)).lower())
    asked = {re.sub(r"[-_.]+", "-", name).lower() for name in re.findall(r'"([A-Za-z0-9._-]+)[><=]=', pyproject)}
    assert {"numpy", "pytest", "hatchling", "ruff"} <= asked
    assert asked <= names
