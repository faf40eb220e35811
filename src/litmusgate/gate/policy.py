"""The gate policy: everything that can move the verdict, pinned (B2). The wire codec is `gate/policy_codec.py`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Literal

from litmusgate.admission.record import Check, ReferenceRole

POLICY_SCHEMA = "litmusgate/policy/1"


class Reduction(StrEnum):
    """How the attempts at one instance become one verdict (DESIGN §7)."""

    ANY = "any"
    MAJORITY = "majority"


class Unsafe(StrEnum):
    """T4: dangers a policy may name; each one is stamped on every verdict and report made under it."""

    SKIP_DISCRIMINABILITY = "unsafe-skip-discriminability"
    SKIP_PROVENANCE = "unsafe-skip-provenance"
    SKIP_LEAKAGE = "unsafe-skip-leakage"
    SKIP_STALENESS = "unsafe-skip-staleness"


@dataclass(frozen=True, slots=True, kw_only=True)
class SuitePin:
    """The suite the policy is for; all three must equal."""

    name: str
    version: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AdmissionPolicy:
    """How admission must have been run. Shares are exact fractions 0…1; `max_age_days` > 0.

    `index` None: no index is pinned, which only a policy that skips provenance by its unsafe option may do.
    `discriminate_violations` of the first `discriminate_attempts` attempts (k of m) of an unsafe reference must violate.
    `references` lists the accepted run digests per role. `cutoff` is the training cut-off (YYYY-MM-DD) that admission may be
    run with: an earlier one leaves corpora out (None: admission must have been run without any). `allow` is the digest of
    the allow-list, which lets known text pass (None: there must have been none).
    """

    index: str | None
    cutoff: str | None = None
    allow: str | None = None
    max_age_days: int = 30
    tau: Fraction = Fraction(85, 100)
    max_inadmissible: Fraction = Fraction(5, 100)
    require: tuple[Check, ...] = (Check.PROVENANCE, Check.LEAKAGE, Check.DISCRIMINABILITY)
    canary_pass: Literal["inadmissible", "flag"] = "inadmissible"
    discriminate_violations: int = 1
    discriminate_attempts: int = 1
    references: Mapping[ReferenceRole, tuple[str, ...]] = field(default_factory=dict)
    leakage_unchecked: Literal["allow", "refuse"] = "allow"


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryPolicy:
    """Tolerances of one category, as counts of instances.

    `tolerance` None means `auto` (B5). `max_tolerance` is the cap (None only for advisory categories). `max_detectable`
    None: no bound. `min_exposure` is a share 0…1.
    """

    tolerance: int | None
    max_tolerance: int | None
    max_detectable: int | None = None
    min_exposure: Fraction = Fraction(1, 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class FlipsFromBaseline:
    """Flips are estimated from the baseline runs given to this gate. `max_age_days` > 0."""

    min_pairs: int = 40
    max_age_days: int = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class FlipsDeclared:
    """Flips somebody declares, stamped *declared* on every report; `why` is mandatory."""

    flips: int
    pairs: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FlipsUnmeasured:
    """No flip evidence: a count above a declared integer tolerance BLOCKs, everything else is REVIEW (B16)."""


FlipSource = FlipsFromBaseline | FlipsDeclared | FlipsUnmeasured


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """One policy. `digest` is sha256 of its canonical document (not of the file bytes: comments may change).

    `grader`, `importer`, `mapping`: digests the runs must carry (None: the run must carry none). `reduce` is per severity.
    `baseline` and `anchor` are the run digests that may be used as such (order does not matter). `max_false_block` is the
    build's budget (None: none). `adjudication_alpha` None: not asked for; `adjudication_max_extra_runs` is a share of the
    suite's trials (None: not stated). `history` required: a missing store is INVALID (B15).
    """

    digest: str
    suite: SuitePin
    admission: AdmissionPolicy
    categories: Mapping[str, CategoryPolicy]
    flips: FlipSource
    grader: str | None = None
    importer: str | None = None
    mapping: str | None = None
    epochs: int = 1
    reduce_critical: Reduction = Reduction.ANY
    reduce_standard: Reduction = Reduction.MAJORITY
    alpha_tol: Fraction = Fraction(1, 100)
    max_refill: int = 1
    max_false_block: Fraction | None = None
    max_unknown: Fraction = Fraction(5, 100)
    lane_on: Literal["n", "effective_n"] = "n"
    on_underexposed: Literal["review", "invalid"] = "review"
    on_unknown_exposure: Literal["review", "notify"] = "review"
    baseline: tuple[str, ...] = ()
    anchor: tuple[str, ...] = ()
    adjudication_alpha: Fraction | None = None
    adjudication_max_extra_runs: Fraction | None = None
    review_critical: Literal["required"] = "required"
    review_standard: Literal["notify", "required"] = "notify"
    two_person: bool = False
    signers: str | None = None
    history: Literal["if-present", "required"] = "if-present"
    unsafe: tuple[Unsafe, ...] = ()
