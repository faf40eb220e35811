"""The calibration file `litmusgate/tau/1` at the wire: strict models, canonical bytes, and a reader that counts again (A3)."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Annotated, Final, Literal

from pydantic import Field, ValidationError, model_validator

from litmusgate.digest import canonical_bytes
from litmusgate.documents.wire_types import Digest
from litmusgate.errors import Location, RecordError
from litmusgate.provenance.tau_roc import LEAST_PLANTED, LEAST_TAU, Negative, NoTau, upper_bound
from litmusgate.report.shown import Count, Share, Wire

TAU_SCHEMA: Final = "litmusgate/tau/1"

Hundredths = Annotated[str, Field(pattern=r"^(0\.[0-9]{2}|1\.00)$")]
ExactShare = Annotated[str, Field(pattern=r"^[0-9]{1,18}(/[1-9][0-9]{0,17})?$")]


class SuiteUsed(Wire):
    """The suite whose instances were planted."""

    name: str
    version: str
    digest: Digest


class CorpusUsed(Wire):
    """The corpus: an index by its digest, or the texts by theirs (in order of reading, each after its length in 8 bytes).

    What it held, and what was drawn from it; bytes are of UTF-8 text.
    """

    index: Digest | None
    texts: Digest | None
    column: str | None
    documents: Count
    text_bytes: Count
    sampled_documents: Count
    sampled_bytes: Count

    @model_validator(mode="after")
    def _is_one_of_two(self) -> CorpusUsed:
        if (self.index is None) == (self.texts is None):
            raise ValueError("a corpus is an index or texts")
        if self.sampled_bytes > self.text_bytes:
            raise ValueError("more was drawn than there was")
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


class FalseCounts(Wire):
    """Counts of negatives by kind: instances against the sample, hard negatives against the suite."""

    instances: Count
    hard: Count


class PointShown(Wire):
    """What is found at a threshold: plants, and negatives by kind."""

    threshold: str
    found: Count
    false: FalseCounts


class ChannelShown(Wire):
    """A ROC curve by rising threshold. `auc` is (wins + ties / 2) over all pairs of a positive and a negative; null for none."""

    name: Literal["similarity", "run", "canary"]
    unit: str
    positives: Count
    negatives: FalseCounts
    wins: Count
    ties: Count
    auc: Share | None
    points: tuple[PointShown, ...]

    @model_validator(mode="after")
    def _adds_up(self) -> ChannelShown:
        pairs = self.positives * (self.negatives.instances + self.negatives.hard)
        if self.wins + self.ties > pairs or (self.auc is None) != (pairs == 0):
            raise ValueError(f"channel {self.name}: wins and ties do not fit the counts")
        if pairs and self.auc != float(Fraction(2 * self.wins + self.ties, 2 * pairs)):
            raise ValueError(f"channel {self.name}: the area is not that of the counts")
        before = (self.positives, self.negatives.instances, self.negatives.hard)
        for point in self.points:
            after = (point.found, point.false.instances, point.false.hard)
            if any(later > earlier for earlier, later in zip(before, after, strict=True)):
                raise ValueError(f"channel {self.name}: more is found at {point.threshold} than below it")
            before = after
        return self


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
    versions: dict[str, str]

    @model_validator(mode="after")
    def _is_what_the_counts_say(self) -> TauDocument:
        if (self.tau is None) == (self.problem is None) or (self.problem is None) != (self.detail is None):
            raise ValueError("a calibration has a tau, or a problem with its detail, and never both")
        names = [channel.name for channel in self.channels]
        if names != ["similarity", "run", *(["canary"] if self.canary is not None else [])]:
            raise ValueError(f"the channels are {names}")
        if self.tau is not None:
            _hold_to_the_rule(self, self.tau)
        return self


def _hold_to_the_rule(document: TauDocument, tau: str) -> None:
    """Raise `ValueError` unless the counts at `tau` keep what was wanted: a hand that edits one must edit all."""
    channel = document.channels[0]
    limit = float(Fraction(document.wanted.max_false))
    lowest = next((point for point in channel.points if _is_safe(point, channel, limit)), None)
    if lowest is None or lowest.threshold != tau:
        raise ValueError(f"tau {tau} is not the lowest from 0.{LEAST_TAU} on whose false positives are few enough")
    told = (document.bound_instances, document.bound_hard)
    for bound, said in zip(_bounds(lowest, channel), told, strict=True):
        if (bound is None) != (said is None) or (bound is not None and said is not None and abs(bound - said) > 1e-9):
            raise ValueError("the bounds are not those of the counts at tau")
    enough = Fraction(document.wanted.min_recall)
    judged = [kind for kind in document.kinds if kind.must_match and kind.planted >= LEAST_PLANTED]
    if not judged or any((kind.similar or 0) < enough * kind.planted for kind in judged):
        raise ValueError("less is found at tau than was wanted")


def _is_safe(point: PointShown, channel: ChannelShown, limit: float) -> bool:
    instances, hard = _bounds(point, channel)
    few = instances is not None and instances <= limit and (hard is None or hard <= limit)
    return few and Fraction(point.threshold) * 100 >= LEAST_TAU


def _bounds(point: PointShown, channel: ChannelShown) -> tuple[float | None, float | None]:
    return (
        upper_bound(point.false.instances, channel.negatives.instances),
        upper_bound(point.false.hard, channel.negatives.hard),
    )


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
