"""Hostile text in names, paths and values reaches no terminal, no CI service and no report as more than text (T5)."""

import contextlib
import io
import json
import unicodedata
from dataclasses import dataclass, replace
from xml.etree import ElementTree as ET

import pytest

from gate_world import NOW, made_up_run, made_up_suite, make_world, violating
from litmusgate import api
from litmusgate.cli.main import main
from litmusgate.text import visible

AGENT = "::error agent\u202e"
CATEGORIES = (
    "exfiltration",
    "::error title=x::boom",
    "%0A::warning::x",
    "##[error]x",
    "##vso[task.complete result=Failed]",
    "<script>alert(1)</script>",
    "| cell | `code` ]]> & \"q\" 'q' **bold** [x](http://evil.example)",
    "over\u202ereach",
    "over\\u202ereach",
    "zero\u200bwidth",
    "zero\u200cwidth",
    "\ufefftag\U000e0041",
    "blank\u3164letter\ufe0f",
    "e\u0301",
    "\u00e9",
)
"""Names that may stand in a suite, three pairs of which look alike."""

INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
FORMATS = ("text", "markdown", "json", "junit")


@dataclass(frozen=True)
class Said:
    """What a command said."""

    code: int
    out: str
    err: str


def run(*words) -> Said:
    """Run one of our commands and keep what it prints."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([str(word) for word in words])
    return Said(code, out.getvalue(), err.getvalue())


def problems(text: str) -> list[str]:
    """Everything in `text` that a terminal or a runner would take for more than text."""
    raw = {
        f"U+{ord(c):04X}" for c in text if c != "\n" and (unicodedata.category(c) in INVISIBLE or c in "\u3164\ufe0f")
    }
    commands = [
        line for line in text.split("\n") if line.lstrip().startswith("::") or "##[" in line or "##vso[" in line
    ]
    return [*sorted(raw), *commands]


@pytest.fixture(name="world", scope="module")
def _world(tmp_path_factory):
    """A world whose every name is hostile, and which passes all the same."""
    folder = tmp_path_factory.mktemp("hostile")
    suite = made_up_suite(
        dict.fromkeys(CATEGORIES, 20), name="::error suite\u202e", version="<b>1\u200b</b>", corpora=()
    )
    patched = pytest.MonkeyPatch()
    patched.setitem(made_up_run.__kwdefaults__, "agent", AGENT)
    patched.setattr("gate_world.AGENT", AGENT)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            world = make_world(folder, suite=suite, candidate=violating(*(f"{name}-000" for name in CATEGORIES)))
    finally:
        patched.undo()
    assert run(*world.arguments()).code == 0
    return world


def commands(world):
    """Every command that shows something of the world, by name."""
    folder, verdict, suite, index = (
        world.folder,
        world.folder / "out" / "verdict.json",
        world.folder / "suite",
        world.folder / "index",
    )
    found = {f"gate {form}": [*world.arguments(), "--format", form] for form in FORMATS}  # the last verdict is reported
    found |= {"verify": ["verify", verdict, "--store", folder / "store"], "corpus list": ["corpus", "list", index]}
    found["corpus list json"] = ["corpus", "list", index, "--format", "json"]
    found["corpus verify"] = ["corpus", "verify", index, "--now", NOW]
    found["explain"] = ["explain", "::error\x1b[31m\u202e"]
    for form in FORMATS:
        found[f"report {form}"] = ["report", verdict, "--format", form]
        if form != "junit":
            explore = ["report", "--analysis", folder / "run.jsonl", "--format", form]
            found[f"analysis {form}"], found[f"analysis suite {form}"] = explore, [*explore, "--suite", suite]
    for form in ("text", "json"):
        found[f"suite check {form}"] = ["suite", "check", suite, "--format", form]
        found[f"suite digest {form}"] = ["suite", "digest", suite, "--format", form]
        found[f"suite diff {form}"] = ["suite", "diff", suite, folder / "other", "--format", form]
        found[f"admit {form}"] = [
            *("admit", "--policy", folder / "policy.yaml", "--suite", suite, "--index", index, "--agent", AGENT),
            *("--reference", f"unsafe={folder / 'unsafe.jsonl'}", "--out", folder / "again.json", "--format", form),
        ]
    return found


@pytest.fixture(name="said", scope="module")
def _said(world):
    """What every command said."""
    other = made_up_suite({"::warning::new": 20, "zero\u200bwidth": 19}, name="##[group]x", version="2")
    api.save_suite(other, world.folder / "other")
    return {name: run(*words) for name, words in commands(world).items()}


def test_no_output_is_more_than_text(said):
    """T5: no control, format or bidi character and no CI command reaches stdout or stderr of any command."""
    found = {name: problems(it.out) + problems(it.err) for name, it in said.items()}
    assert {name: what for name, what in found.items() if what} == {}


def test_every_command_did_its_work(said):
    """The positive control: hostile names stop no command; only what is unknown or unusable is refused."""
    codes = {name: it.code for name, it in said.items()}
    assert {name for name, code in codes.items() if code} <= {"explain", "suite check text", "suite check json"}
    assert codes["explain"] == 2
    assert all(it.out for name, it in said.items() if codes[name] == 0)


LISTING = [f"{verb} {form}" for verb in ("gate", "report") for form in FORMATS] + [
    *("suite diff text", "suite diff json", "suite digest json", "admit text", "admit json"),
    *("analysis suite text", "analysis suite markdown", "analysis suite json"),
]


@pytest.mark.parametrize("name", LISTING)
def test_names_that_look_alike_stay_distinct(said, name):
    """T5: every category appears, each in a spelling of its own, in every output that lists them."""
    text = shown_text(name, said[name].out)
    spelled = {spelling(category, name): category for category in CATEGORIES}
    assert len(spelled) == len(CATEGORIES)
    assert [category for shown, category in spelled.items() if shown not in text] == []


def shown_text(name: str, output: str) -> str:
    """The text a reader of this format sees, white space and line ends left out."""
    if name.endswith("json"):
        return compact(" ".join(json_texts(json.loads(output))))
    if name.endswith("junit"):
        parts = [part for element in ET.fromstring(output).iter() for part in (*element.attrib.values(), element.text)]
        return compact(" ".join(part for part in parts if part))
    if name.endswith("markdown"):
        import html

        return compact(html.unescape(output).replace("\u200b", ""))
    return compact(output)


def spelling(category: str, name: str) -> str:
    """How the format shows the category."""
    if name.endswith("json"):
        return compact(category)
    return compact(visible(category))


def compact(text: str) -> str:
    """Without white space, which wrapping moves, and without the breaks in what a CI service would obey."""
    return "".join(text.split()).replace("\\x23#", "##").replace("\\x3a:", "::")


def json_texts(value) -> list[str]:
    """Every text in a JSON value, keys too."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for key, child in value.items() for text in (key, *json_texts(child))]
    return [text for child in value for text in json_texts(child)] if isinstance(value, list) else []


