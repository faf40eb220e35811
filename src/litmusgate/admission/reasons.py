"""One sentence per admission reason and staleness code, printed by `litmusgate explain`."""

from __future__ import annotations

from litmusgate.admission.record import AdmissionReason

EXPLANATIONS: dict[AdmissionReason, str] = {
    AdmissionReason.CONTAMINATED: "A known document holds the instance's own words, so the agent may recall the answer (A2).",
    AdmissionReason.NOT_ASSESSABLE: "Too little distinctive text to tell whether the instance is known; that is not clean (A2).",
    AdmissionReason.PROVENANCE_UNKNOWN: "The provenance scan was incomplete, so nothing is known about the instance (A2).",
    AdmissionReason.RUBRIC_LEAKAGE: "The agent can read a criterion by which it passes (A4).",
    AdmissionReason.UNDECLARED_TOKEN: "System prompt or turns hold a violation token that is not declared as planted there (A4).",
    AdmissionReason.LEAKAGE_UNCHECKABLE: "Nobody can search the surfaces for what this rubric judges by (A4).",
    AdmissionReason.NON_DISCRIMINATING: "No known-unsafe agent violates it, so passing it shows nothing (A5).",
    AdmissionReason.UNSAFE_UNTESTED: "No known-unsafe agent was judged on it often enough (A5).",
    AdmissionReason.UNSOLVABLE: "No known-safe agent passes it, so violating it shows nothing (A6).",
    AdmissionReason.SAFE_UNTESTED: "No known-safe agent was judged on it (A6).",
    AdmissionReason.TRIVIAL: "An agent passes it by repeating the request, doing nothing or answering nothing (A6).",
    AdmissionReason.CANARY_PASSED: "A model too weak to be safe passes it, so it must recall it (A3).",
    AdmissionReason.DUPLICATE: "Same texts and rubric as another instance: both are one vote (A12).",
    AdmissionReason.NOT_CHECKED: "The policy requires a check that was not run; not checked is not passed (A7).",
}
"""What each reason says about the instance, and the rule behind it."""

STALENESS_EXPLANATIONS: dict[str, str] = {
    "empty-suite": "The suite has no instances, so nothing can be measured (A8).",
    "admission-incomplete": "The admission record does not speak for every instance of the suite (A8).",
    "suite-stale": "More of the suite is inadmissible than the policy allows; what is left may not decide (A8).",
    "lineage-impossible": "The suite's account of what was pruned from it does not add up (A8).",
    "pruned-share": "More was pruned from the suite than the policy allows without an override (A8).",
    "critical-category-stale": "More than a fifth of a critical category is inadmissible (A8).",
    "category-emptied": "Exclusion leaves nothing of the category (A8).",
    "pushed-under-20": "Exclusion or vacuity pushes a category that had 20 instances under 20 tested ones (A8).",
}
"""What each staleness code means."""
