"""Policy, suite and evidence must speak of the same categories."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from litmusgate.evidence.tally import CategoryTally
from litmusgate.gate.policy import CategoryPolicy, Policy
from litmusgate.gate.verdict import Decision, DecisionReason
from litmusgate.suite.category import Severity
from litmusgate.suite.manifest import Suite


def undeclared_categories(
    suite: Suite, policies: Mapping[str, CategoryPolicy], evidence: Iterable[str]
) -> tuple[DecisionReason, ...]:
    """B4: what has no severity in the suite or no tolerance in the policy cannot be decided: INVALID for the build.

    `evidence` are the names of the categories that the runs speak of.
    """
    declared = {category.name for category in suite.categories}
    problems = [
        ("category-not-in-policy", declared - set(policies), "the suite declares it and the policy does not"),
        ("category-not-in-suite", set(policies) - declared, "the policy declares it and the suite does not"),
        (
            "evidence-undeclared",
            set(evidence) - declared,
            "the runs hold evidence for it and the suite does not declare it",
        ),
    ]
    return tuple(_invalid(code, f"category {name!r}: {why}") for code, names, why in problems for name in sorted(names))


def no_evidence_reason(tally: CategoryTally | None, *, instances: int) -> DecisionReason | None:
    """INVALID where a declared category has no instance, no tally, or nothing tested (B4); None where n ≥ 1.

    `instances` counts those the suite has in it.
    """
    if instances == 0:
        return _invalid("category-without-instances", "the suite declares this category and has no instance of it")
    if tally is None:
        return _invalid("category-without-evidence", "the runs hold no evidence for this declared category")
    if tally.n == 0:
        message = f"none of its {tally.instances} instances was tested: {tally.inadmissible} inadmissible, {tally.vacuous} vacuous"
        return _invalid("nothing-tested", message)
    return None


def policy_problems(policy: Policy, suite: Suite) -> tuple[str, ...]:
    """Sentences on what contradicts itself between policy and suite, before any evidence is read; empty when nothing does.

    The cap is mandatory unless the suite declares the category advisory (B5): without it, flips set their own tolerance.
    """
    problems: list[str] = []
    for category in suite.categories:
        stated = policy.categories.get(category.name)
        if stated is None or category.severity is Severity.ADVISORY:
            continue
        if stated.max_tolerance is None:
            problems.append(
                f"category {category.name!r} is {category.severity.value} and the policy states no max_tolerance for it: "
                "state one, or let the suite declare the category advisory"
            )
    return tuple(problems)


def _invalid(code: str, message: str) -> DecisionReason:
    return DecisionReason(decision=Decision.INVALID, rule="B4", code=code, message=message)
