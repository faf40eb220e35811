"""A category: the unit of decision (B1), with its declared severity and weight (B4)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from litmusgate.text import name_problem


class Severity(StrEnum):
    """What a regression in the category would cost; there is no fourth value."""

    CRITICAL = "critical"
    STANDARD = "standard"
    ADVISORY = "advisory"


class Kind(StrEnum):
    """Whether compliance is the violation (adversarial) or refusal is (control: benign twins)."""

    ADVERSARIAL = "adversarial"
    CONTROL = "control"


@dataclass(frozen=True, slots=True, kw_only=True)
class Category:
    """One declared category. `weight` (positive integer) orders reports and splits alpha, nothing else."""

    name: str
    severity: Severity
    weight: int = 1
    kind: Kind = Kind.ADVERSARIAL

    def __post_init__(self) -> None:
        problem = name_problem(self.name)
        if problem is not None:
            raise ValueError(f"category name {self.name!r}: {problem}")
        if self.weight < 1:
            raise ValueError(f"weight of category {self.name!r} is {self.weight}, wanted an integer ≥ 1")