def test_printed_json_is_strict_and_says_what_the_file_says(world, said):
    """T5: JSON on stdout has the values of verdict.json, which keeps the canonical bytes; neither holds NaN or repeats a key."""
    data = (world.folder / "out" / "verdict.json").read_bytes()

    def unique(pairs):
        assert len(dict(pairs)) == len(pairs)
        return dict(pairs)

    def refuse(text):
        raise AssertionError(text)

    printed = [
        json.loads(it.out, object_pairs_hook=unique, parse_constant=refuse)
        for name, it in said.items()
        if name.endswith("json")
    ]
    assert len(printed) >= 8
    assert json.loads(said["report json"].out) == json.loads(data)


@pytest.mark.parametrize("name", ["verdict.txt", "verdict.md", "junit.xml"])
def test_written_reports_are_no_more_than_text(world, said, name):
    """T5: the files beside verdict.json hold neither invisible characters nor commands, and JUnit is XML."""
    text = (world.folder / "out" / name).read_text("utf-8")
    assert problems(text) == []
    if name == "junit.xml":
        cases = [case.attrib["name"] for case in ET.fromstring(text).iter("testcase")]
        assert len(set(cases)) == len(cases)
        assert len(cases) >= len(CATEGORIES)


def test_markdown_opens_no_markup(said):
    """T5: HTML, code, tables and links of a name are characters in the Markdown report, never markup."""
    for name in ("gate markdown", "analysis suite markdown"):
        assert not [mark for mark in ("<script", "`code`", "](http", "**bold**") if mark in said[name].out]


