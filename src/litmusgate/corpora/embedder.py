"""Embedding models from a local folder (extra `[embed]`): an ONNX model or a static table, each with its tokenizer.

Nothing is downloaded: the folder holds `tokenizer.json` and one model. Each file is read once, and what is hashed is
what is used.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from litmusgate.corpora.embedder_onnx import OnnxEmbedder
from litmusgate.corpora.embedder_table import TableEmbedder
from litmusgate.digest import digest_json
from litmusgate.errors import Location, UsageError
from litmusgate.extras import embed_module
from litmusgate.provenance.vectors import Embedder

TOKENIZER = "tokenizer.json"
POOLING = "1_Pooling/config.json"
"""Where a sentence-transformers folder says how token vectors become one; read where present."""

MODEL_SUFFIXES = (".npz", ".onnx", ".safetensors")
MOST_MODEL_BYTES = 2 << 30
"""Largest file of a model, in bytes: what an ONNX file can hold without others beside it."""


def load_embedder(folder: Path, *, threads: int = 1) -> Embedder:
    """The model in `folder`, on the CPU with `threads` threads for one text (an ONNX model only).

    Raises `UsageError` for a folder without a tokenizer, without a model or with several, for a model that is not what
    its suffix says, whose vocabulary is not the tokenizer's or whose vectors are not pooled by their mean, and where the
    extra is not installed.
    """
    if threads < 1:
        raise UsageError("an embedding model needs a thread", got=repr(threads), wanted="1 or more")
    model = _model_file(folder)
    files = {name: _read(folder / name) for name in (TOKENIZER, model.name)}
    if (folder / POOLING).exists():
        files[POOLING] = _read(folder / POOLING)
        _check_pooling(files[POOLING], folder / POOLING)
    tokenizer = _tokenizer(files[TOKENIZER], folder / TOKENIZER)
    name, digest, data = folder.resolve().name, _digest(files), files[model.name]
    if model.suffix == ".onnx":
        return OnnxEmbedder.load(data, tokenizer, name=name, digest=digest, path=model, threads=threads)
    return TableEmbedder.load(data, tokenizer, name=name, digest=digest, path=model)


def _model_file(folder: Path) -> Path:
    """The one model of the folder; among several ONNX files the one called `model.onnx`."""
    try:
        found = sorted(path for path in folder.iterdir() if path.suffix in MODEL_SUFFIXES)
    except OSError as problem:
        raise UsageError(
            "the folder of the embedding model cannot be read",
            got=problem.strerror or str(problem),
            at=Location(path=str(folder)),
        ) from problem
    if len(found) > 1 and all(path.suffix == ".onnx" for path in found):
        found = [path for path in found if path.name == "model.onnx"] or found
    if len(found) == 1:
        return found[0]
    raise UsageError(
        "the folder holds several embedding models" if found else "the folder holds no embedding model",
        got=", ".join(path.name for path in found) or "no file that ends in " + ", ".join(MODEL_SUFFIXES),
        wanted="model.onnx, or one table as .safetensors or .npz, beside tokenizer.json",
        at=Location(path=str(folder)),
    )


def _read(path: Path) -> bytes:
    try:
        if path.exists() and not path.is_file():
            raise UsageError("this file of the embedding model is not a plain file", at=Location(path=str(path)))
        if path.stat().st_size > MOST_MODEL_BYTES:
            wanted = f"at most {MOST_MODEL_BYTES} bytes"
            raise UsageError(
                "this file of the embedding model is too large", wanted=wanted, at=Location(path=str(path))
            )
        return path.read_bytes()
    except OSError as problem:
        raise UsageError(
            "a file of the embedding model cannot be read",
            got=problem.strerror or str(problem),
            wanted="the model and its tokenizer.json in one folder; nothing is downloaded",
            at=Location(path=str(path)),
        ) from problem


def _digest(files: Mapping[str, bytes]) -> str:
    """Digest over the name of the kind and the content of each file: a model called otherwise is the same model."""
    kinds = {
        name if name in (TOKENIZER, POOLING) else f"model{Path(name).suffix}": data for name, data in files.items()
    }
    return digest_json({kind: hashlib.sha256(data).hexdigest() for kind, data in kinds.items()})


def _tokenizer(data: bytes, path: Path) -> Any:
    """The tokenizer without padding or truncation of its own, which would make vectors of other texts or of a part."""
    tokenizers = embed_module("tokenizers", path=path)
    try:
        tokenizer = tokenizers.Tokenizer.from_buffer(data)
    except Exception as problem:  # the library raises plain Exception
        raise UsageError(
            "this is no tokenizer", got=str(problem)[:200], wanted="a tokenizer.json", at=Location(path=str(path))
        ) from problem
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def _check_pooling(data: bytes, path: Path) -> None:
    """Refuse a model that says its vector is not the mean of its token vectors."""
    try:
        said = json.loads(data)
        modes = sorted(key for key, value in said.items() if key.startswith("pooling_mode_") and value is True)
    except (ValueError, AttributeError) as problem:
        raise UsageError("the pooling of the embedding model cannot be read", at=Location(path=str(path))) from problem
    if modes != ["pooling_mode_mean_tokens"]:
        raise UsageError(
            "the embedding model does not pool by the mean",
            got=", ".join(modes) or "no mode",
            wanted="pooling_mode_mean_tokens and nothing else",
            at=Location(path=str(path)),
        )
