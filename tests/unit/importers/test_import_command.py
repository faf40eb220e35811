"""`litmusgate import FORMAT`: digests to stdout, talk to stderr, nothing hostile raw."""

import inspect
import json

import pytest
from typer.testing import CliRunner

from litmusgate.cli import import_
from litmusgate.errors import UsageError
from litmusgate.importers.agentdojo import DEFAULT_ID_TEMPLATE
from litmusgate.importers.registry import IMPORTERS

RUNNER = CliRunner()


def run(*arguments):
    """The command's result; errors of ours are raised as they are."""
    return RUNNER.invoke(import_.app, [str(argument) for argument in arguments], catch_exceptions=False)


def table(tmp_path):
    """Arguments that import a table of one pass and one null."""
    path = tmp_path / "t.jsonl"
    path.write_text('{"id": "a", "verdict": "pass"}\n{"id": "b", "verdict": null}\n', encoding="utf-8")
    flags = ["--agent", "bot", "--build", "b1", "--out", tmp_path / "run.jsonl"]
    return ["table", path, *flags, "--column", "id=id", "--column", "outcome=verdict", "--map", "pass=safe"]


def test_the_digests_go_to_stdout_and_the_counts_to_stderr(tmp_path):
    """A script reads `name digest` lines; a person reads how many trials are UNKNOWN."""
    result = run(*table(tmp_path))
    assert result.exit_code == 0
    lines = dict(line.split(" ") for line in result.stdout.splitlines())
    assert set(lines) == {"digest", "trials_digest", "importer", "mapping", "grader"}
    assert lines["grader"] == "none"
    assert "2 trials of 2 instances" in result.stderr
    assert "UNKNOWN: 1 of 2 trials" in result.stderr


def test_json_output_is_one_object(tmp_path):
    """The same digests and the counts as JSON, and nothing else on stdout."""
    document = json.loads(run(*table(tmp_path), "--format", "json").stdout)
    assert document["outcomes"] == {"safe": 1, "unknown:unscored": 1}
    assert document["trials"] == 2
    assert document["digest"].startswith("sha256:")


def test_an_unmapped_value_is_a_usage_error_and_writes_nothing(tmp_path):
    """E1: exit 2 by its error class, and no run file."""
    arguments = table(tmp_path)
    arguments[-1] = "fine=safe"
    with pytest.raises(UsageError) as raised:
        run(*arguments)
    assert raised.value.exit_code == 2
    assert not (tmp_path / "run.jsonl").exists()


def test_every_format_is_a_subcommand_and_no_other():
    """The command line offers exactly the registered formats; none is guessed."""
    assert {command.name for command in import_.app.registered_commands} == set(IMPORTERS)


def test_an_unknown_format_is_refused(tmp_path):
    """Exit 2 for a format that does not exist."""
    assert RUNNER.invoke(import_.app, ["guess", str(tmp_path)]).exit_code == 2


def test_the_default_template_is_the_importers():
    """The flag's default, spelled out so that help needs no heavy import, is the importer's own."""
    assert inspect.signature(import_.agentdojo).parameters["id_template"].default == DEFAULT_ID_TEMPLATE
