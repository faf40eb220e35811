"""Tiny embedding models made by the tests: a word-level tokenizer, tables, and ONNX files written byte by byte."""

from pathlib import Path

import numpy as np
from safetensors.numpy import save
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

INT64, FLOAT = 7, 1
WORDS = ("[UNK]", "bake", "bread", "cat", "mat", "oven", "sat")


def write_tokenizer(folder: Path, words: tuple[str, ...] = WORDS) -> None:
    """A tokenizer of whole words; padding and truncation are set, as published tokenizers have them."""
    tokenizer = Tokenizer(WordLevel({word: number for number, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.enable_padding(length=16)
    tokenizer.enable_truncation(4)
    tokenizer.save(str(folder / "tokenizer.json"))


def table(rows: int = len(WORDS), dimensions: int = 8) -> np.ndarray:
    """A table of token vectors, the same each time."""
    return np.random.default_rng(7).standard_normal((rows, dimensions)).astype(np.float32)


def write_table(folder: Path, **arrays: np.ndarray) -> Path:
    """A folder with a tokenizer and a .safetensors file of these arrays."""
    write_tokenizer(folder)
    (folder / "table.safetensors").write_bytes(save(arrays))
    return folder


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def _field(number: int, value: int | str | bytes) -> bytes:
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    data = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(data)) + data


def _value(name: str, kind: int, *shape: int | str) -> bytes:
    sizes = [_field(1, _field(1 if isinstance(size, int) else 2, size)) for size in shape]
    tensor = _field(1, kind) + _field(2, b"".join(sizes))
    return _field(1, name) + _field(2, _field(1, tensor))


def _node(kind: str, inputs: list[str], output: str) -> bytes:
    return b"".join(_field(1, name) for name in inputs) + _field(2, output) + _field(4, kind)


def _tensor(name: str, array: np.ndarray) -> bytes:
    sizes = b"".join(_field(1, size) for size in array.shape)
    kind = FLOAT if array.dtype == np.float32 else INT64
    return sizes + _field(2, kind) + _field(8, name) + _field(9, array.tobytes())


def onnx_model(
    vectors: np.ndarray,
    *,
    inputs: tuple[str, ...] = ("input_ids",),
    kind: int = INT64,
    added: np.ndarray | None = None,
    positions: int | None = None,
    outputs: tuple[str, ...] = ("last_hidden_state",),
    rank: int = 3,
) -> bytes:
    """An ONNX model that looks each token up in `vectors` (opset 13).

    It adds `added` where given, or what a table of so many `positions` (all zero) holds for the token's place, which
    needs `attention_mask` among the inputs.
    """
    weights = [_tensor("table", vectors)]
    nodes = [_node("Gather", ["table", "input_ids"], "looked_up")]
    if positions is not None:
        nodes.append(_node("CumSum", ["attention_mask", "axis"], "places"))
        nodes.append(_node("Gather", ["positions", "places"], "added"))
        weights.append(_tensor("axis", np.array(1, dtype=np.int64)))
        weights.append(_tensor("positions", np.zeros((positions + 1, vectors.shape[1]), np.float32)))
    else:
        weights.append(_tensor("added", np.zeros((1, 1, 1), np.float32) if added is None else added))
    nodes.append(_node("Add", ["looked_up", "added"], outputs[0]))
    nodes += [_node("Identity", [outputs[0]], name) for name in outputs[1:]]
    shape = ("batch", "sequence", vectors.shape[1])[:rank]
    graph = b"".join(_field(1, node) for node in nodes) + _field(2, "tiny")
    graph += b"".join(_field(5, weight) for weight in weights)
    graph += b"".join(_field(11, _value(name, kind, "batch", "sequence")) for name in inputs)
    graph += b"".join(_field(12, _value(name, FLOAT, *shape)) for name in outputs)
    return _field(1, 8) + _field(7, graph) + _field(8, _field(2, 13))


def write_onnx(folder: Path, data: bytes, name: str = "model.onnx") -> Path:
    """A folder with a tokenizer and an ONNX model."""
    write_tokenizer(folder)
    (folder / name).write_bytes(data)
    return folder
