"""Embedding models from a local folder: what is loaded, what it gives, and what is refused by name."""

import json
import shutil
import sys

import numpy as np
import pytest

from litmusgate.corpora.embedder import load_embedder
from litmusgate.corpora.embedder_onnx import MOST_TOKENS
from litmusgate.corpora.embedder_table import MOST_PADDING_ROWS
from litmusgate.errors import CorpusError, UsageError

pytest.importorskip("onnxruntime", reason="the extra [embed] is not installed")
pytest.importorskip("tokenizers", reason="the extra [embed] is not installed")
pytest.importorskip("safetensors", reason="the extra [embed] is not installed")

from unit.corpora.embed_models import (
    FLOAT,
    WORDS,
    onnx_model,
    table,
    write_onnx,
    write_table,
    write_tokenizer,
)


@pytest.fixture(params=["safetensors", "npz", "onnx", "onnx with a mask"])
def folder(request, tmp_path):
    """A folder with one tiny model of each kind; all have the same token vectors."""
    if request.param == "npz":
        write_tokenizer(tmp_path)
        np.savez(tmp_path / "table.npz", embeddings=table())
        return tmp_path
    if request.param == "safetensors":
        return write_table(tmp_path, **{"embedding.weight": table()})
    inputs = ("input_ids", "attention_mask", "token_type_ids") if "mask" in request.param else ("input_ids",)
    return write_onnx(tmp_path, onnx_model(table(), inputs=inputs))


def mean_of(*words):
    """What a text of these words must give: the mean of their vectors, of length 1."""
    mean = table()[[WORDS.index(word) for word in words]].mean(axis=0)
    return mean / np.linalg.norm(mean)


def test_a_text_becomes_the_mean_of_its_token_vectors(folder):
    """Mean pooling over all tokens, none cut off by the tokenizer's own truncation and none padded; rows of length 1."""
    embedder = load_embedder(folder)
    found = embedder.embed(["bake bread oven bread bread bread", "cat", "nonsense"])
    wanted = [mean_of("bake", "bread", "oven", "bread", "bread", "bread"), mean_of("cat"), mean_of("[UNK]")]
    assert found.dtype == np.float32
    assert embedder.dimensions == 8
    assert np.allclose(found, wanted, atol=1e-6)


def test_the_vector_of_a_text_does_not_depend_on_its_neighbours(folder):
    """Alone or among others, the same bytes."""
    embedder = load_embedder(folder)
    texts = ["bake bread", "cat sat mat " * 40, "oven"]
    together = embedder.embed(texts)
    assert [row.tobytes() for row in together] == [embedder.embed([text])[0].tobytes() for text in texts]


def test_no_text_is_too_long(folder):
    """A text of more tokens than a model reads at a time is read in parts, each token once."""
    words = ["cat"] * (MOST_TOKENS + 10) + ["mat"] * 90
    assert np.allclose(load_embedder(folder).embed([" ".join(words)])[0], mean_of(*words), atol=1e-6)


def test_a_text_without_a_token_is_an_error(folder):
    """It has no vector, and a vector of nothing is near to nothing."""
    with pytest.raises(CorpusError, match="no vector for a text"):
        load_embedder(folder).embed(["cat", ""])


def test_the_digest_names_the_weights_and_the_tokenizer_and_not_the_folder(folder, tmp_path_factory):
    """A moved folder is the same model; another vocabulary or other weights are another model."""
    here = load_embedder(folder)
    moved = tmp_path_factory.mktemp("place") / "moved"
    shutil.copytree(folder, moved)
    there = load_embedder(moved)
    assert (there.digest, there.name) == (here.digest, "moved")
    write_tokenizer(moved, (*WORDS[:-1], "stood"))
    assert load_embedder(moved).digest != here.digest
    write_tokenizer(moved)
    assert load_embedder(moved).digest == here.digest
    for old in [path for path in moved.iterdir() if path.name != "tokenizer.json"]:
        old.unlink()
    assert load_embedder(write_table(moved, weight=table() * 2)).digest != here.digest


def test_a_pooling_that_is_not_the_mean_is_refused(folder):
    """A model made for its first token's vector would give plausible nonsense by the mean."""
    (folder / "1_Pooling").mkdir()
    pooling = folder / "1_Pooling" / "config.json"
    mean = {"word_embedding_dimension": 8, "pooling_mode_mean_tokens": True, "pooling_mode_cls_token": False}
    plain = load_embedder(folder).digest
    pooling.write_text(json.dumps(mean), "utf-8")
    assert load_embedder(folder).digest != plain
    for said in ({"pooling_mode_cls_token": True}, {**mean, "pooling_mode_cls_token": True}, {}):
        pooling.write_text(json.dumps(said), "utf-8")
        with pytest.raises(UsageError, match=r"1_Pooling/config.json: .* does not pool by the mean"):
            load_embedder(folder)
    for text in ("[]", "{", "7"):
        pooling.write_text(text, "utf-8")
        with pytest.raises(UsageError, match="cannot be read"):
            load_embedder(folder)


