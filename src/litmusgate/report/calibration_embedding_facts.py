"""What reports say of the embedding channel of a calibration, as sentences and tables of text cells."""

from __future__ import annotations

from litmusgate.provenance.tau_roc import NoTau
from litmusgate.report.calibration_channel import ChannelShown
from litmusgate.report.calibration_curves import Table
from litmusgate.report.calibration_embedding import EmbeddingShown
from litmusgate.report.calibration_ids import shown_ids
from litmusgate.report.phrases import many, percent

EMBEDDING_REMEDIES = {
    NoTau.TOO_FEW_NEGATIVES: "calibrate with more instances or hard negatives, or declare a larger --max-false",
    NoTau.TOO_FEW_PLANTS: "calibrate with a suite of more instances that can be embedded",
    NoTau.FALSE_POSITIVES: "look at the negatives nearest in meaning: name those that are copies with --known",
    NoTau.RECALL: "use another model: this one finds planted copies hardly more often than other texts",
    NoTau.DISPUTED: "name the instances that are copies with --known, those that are not with --clean",
}
"""What to do where the channel has no τ."""


def embedding_facts(shown: EmbeddingShown, channel: ChannelShown) -> list[str]:
    """The sentences: the channel's τ or why there is none, its bounds, and how much the model read."""
    read = (
        f"the model read {many(shown.sampled_documents, 'document')} of the sample, {shown.sampled_bytes} bytes, and "
        f"plants of {many(shown.planted, 'instance')}; its false positives are those of so much text"
    )
    lines = [*_promise(shown, channel), read]
    if shown.not_embedded:
        lines.append(f"nothing of them is embedded: {shown_ids(shown.not_embedded)}")
    return lines


def embedding_tables(shown: EmbeddingShown) -> list[Table]:
    """The plants by kind and the negatives nearest in meaning."""
    kinds = tuple(
        (kind.name, str(kind.planted), "-" if kind.found is None else str(kind.found)) for kind in shown.kinds
    )
    nearest = tuple((item.instance, f"{item.cosine:.4f}", item.kind.value, item.document) for item in shown.nearest)
    return [
        Table(
            title="Planted copies by kind, in meaning",
            headers=("kind", "planted", "at embedding tau"),
            rows=kinds,
            note="no kind has to be found: words find copies, and a model reads no encodings",
        ),
        Table(
            title="Negatives nearest in meaning",
            headers=("instance", "cosine", "kind", "document"),
            rows=nearest,
            note="look at these: a text told again among them belongs into --known",
        ),
    ]


def _promise(shown: EmbeddingShown, channel: ChannelShown) -> list[str]:
    model = f"model {shown.model.name}, {shown.model.digest}"
    if shown.tau is None:
        lines = [f"no embedding tau: {shown.detail}", f"{model}"]
        return lines if shown.problem is None else [*lines, f"fix: {EMBEDDING_REMEDIES[shown.problem]}"]
    point = next(item for item in channel.points if item.threshold == shown.tau)
    lines = [
        f"embedding tau {shown.tau}, for review only and for this model alone: {model}",
        f"embedding: {point.found} of {channel.positives} planted copies found, of every kind together",
        (
            f"embedding false positives: {point.false.instances} of {channel.negatives.instances} instances against the "
            f"sample, at most {percent(shown.bound_instances)} with 95 % confidence (exact)"
        ),
    ]
    if channel.negatives.hard:
        lines.append(
            f"embedding false positives: {point.false.hard} of {channel.negatives.hard} hard negatives, "
            f"at most {percent(shown.bound_hard)} with 95 % confidence (exact)"
        )
    return lines
