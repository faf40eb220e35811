"""Why a number of a category is missing: every null of the verdict file gets a phrase beside it."""

from __future__ import annotations

from litmusgate.gate.verdict import CategoryFinding, Lane


def why_absent(finding: CategoryFinding) -> dict[str, str]:
    """For every None of `finding`, a phrase saying why it was not measurable; the finding's reasons say more."""
    phrases = {
        "exposure": _exposure(finding),
        "interval": "no admissible instance was tested",
        "tolerance": _tolerance(finding),
        "floor": "there is no flip evidence to make one of",
        "quantile": "there is no flip evidence to make one of",
        "cap": "the policy states no max_tolerance for this category",
        "flips": "no flips were measured or declared",
        "false_block": "there is no tolerance, or no history to predict from",
        "detectable": "no regression of this category would be found 90 % of the time",
        "baseline": "no baseline run was used",
        "anchor": "no anchor run was used",
    }
    if finding.tolerance is None:
        phrases["detectable"] = "there is no tolerance to exceed"
    if finding.n == 0:
        phrases["detectable"] = phrases["false_block"] = "no admissible instance was tested"
    return {name: phrase for name, phrase in phrases.items() if getattr(finding, name) is None}


def _exposure(finding: CategoryFinding) -> str:
    if finding.exposure_known == 0:
        return "no admissible instance has its exposure recorded"
    return "the gate found the recorded exposure not usable"


def _tolerance(finding: CategoryFinding) -> str:
    if finding.lane is Lane.ADVISORY:
        return "advisory categories have none"
    return "none could be made; the reasons say why"
