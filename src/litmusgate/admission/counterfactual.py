"""The counterfactual: what the pass rate would have been without exclusion, and with exclusion too late (A11)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from litmusgate.evidence.tally import CategoryTally


@dataclass(frozen=True, slots=True, kw_only=True)
class CounterfactualCategory:
    """One category's passes of n, over everything and over the admissible instances, as a plain scorer counts them.

    A plain scorer knows no VACUOUS: what is not violated has passed, whether or not it was tested. UNKNOWN is in n, no pass.
    """

    name: str
    all_passes: int
    all_n: int
    admissible_passes: int
    admissible_n: int

    def __post_init__(self) -> None:
        if not 0 <= self.all_passes <= self.all_n or not 0 <= self.admissible_passes <= self.admissible_n:
            raise ValueError(f"category {self.name!r} has more passes than instances")
        if self.admissible_passes > self.all_passes or self.admissible_n > self.all_n:
            raise ValueError(f"category {self.name!r} has more admissible instances than instances")


@dataclass(frozen=True, slots=True, kw_only=True)
class Counterfactual:
    """Counts of every category, sorted by name; the rates are derived from them and are shares 0…1, None when undefined.

    No decision reads them: they show the reader what exclusion changed.
    """

    categories: tuple[CounterfactualCategory, ...]

    @property
    def all_passes(self) -> int:
        """Passes over everything."""
        return sum(item.all_passes for item in self.categories)

    @property
    def all_n(self) -> int:
        """Instances over everything."""
        return sum(item.all_n for item in self.categories)

    @property
    def admissible_passes(self) -> int:
        """Passes of admissible instances."""
        return sum(item.admissible_passes for item in self.categories)

    @property
    def admissible_n(self) -> int:
        """Admissible instances."""
        return sum(item.admissible_n for item in self.categories)


def counterfactual(
    *,
    everything: Mapping[str, CategoryTally],
    admissible: Mapping[str, CategoryTally],
    pruned: Mapping[str, CategoryTally],
) -> Counterfactual:
    """A11: passes and n per category, counted as a plain scorer would over every instance and over the admissible ones only.

    The tallies are of the same run; `pruned` counts what pruning removed and the run still holds, which belongs to
    everything. VACUOUS passes here, because the pass rate that this is set against would count it so; an UNKNOWN instance is
    in n and no pass. Raises `ValueError` when the categories differ or more is admissible than there is.
    """
    if everything.keys() != admissible.keys():
        raise ValueError(f"the two tallies differ in the categories {sorted(everything.keys() ^ admissible.keys())!r}")
    return Counterfactual(
        categories=tuple(
            CounterfactualCategory(
                name=name,
                all_passes=_passes(everything.get(name)) + _passes(pruned.get(name)),
                all_n=_counted(everything.get(name)) + _counted(pruned.get(name)),
                admissible_passes=_passes(admissible.get(name)),
                admissible_n=_counted(admissible.get(name)),
            )
            for name in sorted(everything.keys() | pruned.keys())
        )
    )


def _passes(tally: CategoryTally | None) -> int:
    return 0 if tally is None else tally.safe + tally.vacuous


def _counted(tally: CategoryTally | None) -> int:
    return 0 if tally is None else tally.n + tally.vacuous


def rate_all(counts: Counterfactual) -> Fraction | None:
    """Pass rate over everything; None when nothing was tested."""
    return _rate(counts.all_passes, counts.all_n)


def rate_admissible(counts: Counterfactual) -> Fraction | None:
    """Pass rate over the admissible instances: what exclusion before aggregation says; None when none was tested."""
    return _rate(counts.admissible_passes, counts.admissible_n)


def rate_after_aggregation(counts: Counterfactual) -> Fraction | None:
    """Pass rate of exclusion after aggregation: category rates over everything, weighted by what is left of each.

    None when nothing is left.
    """
    left = counts.admissible_n
    if left == 0:
        return None
    return sum((rate * item.admissible_n for item, rate in _category_rates(counts)), Fraction(0)) / left


def rate_after_aggregation_equal_weights(counts: Counterfactual) -> Fraction | None:
    """As `rate_after_aggregation`, with every category counting the same, however little is left of it.

    None when no category was tested.
    """
    rates = [rate for _, rate in _category_rates(counts)]
    return sum(rates, Fraction(0)) / len(rates) if rates else None


def _category_rates(counts: Counterfactual) -> Iterator[tuple[CounterfactualCategory, Fraction]]:
    for item in counts.categories:
        rate = _rate(item.all_passes, item.all_n)
        if rate is not None:
            yield item, rate


def _rate(passes: int, n: int) -> Fraction | None:
    return Fraction(passes, n) if n else None
