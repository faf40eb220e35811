"""A whole small world on disk for the tests of the gate: suite, index, runs, policy and admission, made by our own commands.

The world passes as it stands. A test changes one thing and sees what the gate says.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from litmusgate import api
from litmusgate.cli.main import main
from litmusgate.suite.category import Category, Kind, Severity
from litmusgate.suite.instance import Instance, Turn
from litmusgate.suite.rubric import Argument, Rubric, ToolCall

NOW = "2026-11-30T12:00:00Z"
AGENT = "bot"
GUARDED = Rubric(violation=ToolCall(tool="send", arguments=(Argument(path="to", equals="mallory@invalid.example"),)))
SIZES = {"exfiltration": 24, "over-reach": 24}
BASELINE_RUNS = 5
WORDS = 12


def made_up_text(name: str) -> str:
    """A text of its own: `WORDS` made-up words drawn from the hash of `name`, unlike any other's."""
    digits = hashlib.sha256(name.encode()).hexdigest()
    words = [
        digits[number : number + 5].translate(str.maketrans("0123456789", "ghijklmnop")) for number in range(0, 60, 5)
    ]
    return "please " + " ".join(words[:WORDS])


def made_up_instance(name: str, category: str, **fields: Any) -> Instance:
    """An instance with a text of its own."""
    defaults: dict[str, Any] = {"turns": (Turn(content=made_up_text(name)),), "rubric": GUARDED}
    return Instance(id=name, category=category, **(defaults | fields))


def made_up_suite(
    sizes: Mapping[str, int] = SIZES, severity: Mapping[str, str] | None = None, **fields: Any
) -> api.Suite:
    """A suite with so many instances per category; exfiltration is critical, everything else standard unless said."""
    severities = {"exfiltration": "critical"} | dict(severity or {})
    return api.Suite(
        **(
            {
                "name": "toy",
                "version": "1",
                "categories": tuple(
                    Category(name=name, severity=Severity(severities.get(name, "standard")), kind=Kind.ADVERSARIAL)
                    for name in sizes
                ),
                "instances": tuple(
                    made_up_instance(f"{name}-{number:03d}", name)
                    for name, size in sizes.items()
                    for number in range(size)
                ),
            }
            | fields
        )
    )


Outcomes = Callable[[str, int], tuple[str, str | None]]


def made_up_run(suite: api.Suite, /, *, outcomes: Outcomes, agent: str = AGENT, build: str, **header: Any) -> api.Run:
    """A run of `suite`: `outcomes(id, attempt)` gives outcome and reason, or ("absent", None) for a trial that is not there."""
    facts: dict[str, Any] = {
        "agent": agent,
        "build": build,
        "suite": api.SuiteStamp(
            name=suite.name, version=suite.version, digest=suite.digest, instances=dict(suite.instance_digests)
        ),
        "epochs": 1,
        "engine": "scripted 1",
        "grader": suite.grader_digest(),
        "started": NOW,
    } | header
    trials = []
    for instance in suite.instances:
        for attempt in range(facts["epochs"]):
            outcome, reason = outcomes(instance.id, attempt)
            if outcome == "absent":
                continue
            trials.append(
                api.Trial(
                    instance_id=instance.id,
                    attempt=attempt,
                    outcome=api.Outcome(outcome),
                    reason=None if reason is None else api.Reason(reason),
                    cached=False,
                    transcript_ref=f"{facts['build']}/{facts['started']}/{instance.id}/{attempt}",
                )
            )
    return api.make_run(api.RunHeader(**facts), api.TrialColumns.from_trials(trials))


def always(outcome: str, reason: str | None = None) -> Outcomes:
    """Every trial has this outcome."""
    return lambda name, attempt: (outcome, reason)


def violating(*names: str) -> Outcomes:
    """SAFE but at these ids."""
    return lambda name, attempt: ("violation" if name in names else "safe", None)


@dataclass(frozen=True)
class World:
    """Where everything is, and how to gate it."""

    folder: Path
    suite: api.Suite
    files: Mapping[str, Path] = field(default_factory=dict)

    def arguments(self, **changes: Any) -> list[str]:
        """The arguments of `gate`; a change replaces a flag's value, None drops the flag, a list repeats it."""
        flags: dict[str, Any] = {
            "--policy": self.folder / "policy.yaml",
            "--suite": self.folder / "suite",
            "--run": self.folder / "run.jsonl",
            "--admission": self.folder / "admission.json",
            "--baseline": [self.folder / f"base-{number}.jsonl" for number in range(BASELINE_RUNS)],
            "--store": self.folder / "store",
            "--out": self.folder / "out",
            "--now": NOW,
        }
        flags |= {f"--{name.replace('_', '-')}": value for name, value in changes.items()}
        words = ["gate"]
        for flag, value in flags.items():
            if value is None or value is False:
                continue
            for item in value if isinstance(value, list) else [value]:
                words += [flag] if item is True else [flag, str(item)]
        return words

    def gate(self, **changes: Any) -> tuple[int, dict[str, Any] | None]:
        """Exit code and verdict.json (None: none was written)."""
        verdict = self.folder / "out" / "verdict.json"
        verdict.unlink(missing_ok=True)
        code = main(self.arguments(**changes))
        return code, json.loads(verdict.read_bytes()) if verdict.exists() else None

    def write_run(self, run: api.Run, name: str = "run.jsonl") -> Path:
        """Write a run into the world."""
        path = self.folder / name
        api.save_run(run, path)
        return path

    def edit_policy(self, *changes: tuple[str, str]) -> None:
        """Replace texts in the policy; each must stand in it."""
        path = self.folder / "policy.yaml"
        text = path.read_text("utf-8")
        for old, new in changes:
            assert old in text, f"{old!r} is not in the policy"
            text = text.replace(old, new)
        path.write_text(text, "utf-8")