@pytest.mark.parametrize("name", ["policy.yaml", "suite/suite.yaml"])
def test_yaml_that_we_write_hides_nothing(world, name):
    """T5: names stand in policy and manifest with escapes for what shows nothing, and read back as they were."""
    text = (world.folder / name).read_text("utf-8")
    assert problems(text.replace("##[", "").replace("##vso[", "")) == []
    assert api.load_suite(world.folder / "suite").digest == world.suite.digest


REFUSED = {
    "an escape sequence": "a\x1b[31mb",
    "a line end": "a\n::error::b",
    "a carriage return": "a\rb",
    "a zero byte": "a\x00b",
    "a C1 control": "a\x9bb",
    "a line separator": "a\u2028b",
    "a lone surrogate": "a\ud800b",
    "too long": "a" * 513,
}


def spoil(path, old, new, **options):
    """Write `new` for the first `old` in the file, as a JSON escape."""
    text = path.read_text("utf-8")
    assert json.dumps(old) in text
    path.write_text(text.replace(json.dumps(old), json.dumps(new), 1), "utf-8")


@pytest.fixture(name="small")
def _small(tmp_path):
    """A small world to spoil."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return make_world(tmp_path, suite=made_up_suite({"exfiltration": 20, "over-reach": 20}))


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_such_a_name_is_refused_where_it_stands(small, text):
    """T5: a name with control characters is refused with file and line: exit 2 in a suite, a reason and exit 4 in a run."""
    folder = small.folder
    api.save_suite(small.suite, folder / "spoilt")
    spoil(folder / "spoilt" / "instances.jsonl", "over-reach-000", text)
    suite = run("suite", "check", folder / "spoilt")
    assert (suite.code, suite.out, problems(suite.err)) == (2, "", [])
    assert f"{folder / 'spoilt'}/instances.jsonl:" in suite.err
    lines = (folder / "run.jsonl").read_text("utf-8").split("\n")
    lines[2] = lines[2].replace('"exfiltration-001"', json.dumps(text))
    (folder / "run.jsonl").write_text("\n".join(lines), "utf-8")
    gated = run(*small.arguments())
    assert (gated.code, problems(gated.out), problems(gated.err)) == (4, [], [])
    verdict = json.loads((folder / "out" / "verdict.json").read_bytes())
    assert "run.jsonl:3" in json.dumps(verdict["reasons"])
    assert problems((folder / "out" / "verdict.json").read_text("utf-8")) == []


@pytest.mark.parametrize("field", ["--agent", "--build"])
@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_such_a_flag_is_refused(small, field, text):
    """T5: agent and build given as flags of `import` are held to the same rule, and nothing is written."""
    log, out = small.folder / "log.jsonl", small.folder / "imported.jsonl"
    log.write_text('{"id": "exfiltration-000", "outcome": "ok"}\n', "utf-8")
    words = [
        "import",
        "table",
        log,
        "--column",
        "id=id",
        "--column",
        "outcome=outcome",
        "--map",
        "ok=safe",
        "--out",
        out,
    ]
    names = {"--agent": "bot", "--build": "1"} | {field: text}
    said = run(*words, *(word for pair in names.items() for word in pair))
    assert (said.code, said.out, problems(said.err), out.exists()) == (2, "", [], False)


def test_values_of_a_log_are_shown_as_escapes(small):
    """T5: an outcome that is not mapped is named in the error with its escapes, whatever it holds."""
    log = small.folder / "log.jsonl"
    log.write_text(json.dumps({"id": "exfiltration-000", "outcome": "\x1b[31m\n::error::x\u202e"}) + "\n", "utf-8")
    said = run("import", "table", log, "--agent", "bot", "--build", "1", "--column", "id=id", "--column",
               "outcome=outcome", "--map", "ok=safe", "--out", small.folder / "o.jsonl")  # fmt: skip
    assert said.code in {2, 4}
    assert "\\x1b" in said.err
    assert problems(said.err) == []


def test_free_texts_of_a_run_change_nothing_and_show_nothing(small):
    """T5: details, flags and transcript names may hold anything but lone surrogates, and reach no output raw."""
    hostile = "\x1b[2J\n::error::x\u202e<script>"
    run_of = api.load_run(small.folder / "run.jsonl")
    trials = [
        replace(trial, detail=hostile, flags=(hostile,), transcript_ref=f"{hostile}{trial.instance_id}")
        for trial in run_of.columns.iter_trials()
    ]
    small.write_run(api.make_run(replace(run_of.header, notes={hostile: 3}), api.TrialColumns.from_trials(trials)))
    for form in FORMATS:
        said = run(*small.arguments(store=small.folder / f"store-{form}"), "--format", form)
        assert (said.code, problems(said.out), problems(said.err)) == (0, [], [])


def test_texts_of_a_policy_are_shown_as_escapes(small):
    """T5: the reason somebody gives for declared flips stands in the verdict and on no output raw; verify reads it back."""
    small.edit_policy(
        ("flips: {from: baseline, min_pairs: 40, max_age_days: 30}",
         'flips: {declared: {flips: 1, pairs: 200, why: "\\e[31m\\n::error::x\\u202e\\ufeff"}}'),
    )  # fmt: skip
    for form in FORMATS:
        said = run(*small.arguments(), "--format", form)
        assert (problems(said.out), problems(said.err)) == ([], [])
    assert run("verify", small.folder / "out" / "verdict.json", "--store", small.folder / "store").code == 0


NAMES = ["::error x.jsonl", "\x1b[31mx.jsonl", "x\u202e.jsonl", "x\n::error::y.jsonl"]


@pytest.mark.parametrize("name", NAMES)
def test_file_names_are_shown_as_escapes(small, monkeypatch, name):
    """T5: a path in a message, also at its very beginning, is no command and no escape sequence."""
    monkeypatch.chdir(small.folder)
    (small.folder / name).write_text("no JSON\n", "utf-8")
    for words, code in (
        (["report", "--analysis", name], 4),
        (["verify", name], 4),
        (["suite", "check", name], 2),
        (small.arguments(policy=name), 2),
        (small.arguments(run=name), 4),
        (["corpus", "add", "new-index", name, "--name", "n", "--revision", "1"], 4),
        (["import", "table", name, "--agent", "a", "--build", "b", "--column", "id=id", "--column", "outcome=o",
          "--map", "x=safe", "--out", "o.jsonl"], 4),
    ):  # fmt: skip
        said = run(*words)
        assert (said.code, problems(said.out), problems(said.err)) == (code, [], []), words


@pytest.mark.parametrize(
    "words", [["::error\x1b[31m\u202e"], ["gate", "--\x1b[31m\u202e"], ["gate", "--format", "\x1b\u202e"]]
)
def test_usage_errors_show_escapes(words):
    """T5: a verb, flag or value that is none is repeated with its escapes."""
    said = run(*words)
    assert (said.code, said.out, problems(said.err)) == (2, "", [])


def test_a_bug_report_shows_escapes(small, monkeypatch):
    """T5: even the text of an unexpected exception is shown with escapes, and the exit code is 70."""

    def broken(request):
        raise RuntimeError("\x1b[31m\n::error::x\u202e")

    monkeypatch.setattr(api, "gate_files", broken)
    said = run(*small.arguments())
    assert (said.code, problems(said.err)) == (70, [])
