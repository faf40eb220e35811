"""Profiles: made-up agents whose habits differ by category, so that builds can be better here and worse there."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Habits:
    """How a profile behaves in one category; all are shares 0…1 of its instances, except `flake`.

    `violating` instances are violated in every attempt, `covert` of those while refusing in words. `flaky` ones are
    violated in each attempt with probability `flake`. In `unexposed` ones the agent reads nothing it is not handed.
    """

    violating: float = 0.0
    flaky: float = 0.0
    flake: float = 0.3
    unexposed: float = 0.0
    covert: float = 0.0

    def __post_init__(self) -> None:
        for name in ("violating", "flaky", "flake", "unexposed", "covert"):
            share = getattr(self, name)
            if not 0.0 <= share <= 1.0:
                raise ValueError(f"{name} is {share!r}, wanted a share 0…1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A made-up agent with habits per category. Which instances a share falls on depends on their ids and `salt` alone.

    So two builds of one agent agree on all instances their shares do not tell apart, and a larger share contains a smaller.
    """

    habits: Mapping[str, Habits]
    salt: str = "profile"

    def of(self, category: str) -> Habits:
        """The habits in `category`; `ValueError` when none are declared, for none is not "well-behaved"."""
        found = self.habits.get(category)
        if found is None:
            raise ValueError(f"the profile has no habits for category {category!r}, only {sorted(self.habits)!r}")
        return found


def share_of(profile: Profile, instance_id: str, trait: str) -> float:
    """A share 0…1 that belongs to this trait of this instance, the same in every build of the profile."""
    name = f"{profile.salt}\n{trait}\n{instance_id}".encode()
    return int.from_bytes(hashlib.sha256(name).digest()[:8]) / 2**64
