"""What a report may be read as: the scope stamps."""

from __future__ import annotations

from litmusgate.report.shown import SuiteShown

EXPLORATORY = "exploratory analysis: these are counts of one run. Nothing was admitted, nothing was gated, and there is no decision here."
"""Stands first on every `report --analysis`."""


def scope_stamps(suite: SuiteShown | None) -> tuple[str, ...]:
    """E11: the stamps that say what a verdict's scope is: a suite without any state over several turns or steps is outside
    the scope of the admission document and is marked so; so is one that nobody could read. Empty: within scope.

    Exploratory analysis has no verdict to stamp; it carries `EXPLORATORY` instead of a decision.
    """
    if suite is None:
        return ("unknown: the suite could not be read, so whether it is multi-turn is not known",)
    if suite.multi_turn == 0:
        return (
            (
                "single-turn suite: no instance holds state over several turns or steps. The admission rules are made for "
                "multi-turn instances; read this verdict as outside their scope."
            ),
        )
    if suite.multi_turn < suite.instances:
        return (
            (
                f"partly single-turn suite: {suite.instances - suite.multi_turn} of {suite.instances} instances hold no state over "
                "several turns or steps and are outside the scope the admission rules are made for."
            ),
        )
    return ()
