"""Explaining a rule id, a reason code or a provenance status from where it is defined: no second text that could go stale."""

from __future__ import annotations

import difflib
import importlib
import inspect

from litmusgate.errors import UsageError
from litmusgate.provenance.match import ProvenanceStatus
from litmusgate.text import visible

RULE_HOMES: dict[str, str] = {
    "A1": "litmusgate.evidence.tally:tally",
    "A2": "litmusgate.provenance.status:instance_status",
    "A3": "litmusgate.admission.canary:canary_labels",
    "A4": "litmusgate.admission.leakage:leakage",
    "A5": "litmusgate.admission.discriminability:discriminability",
    "A6": "litmusgate.admission.solvability:solvability",
    "A7": "litmusgate.admission.admit:admit",
    "A8": "litmusgate.admission.staleness:staleness",
    "A9": "litmusgate.admission.rise:significant_rises",
    "A10": "litmusgate.provenance.cutoff:corpora_that_count",
    "A11": "litmusgate.admission.counterfactual:counterfactual",
    "A12": "litmusgate.admission.duplicates:duplicates_of",
    "A13": "litmusgate.gate.exclusion:exclusion_reason",
    "A14": "litmusgate.gate.index_age:index_problems",
    "B1": "litmusgate.gate.evaluate:evaluate",
    "B2": "litmusgate.gate.pins:pin_problems",
    "B3": "litmusgate.gate.count_decision:count_decision",
    "B4": "litmusgate.gate.declared:undeclared_categories",
    "B5": "litmusgate.gate.tolerance:tolerance",
    "B6": "litmusgate.gate.lanes:lane",
    "B7": "litmusgate.gate.interval:violation_interval",
    "B8": "litmusgate.gate.exceeds:exceeds",
    "B9": "litmusgate.report.trend:mean_trend",
    "B10": "litmusgate.report.table:counts_and_trend",
    "B11": "litmusgate.gate.power:power",
    "B13": "litmusgate.gate.precedence:build_decision",
    "B14": "litmusgate.gate.hard_gated:nothing_hard_gated",
    "B15": "litmusgate.gate.history:history_problems",
    "B16": "litmusgate.gate.unmeasured:unmeasured_reason",
    "E1": "litmusgate.importers.mapping:judge_values",
    "E2": "litmusgate.evidence.expected:reconcile",
    "E3": "litmusgate.evidence.attempts:refuse_repeated_attempts",
    "E4": "litmusgate.evidence.grade:violated",
    "E5": "litmusgate.evidence.grade:channels",
    "E6": "litmusgate.evidence.flips:independent_rows",
    "E7": "litmusgate.evidence.exposure:without_unexposed_passes",
    "E8": "litmusgate.gate.unknown:unknown_reasons",
    "E9": "litmusgate.evidence.refill:last_refills",
    "E10": "litmusgate.evidence.trial_counts:refusal_counts",
    "E11": "litmusgate.report.scope:scope_stamps",
    "T2": "litmusgate.app.verify:verify",
    "T4": "litmusgate.gate.unsafe:stamps",
    "T5": "litmusgate.text:visible",
}
"""Rule id → `module:function` whose docstring is the rule."""

OPEN_RULES: dict[str, str] = {
    "B12": "Adjudication: a category is confirmed worse than the baseline on concurrent pairs of runs.",
    "T1": "Overrides and reviews are signed by people named in advance, and cover exactly the digests they name.",
    "T3": "The verdict is exportable as an attestation that deploy-time policy engines read.",
}
"""Rules that this version does not implement yet; nothing in a verdict rests on them."""

_ROLES = {"run": "A run of the candidate", "baseline": "A baseline run", "anchor": "An anchor run"}

READING_EXPLANATIONS: dict[str, str] = {
    "admission-missing": "No admission record was given, so nothing says which instances may vote (A7).",
    "admission-unreadable": "The admission record is damaged, altered or not one (A7).",
    "evidence-unusable": "The runs cannot be held against the suite: ids outside it, attempts outside the epochs (E2).",
    "flips-unusable": "The baseline runs cannot be compared with each other, so they give no flip evidence (B5).",
    "history-unreadable": "A record of an earlier gate is altered, so the build's history is not known (B15).",
    "inadmissibility-rise": "Significantly more is inadmissible than at the last accepted admission (A9).",
    "refill-not-allowed": "A trial was run again that was no infrastructure fault, or more often than allowed (E9).",
    **{
        f"{role}-unreadable": f"{who} is truncated, damaged or contradicts itself (E2)." for role, who in _ROLES.items()
    },
    **{f"{role}-suite": f"{who} was made on other definitions than the suite's (B2)." for role, who in _ROLES.items()},
    **{f"{role}-unusable": f"{who} cannot be counted (E2)." for role, who in _ROLES.items()},
}
"""What the reasons mean that are found while evidence is read and put together, before the gate itself."""


