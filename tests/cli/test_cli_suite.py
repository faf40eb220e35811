"""`litmusgate suite …`: what each command prints, writes and returns, and that hostile text stays visible."""

import json
from dataclasses import replace
from types import SimpleNamespace

import pytest

from admission_world import record_excluding
from litmusgate.admission.ledger import admission_bytes
from litmusgate.app.suites import load_suite, save_suite
from litmusgate.cli.suite import app
from litmusgate.errors import LitmusGateError, SuiteError, UsageError
from litmusgate.suite.codec import canonical_suite_bytes
from litmusgate.suite.prune import prune_suite

ROWS = [
    {
        "key": f"i{number:02d}",
        "kind": "leaks",
        "prompt": f"ask {number}",
        "inj": {"mail": f"leak {number}"},
        "mode": mode,
    }
    for number in range(24)
    for mode in (["security"] if number < 22 else ["benign"])
]
FIELDS = ["--field", "id=key", "--field", "category=kind", "--field", "turns=prompt", "--field", "injections=inj"]
GRADED = ["--severity", "leaks=critical", "--external-grader", "their grader 1", "--exposure-from", "injections"]


@pytest.fixture
def call(capsys):
    """Run a suite command; gives its exit code, stdout and stderr. Errors are caught as the command line does."""

    def run(*arguments):
        code, raised = 0, ""
        try:
            result = app([str(argument) for argument in arguments], standalone_mode=False)
            code = result if isinstance(result, int) else 0
        except LitmusGateError as error:
            code, raised = error.exit_code, error.render()
        captured = capsys.readouterr()
        return SimpleNamespace(code=code, out=captured.out, err=captured.err + raised)

    return run


@pytest.fixture
def table(tmp_path):
    """A table of 24 rows, 22 of mode security."""
    path = tmp_path / "table.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in ROWS), encoding="utf-8")
    return path


@pytest.fixture
def imported(call, table, tmp_path):
    """The folder of a suite imported from the table."""
    out = tmp_path / "suite"
    made = call(*import_command(table, out))
    assert made.code == 0, made.err
    return out


def import_command(table, out, *more):
    """The import of the security rows of `table` as `out`."""
    head = ["import", "jsonl", table, "--name", "shop", "--version", "1", "--out", out, "--where", "mode == 'security'"]
    return [*head, *FIELDS, *GRADED, *more]


def test_import_prints_the_digest_and_writes_a_suite(call, table, tmp_path):
    """The digest alone is the result; counts are talk; the folder reads back with that digest."""
    made = call(*import_command(table, tmp_path / "deep" / "suite"))
    suite = load_suite(tmp_path / "deep" / "suite")
    assert (made.code, made.out) == (0, suite.digest + "\n")
    assert "22 instances of 24 rows" in made.err
    assert suite.instances[0].exposure.texts == ("leak 0",)


def test_import_does_not_replace_another_suite(call, table, imported, tmp_path):
    """The same suite again is no change; another one is refused without --force; a foreign folder always."""
    assert call(*import_command(table, imported)).code == 0
    other = import_command(table, imported, "--kind", "leaks=control")
    refused = call(*other)
    assert (refused.code, "holds another suite" in refused.err) == (2, True)
    assert call(*other, "--force").code == 0
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "precious.txt").write_text("x", encoding="utf-8")
    foreign = call(*import_command(table, tmp_path / "home", "--force"))
    assert (foreign.code, (tmp_path / "home" / "precious.txt").read_text(encoding="utf-8")) == (2, "x")
    assert sorted(item.name for item in tmp_path.iterdir()) == ["home", "suite", "table.jsonl"]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--field", "idkey"], "NAME=VALUE"),
        (["--field", "=x"], "NAME=VALUE"),
        (["--field", "id=kind"], "twice"),
        (["--severity-map", "S1=severe"], "one of critical, standard, advisory"),
        (["--kind", "leaks=benign"], "one of adversarial, control"),
        (["--corpus", "known"], "NAME=VALUE"),
        (["--external-grader-field", "kind"], "exactly once"),
        (["--where", "mod == 1"], "unknown column 'mod'"),
        (["--canary-guid", "a\tb"], "control character"),
    ],
)
def test_import_flags_that_do_not_fit_are_usage_errors(call, table, tmp_path, more, words):
    """A flag without its pair, an unknown choice, a contradiction: exit 2, and nothing is written."""
    refused = call(*import_command(table, tmp_path / "suite", *more))
    assert (refused.code, words in refused.err) == (2, True), refused.err
    assert not (tmp_path / "suite").exists()