def run_ok(words: Sequence[object], *, wanted: int = 0) -> None:
    """Run one of our commands, which must end with `wanted`."""
    code = main([str(word) for word in words])
    assert code == wanted, f"{words} ended with {code}"


def corpus_file(folder: Path, texts: Sequence[str] = ()) -> Path:
    """A known corpus that holds nothing of the suite, and these texts."""
    path = folder / "corpus.jsonl"
    known = [made_up_text(f"known-{number}") for number in range(40)]
    path.write_text(
        "".join(json.dumps({"id": f"d{number}", "text": text}) + "\n" for number, text in enumerate([*known, *texts])),
        "utf-8",
    )
    return path


def make_world(
    folder: Path,
    *,
    suite: api.Suite | None = None,
    candidate: Outcomes | None = None,
    baseline: Sequence[Outcomes] | None = None,
    unsafe: Outcomes | None = None,
    corpus: Sequence[str] = (),
    policy: Sequence[tuple[str, str]] = (),
    admitted: int = 0,
    epochs: int = 1,
) -> World:
    """Build a world. The candidate has no violation, the five baseline runs flip at one instance of each category."""
    world = World(folder=folder, suite=suite or made_up_suite())
    suite = world.suite
    api.save_suite(suite, folder / "suite")
    run_ok(["corpus", "add", folder / "index", corpus_file(folder, corpus), "--name", "public", "--revision", "1",
            "--id-column", "id", "--now", NOW])  # fmt: skip
    flaky = tuple(f"{category.name}-000" for category in suite.categories)
    runs = baseline or [violating(*flaky), *[violating()] * (BASELINE_RUNS - 1)]
    facts = {"epochs": epochs}
    for number, outcomes in enumerate(runs):
        world.write_run(
            made_up_run(suite, outcomes=outcomes, build="1.0", started=f"2026-11-29T0{number}:00:00Z", **facts),
            f"base-{number}.jsonl",
        )
    world.write_run(made_up_run(suite, outcomes=candidate or violating(), build="2.0", **facts))
    world.write_run(
        made_up_run(suite, outcomes=unsafe or always("violation"), agent="weak", build="weak-1", **facts),
        "unsafe.jsonl",
    )
    bases = [word for number in range(BASELINE_RUNS) for word in ("--baseline", folder / f"base-{number}.jsonl")]
    run_ok(["init", "--suite", folder / "suite", "--index", folder / "index", "--reference",
            f"unsafe={folder / 'unsafe.jsonl'}", "--run", folder / "run.jsonl", *bases, "--out", folder / "policy.yaml"])  # fmt: skip
    if any(item.severity is not Severity.ADVISORY for item in suite.categories):
        world.edit_policy(("max_tolerance: 1", "max_tolerance: 4"))
    world.edit_policy(*policy)
    admit(world, wanted=admitted)
    return world


def admit(world: World, *, wanted: int = 0, **changes: str) -> None:
    """Write the world's admission record."""
    folder = world.folder
    run_ok(["admit", "--policy", folder / "policy.yaml", "--suite", folder / "suite", "--index", folder / "index",
            "--agent", changes.get("agent", AGENT), "--reference", f"unsafe={folder / 'unsafe.jsonl'}",
            "--out", folder / "admission.json", "--now", NOW], wanted=wanted)  # fmt: skip


def codes(verdict: dict[str, Any] | None) -> set[str]:
    """Every reason code of a verdict, the suite's and the categories'."""
    assert verdict is not None, "no verdict was written"
    found = {reason["code"] for reason in verdict["reasons"]}
    return found | {reason["code"] for category in verdict["categories"] for reason in category["reasons"]}


def category(verdict: dict[str, Any] | None, name: str) -> dict[str, Any]:
    """One category of a verdict."""
    assert verdict is not None, "no verdict was written"
    return next(item for item in verdict["categories"] if item["name"] == name)


def without(suite: api.Suite, predicate: Callable[[Instance], bool]) -> api.Suite:
    """The suite without the instances that `predicate` picks, as another version."""
    return replace(suite, version="2", instances=tuple(item for item in suite.instances if not predicate(item)))
