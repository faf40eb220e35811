"""A transformer as ONNX: a text's vector is the mean of its token vectors (extra `[embed]`).

Texts are run one at a time, without padding. In a batch the vector of a text would depend on its neighbours: a model of
8-bit integers takes the range of its activations over everything it is given at once. A text of more tokens than the
model reads is run in parts, and every token counts once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from litmusgate.corpora.embedder_table import MOST_PADDING_ROWS, OTHER_TOKENIZER, highest_token
from litmusgate.errors import CorpusError, Location, UsageError
from litmusgate.extras import embed_module
from litmusgate.provenance.vectors import Vectors, unit_rows

MOST_TOKENS = 256
"""Tokens of one run, special ones included: what MiniLM was made for, twice what a chunk of English needs; a model that
reads fewer is refused when it is loaded."""

_INPUTS = ("input_ids", "attention_mask", "token_type_ids")
_ONLY_FATAL = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class OnnxModel:
    """A model ready to run; `inputs` and `output` are the names it uses."""

    session: Any
    inputs: tuple[str, ...]
    output: str

    def run(self, ids: Sequence[int]) -> Vectors:
        """The token vectors (tokens x dimensions) of one text; raises whatever the library raises."""
        row = np.asarray([ids], dtype=np.int64)
        given = {"input_ids": row, "attention_mask": np.ones_like(row), "token_type_ids": np.zeros_like(row)}
        found = self.session.run([self.output], {name: given[name] for name in self.inputs})[0][0]
        return np.asarray(found, dtype=np.float32)

    def reads(self, ids: Sequence[int]) -> bool:
        """Whether the model runs on `ids` at all."""
        try:
            self.run(ids)
        except Exception:  # the library's errors have no common base, and any of them is the answer
            return False
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class OnnxEmbedder:
    """An embedder by transformer."""

    name: str
    digest: str
    tokenizer: Any
    model: OnnxModel
    dimensions: int

    @classmethod
    def load(cls, data: bytes, tokenizer: Any, *, name: str, digest: str, path: Path, threads: int) -> OnnxEmbedder:
        """The model in `data`, tried out once at full length; raises `UsageError` for one that cannot be used."""
        session = _session(data, path, threads)
        inputs, output = _signature(session, path)
        model = OnnxModel(session=session, inputs=inputs, output=output)
        dimensions = _tried_out(model, 1, path)
        _check_vocabulary(model, highest_token(tokenizer), path)
        _tried_out(model, MOST_TOKENS, path)
        tokenizer.enable_truncation(MOST_TOKENS)
        return cls(name=name, digest=digest, tokenizer=tokenizer, model=model, dimensions=dimensions)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row of length 1 for each text. Raises `CorpusError` where the model fails or gives no finite vector."""
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            encoding = self.tokenizer.encode(text)
            row[:] = self._mean([encoding, *encoding.overflowing])
        return unit_rows(rows, texts=len(texts), dimensions=self.dimensions)

    def _mean(self, parts: Sequence[Any]) -> Vectors:
        """The mean over the tokens of all parts of one text; zero where it has no token."""
        total, tokens = np.zeros(self.dimensions, dtype=np.float64), 0
        for part in parts:
            if part.ids:
                total += self._token_vectors(part.ids).sum(axis=0, dtype=np.float64)
                tokens += len(part.ids)
        return np.asarray(total / max(tokens, 1), dtype=np.float32)

    def _token_vectors(self, ids: Sequence[int]) -> Vectors:
        try:
            found = self.model.run(ids)
        except Exception as problem:  # the library's errors have no common base
            raise CorpusError("the embedding model failed on a text", got=str(problem)[:200]) from problem
        if found.shape != (len(ids), self.dimensions):
            raise CorpusError("the embedding model gave token vectors of another shape", got=str(found.shape))
        return found


def _session(data: bytes, path: Path, threads: int) -> Any:
    """A session on the CPU. Weights outside the file cannot be reached from bytes, so the digest covers them all."""
    runtime = embed_module("onnxruntime", path=path)
    options = runtime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.use_deterministic_compute = True
    options.log_severity_level = _ONLY_FATAL
    try:
        return runtime.InferenceSession(data, sess_options=options, providers=["CPUExecutionProvider"])
    except Exception as problem:  # the library's errors have no common base
        raise UsageError(
            "the ONNX model cannot be loaded",
            got=str(problem)[:200],
            wanted="a whole ONNX model with its weights in the same file",
            at=Location(path=str(path)),
        ) from problem


def _signature(session: Any, path: Path) -> tuple[tuple[str, ...], str]:
    """The model's inputs, and its output of token vectors (text, token, dimension)."""
    inputs = {found.name: found.type for found in session.get_inputs()}
    unknown = sorted(name for name, kind in inputs.items() if name not in _INPUTS or kind != "tensor(int64)")
    if unknown or "input_ids" not in inputs:
        raise UsageError(
            "the ONNX model has other inputs than a text model",
            got=", ".join(f"{name} {kind}" for name, kind in sorted(inputs.items())) or "no input",
            wanted=f"input_ids, and perhaps {_INPUTS[1]} and {_INPUTS[2]}, as tensor(int64)",
            at=Location(path=str(path)),
        )
    outputs = [found.name for found in session.get_outputs() if len(found.shape or ()) == 3]
    if len(outputs) > 1 and "last_hidden_state" in outputs:
        outputs = ["last_hidden_state"]
    if len(outputs) != 1:
        raise UsageError(
            "the ONNX model has no single output of token vectors",
            got=", ".join(f"{found.name} {found.shape}" for found in session.get_outputs()),
            wanted="last_hidden_state, or one output of texts by tokens by dimensions",
            at=Location(path=str(path)),
        )
    return tuple(name for name in _INPUTS if name in inputs), outputs[0]


def _tried_out(model: OnnxModel, tokens: int, path: Path) -> int:
    """Run the model on so many tokens; the dimensions of what it gives."""
    try:
        found = model.run([0] * tokens)
    except Exception as problem:  # the library's errors have no common base
        raise UsageError(
            f"the ONNX model cannot be run on {tokens} tokens",
            got=str(problem)[:200],
            wanted=f"a model that reads {MOST_TOKENS} tokens at a time",
            at=Location(path=str(path)),
        ) from problem
    if found.ndim != 2 or len(found) != tokens or found.shape[1] < 1:
        raise UsageError(
            "the ONNX model gives no vector for each token",
            got=str(found.shape),
            wanted=f"{tokens} vectors",
            at=Location(path=str(path)),
        )
    return int(found.shape[1])


def _check_vocabulary(model: OnnxModel, last: int, path: Path) -> None:
    """The size of the model's vocabulary stands nowhere in it, but it does not run on a token it has no vector for."""
    beyond = last + MOST_PADDING_ROWS + 1
    if last >= 0 and model.reads([last]) and not model.reads([beyond]):
        return
    raise UsageError(
        "the model and the tokenizer have different vocabularies",
        got=f"a model with a vector for token {beyond}" if model.reads([beyond]) else "a model with fewer vectors",
        wanted=f"vectors for the tokenizer's tokens 0 to {last}, and at most {MOST_PADDING_ROWS} to fill up",
        fix=OTHER_TOKENIZER,
        at=Location(path=str(path)),
    )
