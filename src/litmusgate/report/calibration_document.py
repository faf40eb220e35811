"""The calibration file `litmusgate/tau/1` at the wire: strict models, canonical bytes, and a reader that counts again (A3)."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Annotated, Final, Literal

from pydantic import Field, ValidationError, model_validator

from litmusgate.digest import canonical_bytes
from litmusgate.documents.wire_types import Digest
from litmusgate.errors import Location, RecordError
from litmusgate.provenance.tau_roc import LEAST_PLANTED, Negative, NoTau
from litmusgate.report.calibration_channel import ChannelShown, Hundredths, hold_to_bounds
from litmusgate.report.calibration_embedding import EmbeddingShown, hold_embedding_to_rule
from litmusgate.report.shown import Count, Share, Wire

TAU_SCHEMA: Final = "litmusgate/tau/1"

ExactShare = Annotated[str, Field(pattern=r"^[0-9]{1,18}(/[1-9][0-9]{0,17})?$")]


class SuiteUsed(Wire):
    """The suite whose instances were planted."""

    name: str
    version: str
    digest: Digest


class CorpusUsed(Wire):
    """The corpus: an index by its digest, or the texts by theirs (in order of reading, each after its length in 8 bytes).

    What it held, and what was drawn from it; bytes are of UTF-8 text. `not_sampled` names the corpora of the index (with
    their revisions) whose texts are not kept, so that nothing of them was drawn; sorted.
    """

    index: Digest | None
    texts: Digest | None
    column: str | None
    documents: Count
    text_bytes: Count
    sampled_documents: Count
    sampled_bytes: Count
    not_sampled: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _is_one_of_two(self) -> CorpusUsed:
        if (self.index is None) == (self.texts is None):
            raise ValueError("a corpus is an index or texts")
        if self.sampled_bytes > self.text_bytes:
            raise ValueError("more was drawn than there was")
        if self.not_sampled and self.index is None:
            raise ValueError("texts that were read were all sampled from")
        return self


class ReferenceUsed(Wire):
    """A canary run that gave labels."""

    agent: str
    build: str
    digest: Digest


class WantedShown(Wire):
    """What a τ had to keep: exact shares, and the confidence of the bounds (one-sided)."""

    max_false: ExactShare
    min_recall: ExactShare
    confidence: Literal["19/20"]


class KindShown(Wire):
    """Plants of one kind. Those that `must_match` τ has to find by similarity; counts that need a τ are null without one."""

    name: str
    must_match: bool
    planted: Count
    by_run: Count
    similar: Count | None
    contaminated: Count | None
    suspect: Count | None


class LeftOutShown(Wire):
    """Ids of the instances that are no negatives, by reason."""

    canary_passed: tuple[str, ...]
    named: tuple[str, ...]
    present: tuple[str, ...]
    not_assessable: tuple[str, ...]


class NearShown(Wire):
    """A negative of which something was found, nearest first."""

    kind: Negative
    instance: str
    document: str
    similarity: Share
    run: Count


class BandShown(Wire):
    """Instances by similarity, from `least` to the next band (null: not assessable), and what the canary does with them."""

    least: Hundredths | None
    passed: Count
    failed: Count
    unlabelled: Count


class CanaryShown(Wire):
    """The canary's labels beside similarity; the two disagreements by id, empty without a τ."""

    references: tuple[ReferenceUsed, ...]
    bands: tuple[BandShown, ...]
    passes_that_look_clean: tuple[str, ...]
    contaminated_that_fail: tuple[str, ...]


class TauDocument(Wire):
    """The calibration file. `tau` is null when there is a `problem`, and then `detail` says what was missing.

    `bounds` are one-sided 95 % upper bounds of the false-positive share at `tau`; null for negatives of which there are none.
    `embedding` is null where that channel was not asked for, and absent in files of before there was one.
    """

    schema_: Annotated[Literal["litmusgate/tau/1"], Field(alias="schema")] = TAU_SCHEMA
    tau: Hundredths | None
    problem: NoTau | None
    detail: str | None
    bound_instances: Share | None
    bound_hard: Share | None
    wanted: WantedShown
    suite: SuiteUsed
    fold: str
    corpus: CorpusUsed
    seed: Count
    hard_negatives: Digest | None
    allow_list: Digest | None
    planted: Count
    hosts: Count
    left_out: LeftOutShown
    disputed: tuple[str, ...]
    kinds: tuple[KindShown, ...]
    channels: tuple[ChannelShown, ...]
    nearest: tuple[NearShown, ...]
    canary: CanaryShown | None
    embedding: EmbeddingShown | None = None
    versions: dict[str, str]

    @model_validator(mode="after")
    def _is_what_the_counts_say(self) -> TauDocument:
        if (self.tau is None) == (self.problem is None) or (self.problem is None) != (self.detail is None):
            raise ValueError("a calibration has a tau, or a problem with its detail, and never both")
        names = [channel.name for channel in self.channels]
        asked = {"similarity": True, "run": True, "embedding": self.embedding, "canary": self.canary}
        if names != [name for name, there in asked.items() if there]:
            raise ValueError(f"the channels are {names}")
        if self.tau is not None:
            _hold_to_the_rule(self, self.tau)
        if self.embedding is not None:
            hold_embedding_to_rule(self.embedding, self.channels[2], limit=self.wanted.max_false)
        return self


def _hold_to_the_rule(document: TauDocument, tau: str) -> None:
    """Raise `ValueError` unless the counts at `tau` keep what was wanted: a hand that edits one must edit all."""
    told = (document.bound_instances, document.bound_hard)
    hold_to_bounds(document.channels[0], tau, limit=document.wanted.max_false, told=told)
    enough = Fraction(document.wanted.min_recall)
    judged = [kind for kind in document.kinds if kind.must_match and kind.planted >= LEAST_PLANTED]
    if not judged or any((kind.similar or 0) < enough * kind.planted for kind in judged):
        raise ValueError("less is found at tau than was wanted")


def tau_bytes(document: TauDocument) -> bytes:
    """The canonical bytes of `document`: what `tau.json` holds and what its digest is taken over."""
    return canonical_bytes(document.model_dump(mode="json", by_alias=True))


def read_tau(data: bytes, *, path: str) -> TauDocument:
    """The calibration in `data`; `RecordError` for anything that no `calibrate tau` writes, counts that do not fit included."""
    at = Location(path=path)
    try:
        value = json.loads(data)
        canonical = canonical_bytes(value)
    except (ValueError, RecursionError) as error:
        raise RecordError("this is no calibration: it is no strict JSON", got=str(error), at=at) from error
    schema = value.get("schema") if isinstance(value, dict) else None
    if schema != TAU_SCHEMA:
        raise RecordError("this is no calibration", got=f"schema {schema!r}", wanted=f"schema {TAU_SCHEMA!r}", at=at)
    if canonical != data:
        raise RecordError("the calibration is not as it was written", wanted="canonical JSON, unedited", at=at)
    try:
        return TauDocument.model_validate_json(data)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "document"
        raise RecordError("this calibration is malformed", got=f"{where}: {first['msg']}", at=at) from error
