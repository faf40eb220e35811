"""The machinery that runs the pages can fail: it sees a wrong exit code, a wrong output, and a block without a set-up."""

import pytest

from house import docs_pages
from house.docs_pages import as_pattern, blocks, commands
from house.test_docs_run import run_page, shell


def _page(monkeypatch, folder, text):
    monkeypatch.setattr(docs_pages, "PROJECT", folder)
    (folder / "page.md").write_text(text, "utf-8")


def test_a_command_that_ends_otherwise_than_the_page_says_is_seen(tmp_path):
    """A failing command fails the test, and so does one that should fail and does not."""
    shell("exit 4", tmp_path, wanted=4)
    for command, wanted in (("false", 0), ("true", 4), ("litmusgate no-such-command", 0)):
        with pytest.raises(AssertionError, match="ended with"):
            shell(command, tmp_path, wanted=wanted)


def test_commands_are_joined_over_lines_and_say_their_exit_code():
    """A backslash continues a command, a comment may state the exit code, and comments alone are no command."""
    text = "first --flag \\\n  value   # exit 4\n# only a comment\nsecond\n"
    assert [(" ".join(command.split()), code) for command, code in commands(text)] == [
        ("first --flag value", 4),
        ("second", 0),
    ]


@pytest.mark.parametrize(
    ("printed", "fits"),
    [("a\nx\ny\nb\n", True), ("a\nb\n", False), ("a\nx\n", False), ("z\na\nx\nb\n", False), ("", False)],
)
def test_shown_output_has_to_be_what_comes_out(printed, fits):
    """A line of an ellipsis stands for one or more lines, everything else stands for itself."""
    assert (as_pattern("a\n…\nb\n").fullmatch(printed) is not None) is fits


@pytest.mark.parametrize("what", ["echo other", "true"])
def test_a_page_whose_output_differs_fails(what, tmp_path, monkeypatch):
    """The output block under a command is compared with what the command prints."""
    text = f"<!-- in: empty -->\n```sh\n{what}\n```\n\n<!-- in: empty, output -->\n```text\nsaid\n```\n"
    _page(monkeypatch, tmp_path, text)
    with pytest.raises(AssertionError, match=r"page\.md:7"):
        run_page("page.md", tmp_path)


@pytest.mark.parametrize(
    ("text", "problem"),
    [("```sh\ntrue\n", "never closed"), ("<!-- on: gate -->\n```sh\ntrue\n```\n", "unknown words")],
)
def test_a_block_that_cannot_be_read_is_an_error(text, problem, tmp_path, monkeypatch):
    """An open fence and a misspelt marker are errors, not blocks that nobody runs."""
    _page(monkeypatch, tmp_path, text)
    with pytest.raises(ValueError, match=problem):
        list(blocks("page.md"))


def test_a_block_without_a_marker_has_no_set_up(tmp_path, monkeypatch):
    """A block that nobody marked is found, with the empty set-up that no page may have."""
    _page(monkeypatch, tmp_path, "text\n```sh\ntrue\n```\n")
    assert [block.folder for block in blocks("page.md")] == [""]
