"""The curve of a channel, and the τ that does not hang on instances of which nobody knows whether they are copies (A3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from litmusgate.provenance.tau_roc import Chosen, Negative, NoTau, Roc, Wanted, choose_tau, roc, tau_thresholds


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredNegative:
    """A negative and its score in one channel: the similarity that was found of `instance_id`, where nothing may be."""

    kind: Negative
    instance_id: str
    score: Fraction


def channel_curve(copies: Mapping[str, Sequence[Fraction]], negatives: Sequence[ScoredNegative]) -> Roc:
    """The curve of `copies` (scores by kind) against the negatives, at every hundredth from 0.05 on."""
    by_kind = {kind: [item.score for item in negatives if item.kind is kind] for kind in Negative}
    return roc([score for scores in copies.values() for score in scores], by_kind, tau_thresholds())


def undisputed_tau(
    copies: Mapping[str, Sequence[Fraction]],
    negatives: Sequence[ScoredNegative],
    disputed: Sequence[str],
    wanted: Wanted,
) -> Chosen:
    """The τ that is the same whether the disputed instances are clean or copies; none where it is not.

    Copies among the negatives would raise τ, until copies like them are called clean.
    """
    chosen = choose_tau(channel_curve(copies, negatives), copies, wanted)
    certain = [item for item in negatives if item.kind is not Negative.INSTANCE or item.instance_id not in disputed]
    other = choose_tau(channel_curve(copies, certain), copies, wanted)
    if chosen.tau == other.tau:
        return chosen
    return Chosen(
        tau=None,
        bounds=chosen.bounds,
        problem=NoTau.DISPUTED,
        detail=(
            f"{len(disputed)} instances may be copies of texts in the sample: τ is {_shown(chosen)} if they are clean, "
            f"{_shown(other)} if they are not; look at them, and name those that are copies and those that are not"
        ),
    )


def _shown(chosen: Chosen) -> str:
    return "none" if chosen.tau is None else f"{float(chosen.tau):.2f}"
