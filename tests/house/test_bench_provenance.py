"""The provenance bench cannot pass on nothing: a figure that is not there is no figure, and a find has to name its place."""

import json
import sys
from pathlib import Path

import pytest

from house.rules import PROJECT

sys.path.insert(0, str(PROJECT / "bench"))

import provenance_checks as checks
import provenance_flags as flags
import provenance_scale as scale
import provenance_series as series_of
import provenance_venvs as venvs
from provenance_engine import Found
from provenance_world import Plant, World

STATUSES = ("contaminated", "suspect")


@pytest.fixture
def world() -> World:
    """Three instances: `a` is planted verbatim in `d1`, `b` with small edits in `d2`, `c` nowhere; `h` is a hard negative."""
    nowhere = Path("nowhere")
    return World(
        folder=nowhere,
        suite=nowhere,
        flat=nowhere,
        corpora={},
        plants=(Plant(instance="a", document="d1", kind="verbatim"), Plant(instance="b", document="d2", kind="edit01")),
        instances=frozenset("abc"),
        clean=frozenset("c"),
        hard_negatives=frozenset("h"),
    )


def write_result(folder: Path, **statuses: str) -> Path:
    """A result file in which every instance has this status; a flagged one names the documents `d1` and `d2`."""
    rows = [
        {
            "instance_id": name,
            "status": status,
            "matches": [{"document": document} for document in ("d1", "d2") if status in STATUSES],
        }
        for name, status in statuses.items()
    ]
    (folder / "scan.json").write_text(json.dumps({"instances": rows}), "utf-8")
    return folder / "scan.json"


def test_a_plant_counts_only_where_its_document_is_named(world):
    """An instance flagged for another document has not been found, and that pair is a false one."""
    found = flags.score(flags.of_pairs([("a", "d1"), ("b", "d1"), ("c", "h")]), world)
    assert found.found == {"verbatim": 1, "edit01": 0}
    assert (found.clean_instances, found.hard_negatives, found.false_pairs) == (1, 1, 2)


def test_a_tool_that_names_no_instance_has_no_count_of_instances(world):
    """Flags on documents count by document; how many clean instances are flagged is not known, and not zero."""
    found = flags.score(flags.Flags(documents=frozenset({"d2", "h"}), pairs=None), world)
    assert found.found == {"verbatim": 0, "edit01": 1}
    assert (found.clean_instances, found.hard_negatives, found.false_pairs) == (None, 1, None)


def test_a_result_is_read_by_status(tmp_path, world):
    """Only instances with one of the statuses asked for give pairs."""
    result = write_result(tmp_path, a="contaminated", b="suspect", c="clean")
    assert flags.read_result(result, world, ("contaminated",)) == {("a", "d1"), ("a", "d2")}
    assert {instance for instance, _ in flags.read_result(result, world, STATUSES)} == {"a", "b"}


@pytest.mark.parametrize(
    ("statuses", "why"),
    [
        ({"a": "clean", "b": "clean"}, "2 instances in the result, 3 in the suite"),
        ({"a": "clean", "b": "clean", "x": "clean"}, "not the same ones"),
        ({"a": "clean", "b": "unknown", "c": "clean"}, "1 instances are unknown, b for one"),
    ],
)
def test_a_result_that_leaves_an_instance_open_is_no_measurement(tmp_path, world, statuses, why):
    """A missing, foreign or unknown instance spoils the scan: it is not read as clean."""
    with pytest.raises(series_of.Unmeasured, match=why):
        flags.read_result(write_result(tmp_path, **statuses), world, STATUSES)


def test_a_flagged_instance_must_name_a_match(tmp_path, world):
    """A status without evidence would count neither as a find nor as a false report."""
    rows = [{"instance_id": name, "status": "suspect", "matches": []} for name in "abc"]
    (tmp_path / "scan.json").write_text(json.dumps({"instances": rows}), "utf-8")
    with pytest.raises(series_of.Unmeasured, match="without a match"):
        flags.read_result(tmp_path / "scan.json", world, STATUSES)


def test_a_check_without_a_figure_is_not_met():
    """Neither kind of demand is met by nothing, whichever way it points."""

    def fail() -> float:
        raise series_of.Unmeasured("no reason")

    for at_least in (True, False):
        assert not checks.check("x", fail, 0, at_least=at_least).met
    assert [checks.check("x", lambda v=value: v, 2, at_least=True).met for value in (1, 2, 3)] == [False, True, True]
    assert [checks.check("x", lambda v=value: v, 2, at_least=False).met for value in (1, 2, 3)] == [True, True, False]


@pytest.mark.parametrize(
    ("runs", "starts", "seconds"), [([9.0, 5.0], [2.0, 3.0], 3.0), ([2.0], [2.0], None), ([], [1.0], None)]
)
def test_a_rate_is_the_run_less_its_start_up(runs, starts, seconds):
    """The least of each counts; a run that took no longer than its start-up, or was not made, gives no figure."""
    series = series_of.Series(readings={"x: run": runs, "x: start": starts})
    if seconds is None:
        with pytest.raises(series_of.Unmeasured):
            series.seconds("x")
    else:
        assert series.seconds("x") == seconds


