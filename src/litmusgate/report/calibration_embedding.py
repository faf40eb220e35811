"""The embedding channel of a calibration at the wire: its model, its own τ, and the counts that τ is held to (A3)."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from pydantic import Field, model_validator

from litmusgate.documents.wire_types import Digest
from litmusgate.provenance.tau_roc import LEAST_PLANTED, Negative, NoTau
from litmusgate.report.calibration_channel import ChannelShown, Hundredths, hold_to_bounds
from litmusgate.report.shown import Count, Share, Wire

Cosine = Annotated[float, Field(ge=-1, le=1)]


class ModelUsed(Wire):
    """The embedding model: what its folder is called, and the digest of weights and tokenizer, to which τ belongs."""

    name: str
    digest: Digest


class EmbeddingKindShown(Wire):
    """Plants of one kind, and how many are near enough at τ; null without one."""

    name: str
    planted: Count
    found: Count | None


class EmbeddingNearShown(Wire):
    """A negative and the document nearest to it in meaning."""

    kind: Negative
    instance: str
    document: str
    cosine: Cosine


class EmbeddingShown(Wire):
    """The channel. `tau` is null when there is a `problem`, and then `detail` says what was missing; bounds as for words.

    The model read `sampled_documents` of the sample and the plants of `planted` instances. Of `not_embedded` nothing is
    embedded: they are neither planted nor negatives here.
    """

    model: ModelUsed
    tau: Hundredths | None
    problem: NoTau | None
    detail: str | None
    bound_instances: Share | None
    bound_hard: Share | None
    sampled_documents: Count
    sampled_bytes: Count
    planted: Count
    not_embedded: tuple[str, ...]
    kinds: tuple[EmbeddingKindShown, ...]
    nearest: tuple[EmbeddingNearShown, ...]

    @model_validator(mode="after")
    def _has_a_tau_or_a_problem(self) -> EmbeddingShown:
        if (self.tau is None) == (self.problem is None) or (self.problem is None) != (self.detail is None):
            raise ValueError("the embedding channel has a tau, or a problem with its detail, and never both")
        if any((kind.found is None) != (self.tau is None) for kind in self.kinds):
            raise ValueError("plants are found at a tau, and only there")
        return self


def hold_embedding_to_rule(shown: EmbeddingShown, channel: ChannelShown, *, limit: str) -> None:
    """Raise `ValueError` unless the counts of `channel` give what is shown, and τ keeps `limit` and finds more than that."""
    if sum(kind.planted for kind in shown.kinds) != channel.positives:
        raise ValueError("the plants of the embedding channel are not those of its curve")
    if shown.tau is None:
        return
    told = (shown.bound_instances, shown.bound_hard)
    point = hold_to_bounds(channel, shown.tau, limit=limit, told=told)
    if sum(kind.found or 0 for kind in shown.kinds) != point.found:
        raise ValueError("the embedding channel's counts by kind are not those of its curve at tau")
    if channel.positives < LEAST_PLANTED or point.found < Fraction(limit) * channel.positives:
        raise ValueError("less is found by embeddings at tau than was wanted")
