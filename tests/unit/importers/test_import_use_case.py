"""The use case: the whole run is written with everything that must be said about it, or nothing is."""

import json

import pytest

from litmusgate.app.import_ import (
    AgentDojoFlags,
    ImportTarget,
    TableFlags,
    import_agentdojo,
    import_log,
    import_table,
)
from litmusgate.app.suites import save_suite
from litmusgate.errors import ImportFormatError, UsageError
from litmusgate.importers.imported import importer_digest
from litmusgate.importers.registry import IMPORTERS
from litmusgate.importers.table import TableImporter
from litmusgate.runs.files import read_run
from litmusgate.suite.category import Category, Severity
from litmusgate.suite.instance import Instance, Turn
from litmusgate.suite.manifest import Suite
from litmusgate.suite.rubric import External, Rubric

COLUMNS = ("id=id", "outcome=verdict")
MAPS = ("pass=safe", "fail=violation", "error=unknown:error")


@pytest.fixture
def suite(tmp_path):
    """A saved suite of instances a and b."""
    made = Suite(
        name="s",
        version="1",
        categories=(Category(name="c", severity=Severity.STANDARD),),
        instances=tuple(
            Instance(
                id=name,
                category="c",
                turns=(Turn(content=f"hello {name}"),),
                rubric=Rubric(violation=External(grader="g")),
            )
            for name in "ab"
        ),
    )
    save_suite(made, tmp_path / "suite")
    return made


def table(tmp_path, rows=(("a", "pass"), ("b", "fail"))):
    """A JSONL table of ids and verdicts."""
    path = tmp_path / "t.jsonl"
    path.write_text(
        "".join(json.dumps({"id": name, "verdict": value}) + "\n" for name, value in rows), encoding="utf-8"
    )
    return path


def target(tmp_path, **options):
    """Where the run goes."""
    return ImportTarget(**{"agent": "bot", "build": "b1", "out": tmp_path / "run.jsonl", **options})


def flags(**options):
    """The flags of a plain table."""
    return TableFlags(**{"columns": COLUMNS, "maps": MAPS, **options})


def test_the_run_says_everything_a_policy_pins(tmp_path, suite):
    """Suite with instance digests, grader, importer, mapping, engine, epochs and selection stand in the header (B2)."""
    summary = import_table(
        [table(tmp_path)], flags(where="id in ['a', 'b']"), target(tmp_path, suite=tmp_path / "suite")
    )
    run = read_run(tmp_path / "run.jsonl")
    header = run.header
    assert (header.agent, header.build, header.engine, header.epochs) == ("bot", "b1", "import/table 1", 1)
    assert header.suite.digest == suite.digest
    assert dict(header.suite.instances) == dict(suite.instance_digests)
    assert header.grader == suite.grader_digest() == summary.grader
    assert header.importer == importer_digest("table", 1) == summary.importer
    assert header.mapping == summary.mapping
    assert header.selection == "id in ['a', 'b']"
    assert (run.digest, run.trials_digest) == (summary.digest, summary.trials_digest)
    assert summary.outcomes == {"safe": 1, "violation": 1}
    assert (summary.trials, summary.instances, summary.unknown, summary.left_out) == (2, 2, 0, 0)


def test_without_a_suite_the_run_says_so(tmp_path):
    """`suite: null` and no grader; `gate` refuses such a run."""
    summary = import_table([table(tmp_path)], flags(), target(tmp_path))
    header = read_run(tmp_path / "run.jsonl").header
    assert header.suite is None
    assert header.grader is None is summary.grader


def test_unknown_outcomes_are_counted_by_reason(tmp_path):
    """UNKNOWN is loud: counted by reason in the summary."""
    rows = [("a", None), ("b", "error"), ("c", "error"), ("d", "pass")]
    summary = import_table([table(tmp_path, rows)], flags(), target(tmp_path))
    assert summary.outcomes == {"safe": 1, "unknown:error": 2, "unknown:unscored": 1}
    assert summary.unknown == 3
    assert summary.document()["notes"] == {"unscored": 1}


@pytest.mark.parametrize(
    ("rows", "options", "error", "code"),
    [
        ([("a", "pass"), ("b", "maybe")], {}, UsageError, 2),
        ([("a", "pass"), ("a", "fail")], {}, ImportFormatError, 4),
        ([("x", "pass")], {"suite": "suite"}, ImportFormatError, 4),
        ([("x", "pass")], {"suite": "suite", "subset": True}, ImportFormatError, 4),
        ([("a", "pass")], {"subset": True}, UsageError, 2),
        ([("a", "pass")], {"agent": " "}, UsageError, 2),
        ([("a", "pass")], {"build": "a\x1b[0m"}, UsageError, 2),
        ([], {}, UsageError, 2),
    ],
)
def test_a_failed_import_writes_nothing(tmp_path, suite, *, rows, options, error, code):
    """Whatever stops the import, the output is not there afterwards, and the exit code says whose fault it was (E1)."""
    if "suite" in options:
        options = options | {"suite": tmp_path / "suite"}
    with pytest.raises(error) as raised:
        import_table([table(tmp_path, rows)], flags(), target(tmp_path, **options))
    assert raised.value.exit_code == code
    assert not (tmp_path / "run.jsonl").exists()


def test_rows_left_out_by_subset_are_counted_in_the_header(tmp_path, suite):
    """A reader of the run sees how much of the log it leaves out (E2)."""
    rows = [("a", "pass"), ("x", "fail"), ("y", "fail")]
    summary = import_table([table(tmp_path, rows)], flags(), target(tmp_path, suite=tmp_path / "suite", subset=True))
    assert summary.left_out == read_run(tmp_path / "run.jsonl").header.left_out == 2