def test_one_failed_round_spoils_the_figure():
    """A command that failed once has no figure, whatever the other rounds gave."""
    series = series_of.Series()
    for command in (["true"], ["false"]):
        series.read("x", lambda command=command: series_of.seconds_on_one_core(command))
    with pytest.raises(series_of.Unmeasured, match="exit code 1"):
        series.least("x")


def found_with(world: World, plants: int, flagged: int) -> Found:
    """What an engine finds that reports so many plants of every kind and so much falsely."""
    kinds = dict.fromkeys(world.kinds(), plants)
    one = flags.Score(found=kinds, clean_instances=flagged, hard_negatives=flagged, false_pairs=flagged)
    return Found(contaminated=one, suspect=one, hard_negative_pairs=flagged)


def test_the_demands_on_recall_can_fail(world, monkeypatch):
    """Every plant found and nothing false meets them all; one plant less, or one false report, misses some; nothing misses all."""
    monkeypatch.setattr(checks, "REPORTED_PER_CENT", {"verbatim": 96, "edit01": 96})
    monkeypatch.setattr(checks, "SUSPECT_PER_CENT", {"edit01": 95})
    for plants, flagged, wanted in (
        (1, 0, [True] * 6),
        (0, 0, [False] * 3 + [True] * 3),
        (1, 1, [True] * 3 + [False] * 3),
    ):
        rows = checks.recall_checks(world, lambda p=plants, f=flagged: found_with(world, p, f))
        assert [row.met for row in rows] == wanted

    def fail() -> Found:
        raise series_of.Unmeasured("no scan")

    assert [row.met for row in checks.recall_checks(world, fail)] == [False] * 6


def test_thirty_one_of_thirty_two_is_what_each_share_asks_for():
    """94, 95 and 96 per cent of 32 plants are 31 of them: shares are rounded up."""
    shares = {*checks.REPORTED_PER_CENT.values(), *checks.SUSPECT_PER_CENT.values()}
    assert {-(-share * 32 // 100) for share in shares} == {31}


@pytest.mark.parametrize(("require_all", "code"), [(False, 0), (True, 1)])
def test_without_data_the_bench_says_so(require_all, code, monkeypatch, capsys):
    """Nothing is measured, the reason is printed, and where nothing may be absent that is a failure."""
    monkeypatch.setattr(scale, "source_problem", lambda: "the data is not there")
    monkeypatch.setattr(scale, "REQUIRE_ALL", require_all)
    monkeypatch.setattr(sys, "argv", ["provenance_scale.py"])
    assert scale.main() == code
    assert "skipped: the data is not there" in capsys.readouterr().out


def test_a_peer_without_its_python_is_absent_with_a_reason(tmp_path, monkeypatch):
    """No interpreter new enough: the peer is skipped by name, and nothing is installed."""
    monkeypatch.setattr(venvs, "PLACE", tmp_path)
    answer = venvs.install(venvs.Tool(name="peer", requirements=("peer==1",), least_python=(3, 99)))
    assert answer == venvs.Absent(why="it needs Python 3.99 or newer, and none was found")
    assert list(tmp_path.iterdir()) == []


def test_reports_of_peers_are_read_as_instance_and_document(tmp_path):
    """decon names a file and a line, corpus-assay a part of a document and the number of an item."""
    corpus, out = tmp_path / "corpus", tmp_path / "out"
    (out / "contaminated_docs").mkdir(parents=True)
    corpus.mkdir()
    (corpus / "s.jsonl").write_text('{"id": "d0", "text": ""}\n{"id": "d1", "text": ""}\n', "utf-8")
    row = {"fingerprint": "a", "training_file": "s.jsonl", "training_line": 1}
    (out / "report.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    assert flags.read_decon(out, corpus).pairs == {("a", "d1")}
    flat = tmp_path / "flat.jsonl"
    flat.write_text('{"id": "a", "text": ""}\n{"id": "b", "text": ""}\n', "utf-8")
    hit = {"doc_id": "part-7-part-0", "item_hits": [{"item_id": 1}]}
    (out / "contaminated_docs" / "s.ndjson").write_text(json.dumps(hit) + "\n", "utf-8")
    assert flags.read_assay(out, flat).pairs == {("b", "part-7")}


def test_a_near_miss_is_one_of_times_alone() -> None:
    """Five per cent are noise for ratios and seconds; a count, a size or no figure at all is never near."""

    def made(measured: float | None, unit: str) -> checks.Check:
        return checks.Check(name="n", measured=measured, wanted=1.0, at_least=True, unit=unit)

    assert scale.is_near(made(0.96, "x"))
    assert scale.is_near(made(1.04, " s"))
    assert not scale.is_near(made(0.94, "x"))
    assert not scale.is_near(made(0.99, ""))
    assert not scale.is_near(made(0.99, " MB"))
    assert not scale.is_near(made(None, "x"))
