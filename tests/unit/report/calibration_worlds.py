"""Calibration files for the tests of their reports: composed from small calibrations, once each."""

import random
from dataclasses import replace
from functools import lru_cache
from zlib import crc32

import numpy as np

from admission_world import suite_of
from litmusgate.provenance.engine import PlainEngine
from litmusgate.provenance.tau import calibrate
from litmusgate.provenance.tau_calibration import CalibrationInputs
from litmusgate.provenance.tau_embedding import EmbeddingInputs
from litmusgate.provenance.tau_roc import Wanted
from litmusgate.report.calibration_compose import Origins, compose_tau
from litmusgate.report.calibration_document import CorpusUsed, ReferenceUsed, TauDocument
from unit.provenance.made_suite import document, instance, prose

HOSTILE = "<script>alert(1)</script>\u202e\x1b[31m"
DIGEST = "sha256:" + "1" * 64
INSTANCES = [instance(f"i{number:02d}", f"{prose(number, 36)}. {prose(200 + number, 24)}.") for number in range(62)]
FILLER = [document(f"d{number}", prose(1000 + number, 80)) for number in range(20)]
NEAR = " ".join("zzz" if place % 8 == 7 else word for place, word in enumerate(INSTANCES[2].turns[0].content.split()))


@lru_cache
def calibrated() -> TauDocument:
    """A τ, without canary labels."""
    return _composed()


@lru_cache
def disputed() -> TauDocument:
    """No τ: a near copy stands in a document of a hostile name, and nobody looked at it."""
    return _composed(sample=[*FILLER, document(HOSTILE, NEAR)])


@lru_cache
def with_canary() -> TauDocument:
    """A τ, a canary, and both disagreements."""
    whole = document("whole", INSTANCES[7].turns[0].content)
    labels = {item.id: item.id in ("i02", "i05") for item in INSTANCES}
    return _composed(sample=[*FILLER, document(HOSTILE, NEAR), whole], labels=labels)


@lru_cache
def with_embedding() -> TauDocument:
    """A τ of either channel, of a model of a hostile name."""
    return _composed(embedding=EmbeddingInputs(embedder=WordCounts(), sample=FILLER))


class WordCounts:
    """A model for which texts are near that have the same words, wherever they stand."""

    name = HOSTILE
    digest = DIGEST
    dimensions = 256

    def embed(self, texts):
        """One row for each text: a count of its words by their checksum, brought to length 1."""
        rows = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.split():
                row[crc32(word.encode()) % self.dimensions] += 1
        return rows / np.linalg.norm(rows, axis=1)[:, None]


def hostile(made: TauDocument) -> TauDocument:
    """The same with hostile names wherever a name of others stands."""
    return made.model_copy(
        update={
            "suite": made.suite.model_copy(update={"name": HOSTILE, "version": HOSTILE}),
            "disputed": (HOSTILE,),
            "left_out": made.left_out.model_copy(update={"present": (HOSTILE,)}),
            "embedding": None
            if made.embedding is None
            else made.embedding.model_copy(
                update={
                    "not_embedded": (HOSTILE,),
                    "nearest": tuple(item.model_copy(update={"instance": HOSTILE}) for item in made.embedding.nearest),
                }
            ),
            "nearest": tuple(item.model_copy(update={"instance": HOSTILE}) for item in made.nearest),
            "canary": None
            if made.canary is None
            else made.canary.model_copy(update={"passes_that_look_clean": (HOSTILE,)}),
        }
    )


def _composed(**changes) -> TauDocument:
    inputs = replace(CalibrationInputs(instances=INSTANCES, sample=FILLER, most_planted=20), **changes)
    found = calibrate(inputs, engine=PlainEngine(), chance=random.Random(1))
    size = sum(len(item.text) for item in inputs.sample)
    corpus = CorpusUsed(
        index=None,
        texts=DIGEST,
        column="text",
        documents=len(inputs.sample),
        text_bytes=size,
        sampled_documents=len(inputs.sample),
        sampled_bytes=size,
    )
    return compose_tau(
        found,
        Origins(
            suite=suite_of(INSTANCES),
            corpus=corpus,
            seed=1,
            wanted=Wanted(),
            hard_negatives=None,
            allow_list=None,
            references=[] if inputs.labels is None else [ReferenceUsed(agent="weak", build="1", digest=DIGEST)],
            versions={"litmusgate": "0"},
        ),
    )