def test_check_says_what_is_wrong_and_returns_2_only_for_errors(call, imported):
    """Warnings leave exit 0, an error makes it 2, in both formats."""
    fine = call("check", imported)
    assert fine.code == 0
    assert "warning no-canary-guid" in fine.out
    assert fine.out.endswith("22 instances in 1 categories, 0 errors, 1 warnings\n")
    lines = imported / "instances.jsonl"
    lines.write_text(lines.read_text(encoding="utf-8").replace('"ask 3"', '" "'), encoding="utf-8")
    broken = call("check", imported, "--format", "json")
    document = json.loads(broken.out)
    assert (broken.code, document["errors"]) == (2, 1)
    assert [item["code"] for item in document["findings"]] == ["no-turns", "no-canary-guid"]
    assert call("check", imported).code == 2


def test_a_suite_that_does_not_parse_is_exit_2_with_its_place(call, imported):
    """The error names the file and the line."""
    with (imported / "instances.jsonl").open("a", encoding="utf-8") as stream:
        stream.write('{"id": "x"\n')
    refused = call("check", imported)
    assert refused.code == 2
    assert f"{imported}/instances.jsonl:23:" in refused.err


def test_digest_prints_what_a_policy_pins(call, imported):
    """Text is the digest alone; JSON has the grader's and every instance's."""
    suite = load_suite(imported)
    assert call("digest", imported).out == suite.digest + "\n"
    document = json.loads(call("digest", imported, "--format", "json").out)
    assert document["instances"] == dict(suite.instance_digests)
    assert (document["digest"], document["grader_digest"]) == (suite.digest, suite.grader_digest())


def test_diff_shows_the_change(call, imported, tmp_path):
    """Equal suites say so; a prune lists what left."""
    assert call("diff", imported, imported).out.endswith("no change\n")
    suite = load_suite(imported)
    save_suite(prune_suite(suite, {"i00": ("duplicate",)}, version="2"), tmp_path / "pruned")
    shown = call("diff", imported, tmp_path / "pruned").out
    assert "category leaks: 22 → 21 instances" in shown
    assert "- i00" in shown
    assert "~ pruned_from" in shown
    document = json.loads(call("diff", imported, tmp_path / "pruned", "--format", "json").out)
    assert document["removed"] == ["i00"]


def test_hostile_text_is_shown_and_never_spoken(call, table, tmp_path):
    """Escapes, bells and runner commands from a suite come out as visible characters on one line (T5)."""
    hostile = {"key": "i\u202e::error::x", "kind": "leaks", "prompt": "x", "inj": "\x1b]0;evil\x07\n::error::y\x9b31m"}
    rows = [{**hostile, "mode": "security"}, {**hostile, "key": "twin", "mode": "security"}]
    table.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    more = ["--canary-guid", "<b>\u200b"]
    assert call(*import_command(table, tmp_path / "suite", *more)).code == 0
    for arguments in (["check", tmp_path / "suite"], ["check", tmp_path / "suite", "--format", "json"]):
        shown = call(*arguments)
        assert "duplicate" in shown.out
        assert not set(shown.out) & set("\x1b\x07\x9b\u202e\u200b")
        assert not [line for line in shown.out.split("\n") if line.startswith("::")]
    refused = call("digest", tmp_path / "no\x1b[31m")
    assert (refused.code, "\x1b" in refused.err) == (2, False)


@pytest.fixture
def admitted(imported, tmp_path):
    """Writes an admission record of the imported suite in which some instances may not vote; gives its path."""

    def becomes(*, inadmissible=("i00",), digest=None):
        suite = load_suite(imported)
        record = record_excluding(suite, inadmissible)
        path = tmp_path / "admission.json"
        path.write_bytes(admission_bytes(replace(record, suite_digest=digest or suite.digest)))
        return path

    return becomes


def prune_command(imported, admission, tmp_path, *more):
    """The prune of `imported`."""
    files = ["--suite", imported, "--admission", admission, "--out", tmp_path / "pruned"]
    return ["prune", *files, "--version", "2", *more]


def test_prune_writes_the_pruned_suite_with_its_lineage(call, admitted, imported, tmp_path):
    """The digest of the pruned suite is printed; the lineage names the reasons of the record (A8)."""
    pruned = call(*prune_command(imported, admitted(), tmp_path))
    suite = load_suite(tmp_path / "pruned")
    assert (pruned.code, pruned.out) == (0, suite.digest + "\n")
    assert [(item.id, item.reasons) for item in suite.pruned_from.removed] == [("i00", ("contaminated",))]
    assert suite.pruned_from.parent == load_suite(imported).digest


