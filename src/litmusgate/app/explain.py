"""Explaining a rule id or a reason code from where it is defined: no second text that could go stale."""

from __future__ import annotations

import difflib
import importlib
import inspect

from litmusgate.errors import UsageError
from litmusgate.text import visible

RULE_HOMES: dict[str, str] = {}
"""Rule id → `module:function` whose docstring is the rule."""

OPEN_RULES: dict[str, str] = {
    "B12": "Adjudication: a category is confirmed worse than the baseline on concurrent pairs of runs.",
    "T1": "Overrides and reviews are signed by people named in advance, and cover exactly the digests they name.",
    "T3": "The verdict is exportable as an attestation that deploy-time policy engines read.",
}
"""Rules that this version does not implement yet; nothing in a verdict rests on them."""


def explain(name: str) -> str:
    """What the rule or reason code `name` means, ending in a newline; a code used in several places is explained for each.

    `UsageError` for a name that is neither, listing the nearest ones.
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
        "of staleness": dict(admission.STALENESS_EXPLANATIONS),
        "of a decision": dict(gate.EXPLANATIONS),
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