def test_a_tokenizer_of_another_model_is_refused(folder):
    """Fewer vectors than tokens, or many more: the numbers of the tokens mean something else."""
    write_tokenizer(folder, (*WORDS, "one", "more"))
    with pytest.raises(UsageError, match="different vocabularies"):
        load_embedder(folder)


@pytest.mark.parametrize("kind", ["table", "onnx"])
def test_a_model_may_be_filled_up_to_a_round_number_of_rows(kind, tmp_path):
    """Rows beyond the vocabulary are padding up to a limit, and another vocabulary beyond it."""
    for rows, right in ((len(WORDS) + MOST_PADDING_ROWS, True), (len(WORDS) + MOST_PADDING_ROWS + 1, False)):
        if kind == "table":
            write_table(tmp_path, embeddings=table(rows))
        else:
            write_onnx(tmp_path, onnx_model(table(rows)))
        if right:
            assert load_embedder(tmp_path).dimensions == 8
            continue
        with pytest.raises(UsageError, match="different vocabularies"):
            load_embedder(tmp_path)


@pytest.mark.parametrize(
    ("arrays", "got"),
    [
        ({"a": table(), "b": table()}, r"a \(7, 8\), b \(7, 8\)"),
        ({"a": table()[0]}, r"a \(8,\)"),
        ({"a": table()[:, :0]}, r"a \(7, 0\)"),
        ({}, "no array"),
    ],
    ids=["two", "a vector", "no dimensions", "none"],
)
def test_a_file_that_is_not_one_table_is_refused_with_its_shapes(arrays, got, tmp_path):
    """The weights of a transformer, or of anything else, are not taken for a table."""
    with pytest.raises(UsageError, match=rf"does not hold one table(.|\n)*{got}"):
        load_embedder(write_table(tmp_path, **arrays))


@pytest.mark.parametrize(
    "bad", [table().astype(np.int32), np.full_like(table(), np.nan), np.full_like(table(), np.inf)]
)
def test_a_table_of_other_than_finite_floats_is_refused(bad, tmp_path):
    """Quantised tables have a scale that is not here; NaN is near to nothing."""
    with pytest.raises(UsageError, match="other than finite floats"):
        load_embedder(write_table(tmp_path, a=bad))


@pytest.mark.parametrize(
    ("model", "problem"),
    [
        (onnx_model(table(), inputs=("input_ids", "pixels")), "other inputs than a text model"),
        (onnx_model(table(), kind=FLOAT), r"cannot be loaded|other inputs than a text model"),
        (onnx_model(table(), outputs=("one", "two")), "no single output of token vectors"),
        (onnx_model(table(), added=np.zeros((1, 16, 8), np.float32)), "no vector for each token"),
        (b"", "cannot be loaded"),
        (onnx_model(table())[:-40], "cannot be loaded"),
        (b"not a model at all", "cannot be loaded"),
    ],
    ids=["inputs", "kind", "outputs", "shape", "empty", "cut", "text"],
)
def test_an_onnx_file_that_is_no_text_model_is_refused(model, problem, tmp_path):
    """Whatever it is instead, it is named with the file."""
    with pytest.raises(UsageError, match=problem) as refused:
        load_embedder(write_onnx(tmp_path, model))
    assert refused.value.at.path.endswith("model.onnx")


def test_a_model_that_reads_too_few_tokens_is_refused(tmp_path):
    """Its positions end before a chunk does: it would fail, or cut, on a long text only."""
    for positions in (MOST_TOKENS, MOST_TOKENS - 1):
        write_onnx(tmp_path, onnx_model(table(), inputs=("input_ids", "attention_mask"), positions=positions))
        if positions == MOST_TOKENS:
            assert load_embedder(tmp_path).dimensions == 8
            continue
        with pytest.raises(UsageError, match=f"cannot be run on {MOST_TOKENS} tokens"):
            load_embedder(tmp_path)


def test_the_hidden_state_is_taken_among_several_outputs(tmp_path):
    """Transformers often export more than one output of token vectors."""
    model = onnx_model(table(), outputs=("attentions", "last_hidden_state"))
    found = load_embedder(write_onnx(tmp_path, model)).embed(["cat mat"])
    assert np.allclose(found, [mean_of("cat", "mat")], atol=1e-6)


