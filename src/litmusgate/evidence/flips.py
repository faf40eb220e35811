"""Flips: how often the verdict on an instance differs between two runs of the *same* build (B5, STATS)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class FlipEstimate:
    """Discordant pairs of one category. Rates are derived, never stored.

    `pairs` counts unordered pairs of runs in which both reduced verdicts of an instance are SAFE or VIOLATION, `flips`
    the discordant ones; `independent_pairs` = Σ⌊runs_i / 2⌋ ≤ pairs is what a minimum may be asked of. `dropped` pairs
    had a VACUOUS, UNKNOWN or cached side.
    """

    flips: int
    pairs: int
    independent_pairs: int
    instances: int
    dropped: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.flips <= self.pairs or not 0 <= self.independent_pairs <= self.pairs:
            raise ValueError(
                f"flips {self.flips} of {self.pairs} pairs ({self.independent_pairs} independent) is impossible"
            )
