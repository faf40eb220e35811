"""A verdict as titled lines of plain sentences: the one content that the human renderers lay out and escape.

The sentences hold hostile names raw: every renderer makes each line inert in its own format.
"""

from __future__ import annotations

from dataclasses import dataclass

from litmusgate.gate.reasons import EXPLANATIONS
from litmusgate.gate.verdict import Decision
from litmusgate.report.counterfactual import counterfactual_lines
from litmusgate.report.document import VerdictDocument
from litmusgate.report.findings import LABEL, category_heading, category_lines, reason_line
from litmusgate.report.phrases import IN_WORDS, NOT_MEASURABLE, many, percent, tallies
from litmusgate.report.scope import scope_stamps
from litmusgate.report.shown import AdmissionShown, Inputs, Reason, SuiteShown
from litmusgate.report.table import in_reading_order

GRAVITY = (Decision.INVALID, Decision.BLOCK, Decision.REVIEW, Decision.PASS)
"""Reading order of reasons."""

CHECK_DONE = "done"
"""The only state of a check that means that it ran; any other is shown as it stands, never as passed (A7)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A title and its lines; never empty."""

    title: str
    lines: tuple[str, ...]


def banner(document: VerdictDocument) -> str:
    """The decision in one sentence."""
    return f"{document.decision.value}: {IN_WORDS[document.decision]}"


def subject(document: VerdictDocument) -> tuple[str, ...]:
    """What was decided about: agent, build, time, suite."""
    return (
        f"agent {document.agent}, build {document.build}, evaluated {document.evaluated_at}",
        *_suite_lines(document.suite),
        f"earlier verdicts on this build and suite: {document.earlier_verdicts}",
    )


def stamps(document: VerdictDocument) -> tuple[str, ...]:
    """Everything that must not be overlooked: dangers named by the policy (T4), synthetic runs, scope, losses accepted."""
    lines = [f"UNSAFE: this verdict was made under {option} (T4)" for option in document.unsafe]
    if document.synthetic:
        lines.append("SYNTHETIC: the runs were produced by scripted agents and say nothing about a real one")
    lines += [f"SCOPE: {stamp}" for stamp in scope_stamps(document.suite)]
    pruned = document.suite.pruned_from if document.suite else None
    if pruned is not None and pruned.accepted_loss:
        lines.append(
            f"ACCEPTED LOSS: pruning left these categories small on purpose: {', '.join(pruned.accepted_loss)}"
        )
    return tuple(lines)


def reason_lines(document: VerdictDocument) -> tuple[str, ...]:
    """Every reason in words, gravest first: those of the build, then the categories'. One that several categories share is
    one line that names them; its counts stand in their sections.
    """
    own = [reason_line(reason) for reason in document.reasons]
    shared: dict[tuple[Decision, str, str], list[tuple[str, Reason]]] = {}
    for category in in_reading_order(document.categories):
        for reason in category.reasons:
            shared.setdefault((reason.decision, reason.rule, reason.code), []).append((category.name, reason))
    of_categories = [
        line
        for kind, found in sorted(shared.items(), key=lambda item: GRAVITY.index(item[0][0]))
        for line in _shared_lines(kind, found)
    ]
    return (*own, *of_categories) or ("every hard-gated category is within its tolerance",)


def sections(document: VerdictDocument) -> tuple[Section, ...]:
    """Everything below the table, in reading order."""
    categories = tuple(
        Section(title=category_heading(category), lines=category_lines(category))
        for category in in_reading_order(document.categories)
    )
    return (
        *categories,
        Section(title="Checks", lines=_check_lines(document)),
        Section(title="Admission", lines=_admission_lines(document.admission)),
        Section(title="What exclusion did to the rate", lines=counterfactual_lines(document.counterfactual)),
        Section(title="Evidence", lines=_evidence_lines(document)),
        Section(title="Computed from", lines=_input_lines(document.inputs, document.versions)),
    )


def _shared_lines(kind: tuple[Decision, str, str], found: list[tuple[str, Reason]]) -> tuple[str, ...]:
    decision, rule, code = kind
    if len(found) == 1 or decision in {Decision.BLOCK, Decision.INVALID}:
        return tuple(_in_category(name, reason) for name, reason in found)
    names = ", ".join(name for name, _ in found)
    sentence = EXPLANATIONS.get(code, code).rstrip(".")
    return (f"{LABEL[decision]}: in {len(found)} categories ({names}): {sentence} [{rule} {code}]",)


def _in_category(name: str, reason: Reason) -> str:
    label, _, rest = reason_line(reason).partition(": ")
    return f"{label}: in {name}: {rest}"


def _suite_lines(suite: SuiteShown | None) -> tuple[str, ...]:
    if suite is None:
        return ("suite: could not be read",)
    lines = [f"suite {suite.name} {suite.version}, {many(suite.instances, 'instance')}, {suite.digest}"]
    pruned = suite.pruned_from
    if pruned is not None:
        share = percent(pruned.share.removed / pruned.share.of if pruned.share.of else None)
        lines.append(
            f"pruned from {pruned.digest}: {pruned.share.removed} of {pruned.share.of} instances removed in all ({share}), "
            f"for {tallies(pruned.removed)}"
        )
    return tuple(lines)


def _check_lines(document: VerdictDocument) -> tuple[str, ...]:
    """Each check with its state. An empty list says that nothing is known to have been checked."""
    if not document.checks:
        return ("not checked: no check is on the record",)
    return tuple(
        f"{name}: {state}"
        if state == CHECK_DONE or state.startswith("not checked")
        else f"{name}: not checked: {state}"
        for name, state in sorted(document.checks.items())
    )


def _admission_lines(admission: AdmissionShown | None) -> tuple[str, ...]:
    if admission is None:
        return ("no admission record could be used: nobody knows which instances may vote",)
    return (
        f"{many(admission.total, 'instance')} in the suite",
        f"{admission.inadmissible} inadmissible ({percent(admission.fraction)}): {tallies(admission.by_reason)}",
        f"{admission.total - admission.inadmissible} may vote",
    )


def _evidence_lines(document: VerdictDocument) -> tuple[str, ...]:
    evidence = document.evidence
    family = document.family_false_block
    why = "" if family is not None else ": a hard-gated category lacks its own, or there is none"
    shown = NOT_MEASURABLE if family is None else percent(family)
    return (
        (
            f"{many(evidence.trials, 'trial')} in {many(evidence.runs, 'run')}: {evidence.set_aside} set aside (inadmissible), "
            f"{evidence.left_out} left out (outside the suite), {many(evidence.refilled, 'refill')}, "
            f"{many(evidence.contradictions, 'contradiction')} of exposure and outcome (E7)"
        ),
        f"false-block probability of an unchanged build over all hard-gated categories: {shown}{why}",
        *(f"{name}: {number}" for name, number in sorted(document.notes.items())),
    )


def _input_lines(inputs: Inputs, versions: dict[str, str]) -> tuple[str, ...]:
    single = (
        ("policy", inputs.policy),
        ("admission", inputs.admission),
        ("index", inputs.index),
        ("last accepted verdict", inputs.accepted_verdict),
    )
    several = (
        ("run", inputs.run),
        ("baseline", inputs.baseline),
        ("anchor", inputs.anchor),
        ("earlier verdict", inputs.earlier),
    )
    return (
        *(f"{name} {digest or 'none'}" for name, digest in single),
        *(f"{name} {digest}" for name, digests in several for digest in digests or ("none",)),
        "versions: " + (", ".join(f"{name} {version}" for name, version in sorted(versions.items())) or "not recorded"),
    )