def test_vectors_that_are_not_finite_are_an_error(tmp_path):
    """A model that gives NaN for a text has no vector for it."""
    vectors = table()
    vectors[WORDS.index("cat")] = np.nan
    embedder = load_embedder(write_onnx(tmp_path, onnx_model(vectors)))
    assert embedder.embed(["mat"]).shape == (1, 8)
    with pytest.raises(CorpusError, match="no vector for a text"):
        embedder.embed(["mat", "the cat"])


def test_a_folder_has_one_model(tmp_path):
    """Two models are not chosen from, unless one of several ONNX files has the standard name."""
    write_onnx(tmp_path, onnx_model(table()), name="small.onnx")
    assert load_embedder(tmp_path).dimensions == 8
    write_onnx(tmp_path, onnx_model(table(dimensions=4)), name="large.onnx")
    with pytest.raises(UsageError, match=r"several embedding models(.|\n)*large.onnx, small.onnx"):
        load_embedder(tmp_path)
    write_onnx(tmp_path, onnx_model(table(dimensions=2)))
    assert load_embedder(tmp_path).dimensions == 2
    write_table(tmp_path, a=table())
    with pytest.raises(UsageError, match="several embedding models"):
        load_embedder(tmp_path)


def test_a_folder_without_a_model_or_a_tokenizer_is_an_error(tmp_path):
    """What is missing is named; nothing is fetched."""
    with pytest.raises(UsageError, match="cannot be read"):
        load_embedder(tmp_path / "absent")
    with pytest.raises(UsageError, match=r"no embedding model(.|\n)*\.safetensors"):
        load_embedder(tmp_path)
    write_table(tmp_path, a=table())
    (tmp_path / "tokenizer.json").unlink()
    with pytest.raises(UsageError, match=r"tokenizer\.json: (.|\n)*nothing is downloaded"):
        load_embedder(tmp_path)
    (tmp_path / "tokenizer.json").mkdir()
    with pytest.raises(UsageError, match="not a plain file"):
        load_embedder(tmp_path)


@pytest.mark.parametrize("text", ["", "{}", "[1]", "\xff", '{"model": {"type": "WordLevel"}}'])
def test_a_file_that_is_no_tokenizer_is_refused(text, tmp_path):
    """Named with the file, not raised from inside a library."""
    write_table(tmp_path, a=table())
    (tmp_path / "tokenizer.json").write_text(text, "latin-1")
    with pytest.raises(UsageError, match="this is no tokenizer"):
        load_embedder(tmp_path)


@pytest.mark.parametrize("name", ["table.safetensors", "table.npz"])
@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"\xff" * 99, b"\x08" + bytes(7) + b"{}      "])
def test_a_damaged_table_is_refused(name, data, tmp_path):
    """A cut or foreign file is an error of ours with its place."""
    write_tokenizer(tmp_path)
    (tmp_path / name).write_bytes(data)
    with pytest.raises(UsageError, match=r"cannot be read|does not hold one table") as refused:
        load_embedder(tmp_path)
    assert refused.value.at.path.endswith(name)


def test_a_table_of_python_objects_is_not_unpickled(tmp_path):
    """Weights come from elsewhere: a file that would run code is refused."""
    write_tokenizer(tmp_path)
    np.savez(tmp_path / "table.npz", a=np.array([[print]], dtype=object))
    with pytest.raises(UsageError, match="cannot be read"):
        load_embedder(tmp_path)


@pytest.mark.parametrize(
    ("library", "model"),
    [("tokenizers", "table"), ("safetensors", "table"), ("safetensors.numpy", "table"), ("onnxruntime", "onnx")],
)
def test_an_absent_library_is_an_error_that_names_the_extra(library, model, tmp_path, monkeypatch):
    """Without `[embed]` the next step is said."""
    write_table(tmp_path, a=table()) if model == "table" else write_onnx(tmp_path, onnx_model(table()))
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(
        UsageError, match=r"an embedding model needs \w+, which is not installed(.|\n)*litmusgate\[embed\]"
    ):
        load_embedder(tmp_path)


def test_threads_are_counted_from_one(tmp_path):
    """No thread is no model."""
    write_onnx(tmp_path, onnx_model(table()))
    assert load_embedder(tmp_path, threads=2).dimensions == 8
    with pytest.raises(UsageError, match="needs a thread"):
        load_embedder(tmp_path, threads=0)
