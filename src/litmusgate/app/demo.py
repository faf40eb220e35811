"""The demonstration: four gates on made-up builds of one agent, each ending in another decision, offline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from litmusgate.app.clock import moment
from litmusgate.app.demo_builds import (
    EAGER,
    STEADY,
    lay_out_material,
    small_variant,
    write_baseline,
    write_candidate,
    write_leak,
    write_references,
)
from litmusgate.app.demo_stage import Stage
from litmusgate.app.gate import GateOutcome
from litmusgate.app.suites import load_suite, save_suite
from litmusgate.errors import UsageError
from litmusgate.gate.verdict import Decision
from litmusgate.suite.manifest import Suite

_PUBLIC = ("corpora/public-texts.jsonl", "demo-public-texts")
_CRAWL = ("corpora/forum-crawl.jsonl", "forum-crawl")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One gate: what it shows, the commands that do the same by hand, what was expected and what came out.

    `commands` are typed in the demo's folder; `verdict` is the folder of the reports, relative to it.
    """

    title: str
    story: str
    commands: tuple[str, ...]
    expected: Decision
    verdict: str
    outcome: GateOutcome

    @property
    def as_expected(self) -> bool:
        """Whether the gate decided what the story says it must."""
        return self.outcome.document.decision is self.expected


def play_demo(out: Path, *, now: str | None = None) -> Iterator[Scene]:
    """Lay the files out in the empty or absent folder `out`, then play the four scenes, each yielded when it is over.

    All runs come from scripted agents and are stamped synthetic. `now` is RFC 3339 (None: the clock's). Raises `UsageError`
    when `out` holds anything, because evidence of an earlier demonstration would count as evidence of these builds.
    """
    _refuse_occupied(out)
    stage = Stage(out=out, now=moment(now))
    lay_out_material(out)
    suite = load_suite(stage.at(stage.suite))
    baseline = write_baseline(suite, stage.at(stage.runs), now=stage.now)
    write_references(suite, stage.at(stage.runs))
    steady = _steady(stage, suite, baseline)
    yield steady
    yield _eager(stage, suite, baseline, before=steady.outcome)
    yield _stale(stage, suite, baseline)
    yield _small(stage, suite)


def _refuse_occupied(out: Path) -> None:
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(
            "the demo wants an empty folder", got=repr(str(out)), fix="name another folder, or empty this one"
        )


def _steady(stage: Stage, suite: Suite, baseline: Sequence[Path]) -> Scene:
    run = write_candidate(STEADY, suite, stage.at("runs/steady.jsonl"), build="1.5.0-steady", now=stage.now)
    commands = (f"litmusgate suite check {stage.suite}", stage.add(*_PUBLIC), *stage.prepare(baseline))
    outcome, command = stage.gate(run, baseline, "verdicts/steady")
    return Scene(
        title="A build that changed nothing that matters",
        story=(
            "Five runs of the accepted build say how often a verdict flips without any change. The new build stays within "
            "that noise in every category."
        ),
        commands=(*commands, command),
        expected=Decision.PASS,
        verdict="verdicts/steady",
        outcome=outcome,
    )


def _eager(stage: Stage, suite: Suite, baseline: Sequence[Path], *, before: GateOutcome) -> Scene:
    run = write_candidate(EAGER, suite, stage.at("runs/eager.jsonl"), build="1.5.0-eager", now=stage.now)
    outcome, command = stage.gate(run, baseline, "verdicts/eager")
    return Scene(
        title="A build whose mean improves while exfiltration regresses",
        story=(
            "This build was taught to refuse less. It no longer turns down harmless requests, so its mean rises from "
            f"{_mean(before)} to {_mean(outcome)}; it also gives secrets away. A gate on the mean would ship it."
        ),
        commands=(command,),
        expected=Decision.BLOCK,
        verdict="verdicts/eager",
        outcome=outcome,
    )


def _mean(outcome: GateOutcome) -> str:
    mean = outcome.document.trend.mean
    return "not measurable" if mean is None else f"{100 * mean:.1f} %"


def _stale(stage: Stage, suite: Suite, baseline: Sequence[Path]) -> Scene:
    leaked = Stage(
        out=stage.out,
        now=stage.now,
        index="index-leaked",
        policy="policy-leaked.yaml",
        admission="admission-leaked.json",
        store=".litmusgate-leaked",
    )
    write_leak(suite, leaked.at(_CRAWL[0]))
    commands = (leaked.add(*_PUBLIC), leaked.add(*_CRAWL), *leaked.prepare(baseline))
    outcome, command = leaked.gate(leaked.at("runs/steady.jsonl"), baseline, "verdicts/stale")
    return Scene(
        title="The same build, after part of the suite was found on the web",
        story=(
            "A new crawl holds eight of the 96 instances word for word. They may not vote any more, and more than 5 % of the "
            "suite is gone: the suite is stale, and no number made with it is believed."
        ),
        commands=(*commands, command),
        expected=Decision.INVALID,
        verdict="verdicts/stale",
        outcome=outcome,
    )


def _small(stage: Stage, suite: Suite) -> Scene:
    few = Stage(
        out=stage.out,
        now=stage.now,
        suite="suite-small",
        runs="runs-small",
        policy="policy-small.yaml",
        admission="admission-small.json",
        store=".litmusgate-small",
    )
    small = small_variant(suite, category="destructive-action", size=10)
    save_suite(small, few.at(few.suite))
    baseline = write_baseline(small, few.at(few.runs), now=few.now)
    write_references(small, few.at(few.runs))
    run = write_candidate(STEADY, small, few.at("runs-small/steady.jsonl"), build="1.5.0-steady", now=few.now)
    commands = few.prepare(baseline)
    outcome, command = few.gate(run, baseline, "verdicts/small")
    return Scene(
        title="A suite with only ten instances of a critical category",
        story=(
            "With ten instances, a clean count says little: the exact interval is wide. Below 20 the category goes to "
            "people, whatever the count."
        ),
        commands=(*commands, command),
        expected=Decision.REVIEW,
        verdict="verdicts/small",
        outcome=outcome,
    )
