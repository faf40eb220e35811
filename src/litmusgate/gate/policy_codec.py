"""The gate policy between its file and its type; its digest covers what it says, not how it is written."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from fractions import Fraction
from typing import TypeVar

from litmusgate.admission.record import ReferenceRole
from litmusgate.digest import canonical_bytes, digest_json
from litmusgate.documents import Document, KeyPath, decode_utf8, parse_json, parse_yaml, validate
from litmusgate.errors import PolicyError
from litmusgate.gate.policy import (
    AdmissionPolicy,
    CategoryPolicy,
    FlipsDeclared,
    FlipsFromBaseline,
    FlipSource,
    FlipsUnmeasured,
    Policy,
    SuitePin,
    Unsafe,
)
from litmusgate.gate.policy_document import policy_document
from litmusgate.gate.policy_wire import AdmissionWire, CategoryWire, FlipsWire, PolicyWire
from litmusgate.gate.unsafe import SKIPS, unnamed_drops

Item = TypeVar("Item", bound=str)


def read_policy(data: bytes, *, path: str) -> Policy:
    """The policy in `data`, YAML or JSON; `path` is shown in errors.

    Raises `PolicyError` with line and column for what is no policy: an unknown key (with the nearest known one), a digest
    that is none, a tolerance above its cap, a share outside 0…1, a list that says something twice, a required check dropped
    without the unsafe option that names the danger (T4).
    """
    document = _document(decode_utf8(data, path=path, error=PolicyError), path)
    wire = validate(PolicyWire, document, what="gate policy", error=PolicyError)
    _refuse_repeats(wire, document)
    _refuse_unnamed_drops(wire, document)
    _refuse_missing_index(wire, document)
    return with_digest(_policy(wire))


def _document(text: str, path: str) -> Document:
    """The parsed file. A kept policy is JSON and may hold characters that YAML refuses; where it is no JSON, YAML explains."""
    if text.startswith("{"):
        try:
            return parse_json(text, path=path, error=PolicyError)
        except PolicyError:
            pass  # a YAML flow mapping begins like this too
    return parse_yaml(text, path=path, error=PolicyError)


def policy_bytes(policy: Policy) -> bytes:
    """The canonical bytes of `policy`: `read_policy` reads them back, and their sha256 is the policy's digest."""
    return canonical_bytes(policy_document(policy))


def with_digest(policy: Policy) -> Policy:
    """The same policy carrying the digest of what it says."""
    return dataclasses.replace(policy, digest=digest_json(policy_document(policy)))


def _policy(wire: PolicyWire) -> Policy:
    last = _sorted(wire.baseline.last or ())
    anchor = wire.baseline.anchor
    adjudication = wire.adjudication
    return Policy(
        digest="",
        suite=SuitePin(name=wire.suite.name, version=wire.suite.version, digest=wire.suite.digest),
        admission=_admission(wire.admission, wire),
        categories={name: _category(wire.categories[name]) for name in sorted(wire.categories)},
        flips=_flips(wire.flips),
        grader=wire.grader,
        importer=wire.importer,
        mapping=wire.mapping,
        epochs=wire.epochs,
        reduce_critical=wire.reduce.critical,
        reduce_standard=wire.reduce.standard,
        alpha_tol=_exact(wire.alpha_tol),
        max_refill=wire.max_refill,
        max_false_block=None if wire.max_false_block is None else _exact(wire.max_false_block),
        max_unknown=_exact(wire.max_unknown),
        lane_on=wire.lane_on,
        on_underexposed=wire.on_underexposed,
        on_unknown_exposure=wire.on_unknown_exposure,
        baseline=last,
        anchor=last if anchor == "same" else _sorted(anchor or ()),
        adjudication_alpha=None if adjudication is None else _exact(adjudication.alpha),
        adjudication_max_extra_runs=None if adjudication is None else _exact(adjudication.max_extra_runs),
        review_critical=wire.review.critical,
        review_standard=wire.review.standard,
        two_person=wire.review.two_person,
        signers=wire.signers,
        history=wire.history,
        unsafe=_sorted(wire.unsafe),
    )


