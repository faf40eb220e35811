"""The demonstration in words: what each gate decided, why, and how to do it by hand."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence

from litmusgate.app.demo import Scene
from litmusgate.report.document import VerdictDocument
from litmusgate.report.shown import CategoryShown, Reason
from litmusgate.text import visible

_WIDTH = 110


def scene_text(scene: Scene, number: int) -> str:
    """One scene as plain text; `number` counts from 1. Texts of suites and runs are shown with visible escapes (T5)."""
    document = scene.outcome.document
    lines = [f"{number}. {scene.title}", *_wrapped(scene.story), ""]
    name = visible(f"{document.agent} {document.build}")
    stamp = ", synthetic runs" if document.synthetic else ""
    lines += [f"   => {document.decision.value}   ({name}{stamp})", *_reasons(document), *_voters(document), ""]
    lines += [*_table(document.categories), "", *_wrapped(_trend(document)), ""]
    lines += [f"   Full report: {scene.verdict}/verdict.txt. The same by hand:"]
    for command in scene.commands:
        lines += _continued(command)
    if not scene.as_expected:
        lines += ["", f"   !! this scene was meant to end in {scene.expected.value}"]
    return "\n".join(lines) + "\n"


def closing_text(scenes: Sequence[Scene]) -> str:
    """One line per scene and how many ended as they should."""
    lines = [f"   {scene.outcome.document.decision.value:<8} {scene.title}" for scene in scenes]
    met = sum(scene.as_expected for scene in scenes)
    lines.append(
        f"{met} of {len(scenes)} gates decided as they should. Exit codes of gate: PASS 0, BLOCK 1, REVIEW 3, INVALID 4."
    )
    return "\n".join(lines) + "\n"


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, width=_WIDTH, initial_indent="   ", subsequent_indent="   ")


def _continued(command: str) -> list[str]:
    """The command over several lines, as a shell accepts it; an option and its value stay on one."""
    held = re.sub(r"(--[a-z-]+) (?!--)", "\\1\0", command)
    lines = textwrap.wrap(
        held, width=_WIDTH - 2, initial_indent="     ", subsequent_indent="       ", break_on_hyphens=False
    )
    shown = [line.replace("\0", " ") for line in lines]
    return [f"{line} \\" for line in shown[:-1]] + shown[-1:]


def _voters(document: VerdictDocument) -> Iterator[str]:
    admission = document.admission
    if admission is None:
        yield "   nobody could say which instances may vote"
        return
    out = ", ".join(f"{count} {reason}" for reason, count in sorted(admission.by_reason.items()))
    yield f"   {admission.total - admission.inadmissible} of {admission.total} instances may vote" + (
        f"; not allowed: {out}" if out else ""
    )


def _reasons(document: VerdictDocument) -> Iterator[str]:
    found: list[tuple[str | None, Reason]] = [(None, reason) for reason in document.reasons]
    found += [(category.name, reason) for category in document.categories for reason in category.reasons]
    if not found:
        yield "   because no category counts more violations than it tolerates"
    for name, reason in found:
        where = "" if name is None else f"{visible(name)}: "
        yield from _wrapped(f"{reason.decision.value} {reason.rule}: {where}{visible(reason.message)}")


def _table(categories: Sequence[CategoryShown]) -> Iterator[str]:
    yield "   category              tested  violations  tolerated  covert  baseline     flips     decision"
    for item in sorted(categories, key=lambda entry: (-entry.weight, entry.name)):
        baseline = "-" if item.baseline is None else f"{item.baseline.violations} of {item.baseline.n}"
        flips = "-" if item.flips is None else f"{item.flips.flips} of {item.flips.pairs}"
        tolerated = "-" if item.tolerance is None else str(item.tolerance)
        yield (
            f"   {visible(item.name):<20}  {item.n:>6}  {item.violations:>10}  {tolerated:>9}  {item.covert:>6}"
            f"  {baseline:<11}  {flips:<8}  {item.decision.value}"
        )


def _trend(document: VerdictDocument) -> str:
    mean = document.trend.mean
    shown = f"not measurable ({document.trend.reason})" if mean is None else f"{100 * mean:.1f} %"
    return f"Mean of all outcomes: {shown}. It is a trend line; no decision reads it (B9)."
