"""The gate policy as the one document its digest is taken over."""

from __future__ import annotations

from fractions import Fraction

from litmusgate.digest import Json
from litmusgate.gate.policy import (
    POLICY_SCHEMA,
    CategoryPolicy,
    FlipsDeclared,
    FlipsFromBaseline,
    FlipSource,
    Policy,
)


def policy_document(policy: Policy) -> dict[str, Json]:
    """`policy` as JSON with every default written out and every list sorted; `read_policy` reads it back.

    Raises `ValueError` for a share that no decimal number states exactly, such as 1/3: it could not be read back.
    """
    return {
        "schema": POLICY_SCHEMA,
        "suite": {"name": policy.suite.name, "version": policy.suite.version, "digest": policy.suite.digest},
        "admission": _admission(policy),
        "categories": {name: _category(policy.categories[name]) for name in sorted(policy.categories)},
        "flips": _flips(policy.flips),
        "grader": policy.grader,
        "importer": policy.importer,
        "mapping": policy.mapping,
        "epochs": policy.epochs,
        "reduce": {"critical": policy.reduce_critical.value, "standard": policy.reduce_standard.value},
        "alpha_tol": _number(policy.alpha_tol),
        "max_refill": policy.max_refill,
        "max_false_block": None if policy.max_false_block is None else _number(policy.max_false_block),
        "max_unknown": _number(policy.max_unknown),
        "lane_on": policy.lane_on,
        "on_underexposed": policy.on_underexposed,
        "on_unknown_exposure": policy.on_unknown_exposure,
        "baseline": {"last": sorted(policy.baseline), "anchor": sorted(policy.anchor)},
        "adjudication": _adjudication(policy),
        "review": {
            "critical": policy.review_critical,
            "standard": policy.review_standard,
            "two_person": policy.two_person,
        },
        "signers": policy.signers,
        "history": policy.history,
        "unsafe": sorted(option.value for option in policy.unsafe),
    }


def _admission(policy: Policy) -> dict[str, Json]:
    admission = policy.admission
    return {
        "index": admission.index,
        "cutoff": admission.cutoff,
        "allow": admission.allow,
        "max_age_days": admission.max_age_days,
        "tau": _number(admission.tau),
        "max_inadmissible": _number(admission.max_inadmissible),
        "require": sorted(check.value for check in admission.require),
        "canary_pass": admission.canary_pass,
        "discriminate": {
            "violations": admission.discriminate_violations,
            "attempts": admission.discriminate_attempts,
        },
        "references": {role.value: sorted(digests) for role, digests in sorted(admission.references.items())},
        "leakage": {"unchecked": admission.leakage_unchecked},
    }


def _category(category: CategoryPolicy) -> dict[str, Json]:
    document: dict[str, Json] = {
        "tolerance": "auto" if category.tolerance is None else category.tolerance,
        "max_tolerance": category.max_tolerance,
        "max_detectable": category.max_detectable,
        "min_exposure": _number(category.min_exposure),
    }
    return {key: value for key, value in document.items() if value is not None}


def _adjudication(policy: Policy) -> Json:
    if policy.adjudication_alpha is None:
        return None
    document: dict[str, Json] = {"alpha": _number(policy.adjudication_alpha)}
    if policy.adjudication_max_extra_runs is not None:
        document["max_extra_runs"] = _number(policy.adjudication_max_extra_runs)
    return document


def _flips(source: FlipSource) -> Json:
    if isinstance(source, FlipsFromBaseline):
        return {"from": "baseline", "min_pairs": source.min_pairs, "max_age_days": source.max_age_days}
    if isinstance(source, FlipsDeclared):
        return {"declared": {"flips": source.flips, "pairs": source.pairs, "why": source.why}}
    return "unmeasured"


def _number(share: Fraction) -> float:
    number = float(share)
    if Fraction(repr(number)) != share:
        raise ValueError(f"share {share} is not exactly a decimal number, so a policy file could not state it")
    return number