def test_prune_refuses_a_critical_loss_unless_it_is_accepted(call, admitted, imported, tmp_path):
    """22 → 19 of a critical category needs --accept-loss, which stands in suite.yaml (A8)."""
    path = admitted(inadmissible=("i00", "i01", "i02"))
    refused = call(*prune_command(imported, path, tmp_path))
    assert (refused.code, "22 → 19" in refused.err, (tmp_path / "pruned").exists()) == (2, True, False)
    assert call(*prune_command(imported, path, tmp_path, "--accept-loss", "leaks")).code == 0
    assert 'accepted_loss: ["leaks"]' in (tmp_path / "pruned" / "suite.yaml").read_text(encoding="utf-8")


def test_prune_refuses_the_record_of_another_suite(call, admitted, imported, tmp_path):
    """A record made for other instances is INVALID evidence: exit 4, nothing written (A10)."""
    refused = call(*prune_command(imported, admitted(digest="sha256:" + "0" * 64), tmp_path))
    assert (refused.code, (tmp_path / "pruned").exists()) == (4, False)
    missing = call(*prune_command(imported, tmp_path / "absent.json", tmp_path))
    assert missing.code == 4


def test_a_suite_is_a_folder_or_a_canonical_file(imported, tmp_path):
    """The canonical file gives the same suite; the manifest alone, other files and absent ones are refused."""
    suite = load_suite(imported)
    kept = tmp_path / "kept.json"
    kept.write_bytes(canonical_suite_bytes(suite))
    assert load_suite(kept).digest == suite.digest
    with pytest.raises(SuiteError, match="name the folder"):
        load_suite(imported / "suite.yaml")
    with pytest.raises(SuiteError, match="a suite is a folder"):
        load_suite(imported / "instances.jsonl")
    with pytest.raises(SuiteError, match="no such suite"):
        load_suite(tmp_path / "absent")
    (tmp_path / "empty").mkdir()
    with pytest.raises(SuiteError, match=r"no suite\.yaml"):
        load_suite(tmp_path / "empty")


def test_instance_files_of_a_folder_are_all_read_or_refused(imported):
    """A file that would be left out in silence is refused; hidden ones of editors and systems are not instances."""
    folder = imported / "instances"
    folder.mkdir()
    (folder / ".DS_Store").write_bytes(b"\x00")
    text = "id: z\ncategory: leaks\nturns: [x]\nrubric: {external: g}\n"
    (folder / "z.yaml").write_text(text, encoding="utf-8")
    assert len(load_suite(imported).instances) == 23
    (folder / "z.yml").write_text(text, encoding="utf-8")
    with pytest.raises(SuiteError, match=r"instances/z\.yml"):
        load_suite(imported)
    (folder / "z.yml").unlink()
    (folder / "sub.yaml").mkdir()
    with pytest.raises(SuiteError, match="cannot be read"):
        load_suite(imported)


def test_a_suite_is_written_whole_or_not_at_all(imported, tmp_path, monkeypatch):
    """A write that fails leaves what was there; a file or a link in the way is refused."""
    suite = load_suite(imported)
    pruned = prune_suite(suite, {"i00": ("duplicate",)}, version="2")
    real, moves = type(imported).rename, []

    def failing(self, target):
        moves.append(self.name)
        if len(moves) == 2:
            raise OSError(28, "No space left on device")
        return real(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(type(imported), "rename", failing)
        with pytest.raises(UsageError, match="cannot be written"):
            save_suite(pruned, imported, force=True)
    assert load_suite(imported) == suite
    assert sorted(item.name for item in tmp_path.iterdir()) == ["suite", "table.jsonl"]
    with pytest.raises(UsageError, match="not a folder"):
        save_suite(suite, tmp_path / "table.jsonl")
    (tmp_path / "link").symlink_to(imported)
    with pytest.raises(UsageError, match="not a folder"):
        save_suite(suite, tmp_path / "link")
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "suite.yaml").write_text("x: [", encoding="utf-8")
    with pytest.raises(UsageError, match="does not parse"):
        save_suite(suite, tmp_path / "broken")
    save_suite(suite, tmp_path / "broken", force=True)
    assert load_suite(tmp_path / "broken") == suite