STATUS_EXPLANATIONS: dict[ProvenanceStatus, str] = {
    ProvenanceStatus.CONTAMINATED: "Known documents hold tau of its own words, or a long run of them (A2). It does not vote. "
    "To do: look at the document that the record names, and replace the instance.",
    ProvenanceStatus.SUSPECT: "It shares more with known documents than chance explains, and less than tau (A2). It votes, and "
    "the verdict is REVIEW. To do: read the two passages that the record names; replace the instance if they are one text.",
    ProvenanceStatus.CLEAN: "It was compared in full, and no known document holds more of it than chance explains (A2). It votes. "
    "To do: nothing; it says nothing about texts that the index does not hold.",
    ProvenanceStatus.CLEAN_SHORT: "Clean, by the rule for texts of 5 to 14 words of their own: less than tau was found, and "
    "lesser overlap is not looked at (A2). It votes. To do: nothing; a longer text of its own would show more.",
    ProvenanceStatus.NOT_ASSESSABLE: "Too little text of its own to tell: short, boilerplate, common property or allow-listed, or "
    "hash-only corpora cannot show it (A2). It does not vote. To do: give it more words of its own, or give admit --texts.",
    ProvenanceStatus.UNKNOWN: "A corpus was not read to its end, or held nothing that counts, so nothing is known (A2). It does "
    "not vote. To do: fix what the reason names (a file, a corpus, the cut-off), and scan or admit again.",
}
"""What each provenance status means, whether such an instance votes, and what to do."""


def explain(name: str) -> str:
    """What the rule, reason code or provenance status `name` means, ending in a newline; a code of several places is
    explained for each.

    `UsageError` for a name that is none of them, listing the nearest ones.
    """
    wanted = name.strip()
    if wanted.upper() in known_rules():
        return _rule(wanted.upper())
    found = [
        f"{wanted} ({where}): {texts[wanted.lower()]}"
        for where, texts in reason_codes().items()
        if wanted.lower() in texts
    ]
    if found:
        return "\n".join(visible(line) for line in found) + "\n"
    known = [*known_rules(), *(code for texts in reason_codes().values() for code in texts)]
    near = difflib.get_close_matches(wanted.lower(), sorted({*known, *map(str.lower, known)}), n=5, cutoff=0.5)
    raise UsageError(
        "no rule and no reason code has this name",
        got=repr(name),
        wanted=f"perhaps {', '.join(near)}" if near else "a rule like A5 or a code like not-exposed",
        fix="take the name from the brackets behind a reason",
    )


def known_rules() -> tuple[str, ...]:
    """Every rule id, those not built yet included, in reading order."""
    return tuple(sorted({*RULE_HOMES, *OPEN_RULES}, key=lambda rule: (rule[0], int(rule[1:]))))


def reason_codes() -> dict[str, dict[str, str]]:
    """Explanations by what they are reasons of, then by code."""
    from litmusgate.admission import reasons as admission
    from litmusgate.evidence import outcome as evidence
    from litmusgate.gate import reasons as gate

    return {
        "of a trial's outcome": {reason.value: text for reason, text in evidence.EXPLANATIONS.items()},
        "why an instance may not vote": {reason.value: text for reason, text in admission.EXPLANATIONS.items()},
        "a provenance status": {status.value: text for status, text in STATUS_EXPLANATIONS.items()},
        "of staleness": dict(admission.STALENESS_EXPLANATIONS),
        "of a decision": dict(gate.EXPLANATIONS),
        "of evidence that cannot be used": READING_EXPLANATIONS,
    }


def rule_text(rule: str) -> str:
    """The first paragraph of the docstring of the rule's home, on one line, beginning with the rule id."""
    module, _, function = RULE_HOMES[rule].partition(":")
    home: object = importlib.import_module(module)
    for part in function.split("."):
        home = getattr(home, part)
    return _first_paragraph(home)


def _rule(rule: str) -> str:
    if rule in OPEN_RULES:
        return f"{rule}: {OPEN_RULES[rule]} Not built in this version: nothing is decided by it.\n"
    return f"{rule_text(rule)}\n"


def _first_paragraph(home: object) -> str:
    text = inspect.getdoc(home) or ""
    return " ".join(text.split("\n\n")[0].split())