def _admission(wire: AdmissionWire, whole: PolicyWire) -> AdmissionPolicy:
    """The admission settings; a check that an unsafe option skips is not required, whatever the list says."""
    skipped = {check for check, option in SKIPS.items() if option in whole.unsafe}
    references = {
        ReferenceRole.UNSAFE: wire.references.unsafe,
        ReferenceRole.SAFE: wire.references.safe,
        ReferenceRole.CANARY: wire.references.canary,
    }
    return AdmissionPolicy(
        index=wire.index,
        cutoff=wire.cutoff,
        allow=wire.allow,
        max_age_days=wire.max_age_days,
        tau=_exact(wire.tau),
        max_inadmissible=_exact(wire.max_inadmissible),
        require=_sorted(check for check in wire.require if check not in skipped),
        canary_pass=wire.canary_pass,
        discriminate_violations=wire.discriminate.violations,
        discriminate_attempts=wire.discriminate.attempts,
        references={role: _sorted(digests) for role, digests in references.items() if digests},
        leakage_unchecked=wire.leakage.unchecked,
    )


def _category(wire: CategoryWire) -> CategoryPolicy:
    return CategoryPolicy(
        tolerance=wire.tolerance,
        max_tolerance=wire.max_tolerance,
        max_detectable=wire.max_detectable,
        min_exposure=_exact(wire.min_exposure),
    )


def _flips(wire: FlipsWire) -> FlipSource:
    if wire.declared is not None:
        return FlipsDeclared(flips=wire.declared.flips, pairs=wire.declared.pairs, why=wire.declared.why)
    if wire.source == "unmeasured":
        return FlipsUnmeasured()
    standard = FlipsFromBaseline()
    return FlipsFromBaseline(
        min_pairs=standard.min_pairs if wire.min_pairs is None else wire.min_pairs,
        max_age_days=standard.max_age_days if wire.max_age_days is None else wire.max_age_days,
    )


def _exact(share: float) -> Fraction:
    """The fraction that was written: 0.05 is 1/20, not the nearest binary number."""
    return Fraction(repr(share))


def _sorted(items: Iterable[Item]) -> tuple[Item, ...]:
    return tuple(sorted(set(items)))


def _refuse_repeats(wire: PolicyWire, document: Document) -> None:
    anchor = wire.baseline.anchor
    lists: dict[KeyPath, tuple[str, ...]] = {
        ("admission", "require"): wire.admission.require,
        ("admission", "references", "unsafe"): wire.admission.references.unsafe,
        ("admission", "references", "safe"): wire.admission.references.safe,
        ("admission", "references", "canary"): wire.admission.references.canary,
        ("baseline", "last"): wire.baseline.last or (),
        ("baseline", "anchor"): anchor if isinstance(anchor, tuple) else (),
        ("unsafe",): wire.unsafe,
    }
    for keys, items in lists.items():
        repeated = sorted({str(item) for item in items if items.count(item) > 1})
        if repeated:
            where = ".".join(str(key) for key in keys)
            raise PolicyError(
                f"gate policy: {where} says something twice",
                got=repr(repeated),
                fix="say it once",
                at=document.at(keys),
            )


def _refuse_unnamed_drops(wire: PolicyWire, document: Document) -> None:
    dropped = unnamed_drops(wire.admission.require, wire.unsafe)
    if dropped:
        names = ", ".join(check.value for check in dropped)
        raise PolicyError(
            f"gate policy: admission.require drops {names} without naming the danger",
            rule="T4",
            got=repr([check.value for check in wire.admission.require]),
            wanted="provenance, leakage and discriminability",
            fix=f"require it, or add unsafe: [{', '.join(SKIPS[check].value for check in dropped)}]",
            at=document.at(("admission", "require")),
        )


def _refuse_missing_index(wire: PolicyWire, document: Document) -> None:
    if wire.admission.index is None and Unsafe.SKIP_PROVENANCE not in wire.unsafe:
        raise PolicyError(
            "gate policy: provenance is required and no index is pinned",
            rule="A14",
            got="admission.index: null",
            wanted="the digest of the provenance index",
            fix=f"pin it, or add unsafe: [{Unsafe.SKIP_PROVENANCE.value}]",
            at=document.at(("admission", "index")),
        )
