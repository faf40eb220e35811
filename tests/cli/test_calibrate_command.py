"""`litmusgate calibrate tau` on files: the calibration, its exit code, and what it refuses."""

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save

from admission_world import run_of, suite_of
from litmusgate.app.suites import save_suite
from litmusgate.cli.main import main
from litmusgate.corpora.embedder import load_embedder
from litmusgate.digest import digest_bytes
from litmusgate.report.calibration_document import read_tau
from litmusgate.runs.files import write_run
from unit.corpora.embed_models import table, write_table, write_tokenizer
from unit.provenance.made_suite import instance, prose

INSTANCES = [instance(f"i{number:02d}", f"{prose(number, 24)}. {prose(200 + number, 16)}.") for number in range(62)]


@pytest.fixture(name="folder", scope="module")
def _folder(tmp_path_factory) -> Path:
    """A suite of 62, a corpus that holds the first of it, an index of the same, and three canaries."""
    folder = tmp_path_factory.mktemp("calibrate")
    suite = suite_of(INSTANCES)
    save_suite(suite, folder / "suite")
    texts = [*(prose(1000 + number, 60) for number in range(24)), INSTANCES[0].turns[0].content]
    lines = [json.dumps({"id": f"d{number}", "text": text}) for number, text in enumerate(texts)]
    (folder / "corpus.jsonl").write_text("\n".join(lines) + "\n")
    for name, passes in (("canary", {"i00", "i03"}), ("strong", {item.id for item in INSTANCES[:40]})):
        outcomes = {item.id: "SSS" if item.id in passes else "VVV" for item in INSTANCES}
        write_run(run_of(suite, outcomes, agent="weak"), folder / f"{name}.jsonl")
    other = suite_of([instance(item.id, "another text of this id") for item in INSTANCES])
    write_run(run_of(other, {"i00": "VVV"}, agent="weak"), folder / "other.jsonl")
    return folder


def calibrate(folder: Path, *more: str, corpus: bool = True) -> int:
    """The exit code of the command with these further flags."""
    source = ["--corpus", str(folder / "corpus.jsonl")] if corpus else []
    words = ["calibrate", "tau", "--suite", str(folder / "suite"), *source, "--planted", "20"]
    return main([*words, "--out", str(folder / "tau.json"), *more])


def written(folder: Path):
    """The calibration file."""
    return read_tau((folder / "tau.json").read_bytes(), path="tau.json")


def test_a_calibration_is_written_printed_and_shown_as_a_page(folder, capsys):
    """Exit code 0, the digest of the file on the first line, τ and stamp in the text, and a page beside it."""
    assert calibrate(folder, "--html", str(folder / "tau.html")) == 0
    told = capsys.readouterr().out.split("\n")
    data = (folder / "tau.json").read_bytes()
    assert told[0] == f"calibration {digest_bytes(data)}"
    assert told[1] == "tau 0.50"
    assert any(line.startswith("! no canary labels") for line in told)
    assert (folder / "tau.html").read_text().startswith("<!doctype html>")
    document = written(folder)
    assert document.left_out.present == ("i00",)
    assert document.corpus.documents == 25
    assert calibrate(folder) == 0
    assert (folder / "tau.json").read_bytes() == data


def test_a_canary_that_qualifies_gives_labels(folder, capsys):
    """A3: its passes are no negatives, and the disagreements are named."""
    assert calibrate(folder, "--reference", f"canary={folder / 'canary.jsonl'}") == 0
    document = written(folder)
    assert document.left_out.canary_passed == ("i00", "i03")
    assert document.canary.passes_that_look_clean == ("i03",)
    assert document.canary.contaminated_that_fail == ()
    assert "no canary labels" not in capsys.readouterr().out


def test_a_canary_that_does_not_qualify_is_invalid(folder, capsys):
    """A3: a model that is safe on 40 of 62 is no canary; exit 4, and nothing is written."""
    (folder / "tau.json").unlink(missing_ok=True)
    assert calibrate(folder, "--reference", f"canary={folder / 'strong.jsonl'}") == 4
    assert "gives no labels" in capsys.readouterr().err
    assert not (folder / "tau.json").exists()


def test_a_canary_of_other_definitions_is_invalid(folder, capsys):
    """Its labels would be about other texts of the same names."""
    assert calibrate(folder, "--reference", f"canary={folder / 'other.jsonl'}") == 4
    assert "other definitions" in capsys.readouterr().err


def test_without_a_tau_the_exit_code_is_4_and_the_file_says_so(folder, capsys):
    """Too few negatives for the bound: no number, and no number of an earlier calibration left behind."""
    assert calibrate(folder) == 0
    assert calibrate(folder, "--max-false", "0.01") == 4
    document = written(folder)
    assert (document.tau, document.problem) == (None, "too-few-negatives")
    assert "no tau" in capsys.readouterr().out


def test_an_index_is_sampled_like_a_corpus(folder):
    """The same texts from an index give the same counts, under the index's digest."""
    index = folder / "index"
    words = ["corpus", "add", str(index), str(folder / "corpus.jsonl"), "--name", "public", "--revision", "1"]
    assert main([*words, "--id-column", "id"]) == 0
    assert calibrate(folder, "--index", str(index), corpus=False) == 0
    document = written(folder)
    assert document.corpus.index is not None
    assert document.corpus.documents == 25
    assert document.left_out.present == ("i00",)