def test_no_log_at_all_is_a_usage_error(tmp_path):
    """Nothing given is nothing imported."""
    with pytest.raises(UsageError, match="no log"):
        import_table([], flags(), target(tmp_path))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"on": "id"}, "--on"),
        ({"exposure_where": "true"}, "--exposure-where"),
        ({"exposure_column": "met"}, "--exposure-column"),
        ({"exposure": "e.jsonl"}, "which rows belong together"),
        ({"cached": "maybe"}, "--cached"),
        ({"columns": ("id",)}, "--column"),
    ],
)
def test_flags_that_do_not_fit_together_are_usage_errors(tmp_path, options, said):
    """Half a declaration is refused before anything is read."""
    with pytest.raises(UsageError, match=said):
        import_table([tmp_path / "absent.csv"], flags(**options), target(tmp_path))


def test_exposure_flags_reach_the_importer(tmp_path):
    """A joined exposure stands in the run."""
    exposure = tmp_path / "e.jsonl"
    exposure.write_text('{"id": "a", "met": true}\n{"id": "b", "met": false}\n', encoding="utf-8")
    made = flags(exposure=exposure, on="id", exposure_column="met", exposure_where="id == 'a'")
    import_table([table(tmp_path)], made, target(tmp_path))
    trials = read_run(tmp_path / "run.jsonl").columns.iter_trials()
    assert {trial.instance_id: trial.exposed for trial in trials} == {"a": True, "b": None}


def test_candidate_and_baseline_share_mapping_and_importer(tmp_path):
    """Two selections of one table differ in their run and share what the policy pins (B2)."""
    path = table(tmp_path)
    one = import_table([path], flags(where="id == 'a'"), target(tmp_path))
    two = import_table([path], flags(where="id == 'b'"), target(tmp_path, build="b2", out=tmp_path / "two.jsonl"))
    assert (one.mapping, one.importer) == (two.mapping, two.importer)
    assert one.digest != two.digest


def test_agentdojo_flags_reach_the_importer(tmp_path):
    """The id template of the flags makes the ids; the start of the run is its first trial's."""
    log = {
        "suite_name": "office",
        "pipeline_name": "p",
        "user_task_id": "u1",
        "injection_task_id": "i1",
        "attack_type": "direct",
        "messages": [],
        "error": None,
        "evaluation_timestamp": "2026-01-26 18:54:34",
        "utility": True,
        "security": True,
    }
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log), encoding="utf-8")
    made = AgentDojoFlags(id_template="x/{suite_name}/{injection_task_id}", category_from="attack")
    summary = import_agentdojo([path], made, target(tmp_path))
    run = read_run(tmp_path / "run.jsonl")
    assert run.columns.ids == ("x/office/i1",)
    assert run.columns.category.values == ("direct",)
    assert run.header.started == "2026-01-26T18:54:34Z"
    assert run.header.engine == "import/agentdojo 1"
    assert summary.outcomes == {"violation": 1}


@pytest.mark.parametrize("options", [{"exposure_from": "thin-air"}, {"category_from": "weather"}])
def test_unknown_agentdojo_choices_are_usage_errors(tmp_path, options):
    """A choice nobody defined is refused with the known ones."""
    with pytest.raises(UsageError, match="none of its values"):
        import_agentdojo([tmp_path], AgentDojoFlags(**options), target(tmp_path))


def test_every_registered_format_has_a_name_and_a_version_of_its_own():
    """Importer digests tell formats and versions apart (B2)."""
    assert {name: importer.name for name, importer in IMPORTERS.items()} == {name: name for name in IMPORTERS}
    digests = {importer_digest(name, version) for name in IMPORTERS for version in (1, 2)}
    assert len(digests) == 2 * len(IMPORTERS)
    assert all(importer.version >= 1 for importer in IMPORTERS.values())


def test_any_importer_can_be_imported_with(tmp_path):
    """The use case asks an importer for nothing but its name, its version and its trials."""
    importer = TableImporter(fields={"id": "id", "outcome": "verdict"}, values={})
    with pytest.raises(UsageError, match="no outcome"):
        import_log(importer, [table(tmp_path)], target(tmp_path))


@pytest.mark.parametrize(("flag", "wanted"), [("no", False), ("yes", True), ("unknown", None)])
def test_agentdojo_logs_are_said_to_be_replayed_or_not(tmp_path, flag, wanted):
    """E6: the logs do not say whether answers were replayed; one declaration for all of them does, and is part of the mapping."""
    log = {
        "suite_name": "mail", "pipeline_name": "p", "user_task_id": "user_task_0", "injection_task_id": "injection_task_1",
        "attack_type": "x", "injections": {"inbox": "text"}, "messages": [], "error": None, "utility": True, "security": False,
    }  # fmt: skip
    (tmp_path / "log.json").write_text(json.dumps(log), "utf-8")
    target = ImportTarget(agent="a", build="b", out=tmp_path / "run.jsonl", suite=None, subset=False, epochs=None)
    summary = import_agentdojo([tmp_path / "log.json"], AgentDojoFlags(cached=flag), target)
    assert [trial.cached for trial in read_run(tmp_path / "run.jsonl").columns.to_trials()] == [wanted]
    assert (summary.mapping == import_agentdojo([tmp_path / "log.json"], AgentDojoFlags(), target).mapping) is (
        wanted is None
    )