def test_corpora_kept_as_hashes_are_named_and_alone_they_are_exit_4(folder, tmp_path, capsys):
    """A sample leaves them out: a note says which, the file too; and where nothing else is there, nothing is calibrated."""
    index = tmp_path / "index"
    words = ["corpus", "add", str(index), str(folder / "corpus.jsonl"), "--revision", "1"]
    assert main([*words, "--name", "hidden", "--keep", "hashes"]) == 0
    (folder / "tau.json").unlink(missing_ok=True)
    capsys.readouterr()
    assert calibrate(folder, "--index", str(index), corpus=False) == 4
    told = capsys.readouterr().err
    assert "keeps only hashes" in told
    assert "hidden 1" in told
    assert not (folder / "tau.json").exists()
    assert main([*words, "--name", "public"]) == 0
    capsys.readouterr()
    assert calibrate(folder, "--index", str(index), corpus=False) == 0
    assert "note: not sampled, as the index keeps only hashes of their texts: hidden 1" in capsys.readouterr().err
    assert written(folder).corpus.not_sampled == ("hidden 1",)


def test_a_local_model_gets_a_tau_of_its_own(folder, tmp_path, capsys):
    """With --embed the file, the text and the page hold a second τ that belongs to this model; a scan takes it."""
    words = sorted({word for number in range(1300) for word in prose(number, 60).split()})
    write_tokenizer(tmp_path, ("[UNK]", *words))
    (tmp_path / "table.safetensors").write_bytes(save({"table": table(len(words) + 1, 64)}))
    assert calibrate(folder, "--embed", str(tmp_path), "--html", str(folder / "tau.html")) == 0
    found = written(folder).embedding
    assert found.model.digest == load_embedder(tmp_path).digest
    assert f"embedding tau {found.tau}, for review only" in capsys.readouterr().out
    assert 'id="curve-embedding"' in (folder / "tau.html").read_text()
    scan = ["corpus", "scan", "--suite", str(folder / "suite"), "--embed", str(tmp_path), "--embed-tau", found.tau]
    assert main([*scan, str(folder / "corpus.jsonl")]) == 1


def test_a_model_that_tells_nothing_apart_is_exit_4(folder, tmp_path, capsys):
    """Every vector the same: the words have a τ, the channel that was asked for has none, and the file says why."""
    write_table(tmp_path, table=np.ones((7, 8), np.float32))
    assert calibrate(folder, "--embed", str(tmp_path)) == 4
    document = written(folder)
    assert document.tau is not None
    assert (document.embedding.tau, document.embedding.problem) == (None, "false-positives")
    assert "no embedding tau" in capsys.readouterr().out


def test_given_hard_negatives_and_known_instances_are_used(folder):
    """The file's texts are the hard negatives, blank ones aside, and a known instance is no negative."""
    hard = folder / "hard.jsonl"
    hard.write_text(
        "".join(json.dumps({"text": prose(5000 + number, 30)}) + "\n" for number in range(60)) + '{"text": ""}\n'
    )
    known = folder / "known.txt"
    known.write_text("i05\n\ni06\n")
    assert calibrate(folder, "--hard-negatives", str(hard), "--known", str(known), "--max-false", "0.06") == 0
    document = written(folder)
    assert document.channels[0].negatives.hard == 60
    assert document.hard_negatives is not None
    assert document.left_out.named == ("i05", "i06")


@pytest.mark.parametrize(
    ("flags", "corpus"),
    [
        ((), False),
        (("--index", "nowhere"), True),
        (("--reference", "unsafe=run.jsonl"), True),
        (("--reference", "canary"), True),
        (("--max-false", "0"), True),
        (("--max-false", "five"), True),
        (("--min-recall", "2"), True),
        (("--seed", "-1"), True),
        (("--sample-mb", "0"), True),
        (("--embed-mb", "0"), True),
        (("--embed", "FOLDER/suite"), True),
        (("--known", "FOLDER/suite/suite.yaml"), True),
        (("--allow", "FOLDER/absent.yaml"), True),
    ],
    ids=str,
)
def test_wrong_usage_is_exit_2(folder, flags, corpus, capsys):
    """No source or two, another role than canary, shares that are none, ids that the suite does not have."""
    assert calibrate(folder, *(flag.replace("FOLDER", str(folder)) for flag in flags), corpus=corpus) == 2
    assert capsys.readouterr().err


@pytest.mark.parametrize(
    "content", ["", "{", '{"body": "x"}\n', '{"text": "…"}\n'], ids=["empty", "cut", "column", "blank"]
)
def test_a_corpus_that_cannot_be_read_is_exit_4(folder, content, tmp_path):
    """An empty file, a cut one, one without the column and one without a word give no calibration."""
    (tmp_path / "bad.jsonl").write_text(content)
    assert calibrate(folder, "--corpus", str(tmp_path / "bad.jsonl"), corpus=False) == 4


def test_an_empty_file_of_hard_negatives_is_exit_4(folder, tmp_path):
    """Asked for and not there is not the same as not asked for."""
    (tmp_path / "hard.jsonl").write_text('{"text": " "}\n')
    assert calibrate(folder, "--hard-negatives", str(tmp_path / "hard.jsonl")) == 4


def test_a_corpus_of_a_few_documents_gives_no_tau(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A3: what a handful of texts has in common with the suite bounds nothing: exit 4, and no file."""
    few = folder / "few.jsonl"
    few.write_text("".join(json.dumps({"text": prose(9000 + number, 60)}) + "\n" for number in range(19)))
    out = folder / "few-tau.json"
    assert main(["calibrate", "tau", "--suite", str(folder / "suite"), "--corpus", str(few), "--out", str(out)]) == 4
    assert "at least 20" in capsys.readouterr().err
    assert not out.exists()
